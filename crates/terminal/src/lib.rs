//! Every game of the checkers family in a terminal: line by line for scripts and lessons
//! ([`plain`]), and on a full screen.

mod hint;
mod options;
pub mod plain;
pub mod saved;
mod seat;
mod table;

pub use hint::hint;
pub use options::Options;
pub use table::{End, Table};
