//! Leagues to watch and to play in: every log in a folder, followed while somebody looks, and
//! those that this server plays itself, with people at their browsers.

mod follow;
mod json;
mod people;
mod play;
mod seats;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use kingme_arena::league::Reader;
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
    /// Logs of leagues that this server plays, each with word of what is written to it.
    logs: Mutex<Vec<(PathBuf, Arc<Notify>)>>,
    open: Mutex<HashMap<String, Arc<League>>>,
    seats: Mutex<HashMap<(String, PlayerId), String>>,
    /// League and name of those who are to play and have not taken their seats yet.
    awaited: Mutex<BTreeSet<(String, String)>>,
    /// How many seats were taken so far.
    pub taken: watch::Sender<u64>,
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
    /// The leagues whose logs are in a folder.
    pub fn new(folder: Option<PathBuf>) -> Leagues {
        Leagues {
            folder,
            ..Leagues::default()
        }
    }

    /// Takes note of a log of our own, and of who tells that something was written to it.
    pub fn add(&self, log: PathBuf, written: Arc<Notify>) {
        lock(&self.logs).push((log, written));
    }

    /// Logs by their names.
    fn paths(&self) -> Vec<(String, PathBuf)> {
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
            .chain(lock(&self.logs).iter().map(|(path, _)| path.clone()))
            .filter_map(|path| Some((name_of(&path)?, path)))
            .collect();
        paths.sort();
        paths.dedup_by(|a, b| a.0 == b.0);
        paths
    }

    /// All leagues in short. What is no league's log is left out.
    pub fn cards(&self) -> Vec<LeagueCardJson> {
        let leagues = self.paths().into_iter();
        leagues
            .filter_map(|(id, _)| self.league(&id).ok()?.card().ok())
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
        let paths = self.paths();
        let (_, path) = paths
            .iter()
            .find(|(known, _)| known == id)
            .ok_or_else(no_such_league)?;
        let reader =
            Reader::open(path).map_err(|error| ApiError::Missing(error.to_string().into()))?;
        let logs = lock(&self.logs);
        let own = logs.iter().find(|(log, _)| log == path);
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

fn no_such_league() -> ApiError {
    ApiError::Missing(Said::new("no_such_league", "there is no such league"))
}

fn name_of(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_str()?.to_owned())
}
