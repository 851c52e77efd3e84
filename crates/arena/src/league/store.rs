//! The games that have ended and what was decided: rows in a data base, never changed.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use kingme_data::{DataError, Row, Value, values};
use kingme_play::Chance;
use kingme_rules::Variant;

use super::incidents::GameIncident;
use super::lines::{Ending, Start};
use super::place::LogPlace;
use super::rows::{GAME, INCIDENTS, RESULT, finished, logged, went_wrong};
use super::shared_logs::{SharedLogs, take};
use super::tables::{Tables, VERSION, WITHOUT_EVENTS};
use super::{Finished, LeagueError, LeagueFile, LoggedGame};

type Result<T> = std::result::Result<T, LeagueError>;

/// So many rows are read at a time: a long log needs no memory, and a connection that is lost
/// meanwhile no second beginning.
const ROWS: usize = 500;
/// How long a `PostgreSQL` that is started again is waited for by whoever has nothing else to do.
const RESTART: Duration = Duration::from_secs(20);

/// The database of a league.
#[derive(Debug)]
pub(super) struct Store {
    pub(super) tables: Tables,
    place: LogPlace,
    /// The number of the next event, if it is known: only one process writes.
    pub(super) next_event: Cell<Option<i64>>,
    /// Why it could not be had when that was tried last.
    away: RefCell<String>,
}

/// A game with all its text, as it goes into its row.
pub(super) struct Entire<'a> {
    pub start: &'a Start,
    /// A line each.
    pub plies: &'a str,
    pub count: u32,
    pub end: &'a Ending,
}

/// A game that is there already stays as it is: the first result counts.
const INSERT_GAME: &str = "
    INSERT INTO main.game (number, round, white, black, began, ended,
                           winner, reason, words, count, opening, plies)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
    ON CONFLICT DO NOTHING";

impl Store {
    /// Opens the database to write it; a new one if there is none.
    pub fn open(place: &LogPlace) -> Result<Store> {
        let (tables, version) = match place {
            LogPlace::File(path) => (Tables::in_file(path), None),
            LogPlace::Shared(shared) => match take(shared) {
                Err(DataError::Held(_)) => return Err(LeagueError::InUse(place.to_string())),
                taken => {
                    let (tables, version) = taken.map_err(|error| fault(place, error))?;
                    (Ok(tables), Some(version))
                }
            },
        };
        let store = Store::new(tables.map_err(|error| fault(place, error))?, place);
        store.check_version(version)?;
        if version.is_none() {
            store.told(store.tables.make())?;
        }
        Ok(store)
    }

    fn new(tables: Tables, place: &LogPlace) -> Store {
        Store {
            tables,
            place: place.clone(),
            next_event: Cell::default(),
            away: RefCell::default(),
        }
    }

    /// Whether this program can read what is there; in a file it says itself of which version it is.
    fn check_version(&self, version: Option<i64>) -> Result<()> {
        let (version, tables) = match version {
            Some(version) => (version, 1),
            None => (
                self.number("PRAGMA user_version")?,
                self.number("SELECT COUNT(*) FROM sqlite_master")?,
            ),
        };
        let is_known = [VERSION, WITHOUT_EVENTS].contains(&version);
        if is_known || (version == 0 && tables == 0) {
            return Ok(());
        }
        Err(self.unreadable("it is no log of this version of kingme"))
    }

    pub(super) fn unreadable(&self, why: &str) -> LeagueError {
        LeagueError::Log {
            path: self.place.to_string(),
            why: why.to_owned(),
        }
    }

    /// Opens the database in a file to read it, whoever writes it meanwhile.
    pub fn read_only(path: &Path) -> Result<Store> {
        let place = LogPlace::from(path);
        if !path.exists() {
            return Err(missing(&place));
        }
        let tables = Tables::to_read(path).map_err(|error| fault(&place, error))?;
        let store = Store::new(tables, &place);
        store.check_version(None)?;
        Ok(store)
    }

    /// Opens a log among those of a `PostgreSQL` to read it; tells the number that it has there.
    pub fn in_shared(logs: &SharedLogs, place: &LogPlace) -> Result<(Store, i64)> {
        let found = logs.find(place.name().unwrap_or_default());
        let found = found.map_err(|error| fault(place, error))?;
        let (number, version) = found.ok_or_else(|| missing(place))?;
        let store = Store::new(logs.tables(number), place);
        store.check_version(Some(version))?;
        Ok((store, number))
    }

    pub(super) fn told<T>(&self, told: std::result::Result<T, DataError>) -> Result<T> {
        told.map_err(|error| fault(&self.place, error))
    }

    pub(super) fn query(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        self.told(self.tables.query(sql, values))
    }

    /// A question whose answer is a number.
    pub(super) fn number(&self, sql: &str) -> Result<i64> {
        let row = self.told(self.tables.query_one(sql, &[]))?;
        self.told(row.map_or(Ok(0), |row| row.get(0)))
    }

