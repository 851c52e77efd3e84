//! `kingme play`: a game in the terminal.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use kingme_play::TimeControl;
use kingme_players::{PlayerSpec, plainly};
use kingme_rules::{Game, Position, Variant};
use kingme_terminal::saved::{self, Journal};
use kingme_terminal::{LocalGame, Options, plain, screen};

use super::{Answer, Result};
use crate::terminal::Terminal;
use crate::variant;

type Error = Box<dyn std::error::Error>;

/// The game that lies under the menu when none is named.
const UNDER_THE_MENU: &str = "international";

/// Arguments of `kingme play`.
#[derive(clap::Args)]
pub struct Args {
    /// A game's name (see `kingme variants`), or the path of a variant file; a menu if left out
    variant: Option<String>,
    /// Play on a board of N by N squares
    #[arg(long, value_name = "N", requires = "variant")]
    size: Option<u32>,
    /// Who plays White: human, human:NAME, engine, engine:level=3, random, minimax, hub:COMMAND …
    #[arg(long, value_name = "PLAYER")]
    white: Option<PlayerSpec>,
    /// Who plays Black
    #[arg(long, value_name = "PLAYER")]
    black: Option<PlayerSpec>,
    /// Time: 5s a move, 5m+3s for a game and an increment, 40/5m
    #[arg(long, value_name = "TIME")]
    time: Option<TimeControl>,
    /// Let players who have typed something wrong try again, where a game is mean to them
    #[arg(long)]
    nice: bool,
    /// Show the numbers of pieces above the board; on a full screen, how a program sees its chances
    #[arg(long)]
    score: bool,
    /// Show the number of moves and of pieces above the board
    #[arg(long)]
    counter: bool,
    /// Begin with a position: a FEN, or a file with a FEN, a PDN game or a drawn board
    #[arg(long, value_name = "FILE|FEN", requires = "variant")]
    setup: Option<String>,
    /// Wait before each move of a program, to watch it: 500ms, 2s
    #[arg(long, value_name = "TIME", value_parser = delay)]
    delay: Option<Duration>,
    /// Play line by line, as it is done without a terminal
    #[arg(long)]
    plain: bool,
    /// Draw with nothing but ASCII characters, pieces as letters; so it is done without colours or
    /// UTF-8, too
    #[arg(long)]
    ascii: bool,
    /// For everything that is left to chance; the same seed plays the same game
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Go on with the game that was played last and is not over
    #[arg(long, conflicts_with_all = ["variant", "size", "setup"])]
    resume: bool,
}

fn delay(text: &str) -> std::result::Result<Duration, String> {
    kingme_play::duration(text).ok_or_else(|| format!("`{text}` is no time; write 500ms or 2s"))
}

/// Runs the command.
pub fn run(args: &Args) -> Result {
    let full_screen = !args.plain
        && Terminal::here().move_cursor
        && std::io::stdin().is_terminal()
        && std::io::stdout().is_terminal();
    let Some(options) = options(args, full_screen)? else {
        return Ok(Answer::Yes);
    };
    if full_screen {
        let menu = args.variant.is_none() && !args.resume;
        on_screen(&options, menu)?;
    } else {
        let out = std::io::stdout().lock();
        if options.game.has_clock() {
            plain::run_live(std::io::BufReader::new(std::io::stdin()), out, &options)?;
        } else {
            plain::run(std::io::stdin().lock(), out, &options)?;
        }
    }
    Ok(Answer::Yes)
}

/// Plays on the full screen, and says on the plain one how it ended.
fn on_screen(options: &Options, menu: bool) -> std::result::Result<(), Error> {
    let game = screen::run(options, menu)?;
    let mut out = std::io::stdout().lock();
    match game.end() {
        Some(end) => writeln!(out, "{}", end.words)?,
        None if game.game().plies() == 0 => (),
        None => writeln!(out, "The game is saved: `kingme play --resume` goes on.")?,
    }
    Ok(())
}

