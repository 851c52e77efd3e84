//! `PostgreSQL` with our values and rows, and connections that are made again when they are lost.

use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

use ::postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use ::postgres::{Client, Config, NoTls, Statement};
use bytes::BytesMut;
use tokio::runtime::Handle;

use crate::place::shown;
use crate::{Cell, DataError, Hold, Result, Row, Value};

/// The pauses between two tries grow from the first to the last.
const PAUSES: (Duration, Duration) = (Duration::from_millis(25), Duration::from_millis(500));
/// Nobody who is there needs longer to say so.
const KNOCK: Duration = Duration::from_secs(3);
/// After so long without an answer to what was sent, the other machine is gone.
const SILENCE: Duration = Duration::from_secs(5);

/// Has the data base notice within half a minute that whoever held something is gone without a word.
const NOTICE: &str =
    "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4";

/// A connection to a `PostgreSQL`, or the wish to have one again.
pub(crate) struct Postgres {
    config: Config,
    open: Option<Open>,
    /// Until when a lost connection is tried to be made again.
    patience: Instant,
    in_transaction: bool,
    /// What it keeps from others for as long as it is there, also when it was made again.
    held: Option<Hold>,
}

struct Open {
    client: Client,
    /// What was prepared on it, by our text.
    statements: HashMap<String, Statement>,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Postgres({})", shown(&self.config))
    }
}

impl Postgres {
    pub(crate) fn connect(mut config: Config, patience: Duration) -> Result<Postgres> {
        if config.get_application_name().is_none() {
            config.application_name("kingme");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(KNOCK);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
        }
        let mut postgres = Postgres {
            config,
            open: None,
            patience: Instant::now() + patience,
            in_transaction: false,
            held: None,
        };
        postgres.client()?;
        Ok(postgres)
    }

    pub(crate) fn be_patient(&mut self, patience: Duration) {
        self.patience = Instant::now() + patience;
    }

    pub(crate) fn client(&mut self) -> Result<&mut Client> {
        Ok(&mut self.open()?.client)
    }

    /// The connection, made again if it was lost, with growing pauses as long as patience lasts.
    fn open(&mut self) -> Result<&mut Open> {
        if self
            .open
            .as_ref()
            .is_some_and(|open| open.client.is_closed())
        {
            self.open = None;
        }
        if self.open.is_none() && self.in_transaction {
            return Err(DataError::Lost("in the middle of a change".to_owned()));
        }
        let mut pause = PAUSES.0;
        while self.open.is_none() {
            match self.knock() {
                Ok(open) => self.open = Some(open),
                Err(error) if !error.may_pass() || Instant::now() + pause > self.patience => {
                    return Err(error);
                }
                Err(_) => {
                    thread::sleep(pause);
                    pause = (pause * 2).min(PAUSES.1);
                }
            }
        }
        let lost = || DataError::Lost("closed".to_owned());
        self.open.as_mut().ok_or_else(lost)
    }

    /// A new connection that has what it is to hold.
    fn knock(&self) -> Result<Open> {
        let client = self.config.connect(NoTls);
        let client = client.map_err(|error| {
            let at = shown(&self.config);
            DataError::at_connecting(&error, &at)
        })?;
        let mut open = Open {
            client,
            statements: HashMap::new(),
        };
        match self.held {
            Some(hold) if !open.hold(hold)? => Err(DataError::Held(shown(&self.config))),
            _ => Ok(open),
        }
    }

    pub(crate) fn hold(&mut self, hold: Hold) -> Result<()> {
        let options = self.config.get_options().unwrap_or_default();
        self.config.options(&format!("{options} {NOTICE}"));
        self.held = Some(hold);
        // By a connection that is made like all that may follow it.
        self.open = None;
        self.open().map(drop)
    }

