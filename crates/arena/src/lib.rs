//! Who plays whom: players, the referee, matches, leagues and ratings.
//!
//! Everything that can answer a game with a move is a [`Player`]: people, the engine, programs in
//! any language. A [`PlayerSpec`] is the name of one on a command line or in a league's file.

mod chance;
mod clock;
mod cores;
pub mod dxp;
mod fault;
pub mod hub;
pub mod league;
mod matches;
mod openings;
mod pdn_record;
mod player;
mod players;
mod policy;
mod process;
mod record;
mod referee;
mod sandbox;
mod shelf;
mod spec;
pub mod stats;
mod time;

pub use chance::Chance;
pub use clock::{Budget, Clock, Stop};
pub use cores::Cores;
pub use fault::PlayerFault;
pub use matches::{MatchConfig, MatchGame, Seats, Standing, run_match};
pub use openings::{Openings, OpeningsError};
pub use pdn_record::{Heading, to_pdn};
pub use player::{Answer, Player, Reply, Turn};
pub use players::{EnginePlayer, Equipment, Keyboard, Minimax, OpenError, Person, RandomPlayer};
pub use policy::{Adjudication, Agreement, OnIllegal, OnLate, Policy, TableVerdicts};
pub use process::{Caps, Process};
pub use record::{ChosenBy, EndReason, GameEnd, GameRecord, Incident, Ply};
pub use referee::{Conditions, OnPly, play};
pub use sandbox::{Isolation, Sandbox};
pub use shelf::TableShelf;
pub use spec::{EngineOptions, PlayerSpec, SpecError};
pub use time::{TimeControl, TimeError, duration};
