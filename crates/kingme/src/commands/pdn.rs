//! `kingme pdn`: check and convert files of games.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};

use kingme_players::plainly;
use kingme_rules::Variant;
use kingme_rules::pdn::{PdnError, PdnGame, Reader, Replay, replay, to_text, warnings};

use super::{Answer, Result};
use crate::variant;

/// Arguments of `kingme pdn`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Replay every game and report what is wrong, with file, line and column
    Check(Files),
    /// Write the games to standard output in canonical PDN
    Convert(Files),
}

#[derive(clap::Args)]
struct Files {
    /// PDN files; - is standard input
    #[arg(required = true)]
    files: Vec<String>,
    /// The game that is played in them, if they don't say so
    #[arg(long, value_name = "VARIANT")]
    variant: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result {
    match &args.command {
        Command::Check(files) => check(files),
        Command::Convert(files) => convert(files),
    }
}

#[derive(Copy, Clone, Default)]
struct Tally {
    games: usize,
    moves: usize,
    errors: usize,
    warnings: usize,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (games, moves, errors) = (self.games, self.moves, self.errors);
        write!(f, "{games} games, {moves} moves, {errors} errors")?;
        match self.warnings {
            0 => Ok(()),
            warnings => write!(f, ", {warnings} warnings"),
        }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.games += other.games;
        self.moves += other.moves;
        self.errors += other.errors;
        self.warnings += other.warnings;
    }
}

impl Tally {
    fn answer(self) -> Answer {
        if self.errors == 0 {
            Answer::Yes
        } else {
            Answer::No
        }
    }
}

fn check(files: &Files) -> Result {
    let mut out = std::io::stdout().lock();
    let total = each_file(files, |path, read| {
        let mut tally = Tally::default();
        match read {
            Read::Game(game, replay) => {
                tally.games += 1;
                tally.moves += replay.moves.len();
                let (lost, odd): (Vec<_>, Vec<_>) =
                    game.faults.iter().partition(|error| error.fault.loses());
                let warnings = warnings(game, replay);
                tally.errors += replay.errors.len() + lost.len();
                tally.warnings += warnings.len() + odd.len();
                for error in replay.errors.iter().map(ToString::to_string) {
                    writeln!(out, "{path}: {error}")?;
                }
                for error in &lost {
                    writeln!(out, "{path}: {error}")?;
                }
                let odd = odd.iter().map(ToString::to_string);
                for warning in warnings.iter().map(ToString::to_string).chain(odd) {
                    writeln!(out, "{path}: warning: {warning}")?;
                }
            }
            Read::Fault(error) => {
                tally.errors += 1;
                writeln!(out, "{path}: {}", plainly(&error))?;
            }
            Read::Note(note) => writeln!(out, "{path}: note: {note}")?,
            Read::End(tally) => writeln!(out, "{path}: {tally}")?,
        }
        Ok(tally)
    })?;
    writeln!(out, "{total}")?;
    Ok(total.answer())
}

fn convert(files: &Files) -> Result {
    let mut out = std::io::stdout().lock();
    let total = each_file(files, |path, read| {
        let mut tally = Tally::default();
        match read {
            Read::Game(game, replay) => {
                let lost = game.faults.iter().filter(|error| error.fault.loses());
                let errors = replay.errors.iter().map(ToString::to_string);
                for error in errors.chain(lost.map(ToString::to_string)) {
                    tally.errors += 1;
                    eprintln!("kingme: {path}: {error}");
                }
                // A comment alone, or rubbish that could be one, is no game.
                if !game.tags.is_empty() || !game.moves.is_empty() {
                    writeln!(out, "{}", to_text(&game.canonical(replay)))?;
                }
            }
            Read::Fault(error) => {
                tally.errors += 1;
                eprintln!("kingme: {path}: {}", plainly(&error));
            }
            Read::Note(note) => eprintln!("kingme: {path}: note: {note}"),
            Read::End(_) => (),
        }
        Ok(tally)
    })?;
    Ok(total.answer())
}

/// What is found in a file.
enum Read<'a> {
    Game(&'a PdnGame, &'a Replay),
    Fault(&'a PdnError),
    /// Something that had to be assumed; said once per file.
    Note(&'a str),
    /// The file has been read; this is what was in it.
    End(Tally),
}

/// Reads the files one after the other, one game at a time.
fn each_file(
    files: &Files,
    mut visit: impl FnMut(&str, Read<'_>) -> std::io::Result<Tally>,
) -> std::result::Result<Tally, Box<dyn std::error::Error>> {
    let variant: Option<Variant> = files.variant.as_deref().map(variant::load).transpose()?;
    let mut total = Tally::default();
    for path in &files.files {
        let input = open(path)?;
        let path = if path == STDIN {
            "standard input"
        } else {
            path
        };
        let mut tally = Tally::default();
        let mut looks_like_pdn = false;
        let mut notes: Vec<String> = Vec::new();
        let mut reader = Reader::new(input);
        for game in reader.by_ref() {
            tally += match &game {
                Ok(game) => {
                    let replay = replay(game, variant.as_ref());
                    looks_like_pdn |= !game.tags.is_empty() || !replay.moves.is_empty();
                    notes.extend(replay.assumed.iter().map(ToString::to_string));
                    visit(path, Read::Game(game, &replay))?
                }
                Err(error) => visit(path, Read::Fault(error))?,
            };
        }
        if !looks_like_pdn {
            return Err(format!("{path}: this is not a PDN file, there is no game in it").into());
        }
        let encoding = reader.encoding();
        notes.extend(encoding.map(|encoding| format!("not UTF-8; read as {encoding}")));
        notes.sort_unstable();
        notes.dedup();
        for note in &notes {
            visit(path, Read::Note(note))?;
        }
        visit(path, Read::End(tally))?;
        total += tally;
    }
    Ok(total)
}

/// The name of standard input.
const STDIN: &str = "-";

fn open(path: &str) -> std::result::Result<Box<dyn BufRead>, String> {
    if path == STDIN {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
    Ok(Box::new(BufReader::new(file)))
}
