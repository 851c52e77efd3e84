//! Who sits at a game.

use serde::{Deserialize, Serialize};

/// A player's number, wherever players have one.
pub type PlayerId = i64;

/// Who sits on one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Seat {
    /// Nobody yet: whoever is invited.
    Open,
    /// A person, or a person's bot.
    Person {
        /// Who.
        player: PlayerId,
        /// By what name.
        name: String,
    },
    /// The computer.
    Computer {
        /// From 1 to 10; 0 moves at random.
        level: u8,
    },
    /// Any other program.
    Program {
        /// By what name.
        name: String,
    },
}

impl Seat {
    /// The person's number, if one sits here.
    pub fn player(&self) -> Option<PlayerId> {
        match self {
            Seat::Person { player, .. } => Some(*player),
            Seat::Open | Seat::Computer { .. } | Seat::Program { .. } => None,
        }
    }
}
