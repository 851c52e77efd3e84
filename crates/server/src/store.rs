//! The data base: games as lists of events, players, sessions and tokens.
//!
//! It is in the hands of a thread of its own: whoever wants something of it hands over a piece of
//! work and waits for the answer, without keeping a thread of the server busy.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use kingme_play::{Event, Moment, PlayerId, Seat};
use kingme_rules::Side;
use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::oneshot;

use crate::error::ApiError;
use crate::folder::{self, StoreError};
use crate::old_events::StoredEvent;
use crate::schema;
use crate::settings::Settings;

/// Work for the thread that has the data base.
type Work = Box<dyn FnOnce(&mut Database) + Send>;

/// The way to the data base.
#[derive(Debug)]
pub struct Store {
    way: Way,
    /// For making safe what was written, while others write on; none in memory.
    tidier: Option<Mutex<Connection>>,
    /// The write-ahead log, if there is a file.
    log: Option<PathBuf>,
}

/// Who has the data base.
#[derive(Debug)]
enum Way {
    /// A thread of its own, which takes work.
    Thread(mpsc::Sender<Work>),
    /// Whoever asks, one after the other: where everything happens in one thread.
    #[cfg(test)]
    Here(std::sync::Arc<Mutex<Database>>),
}

/// `SQLite`, in a file or in memory, in the hands of one thread.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    /// What goes wrong with the next event.
    #[cfg(test)]
    pub(crate) fault: Option<Fault>,
    /// How long everything takes.
    #[cfg(test)]
    pub(crate) pause: Duration,
}

/// What can go wrong with a disk.
#[cfg(test)]
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing is written.
    Refused,
    /// It is written, but nobody is told.
    Unsaid,
}

