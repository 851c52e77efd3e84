//! The data base: games as lists of events, players, sessions and tokens.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};

use crate::clock::Millis;
use crate::event::Event;
use crate::table::{PlayerId, Settings};

/// `SQLite`, in a file or in memory.
#[derive(Debug)]
pub struct Store {
    connection: Mutex<Connection>,
    /// For making safe what was written, while others write on; none in memory.
    tidier: Option<Mutex<Connection>>,
}

/// A game as it is stored.
#[derive(Debug)]
pub(crate) struct StoredGame {
    /// What it was begun with.
    pub settings: Settings,
    /// What happened, with the times.
    pub events: Vec<(Millis, Event)>,
}

/// A player as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Number.
    pub id: PlayerId,
    /// The account's name; `None` for guests.
    pub name: Option<String>,
}

const TABLES: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA foreign_keys = ON;
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS players (
        id INTEGER PRIMARY KEY,
        name TEXT UNIQUE COLLATE NOCASE,
        password TEXT
    );
    CREATE TABLE IF NOT EXISTS sessions (
        hash TEXT PRIMARY KEY,
        player INTEGER NOT NULL REFERENCES players
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS tokens (
        id INTEGER PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        player INTEGER NOT NULL REFERENCES players,
        label TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS games (
        id TEXT PRIMARY KEY,
        settings TEXT NOT NULL,
        public INTEGER NOT NULL,
        white INTEGER,
        black INTEGER,
        touched INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS games_by_time ON games (public, touched);
    CREATE INDEX IF NOT EXISTS games_by_white ON games (white, touched);
    CREATE INDEX IF NOT EXISTS games_by_black ON games (black, touched);
    CREATE TABLE IF NOT EXISTS events (
        game TEXT NOT NULL REFERENCES games,
        seq INTEGER NOT NULL,
        at INTEGER NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (game, seq)
    ) WITHOUT ROWID;
";

impl Store {
    /// Opens the data base in a file, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// If it is not a data base, or can't be written.
    pub fn open(path: &Path) -> rusqlite::Result<Store> {
        let store = Store::new(Connection::open(path)?)?;
        // Whoever makes a move never waits for the disk: `make_safe` does, once a second.
        store
            .lock()
            .execute_batch("PRAGMA wal_autocheckpoint = 0;")?;
        let tidier = Connection::open(path)?;
        tidier.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;")?;
        Ok(Store {
            tidier: Some(Mutex::new(tidier)),
            ..store
        })
    }

    /// Makes everything that was stored so far safe against a power cut. Waits for the disk.
    ///
    /// # Errors
    ///
    /// If the disk is full or gone.
    pub fn make_safe(&self) -> rusqlite::Result<()> {
        let Some(tidier) = &self.tidier else {
            return Ok(());
        };
        let tidier = tidier.lock().unwrap_or_else(PoisonError::into_inner);
        tidier.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
    }

    /// A data base that is gone with the process.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn in_memory() -> rusqlite::Result<Store> {
        Store::new(Connection::open_in_memory()?)
    }

    fn new(connection: Connection) -> rusqlite::Result<Store> {
        connection.execute_batch(TABLES)?;
        connection.execute_batch(crate::ratings::TABLES)?;
        Ok(Store {
            connection: Mutex::new(connection),
            tidier: None,
        })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Connection> {
        // A panic elsewhere leaves no statement half done: SQLite rolls it back.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a new game.
    pub(crate) fn add_game(
        &self,
        id: &str,
        settings: &Settings,
        now: Millis,
    ) -> rusqlite::Result<()> {
        let player = |seat: &crate::table::Seat| match seat {
            crate::table::Seat::Person { player, .. } => Some(*player),
            _ => None,
        };
        self.lock().execute(
            "INSERT INTO games (id, settings, public, white, black, touched)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                id,
                to_json(settings),
                settings.public,
                player(&settings.seats[0]),
                player(&settings.seats[1]),
                now as i64
            ],
        )?;
        Ok(())
    }

    /// Keeps an event; the game's event of this number must be new.
    pub(crate) fn add_event(
        &self,
        game: &str,
        seq: u64,
        now: Millis,
        event: &Event,
    ) -> rusqlite::Result<()> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        transaction
            .prepare_cached("INSERT INTO events (game, seq, at, event) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![game, seq as i64, now as i64, to_json(event)])?;
        transaction
            .prepare_cached("UPDATE games SET touched = ?2 WHERE id = ?1")?
            .execute(params![game, now as i64])?;
        if let Event::Joined { side, player, .. } = event {
            let column = match side {
                crate::event::SideJson::White => "UPDATE games SET white = ?2 WHERE id = ?1",
                crate::event::SideJson::Black => "UPDATE games SET black = ?2 WHERE id = ?1",
            };
            transaction.execute(column, params![game, player])?;
        }
        transaction.commit()
    }

    /// A game with its events.
    pub(crate) fn game(&self, id: &str) -> rusqlite::Result<Option<StoredGame>> {
        let connection = self.lock();
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
            .map(|row| row.and_then(|(at, event)| Ok((at as Millis, from_json(&event)?))))
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
        let connection = self.lock();
        let mut statement = connection.prepare_cached(sql)?;
        statement.query_map(params, |row| row.get(0))?.collect()
    }

    /// A new guest.
    pub(crate) fn add_guest(&self) -> rusqlite::Result<PlayerId> {
        let connection = self.lock();
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
        let changed = self.lock().execute(
            "UPDATE OR IGNORE players SET name = ?2, password = ?3 WHERE id = ?1 AND name IS NULL",
            params![player, name, password],
        )?;
        Ok(changed == 1)
    }

    /// The account of a name, with the hash of its password.
    pub(crate) fn account(&self, name: &str) -> rusqlite::Result<Option<(Player, String)>> {
        self.lock()
            .query_row(
                "SELECT id, name, password FROM players WHERE name = ?1",
                [name],
                |row| Ok((player(row)?, row.get(2)?)),
            )
            .optional()
    }

    /// Keeps a session.
    pub(crate) fn add_session(&self, hash: &str, player: PlayerId) -> rusqlite::Result<()> {
        self.lock().execute(
            "INSERT INTO sessions (hash, player) VALUES (?1, ?2)",
            params![hash, player],
        )?;
        Ok(())
    }

    /// Ends a session.
    pub(crate) fn remove_session(&self, hash: &str) -> rusqlite::Result<()> {
        self.lock()
            .execute("DELETE FROM sessions WHERE hash = ?1", [hash])?;
        Ok(())
    }

    /// Whose session this is.
    pub(crate) fn session(&self, hash: &str) -> rusqlite::Result<Option<Player>> {
        self.player_by(
            "SELECT players.id, players.name FROM sessions
             JOIN players ON players.id = sessions.player WHERE sessions.hash = ?1",
            hash,
        )
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
        let connection = self.lock();
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
        let connection = self.lock();
        connection.execute(
            "INSERT INTO tokens (hash, player, label) VALUES (?1, ?2, ?3)",
            params![hash, player, label],
        )?;
        Ok(connection.last_insert_rowid())
    }

    /// A player's tokens: number and label.
    pub(crate) fn tokens_of(&self, player: PlayerId) -> rusqlite::Result<Vec<(i64, String)>> {
        let connection = self.lock();
        let mut statement =
            connection.prepare_cached("SELECT id, label FROM tokens WHERE player = ?1")?;
        statement
            .query_map([player], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    }

    /// Revokes a token of a player; `false` if there is none.
    pub(crate) fn remove_token(&self, player: PlayerId, id: i64) -> rusqlite::Result<bool> {
        let changed = self.lock().execute(
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

fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("our own types have only text keys")
}

fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, error.into())
    })
}