    /// The league's own number, after a check that the database is this league's. A new database
    /// becomes this league's.
    pub fn claim(&self, file: &LeagueFile) -> Result<u64> {
        self.check(file)?;
        if let Some((id, ..)) = self.identity()? {
            return Ok(id);
        }
        let (id, folder) = (new_id(), folder_of(file));
        let insert = "INSERT INTO main.league (id, name, identity, file, folder)
                      SELECT CAST(?1 AS BIGINT), CAST(?2 AS TEXT), CAST(?3 AS TEXT),
                             CAST(?4 AS TEXT), CAST(?5 AS TEXT)
                      WHERE NOT EXISTS (SELECT id FROM main.league)";
        let (name, identity, text) = (&file.name, &file.identity, &file.text);
        let values = values![id as i64, name, identity, text, &folder];
        self.told(self.tables.write(&[(insert, values)]))?;
        Ok(id)
    }

    /// The league's own number, its name, and which league it is; `None` before it has a log.
    fn identity(&self) -> Result<Option<(u64, String, String)>> {
        let rows = self.query("SELECT id, name, identity FROM main.league", &[])?;
        let read = |row: &Row| Ok((row.get::<i64>(0)? as u64, row.get(1)?, row.get(2)?));
        self.told(rows.first().map(read).transpose())
    }

    /// The league's own number.
    pub fn league_number(&self) -> Result<u64> {
        let identity = self.identity()?;
        identity
            .map(|(id, ..)| id)
            .ok_or_else(|| missing(&self.place))
    }

    /// Whether the database is this league's.
    pub fn check(&self, file: &LeagueFile) -> Result<()> {
        match self.identity()? {
            Some((_, name, identity)) if !is_same(&identity, file) => {
                Err(LeagueError::OtherLeague {
                    path: self.place.to_string(),
                    name,
                })
            }
            _ => Ok(()),
        }
    }

    /// The league's file as it was at the last run.
    pub fn league(&self) -> Result<LeagueFile> {
        let (text, folder) = self.stored_file()?;
        let mut file = LeagueFile::read_to_show(&text, Path::new(&folder))?;
        file.enrol(&self.history()?)?;
        Ok(file)
    }

    /// The text of the file, and its folder.
    pub fn stored_file(&self) -> Result<(String, String)> {
        let rows = self.query("SELECT file, folder FROM main.league", &[])?;
        let row = rows.first().ok_or_else(|| missing(&self.place))?;
        self.told(row.get(0).and_then(|text| Ok((text, row.get(1)?))))
    }

    /// Whether something was written; false if that may succeed later.
    pub(super) fn has_happened(&self, written: std::result::Result<(), DataError>) -> Result<bool> {
        match written {
            Ok(()) => Ok(true),
            Err(error) if error.may_pass() => {
                *self.away.borrow_mut() = error.to_string();
                Ok(false)
            }
            Err(error) => Err(fault(&self.place, error)),
        }
    }

    /// Whether several machines reach it.
    pub fn is_shared(&self) -> bool {
        self.tables.are_shared()
    }

    /// How long to wait for a database that can't be had: another process has it locked, or it is
    /// started again on its machine.
    pub fn be_patient(&self, time: Duration) -> Result<()> {
        let is_long = self.tables.are_shared() && !time.is_zero();
        let time = if is_long { time.max(RESTART) } else { time };
        self.told(self.tables.be_patient(time))
    }

    /// Adds games, all or none of them; false if the database can't be had now. One that is there
    /// already stays as it is.
    pub fn insert(&self, games: &[Entire]) -> Result<bool> {
        let letters = games.iter().map(|game| {
            let winner = game.end.how.winner;
            winner.map(|side| side.letter().to_string())
        });
        let letters: Vec<Option<String>> = letters.collect();
        let games = games.iter().zip(&letters);
        let values: Vec<[Value; 12]> = games
            .map(|(game, winner)| game.values(winner.as_deref()))
            .collect();
        let rows = values.iter().map(|values| (INSERT_GAME, &values[..]));
        let rows: Vec<(&str, &[Value])> = rows.collect();
        if rows.is_empty() {
            return Ok(true);
        }
        self.has_happened(self.tables.write(&rows))
    }

    /// Makes everything safe against a power cut: in the database itself, or, while somebody reads
    /// or locks it, in the file beside it that is read with it.
    pub fn sync(&self) -> Result<()> {
        match (self.told(self.tables.checkpoint())?, &self.place) {
            (false, LogPlace::File(path)) => sync_beside(path),
            _ => Ok(()),
        }
    }

    /// What is to be said when it can't be waited for any longer.
    pub fn locked(&self, what_waits: &str) -> LeagueError {
        let why = if self.tables.are_shared() {
            self.away.borrow().clone()
        } else {
            "another process keeps it locked".to_owned()
        };
        self.unreadable(&format!("{why}{what_waits}"))
    }

    /// A number that changes when another connection has written.
    pub fn version(&self) -> Result<i64> {
        if !self.tables.are_shared() {
            return self.number("PRAGMA data_version");
        }
        // Each of them only grows: the last game, the last event, and the file by whoever wrote it.
        self.number(
            "SELECT (SELECT COALESCE(MAX(id), 0) FROM main.game)
                  + (SELECT COALESCE(MAX(id), 0) FROM main.event)
                  + (SELECT COALESCE(MAX(xmin::TEXT::BIGINT), 0) FROM main.league)",
        )
    }

