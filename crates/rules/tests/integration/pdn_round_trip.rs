//! Games of every variant, shipped and random: written, read, converted and read again, they stay
//! what they were.

use kingme_rules::pdn::{PdnGame, Reader, from_game, replay, to_text};
use kingme_rules::{Game, Variant};

use crate::random_variants::{self, Random};

#[test]
fn every_shipped_game_survives() {
    for name in Variant::names() {
        let variant = Variant::named(name).unwrap();
        let mut random = Random(11);
        for _ in 0..4 {
            survives(&played(&variant, &mut random), None);
        }
    }
}

/// The tag says the size as well.
#[test]
fn games_of_other_sizes_survive() {
    for (name, size) in [
        ("league", 4),
        ("league", 26),
        ("english", 6),
        ("russian", 26),
        ("league", 28),
        ("league", 40),
        ("league", 100),
        ("international", 100),
    ] {
        let variant = Variant::named(name).unwrap().sized(size).unwrap();
        survives(&played(&variant, &mut Random(12)), None);
    }
}

#[test]
fn random_games_survive() {
    let mut random = Random(13);
    for _ in 0..150 {
        let variant = random_variants::variant(&mut random);
        survives(&played(&variant, &mut random), Some(&variant));
    }
}

/// Squares of the columns w to z: an x may separate, or not.
#[test]
fn columns_may_be_called_x() {
    let mut definition = Variant::named("russian").unwrap().definition().clone();
    (definition.board.columns, definition.board.sizes) = (26, None);
    definition.draws.counters.clear();
    definition.notation.game_type = None;
    "wide".clone_into(&mut definition.name);
    let variant = Variant::from_definition(definition).unwrap();
    let mut random = Random(14);
    for _ in 0..8 {
        survives(&played(&variant, &mut random), Some(&variant));
    }
}

/// A game of random moves.
fn played(variant: &Variant, random: &mut Random) -> Game {
    let mut game = Game::new(variant);
    for _ in 0..60 {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play(&random.pick(&moves)).unwrap();
    }
    game
}

#[track_caller]
fn survives(game: &Game, given: Option<&Variant>) {
    let written = from_game(game, Vec::new());
    let text = to_text(&written);
    let read = check_same(game, &written, &text, given);
    // `kingme pdn convert`, then `kingme pdn check`.
    let converted = to_text(&read.canonical(&replay(&read, given)));
    check_same(game, &written, &converted, given);
}

#[track_caller]
fn check_same(game: &Game, written: &PdnGame, text: &str, given: Option<&Variant>) -> PdnGame {
    let mut games = Reader::new(text.as_bytes());
    let read = games.next().expect(text).unwrap();
    assert!(games.next().is_none(), "{text}");
    assert_eq!(read.faults, [], "{text}");
    assert_eq!(read.result, written.result, "{text}");
    let replay = replay(&read, given);
    assert_eq!(replay.errors, [], "{text}");
    assert_eq!(replay.assumed, [], "{text}");
    assert!(replay.moves.iter().eq(game.moves()), "{text}");
    assert_eq!(replay.position, *game.position(), "{text}");
    assert_eq!(replay.game.variant(), game.variant(), "{text}");
    assert_eq!(replay.game.outcome(), game.outcome(), "{text}");
    read
}
