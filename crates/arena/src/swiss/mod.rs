//! Swiss tournaments by the FIDE (Dutch) system: pairings, tie-breaks and tournament files.
//!
//! Nothing here knows of leagues: a [`Tournament`] is what its results make it.

mod bracket;
mod card;
mod dutch;
mod matching;
mod table;
mod tournament;
mod trf;
mod weight;
mod worth;

pub use dutch::{NoPairing, Pairing, pair, pair_leniently};
pub use table::{TableRow, table};
pub use tournament::{Outcome, Player, Tournament};
pub use trf::TrfError;
