//! Every game of the checkers family in a terminal: line by line for scripts and lessons
//! ([`plain`]), and on a full screen ([`screen`]).

mod clocks;
mod hint;
mod options;
pub mod plain;
pub mod saved;
pub mod screen;
mod seat;
mod setup;
mod table;

pub use clocks::{Clocks, Late};
pub use hint::hint;
pub use options::Options;
pub use setup::{SetUpError, on_board, set_up};
pub use table::{End, Table};
