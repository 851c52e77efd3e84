//! Who plays whom: players, the referee, matches, leagues and ratings.
//!
//! Everything that can answer a game with a move is a [`Player`]: people, the engine, programs in
//! any language. A [`PlayerSpec`] is the name of one on a command line or in a league's file.

mod cores;
pub mod dxp;
mod fault;
pub mod hub;
pub mod league;
mod matches;
mod openings;
mod player;
mod players;
mod process;
mod referee;
mod sandbox;
mod shelf;
mod spec;
pub mod stats;
mod waker;

pub use cores::Cores;
pub use fault::PlayerFault;
pub use matches::{MatchConfig, MatchGame, Seats, Standing, run_match};
pub use openings::{Openings, OpeningsError};
pub use player::{Player, Question};
pub use players::{EnginePlayer, Equipment, Keyboard, Minimax, OpenError, Person, RandomPlayer};
pub use process::{Caps, Process};
pub use referee::{Decide, Host, OnEvent, Recorder, play, referee, ruling};
pub use sandbox::{Isolation, Sandbox};
pub use shelf::{TableShelf, TableVerdicts};
pub use spec::{EngineOptions, PlayerSpec, SpecError};
