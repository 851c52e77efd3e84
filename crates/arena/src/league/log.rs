//! The log: every event of a league, in the order they happened, never changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use rules::{Game, Variant};
use rusqlite::{Connection, OpenFlags, Row, params};

use super::events::{Event, Kind, Open, Results};
use super::lock::Lock;
use super::{Job, LeagueError, LeagueFile};
use crate::record::{EndReason, GameEnd, GameRecord, Ply};

/// How often the log is made safe against a power cut.
const SYNC: Duration = Duration::from_secs(1);

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS league (name TEXT NOT NULL, identity TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS event (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,     -- milliseconds since 1970
        game INTEGER NOT NULL,
        kind TEXT NOT NULL,      -- start, ply, end
        round INTEGER, white INTEGER, black INTEGER,
        text TEXT,               -- start: FEN and opening moves, a line each; ply: the move
        chosen TEXT,             -- ply: p player, s its last suggestion, r the referee
        time INTEGER, clock INTEGER, -- microseconds
        score REAL, depth INTEGER, nodes INTEGER,
        winner TEXT, reason TEXT, words TEXT
    );
    CREATE TRIGGER IF NOT EXISTS event_stays BEFORE UPDATE ON event
        BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;
    CREATE TRIGGER IF NOT EXISTS event_is_kept BEFORE DELETE ON event
        BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;
";

/// The log of a league.
#[derive(Debug)]
pub struct Log {
    // The connection goes first, the lock last.
    connection: Connection,
    path: PathBuf,
    synced: Instant,
    _lock: Option<Lock>,
}

/// The result of a game.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Finished {
    /// Its number.
    pub game: u64,
    /// Its round, from 1.
    pub round: u32,
    /// White's and Black's player.
    pub players: [usize; 2],
    /// 1, ½ or 0.
    pub white_score: f64,
    /// Why it ended.
    pub reason: EndReason,
    /// How many plies it took.
    pub plies: u32,
}

/// A game as the log has it.
#[derive(Clone, Debug)]
pub struct LoggedGame {
    /// Its result.
    pub finished: Finished,
    /// When it began.
    pub began: SystemTime,
    /// All of it.
    pub record: GameRecord,
}

type Result<T> = std::result::Result<T, LeagueError>;

impl Log {
    /// Opens the log of a league to go on with it; a new one if there is none.
    ///
    /// # Errors
    ///
    /// If it belongs to another league, is in use, or can't be opened.
    pub fn open(path: &Path, file: &LeagueFile) -> Result<Log> {
        let lock = Lock::take(path)?;
        let connection = Connection::open(path).map_err(|error| fault(path, &error))?;
        let log = Log {
            connection,
            path: path.to_owned(),
            synced: Instant::now(),
            _lock: Some(lock),
        };
        log.prepare().map_err(|error| fault(path, &error))?;
        log.check_identity(file)?;
        Ok(log)
    }

    /// Opens a log to read it; somebody else may be writing it.
    ///
    /// # Errors
    ///
    /// If there is none, or it belongs to another league.
    pub fn read_only(path: &Path, file: &LeagueFile) -> Result<Log> {
        if !path.exists() {
            return Err(LeagueError::Log {
                path: path.display().to_string(),
                why: "there is none yet; `kingme league run` makes it".to_owned(),
            });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags(path, flags).map_err(|error| fault(path, &error))?;
        let log = Log {
            connection,
            path: path.to_owned(),
            synced: Instant::now(),
            _lock: None,
        };
        log.check_identity(file)?;
        Ok(log)
    }

    fn prepare(&self) -> rusqlite::Result<()> {
        // Small pages: a ply is a few bytes, and a commit writes whole pages.
        self.connection.execute_batch(
            "PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
             PRAGMA wal_autocheckpoint = 0;",
        )?;
        self.connection.execute_batch(SCHEMA)
    }

    fn check_identity(&self, file: &LeagueFile) -> Result<()> {
        let known = self
            .connection
            .query_row("SELECT name, identity FROM league", [], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
            });
        match known {
            Ok((_, identity)) if identity == file.identity => Ok(()),
            Ok((name, _)) => Err(LeagueError::OtherLeague {
                path: self.path.display().to_string(),
                name,
            }),
            Err(rusqlite::Error::QueryReturnedNoRows) => {
                let league = params![file.name, file.identity];
                let insert = "INSERT INTO league (name, identity) VALUES (?1, ?2)";
                self.connection
                    .execute(insert, league)
                    .map_err(|error| self.fault(&error))?;
                Ok(())
            }
            Err(error) => Err(self.fault(&error)),
        }
    }

    fn fault(&self, error: &rusqlite::Error) -> LeagueError {
        fault(&self.path, error)
    }

