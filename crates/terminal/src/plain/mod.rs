//! Games line by line: for scripts, lessons, pipes and terminals that can't do more.

mod choose;
mod command;
mod lines;
mod talk;
mod worksheet;

use std::io::{self, BufRead, Write};

use kingme_players::OpenError;
use kingme_rules::variant::Dialogue;
use kingme_rules::{Position, Side};

pub use choose::choose;
use lines::{LineSource, Lines, LiveLines};

use crate::Options;

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The game is over; the side that won, if one did.
    Over(Option<Side>),
    /// Somebody left, or the input ended.
    Left,
}

/// Why a session could not go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input or the output failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A player can't be had.
    #[error(transparent)]
    Player(#[from] OpenError),
}

/// Plays a game, in the dialogue that its variant asks for. Whether somebody was too late is
/// noticed when a line is read.
///
/// # Errors
///
/// If the input or the output fails, or a player can't be started.
pub fn run(input: impl BufRead, output: impl Write, options: &Options) -> Result<Ended, Error> {
    play(Lines::new(input), output, options)
}

/// As [`run`], with an eye on the clock while nothing is typed. The input is read by a thread of
/// its own, which is left behind, waiting for a line, when the game is over.
///
/// # Errors
///
/// If the input or the output fails, or a player can't be started.
pub fn run_live(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    options: &Options,
) -> Result<Ended, Error> {
    play(LiveLines::new(input), output, options)
}

fn play(lines: impl LineSource, output: impl Write, options: &Options) -> Result<Ended, Error> {
    let definition = options.game.game().variant().definition();
    match definition.screen.dialogue {
        Dialogue::FromTo | Dialogue::From => worksheet::run(lines, output, options),
        Dialogue::Moves | Dialogue::Turns => talk::run(lines, output, options),
    }
}

/// What stands above the board, if it is asked for: the score, or the counter with it.
fn headline(position: &Position, moves: usize, options: &Options) -> Option<String> {
    let [white, black] = position.variant().definition().sides.letters;
    let [whites, blacks] = Side::BOTH.map(|side| position.count(side));
    if options.counter {
        // The worksheets have no blank after the second colon here.
        Some(format!(
            "Move #{moves} -- {white}: {whites}  {black}:{blacks}"
        ))
    } else if options.score {
        Some(format!("{white}: {whites}  {black}: {blacks}"))
    } else {
        None
    }
}

/// A line centred over a board, labels at its left apart; an odd blank goes to the left.
fn centred(line: &str, board: &str) -> String {
    let row = board.lines().nth(1).unwrap_or_default();
    let margin = row.len() - row.trim_start().len();
    let spare = (row.len() - margin).saturating_sub(line.len());
    format!("{:indent$}{line}", "", indent = margin + spare.div_ceil(2))
}
