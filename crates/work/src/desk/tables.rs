//! The tables of a desk, version by version.

use kingme_data::Versions;

/// A task may be more than games of a league, and says what it is; see [`Work`](crate::Work).
const WORK: &str = r#"
    ALTER TABLE tasks RENAME COLUMN errands TO work;
    UPDATE tasks SET work = '{"kind":"league games 1",' || substr(work, 2);
"#;

pub(super) const TABLES: Versions = Versions {
    part: "work",
    sqlite: &[
        "
        CREATE TABLE workers (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            program TEXT NOT NULL,
            speed REAL NOT NULL,
            concurrency INTEGER NOT NULL,
            since INTEGER NOT NULL,
            seen INTEGER NOT NULL,
            played INTEGER NOT NULL,
            doing TEXT NOT NULL,
            refused TEXT
        );
        CREATE TABLE tasks (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            league TEXT NOT NULL,
            name TEXT NOT NULL,     -- which games of the league they are
            program TEXT NOT NULL,  -- which kingme has to play them
            terms TEXT NOT NULL,    -- by which file and folder
            errands TEXT NOT NULL,
            lease INTEGER NOT NULL, -- how long a silent worker keeps them, in milliseconds
            worker TEXT,
            since INTEGER,
            until INTEGER,
            took INTEGER,
            outcome TEXT,
            UNIQUE (league, name)
        );
        CREATE INDEX tasks_by_worker ON tasks (worker);
        CREATE TABLE bundles (hash TEXT PRIMARY KEY, body TEXT NOT NULL, used INTEGER NOT NULL);
    ",
        WORK,
    ],
    postgres: &[
        "
        CREATE TABLE workers (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            program TEXT NOT NULL,
            speed DOUBLE PRECISION NOT NULL,
            concurrency BIGINT NOT NULL,
            since BIGINT NOT NULL,
            seen BIGINT NOT NULL,
            played BIGINT NOT NULL,
            doing TEXT NOT NULL,
            refused TEXT
        );
        CREATE TABLE tasks (
            id BIGSERIAL PRIMARY KEY,
            league TEXT NOT NULL,
            name TEXT NOT NULL,
            program TEXT NOT NULL,
            terms TEXT NOT NULL,
            errands TEXT NOT NULL,
            lease BIGINT NOT NULL,
            worker TEXT,
            since BIGINT,
            until BIGINT,
            took BIGINT,
            outcome TEXT,
            UNIQUE (league, name)
        );
        CREATE INDEX tasks_by_worker ON tasks (worker);
        CREATE TABLE bundles (hash TEXT PRIMARY KEY, body TEXT NOT NULL, used BIGINT NOT NULL);
    ",
        WORK,
    ],
};

#[cfg(test)]
mod tests {
    use kingme_data::{Connection, Place, values};

    use super::*;
    use crate::{Desk, Hello, Office, Work, program};

    /// A task as the first version of the tables had it.
    const FIRST: &str = r#"{"bundle":"0f","speed":2.5,"games":[{"game":3,"round":1,"pair":2,"names":["a","b"],"opening":""}]}"#;

    #[test]
    fn tasks_of_the_first_version_are_games_of_leagues() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Path(folder.path().join("work.db"));
        let mut data = Connection::open(&place, std::time::Duration::ZERO).unwrap();
        let first = Versions {
            sqlite: &TABLES.sqlite[..1],
            ..TABLES
        };
        data.migrate(&first).unwrap();
        let sql = "INSERT INTO tasks (league, name, program, terms, errands, lease)
                   VALUES ('1', '3', ?1, '', ?2, 1000)";
        data.change(sql, values![&program(), FIRST]).unwrap();
        drop(data);
        let desk = Desk::open(&place).unwrap();
        let hello = Hello {
            name: "ada".to_owned(),
            program: program(),
            speed: 1.0,
            concurrency: 1,
        };
        let worker = desk.hello(&hello).unwrap().worker;
        let tasks = desk.take(&worker, 5).unwrap();
        let [task] = &tasks[..] else {
            panic!("{tasks:?}");
        };
        let Work::Games(errands) = &task.work else {
            panic!("{task:?}");
        };
        assert_eq!(serde_json::to_string(errands).unwrap(), FIRST);
    }
}
