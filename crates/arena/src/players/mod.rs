//! The players that come with the arena.

mod engine;
mod minimax;
mod open;
mod person;
mod random;

pub use engine::EnginePlayer;
pub(crate) use engine::{may_ask_tables, men, take_tables};
pub use minimax::Minimax;
pub use open::{Equipment, OpenError};
pub use person::{Keyboard, Person};
pub use random::RandomPlayer;
