//! An office in a data base: whoever can reach the data base can hand out games, play them and
//! collect them. Time is the data base's own, so that nobody's clock matters.

mod tables;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use kingme_data::{Connection, DataError, Place, Row, values};
use kingme_play::Chance;

use crate::{Beat, Hello, Office, OfficeError, Outcome, Report, Task, Welcome, Work};
use tables::TABLES;

/// How long a lost data base is waited for.
const PATIENCE: Duration = Duration::from_secs(20);
/// The pause before it is asked again.
const PAUSE: Duration = Duration::from_millis(100);
/// How long somebody needs who opens the same file.
const MOMENT: Duration = Duration::from_millis(5);
/// A worker that is not heard of for so long has lost its tasks, if nobody says otherwise.
pub(crate) const LEASE: Duration = Duration::from_secs(30);
/// Nothing that a worker says of itself is longer.
const LONGEST: usize = 2000;
/// Who was heard of in so many milliseconds is there.
const HERE: i64 = 30_000;
/// A folder that nobody has used for so long is forgotten, in milliseconds.
const FORGET: i64 = 24 * 60 * 60 * 1000;
/// Workers that were not seen for so long are not shown any more, in milliseconds.
const GONE: i64 = 10 * 60 * 1000;

/// An office in a data base.
#[derive(Debug)]
pub struct Desk {
    data: Mutex<Connection>,
    lease: Duration,
}

/// A worker as others see it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct WorkerRow {
    /// What it is called.
    pub name: String,
    /// Which kingme it is.
    pub program: String,
    /// How many positions a second its engine looks at.
    pub speed: f64,
    /// How many games it plays at a time.
    pub concurrency: i64,
    /// How many games it has played.
    pub played: i64,
    /// What it does, in words.
    pub doing: String,
    /// Since when nothing was heard of it, in milliseconds.
    pub silent: i64,
    /// Why it is not wanted any more.
    pub refused: Option<String>,
}

/// What became of a task, with who played it.
#[derive(Clone, Debug)]
pub(crate) struct Returned {
    pub worker: String,
    pub speed: f64,
    pub took: Duration,
    pub work: Work,
    pub outcome: Outcome,
}

/// A task to be handed out.
#[derive(Clone, Debug)]
pub(crate) struct NewTask<'a> {
    pub league: &'a str,
    pub name: String,
    pub program: &'a str,
    pub terms: &'a str,
    pub work: &'a Work,
}

type Result<T> = std::result::Result<T, OfficeError>;

impl Desk {
    /// The desk of a data base, with its tables made if they are not there. A path is the file of
    /// a data base.
    ///
    /// # Errors
    ///
    /// If it can't be had.
    pub fn open(place: &Place) -> std::result::Result<Desk, DataError> {
        let mut data = Connection::open(place, PATIENCE)?;
        if let Some(file) = data.sqlite() {
            file.busy_timeout(PATIENCE)?;
            share(&mut data)?;
        }
        data.migrate(&TABLES)?;
        Ok(Desk {
            data: Mutex::new(data),
            lease: LEASE,
        })
    }

    /// The same with another time after which a silent worker has lost its tasks.
    #[must_use]
    pub fn with_lease(self, lease: Duration) -> Desk {
        Desk { lease, ..self }
    }

