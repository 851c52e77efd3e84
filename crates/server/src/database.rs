//! What the server asks of a data base about games: begun, gone on, read again. Players are in
//! `accounts.rs`, ratings in `ratings.rs`, works in `works.rs`, what only servers that share a data
//! base ask for in `shared.rs`.

use std::time::Duration;

use kingme_data::{Connection, DataError, Result, Row, Value, values};
use kingme_play::{Event, Moment, PlayerId, Seat};
use kingme_rules::Side;

use crate::folder::StoreError;
use crate::old_events::StoredEvent;
use crate::settings::Settings;
use crate::{ratings, schema, store};

/// `SQLite` in a file or in memory, or one of the connections to a `PostgreSQL`, in the hands of one
/// thread.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    /// This server's number among those that share the data base; none in a file.
    server: Option<i64>,
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
    /// What becomes of the server's hold on the game.
    pub hold: Hold,
}

/// What an event does to the hold on its game. A hold is who does what has to happen in a game by
/// itself, of those servers that share a data base.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// It stays where it is: with us, or with whoever plays the league.
    Stays,
    /// It is ours from now on: whoever has the last event goes on.
    Ours,
    /// Nothing has to happen any more.
    Ends,
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

impl Database {
    /// `SQLite`, with our tables.
    pub(crate) fn in_file(
        connection: rusqlite::Connection,
    ) -> std::result::Result<Database, StoreError> {
        connection.busy_timeout(store::LOCKED)?;
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;",
        )?;
        let mut connection = Connection::from(connection);
        connection.migrate(&schema::TABLES)?;
        Ok(Database::new(connection, None))
    }

    /// A connection to a `PostgreSQL` that has our tables, for the server of this number.
    pub(crate) fn shared(connection: Connection, server: i64) -> Database {
        Database::new(connection, Some(server))
    }

    fn new(connection: Connection, server: Option<i64>) -> Database {
        Database {
            connection,
            server,
            #[cfg(test)]
            fault: None,
            #[cfg(test)]
            pause: Duration::ZERO,
        }
    }

    /// A data base that is gone with the process.
    #[cfg(test)]
    pub(crate) fn in_memory() -> Database {
        let connection = rusqlite::Connection::open_in_memory().expect("memory");
        Database::in_file(connection).expect("our own tables")
    }

    pub(crate) fn into_connection(self) -> Connection {
        self.connection
    }

    pub(crate) fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }

    /// This server's number among those that share the data base.
    pub(crate) fn server(&self) -> Option<i64> {
        self.server
    }

    pub(crate) fn batch(&mut self, sql: &str) -> Result<()> {
        self.connection.batch(sql)
    }

    /// How long a lost connection is tried to be made again.
    pub(crate) fn be_patient(&mut self, patience: Duration) {
        self.connection.be_patient(patience);
    }

    /// From now on every event is on the disk before anybody hears of it. In a `PostgreSQL` it always
    /// is.
    pub(crate) fn wait_for_disk(&mut self) -> Result<()> {
        if self.connection.is_postgres() {
            return Ok(());
        }
        self.batch("PRAGMA synchronous = FULL")
    }

    /// Whether it answers.
    pub(crate) fn is_there(&mut self) -> Result<()> {
        let ask = "SELECT count(*) FROM (SELECT 1 FROM games LIMIT 1) AS games";
        self.connection.query_one(ask, &[]).map(drop)
    }

    /// Keeps a new game, begun at a time on the wall.
    pub(crate) fn add_game(
        &mut self,
        id: &str,
        settings: &Settings,
        touched: Moment,
    ) -> Result<()> {
        add_game(&mut self.connection, self.server, (id, settings), touched)
    }

    /// Keeps an event and all that follows from it, or nothing.
    ///
    /// # Errors
    ///
    /// [`DataError::Taken`] if the game has an event of that number.
    pub(crate) fn add_event(&mut self, new: &NewEvent) -> Result<()> {
        #[cfg(test)]
        let fault = self.fault.take();
        #[cfg(test)]
        if fault == Some(Fault::Refused) {
            return Err(DataError::Other("a fault on purpose".to_owned()));
        }
        match self.server {
            // Most events are moves: one statement, so one way there and back.
            Some(server) if new.stands_alone() => add_shared(&mut self.connection, server, new)?,
            server => self
                .connection
                .atomically(|data| add_event(data, server, new))?,
        }
        #[cfg(test)]
        if fault == Some(Fault::Unsaid) {
            return Err(DataError::Other("a fault on purpose".to_owned()));
        }
        Ok(())
    }

    /// A game with its events.
    pub(crate) fn game(&mut self, id: &str) -> Result<Option<StoredGame>> {
        let sql = "SELECT settings FROM games WHERE id = ?1";
        let Some(row) = self.connection.query_one(sql, values![id])? else {
            return Ok(None);
        };
        let sql = "SELECT at, event FROM events WHERE game = ?1 ORDER BY seq";
        let events = self.connection.query(sql, values![id])?;
        Ok(Some(StoredGame {
            settings: from_json(&row.get::<String>(0)?)?,
            events: events.iter().map(stored_event).collect::<Result<_>>()?,
        }))
    }

    /// The public games touched last, newest first.
    pub(crate) fn public_games(&mut self, limit: u32) -> Result<Vec<String>> {
        self.ids(
            "SELECT id FROM games WHERE public = 1 ORDER BY touched DESC LIMIT ?1",
            values![limit],
        )
    }

    /// A player's games, newest first.
    pub(crate) fn games_of(&mut self, player: PlayerId, limit: u32) -> Result<Vec<String>> {
        self.ids(
            "SELECT id FROM games WHERE white = ?1 OR black = ?1 ORDER BY touched DESC LIMIT ?2",
            values![player, limit],
        )
    }

    pub(crate) fn ids(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<String>> {
        let rows = self.connection.query(sql, values)?;
        rows.iter().map(|row| row.get(0)).collect()
    }
}

