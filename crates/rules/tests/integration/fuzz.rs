//! Rubbish for every reader: no panic, no hang. Half a second each, or `FUZZ_SECONDS`.
//!
//! Texts are mutated from sound ones, since pure noise never gets past the first character.

use std::time::{Duration, Instant};

use kingme_rules::pdn::{Reader, replay, to_text};
use kingme_rules::{Definition, Position, Variant};

/// A small seeded generator.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % below.max(1)
    }

    /// The bytes with a few places changed, removed, doubled or swapped with another seed's.
    fn mutate(&mut self, seeds: &[&str]) -> Vec<u8> {
        const SPICE: &[u8] = b"0123456789-x:,.WBKwb[]{}()\"'\\;%$!?*=\n\r\t \0\xff\xc3/";
        let mut bytes = seeds[self.next(seeds.len())].as_bytes().to_vec();
        for _ in 0..=self.next(8) {
            let at = self.next(bytes.len() + 1);
            match self.next(5) {
                0 => bytes.insert(at, SPICE[self.next(SPICE.len())]),
                1 if at < bytes.len() => drop(bytes.remove(at)),
                2 if at < bytes.len() => bytes[at] = SPICE[self.next(SPICE.len())],
                3 => {
                    let other = seeds[self.next(seeds.len())].as_bytes();
                    let from = self.next(other.len());
                    let to = (from + self.next(40)).min(other.len());
                    bytes.splice(at..at, other[from..to].iter().copied());
                }
                _ => bytes.truncate(at),
            }
        }
        bytes
    }
}

fn fuzz(seeds: &[&str], mut check: impl FnMut(&str)) {
    let seconds = std::env::var("FUZZ_SECONDS").map_or(0.5, |s| s.parse().expect("FUZZ_SECONDS"));
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    while Instant::now() < end {
        for _ in 0..50 {
            check(&String::from_utf8_lossy(&random.mutate(seeds)));
        }
    }
}

fn variants() -> Vec<Variant> {
    [
        "international",
        "russian",
        "league",
        "stupid-checkers",
        "frogs",
        "frisian",
    ]
    .map(|name| Variant::named(name).expect(name))
    .to_vec()
}

#[test]
fn fuzz_fen() {
    let seeds: Vec<String> = variants().iter().map(|v| v.start().fen()).collect();
    let mut seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    seeds.extend([
        "W:WK46,35:BK5:R46=3",
        "?:W31-50:B1-20:H0:F1.",
        "W:Wa1,Kc3:Bh8,G17",
    ]);
    let variants = variants();
    fuzz(&seeds, |text| {
        for variant in &variants {
            if let Ok(position) = Position::from_fen(variant, text) {
                let again = Position::from_fen(variant, &position.fen()).expect("its own FEN");
                assert_eq!(again, position, "{text}");
            }
        }
    });
}

#[test]
fn fuzz_moves() {
    let positions: Vec<Position> = variants().iter().map(Variant::start).collect();
    let texts: Vec<String> = positions
        .iter()
        .flat_map(|position| position.move_texts(&position.legal_moves()))
        .collect();
    let seeds: Vec<&str> = texts.iter().map(String::as_str).collect();
    fuzz(&seeds, |text| {
        for position in &positions {
            if let Ok(mv) = position.find_move(text) {
                position.play(&mv).expect("a move that was found is legal");
            }
        }
    });
}

#[test]
fn fuzz_variant_files() {
    let seeds: Vec<&str> = kingme_rules::variant::shipped()
        .map(|(_, text)| text)
        .collect();
    fuzz(&seeds, |text| {
        if let Ok(definition) = Definition::from_toml(text) {
            let variant = Variant::from_definition(definition).expect("read means sound");
            variant.start().count_moves();
        }
    });
}

#[test]
fn fuzz_pdn() {
    let seeds = [
        "[Event \"One\"]\n[GameType \"21\"]\n[Result \"*\"]\n\n1. 11-15 23-19 2. 8-11 {good} 22-17 *\n",
        "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 (2... 13x24 $1 !?) 3. 37-32 1-1\n",
        "[GameType \"25\"]\n[FEN \"W:Wa1,Kc3:Bh8\"]\n1. a1-b2 {[%clock w1:00:00]} 1/2-1/2\n",
    ];
    fuzz(&seeds, |text| {
        for game in Reader::new(text.as_bytes()).flatten() {
            replay(&game, None);
            let written = to_text(&game);
            let again = Reader::new(written.as_bytes()).next();
            assert!(
                again.is_some_and(|again| again.is_ok()),
                "{text}\n{written}"
            );
        }
    });
}