    fn data(&self) -> MutexGuard<'_, Connection> {
        let mut data = self.data.lock().unwrap_or_else(PoisonError::into_inner);
        data.be_patient(PATIENCE);
        data
    }

    /// Asks again if the data base is lost meanwhile: only for what may be asked twice. Workers ask
    /// again themselves.
    fn surely<T>(&self, ask: impl Fn(&mut Connection) -> Result<T>) -> Result<T> {
        let until = Instant::now() + PATIENCE;
        loop {
            match ask(&mut self.data()) {
                Err(OfficeError::Unreachable(_)) if Instant::now() < until => thread::sleep(PAUSE),
                done => return done,
            }
        }
    }

    /// Hands out tasks; those that are there already stay as they are.
    pub(crate) fn post(&self, tasks: &[NewTask]) -> Result<()> {
        self.surely(|data| {
            data.atomically(|data| {
                for task in tasks {
                    data.change(
                        "INSERT INTO tasks (league, name, program, terms, work, lease)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (league, name) DO NOTHING",
                        values![
                            task.league,
                            &task.name,
                            task.program,
                            task.terms,
                            &json(task.work),
                            self.lease.as_millis() as i64
                        ],
                    )?;
                }
                Ok(())
            })
        })
    }

    /// How many tasks of a league nobody has, and how many somebody has.
    pub(crate) fn counts(&self, league: &str) -> Result<(i64, i64)> {
        self.surely(|data| {
            let now = now(data);
            let sql = format!(
                "SELECT COUNT(*), COALESCE(SUM(CASE WHEN worker IS NULL OR until < {now} THEN 1 ELSE 0 END), 0)
                 FROM tasks WHERE league = ?1 AND outcome IS NULL"
            );
            let row = data.query_one(&sql, values![league])?;
            let (all, free) = row.map_or(Ok((0, 0)), |row| two(&row))?;
            Ok((free, all - free))
        })
    }

    /// Takes what was played of a league. It is looked at first and taken away then, so that nothing
    /// is lost with a connection.
    pub(crate) fn collect(&self, league: &str) -> Result<Vec<Returned>> {
        let sql = "SELECT tasks.id, tasks.worker, COALESCE(workers.speed, 0.0), COALESCE(took, 0),
                          work, outcome
                   FROM tasks LEFT JOIN workers ON workers.id = tasks.worker
                   WHERE league = ?1 AND outcome IS NOT NULL ORDER BY tasks.id LIMIT 500";
        let rows = self.surely(|data| Ok(data.query(sql, values![league])?))?;
        self.remove(&ids(&rows)?, "")?;
        Ok(rows.iter().filter_map(returned).collect())
    }

    /// Takes tasks away, those that are as they should be.
    fn remove(&self, ids: &[i64], which: &str) -> Result<()> {
        let sql = format!("DELETE FROM tasks WHERE id = ?1 {which}");
        self.surely(|data| {
            data.atomically(|data| {
                for &id in ids {
                    data.change(&sql, values![id])?;
                }
                Ok(())
            })
        })
    }

    /// Takes back what was handed out of a league: all of it, or what is not by these terms.
    pub(crate) fn withdraw(&self, league: &str, but: Option<&str>) -> Result<()> {
        let sql = "DELETE FROM tasks WHERE league = ?1 AND terms <> ?2";
        let but = but.unwrap_or("");
        self.surely(|data| Ok(data.change(sql, values![league, but]).map(drop)?))
    }

    /// Takes back the tasks of a league that nobody has.
    pub(crate) fn take_back(&self, league: &str) -> Result<Vec<Work>> {
        let now = now(&self.data());
        let is_free = format!("AND outcome IS NULL AND (worker IS NULL OR until < {now})");
        let free = format!("SELECT id, work FROM tasks WHERE league = ?1 {is_free}");
        let free = self.surely(|data| Ok(data.query(&free, values![league])?))?;
        self.remove(&ids(&free)?, &is_free)?;
        // Somebody may have taken one of them in between.
        let left = "SELECT id FROM tasks WHERE league = ?1";
        let left = self.surely(|data| Ok(data.query(left, values![league])?))?;
        let left: BTreeSet<i64> = ids(&left)?.into_iter().collect();
        let is_ours = |(id, _): &(i64, &Row)| !left.contains(id);
        let taken = ids(&free)?.into_iter().zip(&free).filter(is_ours);
        taken.map(|(_, row)| work_of(row, 1)).collect()
    }

    /// Whether anybody is there to play.
    pub(crate) fn has_workers(&self) -> Result<bool> {
        self.surely(|data| {
            let now = now(data);
            let sql = format!(
                "SELECT id FROM workers WHERE refused IS NULL AND seen > {now} - ?1 LIMIT 1"
            );
            Ok(data.query_one(&sql, values![HERE])?.is_some())
        })
    }

    /// A worker gets nothing more to play.
    pub(crate) fn refuse(&self, worker: &str, why: &str) -> Result<()> {
        self.surely(|data| {
            data.atomically(|data| {
                let sql = "UPDATE workers SET refused = ?2 WHERE id = ?1";
                data.change(sql, values![worker, why])?;
                free(data, worker)
            })
        })
    }

    /// Keeps a league's folder.
    pub(crate) fn keep(&self, hash: &str, packed: &[u8]) -> Result<()> {
        let body = BASE64.encode(packed);
        self.surely(|data| {
            let now = now(data);
            let keep = format!(
                "INSERT INTO bundles (hash, body, used) VALUES (?1, ?2, {now})
                 ON CONFLICT (hash) DO UPDATE SET used = {now}"
            );
            let old = format!("DELETE FROM bundles WHERE used < {now} - ?1");
            data.atomically(|data| {
                data.change(&old, values![FORGET])?;
                data.change(&keep, values![hash, &body])?;
                Ok(())
            })
        })
    }

    /// The workers of the last minutes, the newest last.
    ///
    /// # Errors
    ///
    /// If the data base can't be reached.
    pub fn workers(&self) -> Result<Vec<WorkerRow>> {
        let mut data = self.data();
        let now = now(&data);
        let sql = format!(
            "SELECT name, program, speed, concurrency, played, doing, {now} - seen, refused
             FROM workers WHERE {now} - seen < ?1 ORDER BY since, id"
        );
        let rows = data.query(&sql, values![GONE])?;
        let rows = rows.iter().map(|row| {
            Ok(WorkerRow {
                name: row.get(0)?,
                program: row.get(1)?,
                speed: row.get(2)?,
                concurrency: row.get(3)?,
                played: row.get(4)?,
                doing: row.get(5)?,
                silent: row.get(6)?,
                refused: row.get(7)?,
            })
        });
        rows.collect()
    }

    /// Whether a worker may go on.
    fn admit(data: &mut Connection, worker: &str) -> Result<String> {
        let now = now(data);
        let seen =
            format!("UPDATE workers SET seen = {now} WHERE id = ?1 RETURNING program, refused");
        let row = data.change_returning(&seen, values![worker])?;
        let row = row.into_iter().next().ok_or(OfficeError::Unknown)?;
        match row.get::<Option<String>>(1)? {
            Some(why) => Err(OfficeError::Refused(why)),
            None => Ok(row.get(0)?),
        }
    }

    fn lease_some(&self, worker: &str, most: usize) -> Result<Vec<Task>> {
        let mut data = self.data();
        let program = Desk::admit(&mut data, worker)?;
        let now = now(&data);
        let skip = if data.is_postgres() {
            "FOR UPDATE SKIP LOCKED"
        } else {
            ""
        };
        let sql = format!(
            "UPDATE tasks SET worker = ?1, since = {now}, until = {now} + lease
             WHERE id IN (
                 SELECT id FROM tasks
                 WHERE outcome IS NULL AND program = ?2 AND (worker IS NULL OR until < {now})
                 ORDER BY id LIMIT ?3 {skip}
             ) RETURNING id, work, lease"
        );
        let rows = data.change_returning(&sql, values![worker, &program, most as i64])?;
        let tasks = rows.iter().map(|row| {
            Ok(Task {
                id: row.get(0)?,
                work: work_of(row, 1)?,
                lease: row.get::<i64>(2)?.max(0) as u64,
            })
        });
        let tasks: Vec<Task> = tasks.collect::<Result<_>>()?;
        if tasks.is_empty() {
            other_program(&mut data, &program)?;
        }
        Ok(tasks)
    }
}

