//! Players: whatever answers a game with a move.
//!
//! Everything that can answer is a [`Player`]: our engine, the samples, a person at a keyboard, and
//! programs in any language, which speak [`hub`] or [`dxp`] and run confined. A [`PlayerSpec`] is
//! the name of one on a command line or in a league's file.

mod bot_log;
pub mod dxp;
mod engine;
mod fault;
pub mod hub;
mod minimax;
mod open;
mod person;
mod pipes;
mod player;
mod process;
mod random;
mod sandbox;
mod shelf;
mod spec;

/// What players of our own say they are.
pub(crate) const OURS: &str = concat!("kingme ", env!("CARGO_PKG_VERSION"));

pub use bot_log::{BotLog, BotLogs, LogLine, written_by_game};
pub use engine::EnginePlayer;
pub use fault::{PlayerFault, plainly};
pub use minimax::Minimax;
pub use open::{Equipment, OpenError};
pub use person::{Keyboard, Person};
pub use player::{Player, Question};
pub use process::{Caps, Process};
pub use random::RandomPlayer;
pub use sandbox::{Isolation, Sandbox};
pub use shelf::{TableShelf, TableVerdicts};
pub use spec::{EngineOptions, PlayerSpec, SpecError};