    /// Notes that a game begins, from an opening.
    ///
    /// # Errors
    ///
    /// If the log can't be written.
    pub fn start(&mut self, job: &Job, opening: &Game) -> Result<()> {
        let mut lines = vec![opening.start().fen()];
        lines.extend(opening.move_texts());
        let [white, black] = job.players;
        let values = params![
            now(),
            job.game as i64,
            job.round,
            white as i64,
            black as i64,
            lines.join("\n")
        ];
        let insert = "INSERT INTO event (at, game, kind, round, white, black, text)
                      VALUES (?1, ?2, 'start', ?3, ?4, ?5, ?6)";
        self.write(insert, values)
    }

    /// Notes a turn.
    ///
    /// # Errors
    ///
    /// If the log can't be written.
    pub fn ply(&mut self, game: u64, ply: &Ply) -> Result<()> {
        let incident = ply.incident.as_ref();
        let values = params![
            now(),
            game as i64,
            ply.text,
            ply.by.letter(),
            micros(ply.time),
            ply.clock.map(micros),
            ply.score,
            ply.depth,
            ply.nodes.map(|nodes| nodes as i64),
            incident.map(|incident| incident.reason.word()),
            incident.map(|incident| incident.words.as_str()),
        ];
        let insert = "INSERT INTO event (at, game, kind, text, chosen, time, clock, score, depth, nodes, reason, words)
                      VALUES (?1, ?2, 'ply', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
        self.write(insert, values)
    }

    /// Notes the end of a game.
    ///
    /// # Errors
    ///
    /// If the log can't be written.
    pub fn end(&mut self, game: u64, end: &GameEnd) -> Result<()> {
        let winner = end.winner.map(|side| side.letter().to_string());
        let values = params![now(), game as i64, winner, end.reason.word(), end.words];
        let insert = "INSERT INTO event (at, game, kind, winner, reason, words) VALUES (?1, ?2, 'end', ?3, ?4, ?5)";
        self.write(insert, values)
    }

    fn write(&mut self, insert: &str, values: &[&dyn rusqlite::ToSql]) -> Result<()> {
        let written = self
            .connection
            .prepare_cached(insert)
            .and_then(|mut insert| insert.execute(values));
        written.map_err(|error| self.fault(&error))?;
        if self.synced.elapsed() >= SYNC {
            self.sync()?;
        }
        Ok(())
    }

    /// Makes everything safe against a power cut.
    ///
    /// # Errors
    ///
    /// If the disk does not take it.
    pub fn sync(&mut self) -> Result<()> {
        self.synced = Instant::now();
        let done = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        done.map_err(|error| self.fault(&error))
    }

    /// Lets the log grow to so many pages of 1 KiB and no further: to try what a full disk does.
    pub fn limit_pages(&self, pages: u32) {
        // A log that can't be limited is one that can't be tried; nothing depends on it.
        let _ = self.connection.pragma_update(None, "max_page_count", pages);
    }

    /// Ends the games that a run has left behind; they are played again.
    ///
    /// # Errors
    ///
    /// If the log can't be written.
    pub fn abort_unfinished(&mut self) -> Result<u64> {
        let query = "SELECT game FROM event WHERE kind <> 'ply' GROUP BY game
                     HAVING SUM(kind = 'start') > SUM(kind = 'end')";
        let games: Vec<i64> = self.list(query, |row| row.get(0))?;
        for &game in &games {
            let end = GameEnd {
                winner: None,
                reason: EndReason::Aborted,
                words: "the run was interrupted".to_owned(),
            };
            self.end(game as u64, &end)?;
        }
        Ok(games.len() as u64)
    }

    /// The results of all finished games, by their numbers.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn finished(&self) -> Result<BTreeMap<u64, Finished>> {
        let mut reader = Results::default();
        self.each_event(|event| reader.count(&event))?;
        Ok(reader.finished)
    }

    /// Every finished game, in the order of their ends.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn games(&self, variant: &Variant, on_game: &mut dyn FnMut(LoggedGame)) -> Result<()> {
        let mut open: BTreeMap<u64, Open> = BTreeMap::new();
        self.each_event(|event| match event.kind {
            Kind::Start => {
                open.insert(event.game, Open::new(event, variant));
            }
            Kind::Ply => {
                if let Some(open) = open.get_mut(&event.game) {
                    open.add(event);
                }
            }
            Kind::End => {
                if let Some(game) = open.remove(&event.game).and_then(|open| open.end(&event)) {
                    on_game(game);
                }
            }
        })
    }

    fn each_event(&self, mut on_event: impl FnMut(Event)) -> Result<()> {
        let query = "SELECT at, game, kind, round, white, black, text, chosen, time, clock, score, depth, nodes,
                            winner, reason, words FROM event ORDER BY id";
        let mut read = || {
            let mut statement = self.connection.prepare(query)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                on_event(Event::read(row)?);
            }
            Ok(())
        };
        read().map_err(|error: rusqlite::Error| self.fault(&error))
    }

    fn list<T>(
        &self,
        query: &str,
        read: impl FnMut(&Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let rows = self.connection.prepare(query).and_then(|mut statement| {
            let rows = statement.query_map([], read)?;
            rows.collect()
        });
        rows.map_err(|error| self.fault(&error))
    }
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

fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

fn micros(time: Duration) -> i64 {
    time.as_micros() as i64
}
