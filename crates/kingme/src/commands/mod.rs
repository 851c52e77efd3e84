//! One module per command.

pub mod analyse;
pub mod backup;
pub mod bench;
pub mod bot;
pub mod dxp;
pub mod hub;
pub mod league;
pub mod manual;
mod match_log;
pub mod matches;
pub mod moves;
pub mod pdn;
pub mod perft;
pub mod play;
pub mod serve;
mod sharing;
pub mod solve;
pub mod store;
pub mod swiss;
pub mod tables;
pub mod train;
pub mod variants;
pub mod worker;

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
        Command::Analyse(args) => analyse::run(&args),
        Command::Backup(args) => backup::backup(&args),
        Command::Restore(args) => backup::restore(args),
        Command::Store(args) => store::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Bot(args) => bot::run(args),
        Command::Dxp(args) => dxp::run(args),
        Command::Completions(args) => manual::completions(&args),
        Command::Hub(args) => hub::run(args),
        Command::Man(args) => manual::man(&args),
        Command::Variants(args) => variants::run(&args),
        Command::League(args) => league::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Pdn(args) => pdn::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Serve(args) => serve::run(args),
        Command::Solve(args) => solve::run(&args),
        Command::Swiss(args) => swiss::run(&args),
        Command::Tables(args) => tables::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Worker(args) => worker::work(&args),
        Command::Workers(args) => worker::list(&args),
    }
}

/// A request to stop that Ctrl-C makes; a second Ctrl-C ends the program at once.
pub fn stop_on_interrupt() -> std::result::Result<kingme_play::Stop, Box<dyn std::error::Error>> {
    let stop = kingme_play::Stop::new();
    let asked = stop.clone();
    ctrlc::set_handler(move || {
        if asked.is_requested() {
            std::process::exit(130);
        }
        asked.request();
    })?;
    Ok(stop)
}

/// A limit that an argument names, such as `30s`.
fn limit(text: &str) -> std::result::Result<std::time::Duration, String> {
    let limit = kingme_play::duration(text).filter(|limit| !limit.is_zero());
    limit.ok_or_else(|| format!("`{text}` is no time; write 30s or 500ms"))
}
