//! Playing a session from a text.

use kingme_rules::{Game, Position, Side, Variant};
use kingme_terminal::plain::{self, Ended};
use kingme_terminal::{LocalGame, Options};

/// Options for a game from its start, between two people.
pub fn options(variant: &str) -> Options {
    Options::new(LocalGame::new(Game::new(&Variant::named(variant).unwrap())))
}

/// Options for a game from a position.
pub fn set_up(variant: &str, fen: &str) -> Options {
    let variant = Variant::named(variant).unwrap();
    let position = Position::from_fen(&variant, fen).unwrap();
    Options::new(LocalGame::new(Game::from_position(position)))
}

/// What is printed when this is typed, and how it ends.
pub fn session(options: &Options, typed: &str) -> (String, Ended) {
    let mut printed = Vec::new();
    let ended = plain::run(typed.as_bytes(), &mut printed, options).unwrap();
    (String::from_utf8(printed).unwrap(), ended)
}

/// What is printed when this is typed.
pub fn transcript(options: &Options, typed: &str) -> String {
    session(options, typed).0
}

/// The board of a position, as the games draw it.
pub fn board(variant: &str, fen: &str) -> String {
    let variant = Variant::named(variant).unwrap();
    let bottom = !variant.definition().sides.top;
    Position::from_fen(&variant, fen)
        .unwrap()
        .text_board(bottom)
}

/// Who won.
pub fn winner(options: &Options, typed: &str) -> Option<Side> {
    match session(options, typed).1 {
        Ended::Over(winner) => winner,
        Ended::Left => panic!("nobody finished the game"),
    }
}
