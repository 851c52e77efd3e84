//! What a bot was told, what it said, and when: a log for its author.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// A folder with a log for each bot.
#[derive(Clone, Debug)]
pub struct BotLogs {
    folder: PathBuf,
    began: Instant,
    seats: Arc<AtomicU32>,
    failure: Arc<OnceLock<String>>,
}

impl BotLogs {
    /// Logs in a folder, which is made if it has to be.
    ///
    /// # Errors
    ///
    /// If it can't be made.
    pub fn create(folder: &Path) -> io::Result<BotLogs> {
        std::fs::create_dir_all(folder)?;
        Ok(BotLogs {
            folder: folder.to_owned(),
            began: Instant::now(),
            seats: Arc::default(),
            failure: Arc::default(),
        })
    }

    /// The log of a bot in a folder. What can't be in the name of a file is written as `_`.
    pub fn path(folder: &Path, bot: &str) -> PathBuf {
        let plain = |c: char| {
            if c.is_alphanumeric() || "-_ ".contains(c) {
                c
            } else {
                '_'
            }
        };
        let name: String = bot.chars().take(100).map(plain).collect();
        folder.join(name + ".log")
    }

    /// Opens the log of a bot that takes a seat; several of its kind write to one file.
    ///
    /// # Errors
    ///
    /// If the file can't be written.
    pub fn open(&self, bot: &str) -> io::Result<BotLog> {
        let path = BotLogs::path(&self.folder, bot);
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(BotLog {
            file: Arc::new(file),
            seat: self.seats.fetch_add(1, Ordering::Relaxed) + 1,
            logs: self.clone(),
        })
    }

    /// Why something could not be written, if that has happened.
    pub fn failure(&self) -> Option<String> {
        let why = self.failure.get()?;
        Some(format!("the logs in {}: {why}", self.folder.display()))
    }
}

/// The log of a bot on one seat.
#[derive(Clone, Debug)]
pub struct BotLog {
    file: Arc<File>,
    seat: u32,
    logs: BotLogs,
}

/// What a line of a log is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LogLine {
    /// The bot was told this.
    Told,
    /// It said this, on stdout.
    Said,
    /// It wrote this to stderr: tracebacks, and what a Python bot prints.
    Wrote,
    /// Something happened: a game begins, or its process has ended.
    Happened,
}

impl LogLine {
    fn mark(self) -> char {
        match self {
            LogLine::Told => '>',
            LogLine::Said => '<',
            LogLine::Wrote => '!',
            LogLine::Happened => '=',
        }
    }
}

impl BotLog {
    /// Writes lines: seconds since the logs were begun, the seat, what it is, and the text.
    pub fn write(&self, what: LogLine, text: &str) {
        let time = self.logs.began.elapsed().as_secs_f64();
        for line in text.lines() {
            let line = format!("{time:.6} {} {} {line}\n", self.seat, what.mark());
            // In one piece: others append to the same file.
            if let Err(error) = (&*self.file).write_all(line.as_bytes()) {
                self.logs.failure.get_or_init(|| error.to_string());
            }
        }
    }
}

/// What a bot wrote to stderr, by the lines of its log, game by game: so many lines at the end of
/// each, and of the last time that it was played. A game begins with a line such as
/// `game 5: one - two`.
pub fn written_by_game<'l>(
    log: impl Iterator<Item = Cow<'l, str>>,
    most: usize,
) -> HashMap<u64, VecDeque<String>> {
    let mut playing: HashMap<String, u64> = HashMap::new();
    let mut written: HashMap<u64, VecDeque<String>> = HashMap::new();
    for line in log {
        let mut parts = line.splitn(4, ' ');
        let (_, seat, mark) = (parts.next(), parts.next(), parts.next());
        let (seat, text) = (seat.unwrap_or_default(), parts.next().unwrap_or_default());
        match (mark, game_of(text)) {
            (Some("="), Some(game)) => {
                playing.insert(seat.to_owned(), game);
                written.remove(&game);
            }
            (Some("!"), _) => {
                let Some(game) = playing.get(seat) else {
                    continue;
                };
                let lines = written.entry(*game).or_default();
                lines.push_back(text.to_owned());
                if lines.len() > most {
                    lines.pop_front();
                }
            }
            _ => {}
        }
    }
    written
}

/// The number of the game that begins with a line.
fn game_of(text: &str) -> Option<u64> {
    let (number, _) = text.strip_prefix("game ")?.split_once(':')?;
    number.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_in_a_game_is_found() {
        let log = "0.1 1 = game 5: a - b\n0.2 2 = game 6: b - a\n0.3 1 ! of five\n\
                   0.4 2 ! of six\n0.5 1 < done\n0.6 1 = game 7: a - b\n0.7 1 ! of seven\n";
        let written = |log: &str, game: u64| {
            let written = written_by_game(log.lines().map(Cow::from), 2);
            let lines = written.get(&game).cloned().unwrap_or_default();
            Vec::from(lines)
        };
        assert_eq!(written(log, 5), ["of five"]);
        assert_eq!(written(log, 6), ["of six"]);
        assert!(written(log, 8).is_empty());
        let again = log.to_owned() + "9.9 3 = game 5: a - b\n9.9 3 ! again\n";
        assert_eq!(written(&again, 5), ["again"]);
        let much = again + "9.9 3 ! and\n9.9 3 ! again\n";
        assert_eq!(written(&much, 5), ["and", "again"]);
    }

    #[test]
    fn names_of_bots_are_no_paths() {
        let path = BotLogs::path(Path::new("logs"), "../Ada 2");
        assert_eq!(path, Path::new("logs/___Ada 2.log"));
    }
}
