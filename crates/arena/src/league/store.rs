//! The games that have ended, in `SQLite`: a row each, never changed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use kingme_rules::{Side, Variant};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, params};

use super::lines::{Ending, Start, play_opening, winner};
use super::{Finished, LeagueError, LeagueFile, LoggedGame};
use kingme_play::{Chance, End, EndReason, Event, Moment, Seat, Session, Terms, read_ply};

/// The version of the tables below.
const VERSION: i64 = 2;

const SCHEMA: &str = "
    PRAGMA user_version = 2;
    CREATE TABLE IF NOT EXISTS league (
        id INTEGER NOT NULL,     -- a number of its own, which the live file has too
        name TEXT NOT NULL,
        identity TEXT NOT NULL,  -- all that decides which games are played
        file TEXT NOT NULL,      -- the league's file, and where it was
        folder TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS game (
        id INTEGER PRIMARY KEY,  -- in the order of their ends
        number INTEGER NOT NULL, -- in the league
        round INTEGER NOT NULL,
        white INTEGER NOT NULL,  -- players, from 0, in the order of the file
        black INTEGER NOT NULL,
        began INTEGER NOT NULL,  -- milliseconds since 1970
        ended INTEGER NOT NULL,
        winner TEXT,             -- W or B
        reason TEXT NOT NULL,    -- `aborted` does not count and is played again
        words TEXT NOT NULL,
        count INTEGER NOT NULL,  -- plies
        opening TEXT NOT NULL,   -- FEN and moves, with tabs between them
        plies TEXT NOT NULL      -- a line each, as in the live file: move, by, time …
    );
    CREATE UNIQUE INDEX IF NOT EXISTS one_result ON game (number) WHERE reason <> 'aborted';
    CREATE UNIQUE INDEX IF NOT EXISTS one_row ON game (number, began);
    CREATE TRIGGER IF NOT EXISTS game_stays BEFORE UPDATE ON game
        BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;
    CREATE TRIGGER IF NOT EXISTS game_is_kept BEFORE DELETE ON game
        BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;
";

/// What a row of results is read from.
const RESULT: &str = "id, number, round, white, black, winner, reason, count";

type Result<T> = std::result::Result<T, LeagueError>;

/// The database of a league.
#[derive(Debug)]
pub(super) struct Store {
    connection: Connection,
    path: PathBuf,
}

/// A game with all its text, as it goes into its row.
pub(super) struct Entire<'a> {
    pub start: &'a Start,
    /// A line each.
    pub plies: &'a str,
    pub count: u32,
    pub end: &'a Ending,
}

impl Store {
    /// Opens the database to write it; a new one if there is none.
    pub fn open(path: &Path) -> Result<Store> {
        let connection = Connection::open(path).map_err(|error| fault(path, &error))?;
        let store = Store {
            connection,
            path: path.to_owned(),
        };
        // A commit is safe against the end of the process, and with the live file also against a
        // power cut; readers never wait for it.
        let prepared = store
            .connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
        prepared.map_err(|error| store.fault(&error))?;
        store.check_version()?;
        let made = store.connection.execute_batch(SCHEMA);
        made.map_err(|error| store.fault(&error))?;
        Ok(store)
    }

    /// Whether this program can read what is there.
    fn check_version(&self) -> Result<()> {
        let number = |query| self.connection.query_row(query, [], |row| row.get(0));
        let read = || {
            let version: i64 = number("PRAGMA user_version")?;
            let tables: i64 = number("SELECT COUNT(*) FROM sqlite_master")?;
            Ok(version == VERSION || (version == 0 && tables == 0))
        };
        if read().map_err(|error: rusqlite::Error| self.fault(&error))? {
            return Ok(());
        }
        Err(LeagueError::Log {
            path: self.path.display().to_string(),
            why: "it is no log of this version of kingme".to_owned(),
        })
    }

