//! The games that have ended, in `SQLite`: a row each, never changed.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use kingme_rules::{Side, Variant};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, params};

use super::incidents::{GameIncident, incidents};
use super::lines::{Ending, Start, play_opening, winner};
use super::log::now;
use super::old_rounds::old_rounds;
use super::{
    Change, Entry, Finished, Format, History, LeagueError, LeagueFile, LoggedGame, Round, What,
};
use kingme_play::{Chance, End, EndReason, Event, Moment, Seat, Session, Terms, read_ply};

/// The version of the tables below.
const VERSION: i64 = 3;
/// The one before it had no events: rounds followed from the results, and nothing could change.
const WITHOUT_EVENTS: i64 = 2;

const SCHEMA: &str = "
    PRAGMA user_version = 3;
    CREATE TABLE IF NOT EXISTS league (
        id INTEGER NOT NULL,     -- a number of its own, which the live file has too
        name TEXT NOT NULL,
        identity TEXT NOT NULL,  -- which league it is
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
    CREATE TABLE IF NOT EXISTS event (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,     -- milliseconds since 1970
        era INTEGER NOT NULL,    -- the stretch of the league that it belongs to
        after INTEGER NOT NULL,  -- it holds for games with a greater id
        kind TEXT NOT NULL,      -- round, joined, withdrew, returned, version, program, book, condition
        text TEXT NOT NULL       -- fields with tabs between them
    );
    CREATE TRIGGER IF NOT EXISTS event_stays BEFORE UPDATE ON event
        BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;
    CREATE TRIGGER IF NOT EXISTS event_is_kept BEFORE DELETE ON event
        BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;
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
            let is_known = [VERSION, WITHOUT_EVENTS].contains(&version);
            Ok(is_known || (version == 0 && tables == 0))
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
                Some((_, name, identity)) if !is_same(&identity, file) => Ok(Err(name)),
                Some(_) => Ok(Ok(id)),
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
            Some((_, name, identity)) if !is_same(&identity, file) => Err(self.other_league(name)),
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
        let (text, folder) = self.stored_file()?;
        let mut file = LeagueFile::read_to_show(&text, Path::new(&folder))?;
        file.enrol(&self.history()?)?;
        Ok(file)
    }

    /// The text of the file, and its folder.
    fn stored_file(&self) -> Result<(String, String)> {
        let row = self
            .connection
            .query_row("SELECT file, folder FROM league", [], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
            });
        row.map_err(|error| self.fault(&error))
    }

    /// Notes what a league's file changes, and gives its players the numbers of the log.
    pub fn update(&self, file: &mut LeagueFile) -> Result<History> {
        let mut history = self.history()?;
        let is_new = history.changes.is_empty();
        if self.count("event")? == 0 {
            self.together(|| self.begin(&history))?;
        }
        let before = self.stored_file()?.0;
        file.enrol(&history)?;
        let changes = history.changes_to(file, &super::file::conditions(&before)?);
        refuse_impossible(file, &history, &changes)?;
        let era = history.era() + u32::from(!is_new);
        self.together(|| {
            for what in &changes {
                self.add_change(era, what)?;
            }
            self.store_file(file)
        })?;
        let at = SystemTime::now();
        let noted = changes.into_iter().map(|what| Change { at, era, what });
        history.changes.extend(noted);
        Ok(history)
    }

    /// Writes down what a log of the version before does not have.
    fn begin(&self, history: &History) -> Result<()> {
        for change in &history.changes {
            self.add_change(0, &change.what)?;
        }
        for round in &history.rounds {
            self.add_round(now(), 0, round)?;
        }
        Ok(())
    }

    fn store_file(&self, file: &LeagueFile) -> Result<()> {
        // Whoever reads it later may be somewhere else.
        let here = std::env::current_dir().unwrap_or_default();
        let folder = here.join(&file.folder).to_string_lossy().into_owned();
        let update = "UPDATE league SET file = ?1, folder = ?2";
        let done = self.connection.execute(update, params![file.text, folder]);
        done.map(|_| ()).map_err(|error| self.fault(&error))
    }

    /// Notes a round.
    pub fn add_round(&self, at: i64, era: u32, round: &Round) -> Result<()> {
        self.add_event(at, era, "round", &round.write())
    }

    /// Notes a change.
    pub fn add_change(&self, era: u32, what: &What) -> Result<()> {
        if self.try_change(era, what)? {
            return Ok(());
        }
        Err(self.locked(""))
    }

    /// The same; false if another process has the database locked.
    pub fn try_change(&self, era: u32, what: &What) -> Result<bool> {
        let (kind, text) = what.write();
        self.try_event(now(), era, kind, &text)
    }

    fn add_event(&self, at: i64, era: u32, kind: &str, text: &str) -> Result<()> {
        if self.try_event(at, era, kind, text)? {
            return Ok(());
        }
        Err(self.locked(""))
    }

    fn try_event(&self, at: i64, era: u32, kind: &str, text: &str) -> Result<bool> {
        let insert = "INSERT INTO event (at, era, after, kind, text)
                      VALUES (?1, ?2, (SELECT COALESCE(MAX(id), 0) FROM game), ?3, ?4)";
        let done = self
            .connection
            .execute(insert, params![at, era, kind, text]);
        match done {
            Ok(_) => Ok(true),
            Err(error) if is_locked(&error) => Ok(false),
            Err(error) => Err(self.fault(&error)),
        }
    }

    fn has_events(&self) -> Result<bool> {
        let version = self
            .connection
            .query_row("PRAGMA user_version", [], |row| row.get(0));
        let version: i64 = version.map_err(|error| self.fault(&error))?;
        Ok(version >= VERSION)
    }

    fn count(&self, which: &str) -> Result<i64> {
        let query = format!("SELECT COUNT(*) FROM {which}");
        let count = self.connection.query_row(&query, [], |row| row.get(0));
        count.map_err(|error| self.fault(&error))
    }

    /// How many changes of the league were noted.
    pub fn changes(&self) -> Result<i64> {
        if self.has_events()? {
            self.count("event WHERE kind <> 'round'")
        } else {
            Ok(0)
        }
    }

    /// What has been decided in the league up to now; of a log of the version before, what follows
    /// from its results.
    pub fn history(&self) -> Result<History> {
        let history = if self.has_events()? {
            self.read_history()?
        } else {
            History::default()
        };
        if history.changes.is_empty() && self.count("game")? > 0 {
            return self.old_history();
        }
        Ok(history)
    }

    fn old_history(&self) -> Result<History> {
        let (text, folder) = self.stored_file()?;
        let file = LeagueFile::read_to_show(&text, Path::new(&folder))?;
        let mut results = BTreeMap::new();
        self.results_after(0, |result| {
            results.insert(result.game, result);
        })?;
        let joined = |entry: &Entry| Change {
            at: SystemTime::now(),
            era: 0,
            what: What::joined(entry),
        };
        Ok(History {
            changes: file.players.iter().map(joined).collect(),
            rounds: old_rounds(&file, &results),
        })
    }

    fn read_history(&self) -> Result<History> {
        let mut history = History::default();
        let mut unknown = None;
        let mut read = || {
            let query = "SELECT at, era, kind, text FROM event ORDER BY id";
            let mut statement = self.connection.prepare_cached(query)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (at, era): (i64, u32) = (row.get(0)?, row.get(1)?);
                let (kind, text): (String, String) = (row.get(2)?, row.get(3)?);
                let what = What::read(&kind, &text);
                match (kind.as_str(), Round::read(&text), what) {
                    ("round", Some(round), _) => history.rounds.push(round),
                    (_, _, Some(what)) => history.changes.push(Change {
                        at: time(at),
                        era,
                        what,
                    }),
                    _ => unknown = Some(format!("the event `{kind} {text}` can't be read")),
                }
            }
            Ok(())
        };
        read().map_err(|error: rusqlite::Error| self.fault(&error))?;
        match unknown {
            None => Ok(history),
            Some(why) => Err(LeagueError::Log {
                path: self.path.display().to_string(),
                why,
            }),
        }
    }

    /// The last game before each stretch of the league.
    fn eras(&self) -> Result<Vec<(u32, i64)>> {
        if !self.has_events()? {
            return Ok(Vec::new());
        }
        let query = "SELECT era, MIN(after) FROM event WHERE era > 0 AND kind <> 'round'
                     GROUP BY era ORDER BY era";
        let read = || -> rusqlite::Result<Vec<(u32, i64)>> {
            let mut statement = self.connection.prepare_cached(query)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        };
        read().map_err(|error| self.fault(&error))
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
        let eras = self.eras()?;
        let mut read = || {
            let mut statement = self.connection.prepare_cached(&query)?;
            let mut rows = statement.query([row])?;
            while let Some(row) = rows.next()? {
                last = row.get(0)?;
                on_result(finished(row, &eras)?);
            }
            Ok(())
        };
        read().map_err(|error: rusqlite::Error| self.fault(&error))?;
        Ok(last)
    }

    /// Hands on what went wrong in games whose row comes after one, and returns the last row.
    pub fn incidents_after(
        &self,
        row: i64,
        mut on_incident: impl FnMut(GameIncident),
    ) -> Result<i64> {
        let query = "SELECT id, number, white, black, opening, plies FROM game
                     WHERE id > ?1 AND reason <> 'aborted' ORDER BY id";
        let mut last = row;
        let mut read = || {
            let mut statement = self.connection.prepare_cached(query)?;
            let mut rows = statement.query([row])?;
            while let Some(row) = rows.next()? {
                last = row.get(0)?;
                let players = [row.get::<_, i64>(2)?, row.get(3)?].map(|player| player as usize);
                let number = row.get::<_, i64>(1)? as u64;
                let (opening, plies): (String, String) = (row.get(4)?, row.get(5)?);
                let found = incidents(number, players, &opening, &plies);
                found.into_iter().for_each(&mut on_incident);
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
            "SELECT {RESULT}, began, words, opening, plies, ended FROM game WHERE reason <> 'aborted' {which}"
        );
        let eras = self.eras()?;
        let read = || {
            let mut statement = self.connection.prepare(&query)?;
            let mut rows = statement.query(values)?;
            while let Some(row) = rows.next()? {
                if let Some(game) = logged(row, variant, &eras)? {
                    on_game(game);
                }
            }
            Ok(())
        };
        read().map_err(|error: rusqlite::Error| self.fault(&error))
    }
}

