//! Leagues copied from one place to another: the logs in a folder, or those of a `PostgreSQL`.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use kingme_data::Connection;
use kingme_data::copy::{Side, Table, copy_table};

use super::LeagueError;
use super::live::LiveFile;
use super::log::take_over;
use super::place::LogPlace;
use super::shared_logs::{find, is_played, make, names};
use super::store::Store;
use super::tables::{IN_FILE, schema};

type Result<T> = std::result::Result<T, LeagueError>;

/// What a log consists of.
const TABLES: [Table; 3] = [
    Table {
        name: "league",
        columns: &["id", "name", "identity", "file", "folder"],
        keys: 1,
    },
    Table {
        name: "game",
        columns: &[
            "id", "number", "round", "white", "black", "began", "ended", "winner", "reason",
            "words", "count", "opening", "plies",
        ],
        keys: 1,
    },
    Table {
        name: "event",
        columns: &["id", "at", "era", "after", "kind", "text"],
        keys: 1,
    },
];

/// Where leagues are.
#[derive(Debug)]
pub enum LeaguesIn<'a> {
    /// The logs in a folder.
    Folder(PathBuf),
    /// A data base that was [prepared](super::SharedLogs::prepare), in the middle of a change.
    Shared(&'a mut Connection),
    /// A file that has none.
    Nowhere,
}

impl<'a> LeaguesIn<'a> {
    /// The leagues that belong to a data base: in itself if several servers may share it, or in a
    /// folder.
    pub fn new(data: &'a mut Connection, folder: Option<&Path>) -> LeaguesIn<'a> {
        match folder {
            Some(folder) => LeaguesIn::Folder(folder.to_owned()),
            None if data.is_postgres() => LeaguesIn::Shared(data),
            None => LeaguesIn::Nowhere,
        }
    }

    /// What their logs are called.
    ///
    /// # Errors
    ///
    /// If they can't be looked at.
    pub fn names(&mut self) -> Result<Vec<String>> {
        match self {
            LeaguesIn::Folder(folder) => names_in(folder),
            LeaguesIn::Shared(data) => Ok(names(data)?),
            LeaguesIn::Nowhere => Ok(Vec::new()),
        }
    }
}

/// Copies all leagues from one place to another, which has none; how many there are. Files come
/// into being when all of them are whole.
///
/// # Errors
///
/// If one is being played, or can't be read or written.
pub fn copy(mut from: LeaguesIn<'_>, mut to: LeaguesIn<'_>) -> Result<u64> {
    let names = from.names()?;
    for name in &names {
        match (&mut from, &mut to) {
            (LeaguesIn::Folder(from), to) => {
                let path = log_in(from, name);
                let (mut data, _live) = at_rest(&path)?;
                copy_log(&mut data, "main.", name, to)?;
            }
            (LeaguesIn::Shared(data), to) => {
                let schema = schema_at_rest(data, name)?;
                copy_log(data, &schema, name, to)?;
            }
            (LeaguesIn::Nowhere, _) => {}
        }
    }
    if let LeaguesIn::Folder(folder) = &to {
        for name in &names {
            let done = fs::rename(part_in(folder, name), log_in(folder, name));
            done.map_err(|error| at(folder, &error))?;
        }
    }
    Ok(names.len() as u64)
}

fn log_in(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.db"))
}

/// A log that is not whole yet.
fn part_in(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.db-part"))
}

fn at(path: &Path, error: &io::Error) -> LeagueError {
    LeagueError::File(format!("{}: {error}", path.display()))
}

fn names_in(folder: &Path) -> Result<Vec<String>> {
    let entries = match folder.read_dir() {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(at(folder, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| at(folder, &error))?.path();
        if path.extension() == Some(OsStr::new("db")) {
            names.extend(LogPlace::from(&path).name().map(str::to_owned));
        }
    }
    names.sort();
    Ok(names)
}

/// A log that nobody plays as long as the live file is ours; what a run that died has left is in it.
fn at_rest(path: &Path) -> Result<(Connection, LiveFile)> {
    let place = LogPlace::from(path);
    let live = LiveFile::open(&place, 0)?;
    let store = Store::open(&place)?;
    let league = store.league_number()?;
    if live.header()?.is_some_and(|header| header.league == league) {
        take_over(&live, &store)?;
    }
    store.modernise()?;
    drop(store);
    let data = rusqlite::Connection::open(path).map_err(kingme_data::DataError::from)?;
    Ok((data.into(), live))
}

/// The schema of a league that nobody plays.
fn schema_at_rest(data: &mut Connection, name: &str) -> Result<String> {
    let missing = || LeagueError::File(format!("the league `{name}` is gone"));
    let (number, _) = find(data, name)?.ok_or_else(missing)?;
    if is_played(data, number)? {
        return Err(LeagueError::InUse(name.to_owned()));
    }
    Ok(schema(number))
}

fn copy_log(
    from: &mut Connection,
    from_schema: &str,
    name: &str,
    to: &mut LeaguesIn<'_>,
) -> Result<()> {
    match to {
        LeaguesIn::Nowhere => Err(LeagueError::File(
            "the file of a data base takes no leagues; name a folder".to_owned(),
        )),
        LeaguesIn::Folder(folder) => {
            fs::create_dir_all(&*folder).map_err(|error| at(folder, &error))?;
            let mut data = new_file(&part_in(folder, name))?;
            data.atomically(|data| copy_tables(from, from_schema, data, "main."))
        }
        LeaguesIn::Shared(data) => {
            let schema = schema(make(data, name)?);
            copy_tables(from, from_schema, data, &schema)?;
            // New numbers begin after those that came along.
            let table = format!("{schema}game");
            let sql = format!(
                "SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}
                 HAVING max(id) IS NOT NULL"
            );
            data.change_returning(&sql, &[])?;
            Ok(())
        }
    }
}

/// A new log in a file.
fn new_file(path: &Path) -> Result<Connection> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(path, &error)),
        _ => {}
    }
    let file = rusqlite::Connection::open(path).map_err(kingme_data::DataError::from)?;
    let mut data = Connection::from(file);
    data.batch(IN_FILE)?;
    Ok(data)
}

fn copy_tables(
    from: &mut Connection,
    from_schema: &str,
    to: &mut Connection,
    to_schema: &str,
) -> Result<()> {
    let mut from = Side {
        data: from,
        schema: from_schema,
    };
    let mut to = Side {
        data: to,
        schema: to_schema,
    };
    for table in &TABLES {
        copy_table(&mut from, &mut to, table)?;
    }
    Ok(())
}
