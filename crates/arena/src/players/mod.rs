//! The players that come with the arena.

mod engine;
mod minimax;
mod open;
mod random;

pub use engine::EnginePlayer;
pub use minimax::Minimax;
pub use open::OpenError;
pub use random::RandomPlayer;