/// Has several read and write a file at a time. Whoever does the same at this moment is waited for:
/// `SQLite` itself does not wait here.
fn share(data: &mut Connection) -> std::result::Result<(), DataError> {
    let until = Instant::now() + PATIENCE;
    loop {
        match data.batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;") {
            Err(DataError::Busy(_)) if Instant::now() < until => thread::sleep(MOMENT),
            done => return done,
        }
    }
}

/// Tells a worker that there are games for another kingme only.
fn other_program(data: &mut Connection, program: &str) -> Result<()> {
    let sql = "SELECT program FROM tasks WHERE outcome IS NULL LIMIT 1";
    let row = data.query_one(sql, values![])?;
    let wanted = row.map(|row| row.get::<String>(0)).transpose()?;
    match wanted {
        Some(wanted) if wanted != program => Err(OfficeError::Refused(format!(
            "the games here are for {wanted}, and this is {program}"
        ))),
        _ => Ok(()),
    }
}

/// What workers say of themselves is shown to others, and kept.
fn check_words(words: &[&str]) -> Result<()> {
    if words.iter().all(|words| words.len() <= LONGEST) {
        return Ok(());
    }
    let why = format!("a worker says at most {LONGEST} bytes about itself at a time");
    Err(OfficeError::Refused(why))
}

fn free(data: &mut Connection, worker: &str) -> Result<()> {
    let sql = "UPDATE tasks SET worker = NULL WHERE worker = ?1 AND outcome IS NULL";
    data.change(sql, values![worker])?;
    Ok(())
}

