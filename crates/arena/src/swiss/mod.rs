//! Swiss tournaments by the FIDE (Dutch) system: pairings, tie-breaks and tournament files.
//!
//! Nothing here knows of leagues: a [`Tournament`] is what its results make it.

mod bracket;
mod contender;
mod dutch;
mod matching;
mod placing;
mod tournament;
mod trf;
mod weight;
mod worth;

pub use dutch::{NoPairing, Pairing, pair, pair_leniently};
pub use placing::{Placing, placings};
pub use tournament::{Outcome, Player, Tournament};
pub use trf::TrfError;