    /// Opens the database to read it, whoever writes it meanwhile.
    pub fn read_only(path: &Path) -> Result<Store> {
        if !path.exists() {
            return Err(LeagueError::Log {
                path: path.display().to_string(),
                why: "there is none yet; `kingme league run` makes it".to_owned(),
            });
        }
        // SQLite shares a little memory with the writer, in a file; who may not write there reads
        // nevertheless as long as nobody else does.
        let writable = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let readable = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, writable)
            .or_else(|_| Connection::open_with_flags(path, readable))
            .map_err(|error| fault(path, &error))?;
        let store = Store {
            connection,
            path: path.to_owned(),
        };
        let done = store
            .connection
            .execute_batch("PRAGMA query_only = ON; PRAGMA busy_timeout = 5000;");
        done.map_err(|error| store.fault(&error))?;
        store.check_version()?;
        Ok(store)
    }

    fn fault(&self, error: &rusqlite::Error) -> LeagueError {
        fault(&self.path, error)
    }

    /// The league's own number, after a check that the database is this league's. A new database
    /// becomes this league's.
    pub fn claim(&self, file: &LeagueFile) -> Result<u64> {
        let claim = || {
            // Whoever reads it later may be somewhere else.
            let here = std::env::current_dir().unwrap_or_default();
            let folder = here.join(&file.folder).to_string_lossy().into_owned();
            let known = self.identity()?;
            let id = known.as_ref().map_or_else(new_id, |(id, ..)| *id);
            match known {
                Some((_, name, identity)) if identity != file.identity => Ok(Err(name)),
                Some(_) => {
                    // A league may be made longer, and its file may move.
                    let update = "UPDATE league SET file = ?1, folder = ?2";
                    self.connection
                        .execute(update, params![file.text, folder])?;
                    Ok(Ok(id))
                }
                None => {
                    let insert = "INSERT INTO league (id, name, identity, file, folder)
                                  VALUES (?1, ?2, ?3, ?4, ?5)";
                    let values = params![id as i64, file.name, file.identity, file.text, folder];
                    self.connection.execute(insert, values)?;
                    Ok(Ok(id))
                }
            }
        };
        claim()
            .map_err(|error: rusqlite::Error| self.fault(&error))?
            .map_err(|name| self.other_league(name))
    }

    fn identity(&self) -> rusqlite::Result<Option<(u64, String, String)>> {
        self.connection
            .query_row("SELECT id, name, identity FROM league", [], |row| {
                Ok((row.get::<_, i64>(0)? as u64, row.get(1)?, row.get(2)?))
            })
            .optional()
    }

    /// Whether the database is this league's.
    pub fn check(&self, file: &LeagueFile) -> Result<()> {
        match self.identity().map_err(|error| self.fault(&error))? {
            Some((_, name, identity)) if identity != file.identity => Err(self.other_league(name)),
            _ => Ok(()),
        }
    }

    fn other_league(&self, name: String) -> LeagueError {
        LeagueError::OtherLeague {
            path: self.path.display().to_string(),
            name,
        }
    }

    /// The league's file as it was at the last run.
    pub fn league(&self) -> Result<LeagueFile> {
        let row = self
            .connection
            .query_row("SELECT file, folder FROM league", [], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
            });
        let (text, folder) = row.map_err(|error| self.fault(&error))?;
        LeagueFile::read_to_show(&text, Path::new(&folder))
    }

    /// How long to wait for another process that has the database locked.
    pub fn be_patient(&self, time: Duration) -> Result<()> {
        let set = self.connection.busy_timeout(time);
        set.map_err(|error| self.fault(&error))
    }

    /// Adds a game; false if another process has the database locked. One that is there already
    /// stays as it is: the first result counts.
    pub fn insert(&self, game: &Entire) -> Result<bool> {
        let Entire { start, end, .. } = game;
        let [white, black] = start.players;
        let winner = end.how.winner.map(|side| side.letter().to_string());
        let values = params![
            start.game as i64,
            start.round,
            white as i64,
            black as i64,
            start.at,
            end.at,
            winner,
            end.how.reason.word(),
            end.how.words,
            game.count,
            start.opening,
            game.plies,
        ];
        let insert = "INSERT OR IGNORE INTO game (number, round, white, black, began, ended,
                                                  winner, reason, words, count, opening, plies)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
        let done = self
            .connection
            .prepare_cached(insert)
            .and_then(|mut insert| insert.execute(values));
        match done {
            Ok(_) => Ok(true),
            Err(error) if is_locked(&error) => Ok(false),
            Err(error) => Err(self.fault(&error)),
        }
    }

    /// Does several things or none of them.
    pub fn together(&self, work: impl FnOnce() -> Result<()>) -> Result<()> {
        let transaction = self.connection.unchecked_transaction();
        let transaction = transaction.map_err(|error| self.fault(&error))?;
        work()?;
        transaction.commit().map_err(|error| self.fault(&error))
    }

    /// Makes everything safe against a power cut: in the database itself, or, while somebody reads
    /// or locks it, in the file beside it that is read with it.
    pub fn sync(&self) -> Result<()> {
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        let is_busy = self.connection.query_row(checkpoint, [], |row| row.get(0));
        match is_busy {
            Ok(false) => Ok(()),
            Ok(true) => self.sync_beside(),
            Err(error) if is_locked(&error) => self.sync_beside(),
            Err(error) => Err(self.fault(&error)),
        }
    }

    /// What is to be said when it can't be waited for any longer.
    pub fn locked(&self, what_waits: &str) -> LeagueError {
        LeagueError::Log {
            path: self.path.display().to_string(),
            why: format!("another process keeps it locked{what_waits}"),
        }
    }

    fn sync_beside(&self) -> Result<()> {
        let mut path = self.path.clone().into_os_string();
        path.push("-wal");
        let synced = File::open(&path).and_then(|file| file.sync_all());
        synced.map_err(|error| LeagueError::Log {
            path: path.to_string_lossy().into_owned(),
            why: error.to_string(),
        })
    }

    /// A number that changes when another connection has written.
    pub fn version(&self) -> Result<i64> {
        let version = self
            .connection
            .prepare_cached("PRAGMA data_version")
            .and_then(|mut query| query.query_row([], |row| row.get(0)));
        version.map_err(|error| self.fault(&error))
    }

    /// Hands on every result whose row comes after one, and returns the last row.
    pub fn results_after(&self, row: i64, mut on_result: impl FnMut(Finished)) -> Result<i64> {
        let query =
            format!("SELECT {RESULT} FROM game WHERE id > ?1 AND reason <> 'aborted' ORDER BY id");
        let mut last = row;
        let mut read = || {
            let mut statement = self.connection.prepare_cached(&query)?;
            let mut rows = statement.query([row])?;
            while let Some(row) = rows.next()? {
                last = row.get(0)?;
                on_result(finished(row)?);
            }
            Ok(())
        };
        read().map_err(|error: rusqlite::Error| self.fault(&error))?;
        Ok(last)
    }

    /// A game that counts.
    pub fn game(&self, number: u64, variant: &Variant) -> Result<Option<LoggedGame>> {
        let mut found = None;
        self.select("AND number = ?1", [number as i64], variant, &mut |game| {
            found = Some(game);
        })?;
        Ok(found)
    }

    /// Every game that counts, in the order of their numbers.
    pub fn games(&self, variant: &Variant, on_game: &mut dyn FnMut(LoggedGame)) -> Result<()> {
        self.select("ORDER BY number", [], variant, on_game)
    }

    fn select(
        &self,
        which: &str,
        values: impl rusqlite::Params,
        variant: &Variant,
        on_game: &mut dyn FnMut(LoggedGame),
    ) -> Result<()> {
        let query = format!(
            "SELECT {RESULT}, began, words, opening, plies FROM game WHERE reason <> 'aborted' {which}"
        );
        let read = || {
            let mut statement = self.connection.prepare(&query)?;
            let mut rows = statement.query(values)?;
            while let Some(row) = rows.next()? {
                if let Some(game) = logged(row, variant)? {
                    on_game(game);
                }
            }
            Ok(())
        };
        read().map_err(|error: rusqlite::Error| self.fault(&error))
    }
}