    pub(crate) fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        match self.change_returning(sql, values) {
            Err(error) if error.is_lost() && !self.in_transaction => {
                self.change_returning(sql, values)
            }
            done => done,
        }
    }

    pub(crate) fn change_returning(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        let rows = self.told(|open| {
            let statement = open.prepared(sql)?;
            open.client.query(&statement, &params(values))
        })?;
        rows.iter().map(row).collect()
    }

    pub(crate) fn change(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64> {
        self.told(|open| {
            let statement = open.prepared(sql)?;
            open.client.execute(&statement, &params(values))
        })
    }

    pub(crate) fn batch(&mut self, sql: &str) -> Result<()> {
        self.told(|open| open.client.batch_execute(sql))
    }

    pub(crate) fn begin(&mut self) -> Result<()> {
        // Nothing has happened yet, so a connection that turns out to be lost is made again.
        match self.batch("BEGIN") {
            Err(error) if error.is_lost() => self.batch("BEGIN")?,
            begun => begun?,
        }
        self.in_transaction = true;
        Ok(())
    }

    pub(crate) fn commit(&mut self) -> Result<()> {
        let done = self.batch("COMMIT");
        // Otherwise whoever began it takes it back.
        self.in_transaction = done.is_err();
        done
    }

    pub(crate) fn roll_back(&mut self) -> Result<()> {
        let done = self.batch("ROLLBACK");
        self.in_transaction = false;
        if done.is_err() {
            self.open = None;
        }
        done
    }

    /// Does something with the connection, and tells what went wrong in our words. A connection
    /// that has failed is not used again: the client may not know yet that it is closed.
    fn told<T>(
        &mut self,
        ask: impl FnOnce(&mut Open) -> std::result::Result<T, ::postgres::Error>,
    ) -> Result<T> {
        let told = ask(self.open()?).map_err(DataError::from);
        if told.as_ref().is_err_and(DataError::is_lost) {
            self.open = None;
        }
        told
    }
}

impl Drop for Postgres {
    /// A thread that drives tasks of tokio can't say goodbye: the client has tasks of its own.
    fn drop(&mut self) {
        let open = self.open.take();
        if open.is_some() && Handle::try_current().is_ok() {
            thread::spawn(move || drop(open));
        }
    }
}

impl Open {
    /// Whether nobody else holds it.
    fn hold(&mut self, Hold(kind, number): Hold) -> Result<bool> {
        let sql = "SELECT pg_try_advisory_lock($1, $2)";
        Ok(self.client.query_one(sql, &[&kind, &number])?.try_get(0)?)
    }

    fn prepared(&mut self, sql: &str) -> std::result::Result<Statement, ::postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        // Our statements have no other question marks than those of their values.
        let statement = self.client.prepare(&sql.replace('?', "$"))?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

fn params<'a>(values: &'a [Value<'a>]) -> Vec<&'a (dyn ToSql + Sync)> {
    let value = |value: &'a Value<'a>| value as &(dyn ToSql + Sync);
    values.iter().map(value).collect()
}

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(number) => number.to_sql_checked(kind, out),
            Value::Real(number) => number.to_sql_checked(kind, out),
            // There is one character that its texts can't have.
            Value::Text(text) if text.contains('\0') => {
                text.replace('\0', "\u{fffd}").to_sql_checked(kind, out)
            }
            Value::Text(text) => text.to_sql_checked(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

fn row(row: &::postgres::Row) -> Result<Row> {
    let cells = row.columns().iter().enumerate();
    let cells = cells.map(|(at, column)| cell(row, at, column.type_()));
    cells.collect::<Result<_>>().map(Row)
}

fn cell(row: &::postgres::Row, at: usize, kind: &Type) -> Result<Cell> {
    let cell = match *kind {
        Type::INT8 => row.try_get::<_, Option<i64>>(at)?.map(Cell::Int),
        Type::INT4 => {
            let number = row.try_get::<_, Option<i32>>(at)?;
            number.map(|number| Cell::Int(number.into()))
        }
        Type::FLOAT8 => row.try_get::<_, Option<f64>>(at)?.map(Cell::Real),
        Type::TEXT | Type::VARCHAR | Type::NAME => {
            row.try_get::<_, Option<String>>(at)?.map(Cell::Text)
        }
        // What a function that tells nothing tells.
        Type::VOID => None,
        _ => {
            let why = format!("a column of kind {kind}");
            return Err(DataError::Unreadable(why));
        }
    };
    Ok(cell.unwrap_or(Cell::Null))
}
