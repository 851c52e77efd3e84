//! A league that is ready to be played, from a terminal or by a server: both play the same.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use kingme_play::Stop;

use crate::read_file;

use super::elsewhere::Elsewhere;
use super::match_log::refuse_other;
use super::run::Run;
use super::starts::check_starts;
use super::which_file::{Identity, identity};
use super::{
    Entry, History, LeagueError, LeagueEvent, LeagueFile, Log, LogPlace, LoggedGame, People,
    Summary,
};
use kingme_players::{BotLog, BotLogs, Equipment, OpenError, TableShelf};

/// A league's file with its log, and what its players have to play with.
#[derive(Debug)]
pub struct League {
    /// What is to be played.
    pub file: LeagueFile,
    /// The file that it was read from, which may change; a match has none.
    source: Option<Source>,
    log: Log,
    tables: Option<Arc<TableShelf>>,
    bot_logs: Option<BotLogs>,
    elsewhere: Option<Box<dyn Elsewhere>>,
}

/// No league's file is so large: some thousand players take a part of it.
const LARGEST: usize = 1 << 20;

impl League {
    /// Reads a league's file.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn read(path: &Path) -> Result<LeagueFile, LeagueError> {
        let at = |error: &dyn std::fmt::Display| {
            LeagueError::File(format!("{}: {error}", path.display()))
        };
        let text = read_file(path, LARGEST).map_err(|error| at(&error))?;
        if text.len() == LARGEST {
            return Err(at(&format!(
                "a league's file has fewer than {LARGEST} bytes"
            )));
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        LeagueFile::read(&text, folder).map_err(|error| at(&error))
    }

    /// Where the log of a league's file is, if nobody says otherwise.
    pub fn log_path(path: &Path) -> PathBuf {
        path.with_extension("db")
    }

    /// Has a log kept of what each bot is told and says.
    pub fn keep_bot_logs(&mut self, logs: BotLogs) {
        self.bot_logs = Some(logs);
    }

    /// Has other machines play its games, too. They must have been told which league it is.
    pub fn share(&mut self, elsewhere: Box<dyn Elsewhere>) {
        self.elsewhere = Some(elsewhere);
    }

    /// The number that tells its log from all others.
    pub fn number(&self) -> u64 {
        self.log.league()
    }

    /// Makes a league ready: its players can be had, its tables are there, its log is ours.
    ///
    /// # Errors
    ///
    /// If not.
    pub fn open(
        path: &Path,
        log: impl Into<LogPlace>,
        tables: Option<Arc<TableShelf>>,
    ) -> Result<League, LeagueError> {
        let seen = look(path);
        let mut file = League::ready(path, tables.as_deref())?;
        let source = Source {
            path: path.to_owned(),
            seen: Seen::with(seen, &file),
        };
        Ok(League {
            log: Log::open(log, &mut file)?,
            source: Some(source),
            tables,
            bot_logs: None,
            elsewhere: None,
            file,
        })
    }

    /// Makes a match of two ready that is written as a league's file, in a folder.
    ///
    /// # Errors
    ///
    /// If a player can't be had, or the log can't, or is that of another match.
    pub fn of_match(
        text: &str,
        folder: &Path,
        log: &Path,
        tables: Option<Arc<TableShelf>>,
    ) -> Result<League, LeagueError> {
        let mut file = LeagueFile::read(text, folder)?;
        file.check_players()?;
        file.take_tables(tables.as_deref())?;
        check_starts(&file)?;
        if log.exists() {
            refuse_other(log, &file)?;
        }
        Ok(League {
            log: Log::open(log, &mut file)?,
            source: None,
            tables,
            bot_logs: None,
            elsewhere: None,
            file,
        })
    }

    /// How many games the last run has left in the middle; they are played again.
    pub fn interrupted(&self) -> u64 {
        self.log.interrupted()
    }

