//! Leagues to watch and to play in: every log in a folder or in the data base that servers share,
//! followed while somebody looks, and those that this server plays itself, with people at their
//! browsers.

mod follow;
mod json;
mod people;
mod play;
mod seats;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::extract::ws::Utf8Bytes;
use kingme_arena::league::{League as Played, LeagueError, LogPlace, Reader, SharedLogs};
use kingme_play::PlayerId;
use tokio::sync::{Notify, broadcast, watch};

pub use json::{FinishedJson, IncidentJson, LeagueCardJson, LeagueGameJson, LeagueJson, RoundJson};
pub use play::{Place, play};
pub use seats::FreeSeat;

use crate::error::ApiError;
use crate::said::Said;
use follow::Follower;

/// All leagues that this server knows.
#[derive(Debug, Default)]
pub struct Leagues {
    /// Where logs are looked for.
    folder: Option<PathBuf>,
    /// The data base that has more of them, and the way there when somebody has asked for them.
    data_base: Option<kingme_data::Place>,
    shared: OnceLock<SharedLogs>,
    /// Logs of leagues that this server plays, each with word of what is written to it.
    logs: Mutex<Vec<(LogPlace, Arc<Notify>)>>,
    open: Mutex<HashMap<String, Arc<League>>>,
    seats: Mutex<HashMap<(String, PlayerId), String>>,
    /// League and name of those who are to play and have not taken their seats yet.
    awaited: Mutex<BTreeSet<(String, String)>>,
    /// How many seats were taken so far.
    pub taken: watch::Sender<u64>,
}

/// Where a log is kept.
#[derive(Debug)]
enum Kept {
    /// In a file.
    InFile(PathBuf),
    /// In the data base that servers share, under this name.
    Shared(String),
}

