//! Who plays whom: the referee, matches, leagues and ratings.

mod cores;
mod files;
pub mod league;
mod matches;
mod openings;
mod referee;
pub mod stats;
pub mod swiss;

pub use cores::Cores;
pub use files::{read_file, sha256};
pub use matches::{MatchConfig, MatchError, MatchGame, Seats, Standing, run_match, share_match};
pub use openings::{BookCut, BookOrder, Openings, OpeningsError};
pub use referee::{Decide, Host, OnEvent, Recorder, play, referee, ruling};
