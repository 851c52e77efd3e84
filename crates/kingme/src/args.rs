//! The command line.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands::{
    analyse, backup, bench, bot, dxp, hub, league, manual, matches, moves, pdn, perft, play, serve,
    solve, store, swiss, tables, train, variants, worker,
};
use crate::examples;

/// Every game of the checkers family, for people, bots and leagues.
#[derive(Parser)]
#[command(name = "kingme", version)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What `kingme` can do.
#[derive(Subcommand)]
pub enum Command {
    /// Copy a server's games and accounts into a file, while it runs
    Backup(backup::BackupArgs),
    /// Bring a backup back
    Restore(backup::RestoreArgs),
    /// List the games, explain one in plain words, or check a variant file
    Variants(variants::Args),
    /// Play a league from its file, show its table, export its games
    League(league::Args),
    /// Play games between two players, in mirrored pairs, and say who is better
    Match(Box<matches::Args>),
    /// What the engine thinks of a position: lines, scores, depth and speed
    Analyse(Box<analyse::Args>),
    /// Search fixed positions of every game: the node count changes only when play does
    Bench(bench::Args),
    /// Help for those who write bots
    Bot(bot::Args),
    /// Print what makes a shell complete these commands and their options
    Completions(manual::CompletionsArgs),
    /// Play with draughts programs that call over the network (DXP)
    Dxp(dxp::Args),
    /// The engine as a process for other programs (the Hub protocol)
    Hub(hub::Args),
    /// Write this help as manual pages, one a command
    Man(manual::ManArgs),
    /// Print the legal moves of a position, one a line, sorted as text
    Moves(moves::Args),
    /// Check or convert files of games
    Pdn(pdn::Args),
    /// Count the ways to play on: one line a depth, with the depth and the nodes
    Perft(perft::Args),
    /// Play a game in the terminal, on a full screen or line by line
    Play(Box<play::Args>),
    /// Serve the games to browsers and bots; `kingme` alone does this and opens the browser
    Serve(serve::Args),
    /// Prove a small game outright
    Solve(solve::Args),
    /// Move games and accounts between folders and data bases
    Store(store::Args),
    /// Pair and check tournament files of arbiters' programs (TRF16)
    Swiss(swiss::Args),
    /// Build, check and ask endgame tables
    Tables(tables::Args),
    /// Learn an evaluation by self-play; a killed training goes on where it stopped
    Train(train::Args),
    /// Play games of leagues and trainings for another machine
    Worker(worker::WorkerArgs),
    /// List the machines that play for a server or a data base
    Workers(worker::WorkersArgs),
}

impl Default for Command {
    fn default() -> Command {
        Command::Serve(serve::Args::default())
    }
}

impl Command {
    /// Whether programs play by the clock.
    #[cfg(target_os = "linux")]
    pub fn is_timed(&self) -> bool {
        match self {
            Command::Match(_) | Command::Worker(_) => true,
            Command::League(args) => args.plays(),
            _ => false,
        }
    }
}

/// All commands, each with an example.
pub fn command() -> clap::Command {
    examples::add_to(Cli::command())
}

/// Reads the words of a command line.
pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let mut matches = command().try_get_matches_from(words)?;
    Cli::from_arg_matches_mut(&mut matches)
}

/// Help and version as clap prints them; anything else in one line.
pub fn explain(error: &clap::Error) -> ExitCode {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        // A closed pipe is the only thing that can go wrong here, and it is the reader's choice.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let words = std::env::args().skip(1);
    let meant = meant(&command(), words);
    eprintln!("kingme: {} (see `{meant} --help`)", in_one_line(error));
    ExitCode::from(2)
}

/// The command that is meant, as far as the words name one.
fn meant(command: &clap::Command, mut words: impl Iterator<Item = String>) -> String {
    let name = command.get_name();
    let next = words.next().and_then(|word| command.find_subcommand(word));
    match next {
        Some(next) => format!("{name} {}", meant(next, words)),
        None => name.to_owned(),
    }
}

fn in_one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return format!("a command is missing: {}", commands_in(&text).join(", "));
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let mut message = first.trim_start_matches("error: ").to_owned();
    for line in lines {
        if line.starts_with("Usage:") || line.starts_with("For more information") {
            break;
        }
        message.push_str(if line.starts_with("tip: ") { "; " } else { " " });
        message.push_str(line.trim_start_matches("tip: "));
    }
    message
}

/// The commands that a help text lists.
fn commands_in(help: &str) -> Vec<&str> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    listed
        .take_while(|line| !line.trim().is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&name| name != "help")
        .collect()
}
