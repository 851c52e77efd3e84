//! Chooses moves: search, learned evaluation, endgame tables, time. A library with callbacks: it
//! never prints, and it reads the clock only to keep the limit it was given.

mod bench;
mod compiled;
mod engine;
mod eval;
mod level;
mod limit;
mod random;
mod report;
mod score;
mod search;
pub mod solve;
pub mod tables;
#[cfg(test)]
mod tests;
pub mod train;
mod transposition;

pub use bench::{Bench, bench};
pub use engine::{Engine, Options};
pub use eval::{Form, Weights, WeightsError, shipped};
pub use limit::{GameTime, Handle, Limit};
pub use random::Random;
pub use report::{Choice, Line, Report};
pub use score::{Depth, Score};