impl NewEvent<'_> {
    /// Whether nothing but the game's own list changes.
    fn stands_alone(&self) -> bool {
        let joined = matches!(self.event, Event::Joined { .. });
        !joined && self.rating.is_none() && self.next.is_none()
    }
}

fn add_event(data: &mut Connection, server: Option<i64>, new: &NewEvent) -> Result<()> {
    if let Some(server) = server {
        add_shared(data, server, new)?;
    } else {
        data.change(
            "INSERT INTO events (game, seq, at, event) VALUES (?1, ?2, ?3, ?4)",
            values![
                new.game,
                new.seq as i64,
                millis(new.at),
                &to_json(new.event)
            ],
        )?;
        data.change(
            "UPDATE games SET touched = ?2 WHERE id = ?1",
            values![new.game, millis(new.touched)],
        )?;
    }
    if let Event::Joined { side, player, .. } = new.event {
        let column = match side {
            Side::White => "UPDATE games SET white = ?2 WHERE id = ?1",
            Side::Black => "UPDATE games SET black = ?2 WHERE id = ?1",
        };
        data.change(column, values![new.game, *player])?;
    }
    if let Some(rating) = new.rating {
        ratings::rate(data, new.game, rating)?;
    }
    if let Some(next) = new.next {
        add_game(data, server, next, new.touched)?;
    }
    Ok(())
}

/// The same for a data base that servers share, in one statement.
fn add_shared(data: &mut Connection, server: i64, new: &NewEvent) -> Result<()> {
    let event = to_json(new.event);
    let (seq, at, touched) = (new.seq as i64, millis(new.at), millis(new.touched));
    let values = values![new.game, seq, at, &event, touched, server];
    let (sql, values) = match new.hold {
        Hold::Stays => (
            "WITH event AS (INSERT INTO events (game, seq, at, event) VALUES (?1, ?2, ?3, ?4))
             UPDATE games SET touched = ?5 WHERE id = ?1",
            &values[..5],
        ),
        Hold::Ours => (
            "WITH event AS (INSERT INTO events (game, seq, at, event) VALUES (?1, ?2, ?3, ?4)),
                  hold AS (INSERT INTO holds (game, server, ahead) VALUES (?1, ?6, ?3 - kingme_now())
                           ON CONFLICT (game) DO UPDATE SET server = excluded.server)
             UPDATE games SET touched = ?5 WHERE id = ?1",
            &values[..],
        ),
        Hold::Ends => (
            "WITH event AS (INSERT INTO events (game, seq, at, event) VALUES (?1, ?2, ?3, ?4)),
                  hold AS (DELETE FROM holds WHERE game = ?1)
             UPDATE games SET touched = ?5 WHERE id = ?1",
            &values[..5],
        ),
    };
    data.change(sql, values).map(drop)
}

fn add_game(
    data: &mut Connection,
    server: Option<i64>,
    (id, settings): (&str, &Settings),
    touched: Moment,
) -> Result<()> {
    let [white, black] = settings.seats.each_ref().map(Seat::player);
    let json = to_json(settings);
    let game = values![
        id,
        &json,
        settings.public,
        white,
        black,
        millis(touched),
        server
    ];
    match server {
        None => data.change(
            "INSERT INTO games (id, settings, public, white, black, touched)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            &game[..6],
        ),
        // Its own time begins as the wall's.
        Some(_) => data.change(
            "WITH game AS (INSERT INTO games (id, settings, public, white, black, touched)
                           VALUES (?1, ?2, ?3, ?4, ?5, ?6))
             INSERT INTO holds (game, server, ahead) VALUES (?1, ?7, ?6 - kingme_now())",
            game,
        ),
    }
    .map(drop)
}

pub(crate) fn stored_event(row: &Row) -> Result<(Moment, StoredEvent)> {
    Ok((moment(row.get(0)?), from_json(&row.get::<String>(1)?)?))
}

pub(crate) fn moment(millis: i64) -> Moment {
    Moment::from_millis(millis.max(0) as u64)
}

pub(crate) fn millis(moment: Moment) -> i64 {
    i64::try_from(moment.as_millis()).unwrap_or(i64::MAX)
}

fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("our own types have only text keys")
}

fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| DataError::Unreadable(error.to_string()))
}
