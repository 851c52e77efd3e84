//! The way to a data base, whichever it is.

use std::time::Duration;

use ::postgres::Config;

use crate::postgres::Postgres;
use crate::{Place, Result, Row, Value, sqlite};

/// A connection to a data base.
#[derive(Debug)]
pub struct Connection {
    engine: Engine,
}

/// What only one connection to a `PostgreSQL` may have at a time: a kind of things, and one of them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Hold(pub i32, pub i32);

#[derive(Debug)]
enum Engine {
    Sqlite(rusqlite::Connection),
    Postgres(Box<Postgres>),
}

impl From<rusqlite::Connection> for Connection {
    fn from(connection: rusqlite::Connection) -> Connection {
        let engine = Engine::Sqlite(connection);
        Connection { engine }
    }
}

impl Connection {
    /// A connection to a `PostgreSQL`, tried for so long before it is given up.
    ///
    /// # Errors
    ///
    /// If nobody is there, or we are not let in.
    pub fn postgres(config: &Config, patience: Duration) -> Result<Connection> {
        let postgres = Postgres::connect(config.clone(), patience)?;
        let engine = Engine::Postgres(Box::new(postgres));
        Ok(Connection { engine })
    }

    /// A connection to wherever: a path is the file of a data base, made if it is not there.
    ///
    /// # Errors
    ///
    /// If it can't be made.
    pub fn open(place: &Place, patience: Duration) -> Result<Connection> {
        match place {
            Place::Path(path) => Ok(rusqlite::Connection::open(path)?.into()),
            Place::Postgres(config) => Connection::postgres(config, patience),
        }
    }

    /// Whether it is a `PostgreSQL`.
    pub fn is_postgres(&self) -> bool {
        matches!(self.engine, Engine::Postgres(_))
    }

    /// The file's connection, for what only `SQLite` has.
    pub fn sqlite(&self) -> Option<&rusqlite::Connection> {
        match &self.engine {
            Engine::Sqlite(connection) => Some(connection),
            Engine::Postgres(_) => None,
        }
    }

    /// The client of a `PostgreSQL`, for what only that has, such as word from others.
    ///
    /// # Errors
    ///
    /// If the connection is lost and can't be made again at once.
    pub fn client(&mut self) -> Result<Option<&mut ::postgres::Client>> {
        match &mut self.engine {
            Engine::Sqlite(_) => Ok(None),
            Engine::Postgres(postgres) => postgres.client().map(Some),
        }
    }

    /// How long a lost connection is tried to be made again, from now on, before a question fails.
    pub fn be_patient(&mut self, patience: Duration) {
        if let Engine::Postgres(postgres) = &mut self.engine {
            postgres.be_patient(patience);
        }
    }

    /// Rows; nothing is changed, so it is asked again if the connection is lost meanwhile.
    ///
    /// # Errors
    ///
    /// If the data base says so.
    pub fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        match &mut self.engine {
            Engine::Sqlite(connection) => sqlite::query(connection, sql, values),
            Engine::Postgres(postgres) => postgres.query(sql, values),
        }
    }

    /// The first row, if there is one.
    ///
    /// # Errors
    ///
    /// If the data base says so.
    pub fn query_one(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Option<Row>> {
        Ok(self.query(sql, values)?.into_iter().next())
    }

    /// Changes something; how many rows.
    ///
    /// # Errors
    ///
    /// If the data base says so.
    pub fn change(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64> {
        match &mut self.engine {
            Engine::Sqlite(connection) => sqlite::change(connection, sql, values),
            Engine::Postgres(postgres) => postgres.change(sql, values),
        }
    }

    /// Changes something, and tells what `RETURNING` says.
    ///
    /// # Errors
    ///
    /// If the data base says so.
    pub fn change_returning(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        match &mut self.engine {
            Engine::Sqlite(connection) => sqlite::query(connection, sql, values),
            Engine::Postgres(postgres) => postgres.change_returning(sql, values),
        }
    }

    /// Several statements without values.
    ///
    /// # Errors
    ///
    /// If the data base says so.
    pub fn batch(&mut self, sql: &str) -> Result<()> {
        match &mut self.engine {
            Engine::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Engine::Postgres(postgres) => postgres.batch(sql),
        }
    }

    /// Does all of something or nothing of it.
    ///
    /// # Errors
    ///
    /// What the work says, or the data base when it is to keep it.
    pub fn atomically<T, E: From<crate::DataError>>(
        &mut self,
        work: impl FnOnce(&mut Connection) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.begin()?;
        let undo = Undo(self);
        let done = work(&mut *undo.0)?;
        undo.0.commit()?;
        std::mem::forget(undo);
        Ok(done)
    }

    fn begin(&mut self) -> Result<()> {
        match &mut self.engine {
            // At once, so that two who want to write never wait for each other.
            Engine::Sqlite(connection) => Ok(connection.execute_batch("BEGIN IMMEDIATE")?),
            Engine::Postgres(postgres) => postgres.begin(),
        }
    }

    fn commit(&mut self) -> Result<()> {
        match &mut self.engine {
            Engine::Sqlite(connection) => Ok(connection.execute_batch("COMMIT")?),
            Engine::Postgres(postgres) => postgres.commit(),
        }
    }

    fn roll_back(&mut self) -> Result<()> {
        match &mut self.engine {
            Engine::Sqlite(connection) => Ok(connection.execute_batch("ROLLBACK")?),
            Engine::Postgres(postgres) => postgres.roll_back(),
        }
    }

    /// Keeps others from something for as long as this connection lives: if it is lost, it is not
    /// made again before it holds the same. A file has other means.
    ///
    /// # Errors
    ///
    /// If another connection has it for longer than patience lasts.
    pub fn hold(&mut self, hold: Hold) -> Result<()> {
        match &mut self.engine {
            Engine::Sqlite(_) => Ok(()),
            Engine::Postgres(postgres) => postgres.hold(hold),
        }
    }

    /// Whether any connection holds something; nobody does in a file.
    ///
    /// # Errors
    ///
    /// If the data base says so.
    pub fn is_held(&mut self, Hold(kind, number): Hold) -> Result<bool> {
        if !self.is_postgres() {
            return Ok(false);
        }
        let sql = "SELECT objsubid::BIGINT FROM pg_locks
                   WHERE locktype = 'advisory' AND granted AND objsubid = 2
                   AND classid::BIGINT = ?1 AND objid::BIGINT = ?2
                   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        let held = self.query_one(sql, crate::values![i64::from(kind), i64::from(number)])?;
        Ok(held.is_some())
    }

    /// Keeps others from what these numbers stand for until the end of the transaction. A file has
    /// one writer at a time anyway.
    ///
    /// # Errors
    ///
    /// If the data base says so.
    pub fn lock(&mut self, numbers: &[i64]) -> Result<()> {
        if !self.is_postgres() {
            return Ok(());
        }
        // In one order, so that nobody waits for somebody who waits for them.
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable();
        for number in numbers {
            let lock = "SELECT 1::BIGINT FROM (SELECT pg_advisory_xact_lock(?1)) AS locked";
            self.change_returning(lock, crate::values![number])?;
        }
        Ok(())
    }
}

/// Takes back what was not kept, also in a panic.
struct Undo<'a>(&'a mut Connection);

impl Drop for Undo<'_> {
    fn drop(&mut self) {
        // If it can't be taken back the connection is gone, and what was begun on it too.
        self.0.roll_back().unwrap_or_default();
    }
}
