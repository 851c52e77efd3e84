//! Everything of one data base copied into another, of whatever kinds they are.

use std::path::Path;
use std::time::Duration;

use kingme_data::{Cell, Connection, Place, Result, Row, Value};

use crate::database::Database;
use crate::folder::{self, Folder, StoreError};
use crate::schema;

/// A table: its name, its columns, and how many of them, from the first on, tell rows apart.
struct Table {
    name: &'static str,
    columns: &'static [&'static str],
    keys: usize,
}

const fn table(name: &'static str, columns: &'static [&'static str], keys: usize) -> Table {
    Table {
        name,
        columns,
        keys,
    }
}

/// All that is kept, those first that others refer to. Who has which game at the moment is not
/// among it.
const ALL: [Table; 9] = [
    table("players", &["id", "name", "password"], 1),
    table("sessions", &["hash", "player", "used"], 1),
    table("tokens", &["id", "hash", "player", "label"], 1),
    table(
        "games",
        &["id", "settings", "public", "white", "black", "touched"],
        1,
    ),
    table("events", &["game", "seq", "at", "event"], 2),
    table(
        "ratings",
        &[
            "player",
            "variant",
            "rating",
            "deviation",
            "volatility",
            "games",
        ],
        2,
    ),
    table(
        "rated",
        &[
            "game",
            "white_before",
            "white_after",
            "black_before",
            "black_after",
        ],
        1,
    ),
    table("seats", &["league", "name", "code", "player"], 2),
    table(
        "works",
        &["id", "player", "kind", "title", "body", "touched"],
        1,
    ),
];

/// So many rows are read and written at a time.
const ROWS: usize = 500;

/// How many there were of what people know.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Players, guests among them.
    pub players: u64,
    /// Games.
    pub games: u64,
    /// Events of those games.
    pub events: u64,
}

/// Copies everything from one place to another, which has to be empty: all of it or nothing.
///
/// # Errors
///
/// If a server uses one of them, the second has anything in it, or either can't be used.
pub fn copy(from: &Place, to: &Place) -> std::result::Result<Copied, StoreError> {
    let mut from = End::open(from, true)?;
    let mut to = End::open(to, false)?;
    for table in &ALL {
        let sql = format!("SELECT count(*) FROM {}", table.name);
        if count(&mut to.data, &sql)? > 0 {
            return Err(StoreError::NotEmpty(to.place));
        }
    }
    let (from, to) = (&mut from.data, &mut to.data);
    let copied = from.atomically(|from| {
        if from.is_postgres() {
            from.batch("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")?;
        }
        to.atomically(|to| copy_all(from, to))
    })?;
    Ok(copied)
}

/// One end of a copy, for as long as nobody else has it.
struct End {
    data: Connection,
    place: String,
    _folder: Option<Folder>,
}

impl End {
    fn open(place: &Place, is_there: bool) -> std::result::Result<End, StoreError> {
        let (data, folder) = match place {
            Place::Postgres(config) => (shared(config)?, None),
            Place::Path(path) => file(path, is_there)?,
        };
        Ok(End {
            data,
            place: place.to_string(),
            _folder: folder,
        })
    }
}

fn shared(config: &postgres::Config) -> std::result::Result<Connection, StoreError> {
    let mut data = Connection::postgres(config, Duration::ZERO)?;
    data.migrate(&schema::TABLES)?;
    let alive = "SELECT count(*) FROM servers WHERE until >= kingme_now()";
    if count(&mut data, alive)? > 0 {
        let place = Place::Postgres(Box::new(config.clone()));
        return Err(StoreError::Served(place.to_string()));
    }
    Ok(data)
}

/// A file by itself, or that of a folder.
fn file(
    path: &Path,
    is_there: bool,
) -> std::result::Result<(Connection, Option<Folder>), StoreError> {
    let folder = if path.is_file() {
        None
    } else {
        if is_there {
            folder::look_for(path)?;
        }
        Some(Folder::take(path)?)
    };
    let file = folder.as_ref().map_or(path.to_owned(), Folder::database);
    let database = Database::in_file(folder::open(&file)?)?;
    Ok((database.into_connection(), folder))
}

