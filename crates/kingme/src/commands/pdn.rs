//! `kingme pdn`: check and convert files of games.

use std::fs::File;
use std::io::{BufReader, Write};

use kingme_rules::Variant;
use kingme_rules::pdn::{PdnError, PdnGame, Reader, Replay, from_game, replay, to_text};

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
    /// PDN files
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
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally {
            games,
            moves,
            errors,
        } = self;
        write!(f, "{games} games, {moves} moves, {errors} errors")
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.games += other.games;
        self.moves += other.moves;
        self.errors += other.errors;
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
            Read::Game(_, replay) => {
                tally.games += 1;
                tally.moves += replay.moves.len();
                tally.errors += replay.errors.len();
                for error in &replay.errors {
                    writeln!(out, "{path}: {error}")?;
                }
            }
            Read::Fault(error) => {
                tally.errors += 1;
                writeln!(out, "{path}: {error}")?;
            }
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
                tally.errors += replay.errors.len();
                for error in &replay.errors {
                    eprintln!("kingme: {path}: {error}");
                }
                // A comment alone, or rubbish that could be one, is no game.
                if !game.tags.is_empty() || !game.moves.is_empty() {
                    writeln!(out, "{}", to_text(&canonical(game, replay)))?;
                }
            }
            Read::Fault(error) => {
                tally.errors += 1;
                eprintln!("kingme: {path}: {error}");
            }
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
        let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
        let mut tally = Tally::default();
        let mut looks_like_pdn = false;
        for game in Reader::new(BufReader::new(file)) {
            tally += match &game {
                Ok(game) => {
                    let replay = replay(game, variant.as_ref());
                    looks_like_pdn |= !game.tags.is_empty() || !replay.moves.is_empty();
                    visit(path, Read::Game(game, &replay))?
                }
                Err(error) => visit(path, Read::Fault(error))?,
            };
        }
        if !looks_like_pdn {
            return Err(format!("{path}: this is not a PDN file, there is no game in it").into());
        }
        visit(path, Read::End(tally))?;
        total += tally;
    }
    Ok(total)
}

/// The game with its moves in the notation of its rules. What could not be played stays as it was.
fn canonical(game: &PdnGame, replay: &Replay) -> PdnGame {
    let recorded = from_game(&replay.game, game.tags.clone());
    let one_text_a_move = replay.told == game.moves.len();
    if !one_text_a_move {
        return PdnGame {
            result: game.result.clone().or(recorded.result.clone()),
            ..recorded
        };
    }
    let mut moves = game.moves.clone();
    let mut position = replay.game.start().clone();
    for (node, mv) in moves.iter_mut().zip(&replay.moves) {
        node.text = position.move_text(mv);
        position = position.play_unchecked(mv);
    }
    PdnGame {
        tags: recorded.tags,
        moves,
        ..game.clone()
    }
}
