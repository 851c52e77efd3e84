//! Everything that reads what strangers write. The first letter of the input says who reads the
//! rest; nobody may panic, hang or take the memory, and what was read comes out the same again.

#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use kingme_arena::Openings;
use kingme_arena::league::LeagueFile;
use kingme_engine::Weights;
use kingme_play::{Event, TimeControl, read_ply, unescaped, write_ply};
use kingme_players::PlayerSpec;
use kingme_players::dxp::Message;
use kingme_players::hub::{Line, read_move, read_position};
use kingme_rules::pdn::{GameType, Reader, replay, to_text};
use kingme_rules::{Definition, Position, Variant};
use libfuzzer_sys::fuzz_target;

static VARIANTS: LazyLock<Vec<Variant>> = LazyLock::new(|| {
    let names = [
        "international",
        "english",
        "russian",
        "league",
        "frisian",
        "turkish",
        "frogs",
    ];
    names.map(|name| Variant::named(name).expect(name)).to_vec()
});

fuzz_target!(|data: &[u8]| {
    let Some((&reader, bytes)) = data.split_first() else {
        return;
    };
    if reader == b'w' {
        let _ = Weights::read(bytes, &VARIANTS[0]);
        return;
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match reader {
        b'f' => VARIANTS.iter().for_each(|variant| fen(variant, text)),
        b'm' => VARIANTS.iter().for_each(|variant| moves(variant, text)),
        b'p' => pdn(text),
        b'v' => variant(text),
        b'l' => drop(LeagueFile::read(text, Path::new("/nowhere"))),
        b'o' => drop(Openings::read(text, &VARIANTS[1])),
        b'h' => hub(text),
        b'd' => drop(Message::read(text)),
        b's' => drop(text.parse::<PlayerSpec>()),
        b't' => drop(text.parse::<TimeControl>()),
        b'g' => drop(text.parse::<GameType>()),
        b'e' => event(text),
        _ => (),
    }
});

fn fen(variant: &Variant, text: &str) {
    if let Ok(position) = Position::from_fen(variant, text) {
        let again = Position::from_fen(variant, &position.fen()).expect("its own FEN");
        assert_eq!(again, position, "{text}");
        let _ = position.legal_moves();
    }
}

fn moves(variant: &Variant, text: &str) {
    let position = variant.start();
    if let Ok(mv) = position.find_move(text) {
        position.play(&mv).expect("a move that was found is legal");
    }
}

fn pdn(text: &str) {
    for game in Reader::new(text.as_bytes()).flatten() {
        replay(&game, None);
        let written = to_text(&game);
        let again = Reader::new(written.as_bytes()).next();
        assert!(again.is_some_and(|again| again.is_ok()), "{written}");
    }
}

fn variant(text: &str) {
    if let Ok(definition) = Definition::from_toml(text) {
        let variant = Variant::from_definition(definition).expect("read means sound");
        let _ = variant.start().legal_moves();
    }
}

fn hub(text: &str) {
    let line = Line::new(text);
    assert!(line.arguments().all(|(name, _)| line.has(name)), "{text}");
    for variant in VARIANTS.iter() {
        let _ = read_position(variant, text);
        let _ = read_move(&variant.start(), text);
    }
}

fn event(text: &str) {
    if let Ok(event) = serde_json::from_str::<Event>(text) {
        let written = serde_json::to_string(&event).expect("plain data");
        let again: Event = serde_json::from_str(&written).expect("its own JSON");
        assert_eq!(serde_json::to_string(&again).expect("plain data"), written);
    }
    unescaped(text);
    if let Some(ply) = read_ply(text) {
        let mut written = String::new();
        write_ply(&mut written, &ply);
    }
}