fn count(data: &mut Connection, sql: &str) -> Result<u64> {
    let row = data.query_one(sql, &[])?;
    let count: i64 = row.map_or(Ok(0), |row| row.get(0))?;
    Ok(count.unsigned_abs())
}

fn copy_all(from: &mut Connection, to: &mut Connection) -> Result<Copied> {
    let mut copied = Copied {
        players: 0,
        games: 0,
        events: 0,
    };
    for table in &ALL {
        let rows = copy_table(from, to, table)?;
        match table.name {
            "players" => copied.players = rows,
            "games" => copied.games = rows,
            "events" => copied.events = rows,
            _ => {}
        }
    }
    if to.is_postgres() {
        // New numbers begin after those that came along.
        for table in ["players", "tokens"] {
            let sql = format!(
                "SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}
                 HAVING max(id) IS NOT NULL"
            );
            to.change_returning(&sql, &[])?;
        }
    }
    Ok(copied)
}

fn copy_table(from: &mut Connection, to: &mut Connection, table: &Table) -> Result<u64> {
    let mut copied = 0;
    let mut last: Option<Row> = None;
    loop {
        let rows = read(from, table, last.as_ref())?;
        write(to, table, &rows)?;
        copied += rows.len() as u64;
        if rows.len() < ROWS {
            return Ok(copied);
        }
        last = rows.into_iter().next_back();
    }
}

/// The next rows after one.
fn read(from: &mut Connection, table: &Table, last: Option<&Row>) -> Result<Vec<Row>> {
    let columns = table.columns.join(", ");
    let keys = table.columns[..table.keys].join(", ");
    let order = format!("ORDER BY {keys} LIMIT {ROWS}");
    let Some(last) = last else {
        return from.query(
            &format!("SELECT {columns} FROM {} {order}", table.name),
            &[],
        );
    };
    let after: Vec<String> = (1..=table.keys).map(|key| format!("?{key}")).collect();
    let after = after.join(", ");
    let sql = format!(
        "SELECT {columns} FROM {} WHERE ({keys}) > ({after}) {order}",
        table.name
    );
    let values: Vec<Value> = last.cells()[..table.keys].iter().map(Cell::value).collect();
    from.query(&sql, &values)
}

fn write(to: &mut Connection, table: &Table, rows: &[Row]) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let width = table.columns.len();
    let row = |row: usize| {
        let values = (1..=width).map(|column| format!("?{}", row * width + column));
        format!("({})", values.collect::<Vec<_>>().join(", "))
    };
    let places: Vec<String> = (0..rows.len()).map(row).collect();
    let sql = format!(
        "INSERT INTO {} ({}) VALUES {}",
        table.name,
        table.columns.join(", "),
        places.join(", ")
    );
    let values: Vec<Value> = rows.iter().flat_map(Row::cells).map(Cell::value).collect();
    to.change(&sql, &values).map(drop)
}

#[cfg(test)]
mod tests {
    use kingme_cluster::Cluster;

    use super::*;

    /// Written by the version of November 2026: some games of Ada and Bob.
    const GAMES: &str = include_str!("../tests/fixtures/games-1.sql");

    /// Everything that a data base has.
    fn rows(place: &Place) -> Vec<(&'static str, Vec<Row>)> {
        let mut end = End::open(place, true).unwrap();
        let all = ALL.iter().map(|table| {
            let (columns, keys) = (table.columns.join(", "), &table.columns[..table.keys]);
            // In the order of bytes, whatever the data base's own is.
            let sql = format!("SELECT {columns} FROM {}", table.name);
            let mut rows = end.data.query(&sql, &[]).unwrap();
            rows.sort_by_key(|row| format!("{:?}", &row.cells()[..keys.len()]));
            (table.name, rows)
        });
        all.collect()
    }

