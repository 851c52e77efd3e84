//! The way to the data base: games as lists of events, players, sessions and tokens.
//!
//! It is in the hands of threads of its own, one for a file and a few for a `PostgreSQL`: whoever
//! wants something of it hands over a piece of work and waits for the answer, without keeping a
//! thread of the server busy. What is about one game is always done by the same thread, one piece
//! after the other.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use kingme_data::{Connection, DataError};
use postgres::Config;
use rand::RngExt;
use tokio::sync::oneshot;

use crate::database::Database;
use crate::error::ApiError;
use crate::folder::{self, StoreError};

/// Work for a thread that has a data base, and since when it waits.
struct Job {
    since: Instant,
    work: Box<dyn FnOnce(&mut Database) + Send>,
}

/// The way to the data base.
#[derive(Debug)]
pub struct Store {
    way: Way,
    /// For making safe what was written, while others write on; none but for a file.
    tidier: Option<Mutex<rusqlite::Connection>>,
    /// The write-ahead log, if there is a file.
    log: Option<PathBuf>,
    /// The data base that other servers may use as well, and our number among them.
    shared: Option<Shared>,
}

/// A data base that several servers share.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    /// Where it is.
    pub config: Box<Config>,
    /// This server's number.
    pub server: i64,
}

/// Who has the data base.
#[derive(Debug)]
enum Way {
    /// Threads of its own, which take work.
    Threads {
        lanes: Vec<mpsc::Sender<Job>>,
        next: AtomicUsize,
    },
    /// Whoever asks, one after the other: where everything happens in one thread.
    #[cfg(test)]
    Here(std::sync::Arc<Mutex<Database>>),
}

/// So many threads, each with a connection, wait for a `PostgreSQL` at the same time. Their events
/// are made safe together.
const LANES: usize = 8;

/// So long work waits for a data base that can't be reached, before it is refused.
const PATIENCE: Duration = Duration::from_secs(4);

/// How long a write waits for a foreign process that has locked the file.
pub(crate) const LOCKED: Duration = Duration::from_millis(500);

/// A write-ahead log of so many bytes is emptied.
const LONG_LOG: i64 = 8 << 20;

/// Bytes of a page, as `SQLite` has them by itself.
const PAGE: i64 = 4096;