/// What is to be played; `None` if nobody chooses a game.
fn options(args: &Args, full_screen: bool) -> std::result::Result<Option<Options>, Error> {
    let can = Terminal::here();
    let (game, players, journal) = if args.resume {
        resumed()?
    } else {
        let Some((name, variant)) = named(args, full_screen)? else {
            return Ok(None);
        };
        let position = position(args, &variant)?;
        let journal = journal(args, &name, &position)?;
        let human = || PlayerSpec::Human { name: None };
        let game = LocalGame::new(Game::from_position(position));
        (game, [human(), human()], journal)
    };
    let [white, black] = players;
    let players = [
        args.white.clone().unwrap_or(white),
        args.black.clone().unwrap_or(black),
    ];
    let game = match args.time {
        Some(time) => game.with_time(time),
        None => game,
    };
    let any_person = players
        .iter()
        .any(|player| matches!(player, PlayerSpec::Human { .. }));
    Ok(Some(Options {
        nice: args.nice,
        score: args.score,
        counter: args.counter,
        delay: args.delay.unwrap_or_default(),
        ascii: args.ascii || can.needs_letters(),
        colour: can.colour,
        seed: args.seed.unwrap_or_else(any_seed),
        // Programs can play their game again whenever they are asked to.
        journal: journal.filter(|_| any_person),
        players,
        warn: |what| eprintln!("kingme: {}", plainly(&what)),
        ..Options::new(game)
    }))
}

/// A seed that nobody has to know.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_nanos() as u64)
}

/// The game that was asked for, with its name as given.
fn named(args: &Args, full_screen: bool) -> std::result::Result<Option<(String, Variant)>, Error> {
    let Some(name) = &args.variant else {
        let chosen = if full_screen {
            Some(Variant::named(UNDER_THE_MENU)?)
        } else {
            plain::choose(std::io::stdin().lock(), std::io::stdout().lock())?
        };
        return Ok(chosen.map(|variant| (variant.name().to_owned(), variant)));
    };
    Ok(Some((
        name.clone(),
        sized(variant::load(name)?, args.size)?,
    )))
}

fn sized(variant: Variant, size: Option<u32>) -> std::result::Result<Variant, Error> {
    Ok(match size {
        Some(size) => variant.sized(size)?,
        None => variant,
    })
}

fn position(args: &Args, variant: &Variant) -> std::result::Result<Position, Error> {
    let Some(setup) = &args.setup else {
        return Ok(variant.start());
    };
    // A FEN has colons, and a file that is there is a file.
    if setup.contains(':') && !Path::new(setup).exists() {
        return Ok(kingme_terminal::set_up(variant, setup)?);
    }
    let text = variant::read(setup)?;
    kingme_terminal::set_up(variant, &text).map_err(|error| format!("{setup}: {error}").into())
}

/// Where the game is saved; `None` where the system has no place for a user's data.
fn journal(
    args: &Args,
    name: &str,
    position: &Position,
) -> std::result::Result<Option<Journal>, Error> {
    let Some(folder) = folder() else {
        return Ok(None);
    };
    let name = if variant::is_file(name) {
        std::fs::canonicalize(name)?.display().to_string()
    } else {
        name.to_owned()
    };
    let usual = sized(variant::load(&name)?, args.size)?;
    let board = position.variant().board();
    let drawn = (usize::from(board.columns()), usize::from(board.rows()));
    let is_usual = board == usual.board();
    Ok(Some(Journal {
        board: (!is_usual).then_some(drawn),
        ..Journal::in_folder(&folder, &name, args.size)
    }))
}

/// The folder of saved games.
fn folder() -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "kingme")?;
    Some(folders.data_dir().join("games"))
}

type Resumed = (LocalGame, [PlayerSpec; 2], Option<Journal>);

fn resumed() -> std::result::Result<Resumed, Error> {
    let folder = folder().ok_or("this system has no folder for saved games")?;
    let saved = saved::latest(&folder)?;
    let journal = &saved.journal;
    let usual = sized(variant::load(&journal.variant)?, journal.size)?;
    let variant = match journal.board {
        Some(board) => kingme_terminal::on_board(&usual, board)?,
        None => usual,
    };
    let game = saved.game(&variant)?;
    Ok((game, saved.players.clone(), Some(saved.journal)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_under_the_menu_exists() {
        assert!(Variant::named(UNDER_THE_MENU).is_ok());
    }

    #[test]
    fn delays_are_times() {
        assert_eq!(delay("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(delay("5").unwrap_err(), "`5` is no time; write 500ms or 2s");
    }
}