    /// A folder with something in every table, in one of them more than is copied at a time.
    fn full(folder: &Path) -> Place {
        let file = folder.join("kingme.db");
        let connection = rusqlite::Connection::open(&file).unwrap();
        connection
            .execute_batch("PRAGMA foreign_keys = OFF;")
            .unwrap();
        connection.execute_batch(GAMES).unwrap();
        let mut data = Database::in_file(connection).unwrap();
        data.free_seat("club", "Ada").unwrap();
        let work = crate::works::Work {
            kind: crate::works::Kind::Study,
            title: "Häßlich ☕".to_owned(),
            body: "{\"a\": \"\u{1F600}\"}".to_owned(),
        };
        data.add_work("work1", 1, &work, Duration::from_secs(5))
            .unwrap();
        data.add_token("hash1", 1, "a bot").unwrap();
        for _ in 0..2 * ROWS + 3 {
            data.add_guest().unwrap();
        }
        Place::Path(folder.to_owned())
    }

    #[test]
    fn everything_comes_back_from_a_postgres_as_it_went() {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let from = full(folders[0].path());
        let shared: Place = Cluster::shared().database().parse().unwrap();
        let back = Place::Path(folders[1].path().join("new"));
        let copied = copy(&from, &shared).unwrap();
        assert_eq!(copied.games, 7);
        assert!(copied.players > 2 * ROWS as u64 && copied.events > 20);
        copy(&shared, &back).unwrap();
        let (before, between, after) = (rows(&from), rows(&shared), rows(&back));
        for (((name, before), (_, between)), (_, after)) in before.iter().zip(&between).zip(&after)
        {
            assert!(!before.is_empty(), "{name} has something to lose");
            assert_eq!(before, between, "{name}");
            assert_eq!(before, after, "{name}");
        }
        // Numbers go on where they were.
        let Place::Postgres(config) = &shared else {
            panic!("{shared}")
        };
        let data = Connection::postgres(config, Duration::ZERO).unwrap();
        let guest = Database::shared(data, 1).add_guest().unwrap();
        assert_eq!(guest as u64, copied.players + 1);
    }

    #[test]
    fn what_is_in_use_or_not_empty_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let from = full(folder.path());
        let shared: Place = Cluster::shared().database().parse().unwrap();
        copy(&from, &shared).unwrap();
        let refused = |from: &Place, to: &Place| copy(from, to).unwrap_err().to_string();
        assert_eq!(
            refused(&from, &shared),
            format!("{shared} is not empty; nothing was changed")
        );
        let nowhere = Place::Path(folder.path().join("nowhere"));
        let missing = refused(&nowhere, &shared);
        assert!(missing.starts_with("can't use `"), "{missing}");
        let Place::Postgres(config) = &shared else {
            panic!("{shared}")
        };
        let data = Connection::postgres(config, Duration::ZERO).unwrap();
        let arrived = Database::shared(data, 1).arrive(Duration::from_mins(1));
        arrived.unwrap();
        assert_eq!(
            refused(&shared, &nowhere),
            format!("a server uses the data base at {shared}; stop it first")
        );
        let _owner = Folder::take(folder.path()).unwrap();
        let in_use = refused(&from, &nowhere);
        assert!(
            in_use.starts_with("another kingme uses the folder"),
            "{in_use}"
        );
    }

    #[test]
    fn a_copy_is_whole_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let from = full(folder.path());
        let cluster = Cluster::shared();
        let url = cluster.database();
        let shared: Place = url.parse().unwrap();
        drop(End::open(&shared, true).unwrap());
        let name = url.split(['/', '?']).nth(3).unwrap();
        cluster.execute(
            name,
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100';
             END $$;
             CREATE TRIGGER full_disk BEFORE INSERT ON works EXECUTE FUNCTION full_disk();",
        );
        let full = copy(&from, &shared).unwrap_err().to_string();
        assert_eq!(
            full,
            "the disk of the data base is full: No space left on device"
        );
        cluster.execute(name, "DROP TRIGGER full_disk ON works");
        copy(&from, &shared).unwrap();
    }
}