/// A league that can be watched.
#[derive(Debug)]
pub struct League {
    /// The name of its log, without the ending.
    pub id: String,
    follower: Mutex<Follower>,
    updates: broadcast::Sender<Utf8Bytes>,
    /// Tells when something was written, if this server plays it.
    written: Option<Arc<Notify>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Leagues {
    /// The leagues whose logs are in a folder, and in a data base that servers share.
    pub fn new(folder: Option<PathBuf>, store: Option<&kingme_data::Place>) -> Leagues {
        let is_shared =
            |place: &&kingme_data::Place| matches!(place, kingme_data::Place::Postgres(_));
        Leagues {
            folder,
            data_base: store.filter(is_shared).cloned(),
            ..Leagues::default()
        }
    }

    /// Where the log of a league's file is that this server plays: in the data base that servers
    /// share, or else beside the file.
    ///
    /// # Errors
    ///
    /// If no log in a data base can be called like the file.
    pub fn log_of(&self, file: &Path) -> Result<LogPlace, LeagueError> {
        let path = Played::log_path(file);
        match &self.data_base {
            None => Ok(path.into()),
            Some(at) => LogPlace::shared(at, &name_of(&path).unwrap_or_default(), file.parent()),
        }
    }

    /// Takes note of a log of our own, and of who tells that something was written to it.
    pub fn add(&self, log: LogPlace, written: Arc<Notify>) {
        lock(&self.logs).push((log, written));
    }

    /// The logs in the data base that servers share; none if it can't be had now.
    fn shared(&self) -> Option<&SharedLogs> {
        let place = self.data_base.as_ref()?;
        if self.shared.get().is_none() {
            let logs = SharedLogs::connect(place)
                .map_err(|error| told(&error))
                .ok()?;
            self.shared.get_or_init(|| logs);
        }
        self.shared.get()
    }

    /// All logs by their names, those in files first. Of two with one name the one in the data base
    /// is told apart.
    fn places(&self) -> Vec<(String, Kept)> {
        let mut places: Vec<(String, Kept)> = self.paths();
        let shared = self.shared().map(SharedLogs::names);
        let names = shared.and_then(|names| names.map_err(|error| told(&error)).ok());
        for name in names.unwrap_or_default() {
            let is_taken = places.iter().any(|(known, _)| *known == name);
            let id = if is_taken {
                format!("{name}@store")
            } else {
                name.clone()
            };
            places.push((id, Kept::Shared(name)));
        }
        places
    }

    /// Logs in files by their names.
    fn paths(&self) -> Vec<(String, Kept)> {
        let in_folder = self
            .folder
            .iter()
            .filter_map(|folder| folder.read_dir().ok());
        let entries = in_folder
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()));
        let is_log = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "db");
        let mut paths: Vec<(String, PathBuf)> = entries
            .filter(is_log)
            .chain(lock(&self.logs).iter().filter_map(|(log, _)| file_of(log)))
            .filter_map(|path| Some((name_of(&path)?, path)))
            .collect();
        paths.sort();
        paths.dedup_by(|a, b| a.0 == b.0);
        let kept = |(name, path)| (name, Kept::InFile(path));
        paths.into_iter().map(kept).collect()
    }

    /// All leagues in short. What is no league's log is left out.
    pub fn cards(&self) -> Vec<LeagueCardJson> {
        let leagues = self.places().into_iter();
        leagues
            .filter_map(|(id, kept)| self.open(&id, &kept).ok()?.card().ok())
            .collect()
    }

    /// A league by the name of its log.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn league(&self, id: &str) -> Result<Arc<League>, ApiError> {
        if let Some(league) = lock(&self.open).get(id) {
            return Ok(league.clone());
        }
        let places = self.places();
        let found = places.iter().find(|(known, _)| known == id);
        let (_, kept) = found.ok_or_else(no_such_league)?;
        self.open(id, kept)
    }

    fn open(&self, id: &str, kept: &Kept) -> Result<Arc<League>, ApiError> {
        if let Some(league) = lock(&self.open).get(id) {
            return Ok(league.clone());
        }
        let reader = match kept {
            Kept::InFile(path) => Reader::open(path),
            Kept::Shared(name) => {
                let logs = self.shared().ok_or(ApiError::Away)?;
                logs.reader(name)
            }
        };
        let reader = reader.map_err(|error| ApiError::Missing(error.to_string().into()))?;
        let logs = lock(&self.logs);
        let is_own = |log: &LogPlace| match kept {
            Kept::InFile(path) => file_of(log).as_ref() == Some(path),
            Kept::Shared(name) => file_of(log).is_none() && log.name() == Some(name),
        };
        let own = logs.iter().find(|(log, _)| is_own(log));
        let league = Arc::new(League {
            written: own.map(|(_, written)| written.clone()),
            id: id.to_owned(),
            follower: Mutex::new(Follower::new(reader)),
            updates: broadcast::channel(16).0,
        });
        let mut open = lock(&self.open);
        Ok(open.entry(id.to_owned()).or_insert(league).clone())
    }

    /// A person's game in a league begins.
    pub fn seat(&self, league: &str, player: PlayerId, game: String) {
        lock(&self.seats).insert((league.to_owned(), player), game);
    }

    /// A person's game in a league is over.
    pub fn leave(&self, league: &str, player: PlayerId) {
        lock(&self.seats).remove(&(league.to_owned(), player));
    }

    /// Somebody is to play in a league, who has taken the seat of this name or has not yet.
    pub fn expect(&self, league: &str, name: &str, is_there: bool) {
        let key = (league.to_owned(), name.to_owned());
        let mut awaited = lock(&self.awaited);
        if is_there {
            awaited.remove(&key);
        } else {
            awaited.insert(key);
        }
    }

    /// Whom a league waits for because nobody has taken the seat.
    pub fn awaited(&self, league: &str) -> Vec<String> {
        let awaited = lock(&self.awaited);
        let here = awaited.iter().filter(|(waiting, _)| waiting == league);
        here.map(|(_, name)| name.clone()).collect()
    }

    /// The game that a person is to play in a league now.
    pub fn seat_of(&self, league: &str, player: PlayerId) -> Option<String> {
        let seats = lock(&self.seats);
        seats.get(&(league.to_owned(), player)).cloned()
    }
}

/// Logs why the leagues of the data base are not among those to watch.
fn told(error: &LeagueError) {
    tracing::warn!("the leagues of the data base: {error}");
}

fn no_such_league() -> ApiError {
    ApiError::Missing(Said::new("no_such_league", "there is no such league"))
}

/// The file of a log that is in one.
fn file_of(log: &LogPlace) -> Option<PathBuf> {
    match log {
        LogPlace::File(path) => Some(path.clone()),
        LogPlace::Shared(_) => None,
    }
}

fn name_of(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_str()?.to_owned())
}
