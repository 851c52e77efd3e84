//! Chooses moves: search, learned evaluation, endgame tables, time. A library with callbacks: it
//! never prints, and it reads the clock only to keep the limit it was given.

mod engine;
mod eval;
mod limit;
mod random;
mod report;
mod score;
mod search;
pub mod solve;
pub mod tables;
pub mod train;
mod transposition;

pub use engine::{Engine, Options};
pub use eval::{Form, Weights, WeightsError, shipped};
pub use limit::{Clock, Handle, Limit};
pub use random::Random;
pub use report::{Choice, Line, Report};
pub use score::{Depth, Score};