    /// Every game that has ended, by number, with what was known of its programs.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn games(&self, on_game: &mut dyn FnMut(LoggedGame, &History)) -> Result<(), LeagueError> {
        let history = self.log.history();
        self.log
            .games(&self.file.variant, &mut |game| on_game(game, &history))
    }

    /// Reads a league's file, and sees to it that it can be played.
    fn ready(path: &Path, tables: Option<&TableShelf>) -> Result<LeagueFile, LeagueError> {
        let mut file = League::read(path)?;
        let ready = file.check_players().and_then(|()| file.take_tables(tables));
        let ready = ready.and_then(|()| check_starts(&file));
        ready.map_err(|error| LeagueError::File(format!("{}: {error}", path.display())))?;
        Ok(file)
    }

    /// Has somebody hear of everything that is written to its log. It must not wait for anything.
    pub fn on_write(&self, hear: impl Fn() + Send + Sync + 'static) {
        self.log.on_write(hear);
    }

    /// The people in it.
    pub fn people(&self) -> impl Iterator<Item = &Entry> {
        self.file.players.iter().filter(|entry| entry.is_person())
    }

    /// Plays what is left of it, until there is nothing left or `stop` is requested. When its file
    /// changes, it goes on by the new one.
    ///
    /// # Errors
    ///
    /// If a player can't be had, or the log can't be written; what was played is in the log.
    pub fn play(
        self,
        people: &dyn People,
        stop: &Stop,
        on_event: &mut dyn FnMut(&LeagueEvent),
    ) -> Result<(LeagueFile, Summary), LeagueError> {
        let League {
            mut file,
            mut source,
            log,
            tables,
            bot_logs,
            elsewhere,
        } = self;
        let log = Arc::new(log);
        on_event(&LeagueEvent::Resumed {
            finished: log.finished()?.len() as u64,
            aborted: log.interrupted(),
        });
        loop {
            let has_changed = || {
                let source = source.as_ref();
                source.is_some_and(|source| source.has_changed(&file))
            };
            let seats = |entry: &Entry, seed: u64| {
                let log = bot_log(bot_logs.as_ref(), entry)?;
                let given = Equipment {
                    tables: tables.clone(),
                    log,
                    ..Equipment::default()
                };
                file.open_player(entry, seed, given)
            };
            if let Some(elsewhere) = &elsewhere {
                elsewhere.begin(&file)?;
            }
            let run = Run {
                elsewhere: elsewhere.as_deref(),
                file: &file,
                log: &log,
                seats: &seats,
                people,
                stop,
            };
            let summary = run.play(&has_changed, on_event)?;
            let is_over = summary.complete || stop.is_requested() || !has_changed();
            let Some(source) = source.as_mut().filter(|_| !is_over) else {
                log.close()?;
                return Ok((file, summary));
            };
            let now = look(&source.path);
            match League::changed(&source.path, &log, tables.as_deref(), on_event) {
                Ok(new) => file = new,
                Err(error) => on_event(&LeagueEvent::NotChanged {
                    why: error.to_string(),
                }),
            }
            source.seen = Seen::with(now, &file);
        }
    }

    /// Goes on with the file as it is now.
    fn changed(
        path: &Path,
        log: &Log,
        tables: Option<&TableShelf>,
        on_event: &mut dyn FnMut(&LeagueEvent),
    ) -> Result<LeagueFile, LeagueError> {
        let mut file = League::ready(path, tables)?;
        log.check(&file)?;
        let before = log.history().changes.len();
        log.change(&mut file)?;
        let history = log.history();
        let name = |player: usize| file.players[player].name.clone();
        let new = history.changes[before..].iter();
        on_event(&LeagueEvent::Changed {
            changes: new.map(|change| change.what.in_words(&name)).collect(),
            history: &history,
            file: &file,
        });
        Ok(file)
    }
}

/// The log of a player, if logs are kept.
fn bot_log(logs: Option<&BotLogs>, entry: &Entry) -> Result<Option<BotLog>, OpenError> {
    let logs = logs.filter(|_| entry.plays.is_process());
    let log = logs.map(|logs| logs.open(&entry.name)).transpose();
    log.map_err(|error| OpenError::Start {
        spec: entry.plays.to_string(),
        why: format!("its log: {error}"),
    })
}

/// Which file it is, how long, and when it was written.
type Look = (Identity, u64, SystemTime);

fn look(path: &Path) -> Option<Look> {
    let data = path.metadata().ok()?;
    Some((identity(path)?, data.len(), data.modified().ok()?))
}

/// The file that a league was read from, as it was before that.
#[derive(Debug)]
struct Source {
    path: PathBuf,
    seen: Seen,
}

impl Source {
    /// Whether it is another one now than that which was read.
    fn has_changed(&self, file: &LeagueFile) -> bool {
        let now = Seen::with(look(&self.path), file);
        now.league.is_some() && now != self.seen
    }
}

/// What was seen of the files that a league is played by.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    league: Option<Look>,
    openings: Option<Look>,
}

impl Seen {
    /// A league's file that was looked at before it was read, with its openings.
    fn with(league: Option<Look>, file: &LeagueFile) -> Seen {
        Seen {
            league,
            openings: file.book_file.as_deref().and_then(look),
        }
    }
}