fn finished(row: &Row) -> rusqlite::Result<Finished> {
    let winner: Option<String> = row.get(5)?;
    Ok(Finished {
        game: row.get::<_, i64>(1)? as u64,
        round: row.get(2)?,
        players: [
            row.get::<_, i64>(3)? as usize,
            row.get::<_, i64>(4)? as usize,
        ],
        white_score: match winner.as_deref().and_then(super::lines::winner) {
            Some(Side::White) => 1.0,
            Some(Side::Black) => 0.0,
            None => 0.5,
        },
        reason: reason(row, 6)?,
        plies: row.get(7)?,
    })
}

fn reason(row: &Row, column: usize) -> rusqlite::Result<EndReason> {
    let word: String = row.get(column)?;
    word.parse().map_err(|error: String| {
        let kind = rusqlite::types::Type::Text;
        rusqlite::Error::FromSqlConversionFailure(column, kind, error.into())
    })
}

/// A whole game; `None` if its text does not fit its rules.
fn logged(row: &Row, variant: &Variant) -> rusqlite::Result<Option<LoggedGame>> {
    let finished = finished(row)?;
    let letter: Option<String> = row.get(5)?;
    let (began, words): (i64, String) = (row.get(8)?, row.get(9)?);
    let (opening, lines): (String, String) = (row.get(10)?, row.get(11)?);
    let end = End {
        winner: letter.as_deref().and_then(winner),
        reason: finished.reason,
        words,
    };
    let session = replay(variant, &opening, lines.lines(), Some(end));
    Ok(session.map(|session| LoggedGame {
        finished,
        began: time(began),
        session,
    }))
}

/// A game as its lines tell it; `None` if they don't fit its rules.
pub(super) fn replay<'l>(
    variant: &Variant,
    opening: &str,
    lines: impl Iterator<Item = &'l str>,
    end: Option<End>,
) -> Option<Session> {
    let seats = [Seat::Open, Seat::Open];
    let mut session = Session::new(play_opening(variant, opening)?, seats, Terms::default());
    for line in lines {
        play_line(&mut session, line)?;
    }
    if let Some(end) = end {
        session.apply(&Event::Ended(end), Moment::ZERO).ok()?;
    }
    Some(session)
}

/// Plays the turn of a line.
pub(super) fn play_line(session: &mut Session, line: &str) -> Option<()> {
    let event = Event::Turn(read_ply(line)?);
    session.apply(&event, Moment::ZERO).ok()
}

/// A moment from milliseconds since 1970.
pub(super) fn time(at: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(at.max(0) as u64)
}

/// A number that no other league has, in all likelihood.
fn new_id() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let nanos = since.map_or(0, |since| since.as_nanos() as u64);
    Chance::fork(nanos, u64::from(std::process::id())).number() >> 1
}

fn is_locked(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

fn fault(path: &Path, error: &rusqlite::Error) -> LeagueError {
    LeagueError::Log {
        path: path.display().to_string(),
        why: match error {
            rusqlite::Error::SqliteFailure(_, Some(words)) => words.clone(),
            other => other.to_string(),
        },
    }
}
