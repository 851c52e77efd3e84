//! Who plays whom: players, the referee, matches, leagues and ratings.
//!
//! Everything that can answer a game with a move is a [`Player`]: people, the engine, programs in
//! any language. A [`PlayerSpec`] is the name of one on a command line or in a league's file.

mod chance;
mod clock;
mod fault;
pub mod hub;
mod player;
mod players;
mod process;
mod sandbox;
mod spec;

pub use chance::Chance;
pub use clock::{Budget, Clock, Stop};
pub use fault::PlayerFault;
pub use player::{Answer, Player, Reply, Turn};
pub use players::{Minimax, OpenError, RandomPlayer};
pub use process::{Caps, Process};
pub use sandbox::{Isolation, Sandbox};
pub use spec::{EngineOptions, PlayerSpec, SpecError};