impl Store {
    /// Opens the data base in a file, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// If it is not a whole data base, is newer than this program, or can't be written.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let database = Database::new(folder::open(path)?)?;
        // Whoever makes a move never waits for the disk: `make_safe` does, once a second.
        let never = "PRAGMA wal_autocheckpoint = 0;";
        database.connection.execute_batch(never)?;
        let tidier = Connection::open(path)?;
        tidier.busy_timeout(PATIENCE)?;
        tidier.execute_batch("PRAGMA synchronous = NORMAL;")?;
        Ok(Store {
            tidier: Some(Mutex::new(tidier)),
            log: Some(path.with_extension("db-wal")),
            ..Store::of(database)
        })
    }

    /// A data base that is gone with the process.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn in_memory() -> Result<Store, StoreError> {
        Database::new(Connection::open_in_memory()?).map(Store::of)
    }

    fn of(mut database: Database) -> Store {
        let (work, waiting) = mpsc::channel::<Work>();
        thread::spawn(move || {
            for work in waiting {
                // A fault in one piece of work is the answer to that one only; SQLite rolls back
                // what it left half done.
                if catch_unwind(AssertUnwindSafe(|| work(&mut database))).is_err() {
                    tracing::error!("a piece of work at the data base has panicked");
                }
            }
        });
        Store {
            way: Way::Thread(work),
            tidier: None,
            log: None,
        }
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
        #[cfg(test)]
        self.dawdle().await;
        let (answer, answered) = oneshot::channel();
        self.hand_over(move |data| {
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
        let (answer, answered) = mpsc::channel();
        self.hand_over(move |data| answer.send(work(data)).unwrap_or_default())?;
        answered
            .recv()
            .map_err(|_| ApiError::Internal)?
            .map_err(Into::into)
    }

    fn hand_over(&self, work: impl FnOnce(&mut Database) + Send + 'static) -> Result<(), ApiError> {
        match &self.way {
            Way::Thread(sender) => {
                let sent = sender.send(Box::new(work));
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
            Way::Thread(_) => Duration::ZERO,
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
        Store {
            way: Way::Here(database),
            tidier: None,
            log: None,
        }
    }

    /// How large the write-ahead log is.
    pub fn log_bytes(&self) -> u64 {
        let log = self.log.as_ref().and_then(|log| log.metadata().ok());
        log.map_or(0, |log| log.len())
    }

    /// Makes everything that was stored so far safe against a power cut. Waits for the disk, on a
    /// connection of its own, while others write on.
    ///
    /// # Errors
    ///
    /// If the disk is full or gone.
    pub fn make_safe(&self) -> Result<(), ApiError> {
        let Some(tidier) = &self.tidier else {
            return Ok(());
        };
        let tidier = tidier.lock().unwrap_or_else(PoisonError::into_inner);
        let pages: i64 =
            tidier.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get(1))?;
        drop(tidier);
        if pages.saturating_mul(PAGE) < LONG_LOG {
            return Ok(());
        }
        // While others write on, the log never begins anew by itself. Nearly all of it is in the
        // data base by now, so they wait for little.
        self.with_blocking(|data| {
            let connection = data.connection();
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        })
    }
}

/// An event that is to be stored, with what follows from it.
pub(crate) struct NewEvent<'a> {
    /// The game.
    pub game: &'a str,
    /// The number of the event: it must be new.
    pub seq: u64,
    /// When it happened, in the game's own time.
    pub at: Moment,
    /// And on the wall.
    pub touched: Moment,
    /// What happened.
    pub event: &'a Event,
    /// What it does to the players' ratings.
    pub rating: Option<&'a Rating>,
    /// The game that begins with it.
    pub next: Option<(&'a str, &'a Settings)>,
}

/// A game that counts.
#[derive(Clone, Debug)]
pub(crate) struct Rating {
    /// The game's name.
    pub variant: String,
    /// Who played, White first.
    pub players: [PlayerId; 2],
    /// 1, ½ or 0.
    pub white_score: f64,
}

/// A game as it is stored.
#[derive(Debug)]
pub(crate) struct StoredGame {
    /// What it was begun with.
    pub settings: Settings,
    /// What happened, with the moments.
    pub events: Vec<(Moment, StoredEvent)>,
}

/// How long a write waits for a foreign process that has locked the file.
const PATIENCE: Duration = Duration::from_millis(500);

/// A write-ahead log of so many bytes is emptied.
const LONG_LOG: i64 = 8 << 20;

/// Bytes of a page, as `SQLite` has them by itself.
const PAGE: i64 = 4096;

impl Database {
    fn new(mut connection: Connection) -> Result<Database, StoreError> {
        connection.busy_timeout(PATIENCE)?;
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;",
        )?;
        schema::migrate(&mut connection)?;
        Ok(Database {
            connection,
            #[cfg(test)]
            fault: None,
            #[cfg(test)]
            pause: Duration::ZERO,
        })
    }

    /// A data base that is gone with the process.
    #[cfg(test)]
    pub(crate) fn in_memory() -> Database {
        let connection = Connection::open_in_memory().expect("memory");
        Database::new(connection).expect("our own tables")
    }

    /// From now on every event is on the disk before anybody hears of it.
    pub(crate) fn wait_for_disk(&self) -> rusqlite::Result<()> {
        self.connection.pragma_update(None, "synchronous", "FULL")
    }

    /// Whether it answers.
    pub(crate) fn is_there(&self) -> rusqlite::Result<()> {
        let mut ask = self
            .connection
            .prepare_cached("SELECT count(*) FROM (SELECT 1 FROM games LIMIT 1)")?;
        ask.query_row([], |_| Ok(()))
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Keeps a new game, begun at a time on the wall.
    pub(crate) fn add_game(
        &mut self,
        id: &str,
        settings: &Settings,
        touched: Moment,
    ) -> rusqlite::Result<()> {
        add_game(&self.connection, id, settings, touched)
    }

    /// Keeps an event and all that follows from it, or nothing.
    pub(crate) fn add_event(&mut self, new: &NewEvent) -> rusqlite::Result<()> {
        #[cfg(test)]
        let fault = self.fault.take();
        #[cfg(test)]
        if fault == Some(Fault::Refused) {
            return Err(rusqlite::Error::ExecuteReturnedResults);
        }
        let transaction = self.connection.transaction()?;
        transaction
            .prepare_cached("INSERT INTO events (game, seq, at, event) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![
                new.game,
                new.seq as i64,
                millis(new.at),
                to_json(new.event)
            ])?;
        transaction
            .prepare_cached("UPDATE games SET touched = ?2 WHERE id = ?1")?
            .execute(params![new.game, millis(new.touched)])?;
        if let Event::Joined { side, player, .. } = new.event {
            let column = match side {
                Side::White => "UPDATE games SET white = ?2 WHERE id = ?1",
                Side::Black => "UPDATE games SET black = ?2 WHERE id = ?1",
            };
            transaction.execute(column, params![new.game, player])?;
        }
        if let Some(rating) = new.rating {
            crate::ratings::rate(&transaction, new.game, rating)?;
        }
        if let Some((id, settings)) = new.next {
            add_game(&transaction, id, settings, new.touched)?;
        }
        transaction.commit()?;
        #[cfg(test)]
        if fault == Some(Fault::Unsaid) {
            return Err(rusqlite::Error::ExecuteReturnedResults);
        }
        Ok(())
    }

    /// A game with its events.
    pub(crate) fn game(&mut self, id: &str) -> rusqlite::Result<Option<StoredGame>> {
        let connection = &self.connection;
        let settings: Option<String> = connection
            .query_row("SELECT settings FROM games WHERE id = ?1", [id], |row| {
                row.get(0)
            })
            .optional()?;
        let Some(settings) = settings else {
            return Ok(None);
        };
        let mut statement = connection
            .prepare_cached("SELECT at, event FROM events WHERE game = ?1 ORDER BY seq")?;
        let events = statement
            .query_map([id], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
            })?
            .map(|row| row.and_then(|(at, event)| Ok((moment(at), from_json(&event)?))))
            .collect::<rusqlite::Result<_>>()?;
        Ok(Some(StoredGame {
            settings: from_json(&settings)?,
            events,
        }))
    }

    /// The public games touched last, newest first.
    pub(crate) fn public_games(&self, limit: u32) -> rusqlite::Result<Vec<String>> {
        self.ids(
            "SELECT id FROM games WHERE public = 1 ORDER BY touched DESC LIMIT ?1",
            params![limit],
        )
    }

    /// A player's games, newest first.
    pub(crate) fn games_of(&self, player: PlayerId, limit: u32) -> rusqlite::Result<Vec<String>> {
        self.ids(
            "SELECT id FROM games WHERE white = ?1 OR black = ?1 ORDER BY touched DESC LIMIT ?2",
            params![player, limit],
        )
    }

    fn ids(&self, sql: &str, params: impl rusqlite::Params) -> rusqlite::Result<Vec<String>> {
        let connection = &self.connection;
        let mut statement = connection.prepare_cached(sql)?;
        statement.query_map(params, |row| row.get(0))?.collect()
    }
}

fn add_game(
    connection: &Connection,
    id: &str,
    settings: &Settings,
    touched: Moment,
) -> rusqlite::Result<()> {
    let [white, black] = settings.seats.each_ref().map(Seat::player);
    connection.execute(
        "INSERT INTO games (id, settings, public, white, black, touched)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            id,
            to_json(settings),
            settings.public,
            white,
            black,
            millis(touched)
        ],
    )?;
    Ok(())
}

fn moment(millis: i64) -> Moment {
    Moment::from_millis(millis.max(0) as u64)
}

fn millis(moment: Moment) -> i64 {
    i64::try_from(moment.as_millis()).unwrap_or(i64::MAX)
}

fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("our own types have only text keys")
}

fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, error.into())
    })
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
            store.with_blocking(|data| data.add_guest()).unwrap();
        }
        store.make_safe().unwrap();
        assert_eq!(size(), 0);
    }
}
