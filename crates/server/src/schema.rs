//! What the tables of the data base look like, version by version.

use rusqlite::Connection;

use crate::folder::StoreError;

/// What each version adds to the one before. A step that was shipped is never changed: files of
/// that version have taken it.
const STEPS: [&str; 5] = [
    "
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
    CREATE TABLE IF NOT EXISTS ratings (
        player INTEGER NOT NULL,    -- below zero: the computer's levels
        variant TEXT NOT NULL,
        rating REAL NOT NULL,
        deviation REAL NOT NULL,
        volatility REAL NOT NULL,
        games INTEGER NOT NULL,
        PRIMARY KEY (player, variant)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS rated (game TEXT PRIMARY KEY REFERENCES games) WITHOUT ROWID;
",
    "
    -- When a session was last used: days since 1970.
    ALTER TABLE sessions ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
    UPDATE sessions SET used = CAST(strftime('%s', 'now') AS INTEGER) / 86400;
    CREATE INDEX sessions_by_player ON sessions (player);
",
    "
    -- Seats of people in leagues: whoever comes first with the code has it.
    CREATE TABLE seats (
        league TEXT NOT NULL,
        name TEXT NOT NULL,
        code TEXT NOT NULL,
        player INTEGER REFERENCES players,
        PRIMARY KEY (league, name)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX seats_by_player ON seats (league, player) WHERE player IS NOT NULL;
",
    "
    -- How a game moved its players' ratings; for games from before this step nobody knows.
    ALTER TABLE rated ADD COLUMN white_before REAL;
    ALTER TABLE rated ADD COLUMN white_after REAL;
    ALTER TABLE rated ADD COLUMN black_before REAL;
    ALTER TABLE rated ADD COLUMN black_after REAL;
",
    "
    -- What people keep: studies and games of their own. Whoever has the address may read it.
    CREATE TABLE works (
        id TEXT PRIMARY KEY,
        player INTEGER NOT NULL REFERENCES players,
        kind TEXT NOT NULL,
        title TEXT NOT NULL,
        body TEXT NOT NULL,
        touched INTEGER NOT NULL
    );
    CREATE INDEX works_by_player ON works (player, touched);
",
];

/// Brings the tables up to date, each step whole or not at all. Version 0 is a new file, or one from
/// before versions were counted, which has the tables of the first.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let version = version(connection)?;
    for (step, sql) in (1..).zip(STEPS).skip(version) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(sql)?;
        transaction.pragma_update(None, "user_version", step)?;
        transaction.commit()?;
    }
    Ok(())
}

/// The version of a file's tables.
///
/// # Errors
///
/// If it is newer than this program.
pub(crate) fn version(connection: &Connection) -> Result<usize, StoreError> {
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let found = found as usize;
    if found > STEPS.len() {
        return Err(StoreError::Newer {
            found,
            known: STEPS.len(),
        });
    }
    Ok(found)
}