impl Store {
    /// Opens the data base in a file, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// If it is not a whole data base, is newer than this program, or can't be written.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let mut database = Database::in_file(folder::open(path)?)?;
        // Whoever makes a move never waits for the disk: `make_safe` does, once a second.
        database.batch("PRAGMA wal_autocheckpoint = 0")?;
        let tidier = rusqlite::Connection::open(path)?;
        tidier.busy_timeout(LOCKED)?;
        tidier.execute_batch("PRAGMA synchronous = NORMAL;")?;
        Ok(Store {
            tidier: Some(Mutex::new(tidier)),
            log: Some(path.with_extension("db-wal")),
            ..Store::of(vec![database])
        })
    }

    /// Opens a `PostgreSQL`, which other servers may use as well.
    ///
    /// # Errors
    ///
    /// If it can't be reached or does not let us in, or is newer than this program.
    pub fn postgres(config: &Config) -> Result<Store, StoreError> {
        // Its client waits by itself, which a thread of the server's own may not.
        let opened = thread::scope(|scope| scope.spawn(|| Store::connect(config)).join());
        let broken = |_| Err(DataError::Other("opening it has failed".to_owned()).into());
        opened.unwrap_or_else(broken)
    }

    fn connect(config: &Config) -> Result<Store, StoreError> {
        // Positive and short, so that it is easily read and written.
        let server = i64::from(rand::rng().random::<u32>()) + 1;
        let connect = || Connection::postgres(config, PATIENCE);
        let mut first = connect()?;
        first.migrate(&crate::schema::TABLES)?;
        let others = (1..LANES).map(|_| connect());
        let connections: Vec<_> = std::iter::once(Ok(first)).chain(others).collect();
        let databases = connections.into_iter().map(|connection| {
            let connection = connection?;
            Ok(Database::shared(connection, server))
        });
        Ok(Store {
            shared: Some(Shared {
                config: Box::new(config.clone()),
                server,
            }),
            ..Store::of(databases.collect::<Result<_, StoreError>>()?)
        })
    }

    /// A data base that is gone with the process.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn in_memory() -> Result<Store, StoreError> {
        let connection = rusqlite::Connection::open_in_memory()?;
        Ok(Store::of(vec![Database::in_file(connection)?]))
    }

    fn of(databases: Vec<Database>) -> Store {
        let lanes = databases.into_iter().map(lane).collect();
        Store::by(Way::Threads {
            lanes,
            next: AtomicUsize::new(0),
        })
    }

    fn by(way: Way) -> Store {
        Store {
            way,
            tidier: None,
            log: None,
            shared: None,
        }
    }

    /// The data base, if others may use it as well.
    pub(crate) fn shared(&self) -> Option<&Shared> {
        self.shared.as_ref()
    }

    /// Does something with the data base, and waits for the answer.
    ///
    /// # Errors
    ///
    /// What the work says, or that there is no data base any more.
    pub async fn with<T: Send + 'static, E: Into<ApiError> + Send + 'static>(
        &self,
        work: impl FnOnce(&mut Database) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.ask(None, work).await
    }

    /// Does something that is about a game, after all that was to be done about it before.
    ///
    /// # Errors
    ///
    /// What the work says, or that there is no data base any more.
    pub(crate) async fn with_game<T: Send + 'static, E: Into<ApiError> + Send + 'static>(
        &self,
        game: &str,
        work: impl FnOnce(&mut Database) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.ask(Some(game), work).await
    }

    async fn ask<T: Send + 'static, E: Into<ApiError> + Send + 'static>(
        &self,
        game: Option<&str>,
        work: impl FnOnce(&mut Database) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError> {
        #[cfg(test)]
        self.dawdle().await;
        let (answer, answered) = oneshot::channel();
        self.hand_over(game, move |data| {
            // Whoever asked may be gone; the work is done nevertheless.
            answer.send(work(data)).unwrap_or_else(drop);
        })?;
        answered
            .await
            .map_err(|_| ApiError::Internal)?
            .map_err(Into::into)
    }

    /// The same for threads that may wait.
    ///
    /// # Errors
    ///
    /// What the work says, or that there is no data base any more.
    pub fn with_blocking<T: Send + 'static, E: Into<ApiError> + Send + 'static>(
        &self,
        work: impl FnOnce(&mut Database) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.ask_blocking(None, work)
    }

    /// The same about a game.
    ///
    /// # Errors
    ///
    /// What the work says, or that there is no data base any more.
    pub(crate) fn with_game_blocking<T: Send + 'static, E: Into<ApiError> + Send + 'static>(
        &self,
        game: &str,
        work: impl FnOnce(&mut Database) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.ask_blocking(Some(game), work)
    }

    fn ask_blocking<T: Send + 'static, E: Into<ApiError> + Send + 'static>(
        &self,
        game: Option<&str>,
        work: impl FnOnce(&mut Database) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (answer, answered) = mpsc::channel();
        self.hand_over(game, move |data| {
            answer.send(work(data)).unwrap_or_default();
        })?;
        answered
            .recv()
            .map_err(|_| ApiError::Internal)?
            .map_err(Into::into)
    }

    /// Has something done with the data base, and does not wait for it.
    ///
    /// # Errors
    ///
    /// If there is no data base any more.
    pub(crate) fn hand_over(
        &self,
        game: Option<&str>,
        work: impl FnOnce(&mut Database) + Send + 'static,
    ) -> Result<(), ApiError> {
        match &self.way {
            Way::Threads { lanes, next } => {
                let number = match game {
                    Some(game) => {
                        let mut hasher = DefaultHasher::new();
                        game.hash(&mut hasher);
                        hasher.finish() as usize
                    }
                    None => next.fetch_add(1, Ordering::Relaxed),
                };
                let job = Job {
                    since: Instant::now(),
                    work: Box::new(work),
                };
                let sent = lanes[number % lanes.len()].send(job);
                sent.map_err(|_| ApiError::Internal)
            }
            #[cfg(test)]
            Way::Here(database) => {
                work(&mut database.lock().unwrap_or_else(PoisonError::into_inner));
                Ok(())
            }
        }
    }

    /// Waits as long as the disk is slow.
    #[cfg(test)]
    async fn dawdle(&self) {
        let pause = match &self.way {
            Way::Threads { .. } => Duration::ZERO,
            Way::Here(database) => {
                let database = database.lock();
                database.unwrap_or_else(PoisonError::into_inner).pause
            }
        };
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }

    /// A data base that works on the thread that asks, and that others can look into.
    #[cfg(test)]
    pub(crate) fn here(database: std::sync::Arc<Mutex<Database>>) -> Store {
        Store::by(Way::Here(database))
    }

    /// How large the write-ahead log is.
    pub fn log_bytes(&self) -> u64 {
        let log = self.log.as_ref().and_then(|log| log.metadata().ok());
        log.map_or(0, |log| log.len())
    }

    /// Makes everything that was stored so far safe against a power cut. Waits for the disk, on a
    /// connection of its own, while others write on. A `PostgreSQL` has done so with every event.
    ///
    /// # Errors
    ///
    /// If the disk is full or gone.
    pub fn make_safe(&self) -> Result<(), ApiError> {
        let Some(tidier) = &self.tidier else {
            return Ok(());
        };
        let tidier = tidier.lock().unwrap_or_else(PoisonError::into_inner);
        let pages = tidier.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get(1));
        let pages: i64 = pages.map_err(DataError::from)?;
        drop(tidier);
        if pages.saturating_mul(PAGE) < LONG_LOG {
            return Ok(());
        }
        // While others write on, the log never begins anew by itself. Nearly all of it is in the
        // data base by now, so they wait for little.
        self.with_blocking(|data| data.batch("PRAGMA wal_checkpoint(TRUNCATE)"))
    }
}

/// A thread that has a data base, and takes work.
fn lane(mut database: Database) -> mpsc::Sender<Job> {
    let (work, waiting) = mpsc::channel::<Job>();
    thread::spawn(move || {
        for Job { since, work } in waiting {
            database.be_patient(PATIENCE.saturating_sub(since.elapsed()));
            // A fault in one piece of work is the answer to that one only; what it left half done
            // is taken back.
            if catch_unwind(AssertUnwindSafe(|| work(&mut database))).is_err() {
                tracing::error!("a piece of work at the data base has panicked");
            }
        }
    });
    work
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_log_is_emptied() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("kingme.db")).unwrap();
        let log = folder.path().join("kingme.db-wal");
        let size = || std::fs::metadata(&log).unwrap().len() as i64;
        // A page in the log has a little more than its own bytes.
        while size() < LONG_LOG + LONG_LOG / 10 {
            store.with_blocking(Database::add_guest).unwrap();
        }
        store.make_safe().unwrap();
        assert_eq!(size(), 0);
    }
}