impl Office for Desk {
    fn hello(&self, hello: &Hello) -> Result<Welcome> {
        check_words(&[&hello.name, &hello.program])?;
        let worker = name_nobody_has();
        let mut data = self.data();
        let now = now(&data);
        // Whoever was killed has not said goodbye.
        let gone = format!("DELETE FROM workers WHERE seen < {now} - ?1");
        data.change(&gone, values![FORGET])?;
        let sql = format!(
            "INSERT INTO workers (id, name, program, speed, concurrency, since, seen, played, doing)
             VALUES (?1, ?2, ?3, ?4, ?5, {now}, {now}, 0, '')"
        );
        data.change(
            &sql,
            values![
                &worker,
                &hello.name,
                &hello.program,
                hello.speed,
                hello.concurrency as i64
            ],
        )?;
        Ok(Welcome { worker })
    }

    fn take(&self, worker: &str, most: usize) -> Result<Vec<Task>> {
        self.lease_some(worker, most)
    }

    fn beat(&self, beat: &Beat) -> Result<()> {
        check_words(&[&beat.doing])?;
        let mut data = self.data();
        Desk::admit(&mut data, &beat.worker)?;
        let now = now(&data);
        let doing = "UPDATE workers SET doing = ?2 WHERE id = ?1";
        data.change(doing, values![&beat.worker, &beat.doing])?;
        let sql =
            format!("UPDATE tasks SET until = {now} + lease WHERE worker = ?1 AND outcome IS NULL");
        data.change(&sql, values![&beat.worker])?;
        Ok(())
    }

    fn report(&self, worker: &str, reports: &[Report]) -> Result<()> {
        let mut data = self.data();
        data.atomically(|data| {
            Desk::admit(data, worker)?;
            let now = now(data);
            // Whoever has lost a task meanwhile had it for a while at least.
            let sql = format!(
                "UPDATE tasks SET outcome = ?3, worker = ?2,
                     took = CASE WHEN worker = ?2 THEN {now} - since ELSE ?4 END
                 WHERE id = ?1 AND outcome IS NULL"
            );
            let mut played = 0;
            for report in reports {
                let outcome = json(&report.outcome);
                let counted = data.change(&sql, values![report.id, worker, &outcome, FORGET])?;
                if counted == 1 {
                    played += report.outcome.games();
                }
            }
            let sql = "UPDATE workers SET played = played + ?2 WHERE id = ?1";
            data.change(sql, values![worker, played as i64])?;
            Ok(())
        })
    }

    fn leave(&self, worker: &str) -> Result<()> {
        let mut data = self.data();
        data.atomically(|data| {
            free(data, worker)?;
            data.change("DELETE FROM workers WHERE id = ?1", values![worker])?;
            Ok(())
        })
    }

    fn bundle(&self, hash: &str) -> Result<Vec<u8>> {
        let sql = "SELECT body FROM bundles WHERE hash = ?1";
        let row = self.data().query_one(sql, values![hash])?;
        let missing = || OfficeError::Unreachable("the league's folder is not there".to_owned());
        let body: String = row.ok_or_else(missing)?.get(0)?;
        BASE64.decode(body).map_err(|_| missing())
    }
}

/// The data base's own time, in milliseconds since 1970.
fn now(data: &Connection) -> &'static str {
    if data.is_postgres() {
        "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
    } else {
        "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    }
}

/// The first column of rows, which has their numbers.
fn ids(rows: &[Row]) -> Result<Vec<i64>> {
    let ids = rows.iter().map(|row| Ok(row.get(0)?));
    ids.collect()
}

fn two(row: &Row) -> Result<(i64, i64)> {
    Ok((row.get(0)?, row.get(1)?))
}

/// What is to be played, in a column of a row.
fn work_of(row: &Row, column: usize) -> Result<Work> {
    let read = serde_json::from_str(&row.get::<String>(column)?);
    read.map_err(|error| OfficeError::Refused(error.to_string()))
}

/// A task with what became of it; nothing, if it can't be read: it is played again.
fn returned(row: &Row) -> Option<Returned> {
    let took: i64 = row.get(3).ok()?;
    Some(Returned {
        worker: row.get(1).ok()?,
        speed: row.get(2).ok()?,
        took: Duration::from_millis(took.max(0) as u64),
        work: work_of(row, 4).ok()?,
        outcome: serde_json::from_str(&row.get::<String>(5).ok()?).ok()?,
    })
}

pub(crate) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("our own types have only text keys")
}

/// Chance that nobody else has.
pub(crate) fn chance() -> Chance {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let nanos = since.map_or(0, |since| since.as_nanos() as u64);
    Chance::fork(nanos, u64::from(std::process::id()))
}

/// A name that nobody else has.
pub(crate) fn name_nobody_has() -> String {
    let mut chance = chance();
    let mut name = String::new();
    for _ in 0..2 {
        write!(name, "{:016x}", chance.number()).expect("a string takes everything");
    }
    name
}
