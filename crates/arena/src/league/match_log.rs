//! The log of a match: a match is a league of two with one round, so that whatever shows, exports
//! or follows a league does so with a match.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use kingme_play::Program;
use kingme_rules::{Game, Side, Variant};

use super::log::GameLog;
use super::{History, Job, LeagueError, LeagueFile, Log, LoggedGame, Meeting, Reader, Round};

/// So many games are played before the log is made shorter.
const BATCH: u64 = 1000;

type Result<T> = std::result::Result<T, LeagueError>;

/// The log of a match, in the hands of the one process that plays it. Player 0 is A, 1 is B.
#[derive(Debug)]
pub struct MatchLog {
    log: Arc<Log>,
    /// Read by everybody who plays a game.
    playing: RwLock<()>,
}

/// A game of a match that is in progress, with its log.
#[derive(Debug)]
pub(crate) struct Playing<'a> {
    pub log: GameLog,
    _playing: RwLockReadGuard<'a, ()>,
}

impl MatchLog {
    /// Opens the log of a match to go on with it; a new one if there is none. `text` is the match
    /// as the file of a league in a folder: a round robin of two.
    ///
    /// # Errors
    ///
    /// If the log belongs to another match, is in use, or can't be opened.
    pub fn open(path: &Path, text: &str, folder: &Path) -> Result<MatchLog> {
        let mut file = LeagueFile::read(text, folder)?;
        if path.exists() {
            refuse_other(path, &file)?;
        }
        let log = Log::open(path, &mut file)?;
        if log.history().rounds.is_empty() {
            log.pair(&[Round {
                number: 1,
                first_game: 1,
                games: file.games,
                meetings: vec![Meeting(0, 1)],
                byes: Vec::new(),
            }])?;
        }
        Ok(MatchLog {
            log: Arc::new(log),
            playing: RwLock::default(),
        })
    }

    /// How many games the last run has left in the middle; they are played again.
    pub fn interrupted(&self) -> u64 {
        self.log.interrupted()
    }

    /// The games that have ended, by their numbers, which begin at 0.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn finished(&self) -> Result<HashSet<u64>> {
        let results = self.log.finished()?;
        Ok(results.keys().map(|game| game - 1).collect())
    }

    /// Notes what the programs of A and B are.
    pub(crate) fn identify(&self, player: usize, is: &Program) -> Result<()> {
        if is.version.is_empty() {
            return Ok(());
        }
        let hash = || is.hash.clone();
        self.log.identify(player, is.version.clone(), hash)
    }

    /// What has been decided up to now, beside the results.
    pub(crate) fn history(&self) -> History {
        self.log.history()
    }

    /// Every game that has ended, by number.
    pub(crate) fn games(
        &self,
        variant: &Variant,
        on_game: &mut dyn FnMut(LoggedGame),
    ) -> Result<()> {
        self.log.games(variant, on_game)
    }

    /// A game begins, from an opening, in which A has a side.
    pub(crate) fn start(&self, number: u64, side: Side, opening: &Game) -> Result<Playing<'_>> {
        if number.is_multiple_of(BATCH) {
            // Nothing may be in progress.
            let _alone = self.playing.write().unwrap_or_else(PoisonError::into_inner);
            self.log.settle()?;
        }
        let playing = self.playing.read().unwrap_or_else(PoisonError::into_inner);
        let job = Job {
            game: number + 1,
            round: 1,
            players: match side {
                Side::White => [0, 1],
                Side::Black => [1, 0],
            },
            pair: number / 2 * 2 + 1,
        };
        Ok(Playing {
            log: self.log.start(&job, opening)?,
            _playing: playing,
        })
    }

    /// Makes everything safe in the database alone, for now nothing more is played.
    pub(crate) fn close(&self) -> Result<()> {
        self.log.close()
    }
}

/// A match goes on as it began: with other settings its games could not be counted together.
pub(super) fn refuse_other(path: &Path, file: &LeagueFile) -> Result<()> {
    let there = Reader::open(path)?;
    let book = there.history()?.book().to_owned();
    if !book.is_empty() && book != file.book {
        return Err(LeagueError::OtherMatch {
            path: path.display().to_string(),
            there: "other openings in the same file".to_owned(),
            here: "these".to_owned(),
        });
    }
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let [there, here] = [&there.league().text, &file.text].map(|text| lines(text));
    let only = |these: &[String], those: &[String]| {
        let missing = these.iter().find(|line| !those.contains(line));
        missing.map_or_else(|| "nothing like it".to_owned(), |line| format!("`{line}`"))
    };
    if there == here {
        return Ok(());
    }
    Err(LeagueError::OtherMatch {
        path: path.display().to_string(),
        there: only(&there, &here),
        here: only(&here, &there),
    })
}