/// Whether a league's file is of the league that a log has this identity of.
fn is_same(identity: &str, file: &LeagueFile) -> bool {
    identity.starts_with(&file.identity)
}

/// A knockout can't take anybody in once it has begun.
fn refuse_impossible(file: &LeagueFile, history: &History, changes: &[What]) -> Result<()> {
    let has_begun = file.format == Format::Knockout && !history.rounds.is_empty();
    for what in changes {
        match what {
            What::Joined { name, .. } if has_begun => {
                return Err(LeagueError::Change(format!(
                    "`{name}` can't join: a knockout that has begun takes nobody in"
                )));
            }
            What::Returned(player) if has_begun => {
                return Err(LeagueError::Change(format!(
                    "`{}` can't come back: a knockout that has begun takes nobody in",
                    file.players[*player].name
                )));
            }
            _ => {}
        }
    }
    Ok(())
}

fn finished(row: &Row, eras: &[(u32, i64)]) -> rusqlite::Result<Finished> {
    let id: i64 = row.get(0)?;
    let begun = eras.partition_point(|(_, after)| *after < id);
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
        era: begun.checked_sub(1).map_or(0, |index| eras[index].0),
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
fn logged(
    row: &Row,
    variant: &Variant,
    eras: &[(u32, i64)],
) -> rusqlite::Result<Option<LoggedGame>> {
    let finished = finished(row, eras)?;
    let letter: Option<String> = row.get(5)?;
    let (began, words): (i64, String) = (row.get(8)?, row.get(9)?);
    let (opening, lines): (String, String) = (row.get(10)?, row.get(11)?);
    let end = End {
        winner: letter.as_deref().and_then(winner),
        reason: finished.reason,
        words,
    };
    let ended: i64 = row.get(12)?;
    let session = replay(variant, &opening, lines.lines(), Some(end));
    Ok(session.map(|session| LoggedGame {
        finished,
        began: time(began),
        ended: time(ended),
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
