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

/// A player as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Number.
    pub id: PlayerId,
    /// The account's name; `None` for guests.
    pub name: Option<String>,
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

    /// A new guest.
    pub(crate) fn add_guest(&self) -> rusqlite::Result<PlayerId> {
        let connection = &self.connection;
        connection.execute("INSERT INTO players DEFAULT VALUES", [])?;
        Ok(connection.last_insert_rowid())
    }

    /// Gives a guest a name and a password; `false` if the name is taken or the guest has one.
    pub(crate) fn name_player(
        &self,
        player: PlayerId,
        name: &str,
        password: &str,
    ) -> rusqlite::Result<bool> {
        let changed = self.connection.execute(
            "UPDATE OR IGNORE players SET name = ?2, password = ?3 WHERE id = ?1 AND name IS NULL",
            params![player, name, password],
        )?;
        Ok(changed == 1)
    }

    /// The account of a name, with the hash of its password.
    pub(crate) fn account(&self, name: &str) -> rusqlite::Result<Option<(Player, String)>> {
        self.connection
            .query_row(
                "SELECT id, name, password FROM players WHERE name = ?1",
                [name],
                |row| Ok((player(row)?, row.get(2)?)),
            )
            .optional()
    }

    /// Changes the hash of a password.
    pub(crate) fn set_password(&self, player: PlayerId, password: &str) -> rusqlite::Result<()> {
        self.connection.execute(
            "UPDATE players SET password = ?2 WHERE id = ?1",
            params![player, password],
        )?;
        Ok(())
    }

    /// Keeps a session.
    pub(crate) fn add_session(
        &self,
        hash: &str,
        player: PlayerId,
        wall: Moment,
    ) -> rusqlite::Result<()> {
        self.connection.execute(
            "INSERT INTO sessions (hash, player, used) VALUES (?1, ?2, ?3)",
            params![hash, player, days(wall)],
        )?;
        Ok(())
    }

    /// Ends all sessions of a player.
    pub(crate) fn remove_sessions(&self, player: PlayerId) -> rusqlite::Result<()> {
        self.connection
            .execute("DELETE FROM sessions WHERE player = ?1", [player])?;
        Ok(())
    }

    /// Ends a session.
    pub(crate) fn remove_session(&self, hash: &str) -> rusqlite::Result<()> {
        self.connection
            .execute("DELETE FROM sessions WHERE hash = ?1", [hash])?;
        Ok(())
    }

    /// Whose session this is; one that was not used for long has ended.
    pub(crate) fn session(&self, hash: &str, wall: Moment) -> rusqlite::Result<Option<Player>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT players.id, players.name, sessions.used FROM sessions
             JOIN players ON players.id = sessions.player WHERE sessions.hash = ?1",
        )?;
        let found = statement.query_row([hash], |row| Ok((player(row)?, row.get::<_, i64>(2)?)));
        let Some((player, used)) = found.optional()? else {
            return Ok(None);
        };
        let today = days(wall);
        if today - used > SESSION_DAYS {
            self.remove_session(hash)?;
            return Ok(None);
        }
        // Once a day: whoever only looks writes nothing.
        if today > used {
            self.connection.execute(
                "UPDATE sessions SET used = ?2 WHERE hash = ?1",
                params![hash, today],
            )?;
        }
        Ok(Some(player))
    }

    /// Whose token this is.
    pub(crate) fn token(&self, hash: &str) -> rusqlite::Result<Option<Player>> {
        self.player_by(
            "SELECT players.id, players.name FROM tokens
             JOIN players ON players.id = tokens.player WHERE tokens.hash = ?1",
            hash,
        )
    }

    fn player_by(&self, sql: &str, hash: &str) -> rusqlite::Result<Option<Player>> {
        let connection = &self.connection;
        let mut statement = connection.prepare_cached(sql)?;
        statement.query_row([hash], player).optional()
    }

    /// Keeps a token.
    pub(crate) fn add_token(
        &self,
        hash: &str,
        player: PlayerId,
        label: &str,
    ) -> rusqlite::Result<i64> {
        let connection = &self.connection;
        connection.execute(
            "INSERT INTO tokens (hash, player, label) VALUES (?1, ?2, ?3)",
            params![hash, player, label],
        )?;
        Ok(connection.last_insert_rowid())
    }

    /// A player's tokens: number and label.
    pub(crate) fn tokens_of(&self, player: PlayerId) -> rusqlite::Result<Vec<(i64, String)>> {
        let connection = &self.connection;
        let mut statement =
            connection.prepare_cached("SELECT id, label FROM tokens WHERE player = ?1")?;
        statement
            .query_map([player], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    }

    /// Revokes a token of a player; `false` if there is none.
    pub(crate) fn remove_token(&self, player: PlayerId, id: i64) -> rusqlite::Result<bool> {
        let changed = self.connection.execute(
            "DELETE FROM tokens WHERE player = ?1 AND id = ?2",
            params![player, id],
        )?;
        Ok(changed == 1)
    }
}

fn player(row: &rusqlite::Row<'_>) -> rusqlite::Result<Player> {
    Ok(Player {
        id: row.get(0)?,
        name: row.get(1)?,
    })
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

/// A session that was not used for so many days has ended.
pub(crate) const SESSION_DAYS: i64 = 90;

/// Days since 1970.
fn days(wall: Moment) -> i64 {
    (wall.as_secs() / 86_400) as i64
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
    fn a_session_that_nobody_uses_ends() {
        const DAY: u64 = 86_400;
        let data = Database::in_memory();
        let guest = data.add_guest().unwrap();
        let at = |day: u64| Duration::from_secs(day * DAY);
        data.add_session("hash", guest, at(20_000)).unwrap();
        // Every use counts anew.
        for day in [20_000, 20_080, 20_160, 20_250] {
            assert!(data.session("hash", at(day)).unwrap().is_some(), "{day}");
        }
        assert!(data.session("hash", at(20_341)).unwrap().is_none());
        assert!(data.session("hash", at(20_250)).unwrap().is_none());
    }

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
