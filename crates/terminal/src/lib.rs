//! Every game of the checkers family in a terminal: line by line for scripts and lessons
//! ([`plain`]), and on a full screen ([`screen`]).

mod hint;
mod local;
mod options;
pub mod plain;
pub mod saved;
pub mod screen;
mod seat;
mod setup;

pub use hint::hint;
pub use local::LocalGame;
pub use options::Options;
pub use setup::{SetUpError, on_board, set_up};
