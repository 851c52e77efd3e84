//! One module per command.

pub mod moves;
pub mod perft;
pub mod variants;

use crate::args::Command;

/// How a command ended that ran to its end.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Fine.
    Yes,
    /// The answer is no: an illegal game, a failed check.
    No,
}

/// What a command returns. An error is printed in one line.
pub type Result = std::result::Result<Answer, Box<dyn std::error::Error>>;

/// Runs a command.
pub fn run(command: Command) -> Result {
    match command {
        Command::Variants(args) => variants::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Perft(args) => perft::run(&args),
    }
}
