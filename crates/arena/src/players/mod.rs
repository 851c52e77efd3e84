//! The players that come with the arena.

mod minimax;
mod open;
mod random;

pub use minimax::Minimax;
pub use open::OpenError;
pub use random::RandomPlayer;