    /// Hands on the rows of games that count, some columns of each, in the order of one of them, whose
    /// place among them is told; those after a value of it. Returns the last value.
    fn each(
        &self,
        columns: &str,
        (order, place): (&str, usize),
        after: i64,
        mut on_row: impl FnMut(&Row) -> std::result::Result<(), DataError>,
    ) -> Result<i64> {
        let query = format!(
            "SELECT {columns} FROM main.game WHERE {order} > ?1 AND reason <> 'aborted'
             ORDER BY {order} LIMIT {ROWS}"
        );
        let mut last = after;
        loop {
            let rows = self.query(&query, values![last])?;
            for row in &rows {
                self.told(on_row(row))?;
                last = self.told(row.get(place))?;
            }
            if rows.len() < ROWS {
                return Ok(last);
            }
        }
    }

    /// Hands on every result whose row comes after one, and returns the last row.
    pub fn results_after(&self, row: i64, mut on_result: impl FnMut(Finished)) -> Result<i64> {
        let eras = self.eras()?;
        self.each(RESULT, BY_ROW, row, |row| {
            on_result(finished(row, &eras)?);
            Ok(())
        })
    }

    /// Hands on what went wrong in games whose row comes after one, and returns the last row.
    pub fn incidents_after(
        &self,
        row: i64,
        mut on_incident: impl FnMut(GameIncident),
    ) -> Result<i64> {
        self.each(INCIDENTS, BY_ROW, row, |row| {
            went_wrong(row)?.into_iter().for_each(&mut on_incident);
            Ok(())
        })
    }

    /// A game that counts.
    pub fn game(&self, number: u64, variant: &Variant) -> Result<Option<LoggedGame>> {
        let eras = self.eras()?;
        let query =
            format!("SELECT {GAME} FROM main.game WHERE reason <> 'aborted' AND number = ?1");
        let rows = self.query(&query, values![number as i64])?;
        let game = rows.first().map(|row| logged(row, variant, &eras));
        Ok(self.told(game.transpose())?.flatten())
    }

    /// Every game that counts, in the order of their numbers.
    pub fn games(&self, variant: &Variant, on_game: &mut dyn FnMut(LoggedGame)) -> Result<()> {
        let eras = self.eras()?;
        self.each(GAME, BY_NUMBER, -1, |row| {
            logged(row, variant, &eras)?
                .into_iter()
                .for_each(&mut *on_game);
            Ok(())
        })
        .map(drop)
    }
}

/// In the order of their ends, or of their numbers.
const BY_ROW: (&str, usize) = ("id", 0);
const BY_NUMBER: (&str, usize) = ("number", 1);

impl<'a> Entire<'a> {
    fn values(&self, winner: Option<&'a str>) -> [Value<'a>; 12] {
        let Entire { start, end, .. } = self;
        let [white, black] = start.players.map(|player| player as i64);
        [
            (start.game as i64).into(),
            start.round.into(),
            white.into(),
            black.into(),
            start.at.into(),
            end.at.into(),
            winner.into(),
            end.how.reason.word().into(),
            (&end.how.words).into(),
            self.count.into(),
            (&start.opening).into(),
            self.plies.into(),
        ]
    }
}

/// Whoever reads the file later may be somewhere else.
pub(super) fn folder_of(file: &LeagueFile) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    here.join(&file.folder).to_string_lossy().into_owned()
}

fn sync_beside(path: &Path) -> Result<()> {
    let mut path = path.as_os_str().to_owned();
    path.push("-wal");
    let synced = File::open(&path).and_then(|file| file.sync_all());
    synced.map_err(|error| LeagueError::Log {
        path: path.to_string_lossy().into_owned(),
        why: error.to_string(),
    })
}

fn missing(place: &LogPlace) -> LeagueError {
    LeagueError::Log {
        path: place.to_string(),
        why: "there is none yet; `kingme league run` makes it".to_owned(),
    }
}

/// Whether a league's file is of the league that a log has this identity of.
fn is_same(identity: &str, file: &LeagueFile) -> bool {
    identity.starts_with(&file.identity)
}

/// A number that no other league has, in all likelihood.
fn new_id() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let nanos = since.map_or(0, |since| since.as_nanos() as u64);
    Chance::fork(nanos, u64::from(std::process::id())).number() >> 1
}

/// What is wrong with a data base, of which the sentence says which it is.
fn fault(place: &LogPlace, error: DataError) -> LeagueError {
    let why = match (place, error) {
        // What a file's own sentences say beside this, ours says already.
        (
            LogPlace::File(_),
            DataError::Busy(why)
            | DataError::Full(why)
            | DataError::ReadOnly(why)
            | DataError::Taken(why)
            | DataError::Other(why),
        ) => why,
        (
            LogPlace::Shared(_),
            error @ (DataError::Unreachable { .. }
            | DataError::Refused { .. }
            | DataError::Missing { .. }),
        ) => return LeagueError::Data(error),
        (_, error) => error.to_string(),
    };
    LeagueError::Log {
        path: place.to_string(),
        why,
    }
}
