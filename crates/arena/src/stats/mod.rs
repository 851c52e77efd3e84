//! What results mean: Elo with its error, likelihood of superiority, tests, ratings.

mod factor;
mod glicko;
mod ratings;
mod sprt;
mod tally;

pub use glicko::{Glicko, GlickoGame};
pub use ratings::{PairResult, Rating, Ratings, bradley_terry};
pub use sprt::{EloModel, Sprt, SprtError, Verdict};
pub use tally::{Elo, Tally};
