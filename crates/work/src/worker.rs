//! A worker: asks for games, plays them and brings them back, until it is stopped.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use kingme_arena::Cores;
use kingme_arena::league::{Entry, Errand, Floor, Job, LeagueFile, Nobody, play_opening};
use kingme_play::{EndReason, Event, Stop, write_ply};
use kingme_players::{Equipment, TableShelf};

use crate::bundle::LEAGUE;
use crate::{
    Beat, Errands, GameReport, Hello, Office, OfficeError, Outcome, Report, Task, program, speed,
    unpack,
};

/// How a worker works.
#[derive(Clone, Debug)]
pub struct Options {
    /// What it is called.
    pub name: String,
    /// How many games it plays at a time.
    pub concurrency: usize,
    /// Where it keeps the folders of leagues.
    pub folder: PathBuf,
    /// Its endgame tables.
    pub tables: Option<Arc<TableShelf>>,
}

/// What there is to say about a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// It may begin.
    Welcome,
    /// It has played so many games by now.
    Played(u64),
    /// The office can't be reached, and is tried again.
    Lost(String),
    /// It can be reached again.
    Back,
    /// Games that can't be played here.
    Failed(String),
}

/// How long a worker waits before it asks again.
const PAUSES: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(5));
/// A worker takes so many tasks at a time that they take about so long.
const BATCH: Duration = Duration::from_millis(500);
/// And never more.
const MOST: usize = 64;
/// So many letters of what is played at a time are shown.
const SHOWN: usize = 300;
/// The longest pause of a worker that has nothing to do.
const IDLE: Duration = Duration::from_secs(1);
/// A machine that is so many times slower or quicker is not made up for any further.
const PACES: (f64, f64) = (0.25, 8.0);

/// Works until `stop` is requested; how many games it has played.
///
/// # Errors
///
/// If the office wants nothing of it.
pub fn work(
    office: &dyn Office,
    options: &Options,
    stop: &Stop,
    say: &(dyn Fn(&News) + Sync),
) -> Result<u64, OfficeError> {
    let worker = Worker {
        office,
        options,
        enough: &Stop::new(),
        say,
        id: Mutex::new(String::new()),
        hello: Hello {
            name: options.name.clone(),
            program: program(),
            speed: speed(),
            concurrency: options.concurrency,
        },
        played: AtomicU64::new(0),
        beat: AtomicU64::new(5_000),
        doing: Mutex::default(),
        refused: Mutex::default(),
    };
    let enough = worker.enough.clone();
    let _passed_on = stop.on_request(move || enough.request());
    worker.come_in()?;
    say(&News::Welcome);
    let cores = Cores::for_games(options.concurrency, 1);
    let done = Stop::new();
    thread::scope(|scope| {
        scope.spawn(|| worker.keep_beating(&done));
        let slots: Vec<_> = (0..options.concurrency)
            .map(|slot| {
                let (worker, cores) = (&worker, &cores);
                scope.spawn(move || {
                    cores.stay(slot);
                    worker.keep_playing();
                })
            })
            .collect();
        for slot in slots {
            // A panic is in a thread of its own, and has been printed.
            slot.join().unwrap_or_default();
        }
        done.request();
    });
    // Whoever can't be told will notice.
    office.leave(&worker.id()).unwrap_or_default();
    let refused = lock(&worker.refused).take();
    refused.map_or(Ok(worker.played.load(Ordering::Relaxed)), Err)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Worker<'a> {
    office: &'a dyn Office,
    options: &'a Options,
    /// Requested when it is stopped or refused.
    enough: &'a Stop,
    say: &'a (dyn Fn(&News) + Sync),
    hello: Hello,
    id: Mutex<String>,
    played: AtomicU64,
    /// How often it shows that it is there, in milliseconds.
    beat: AtomicU64,
    /// What is played now, by the first task of each thread.
    doing: Mutex<BTreeMap<i64, String>>,
    refused: Mutex<Option<OfficeError>>,
}

/// A league whose folder is here.
struct Ready {
    bundle: String,
    file: LeagueFile,
}

impl Worker<'_> {
    fn id(&self) -> String {
        lock(&self.id).clone()
    }

    fn come_in(&self) -> Result<(), OfficeError> {
        let welcome = self.patiently(|| self.office.hello(&self.hello))?;
        *lock(&self.id) = welcome.worker;
        Ok(())
    }

    /// Asks until there is an answer, with growing pauses.
    fn patiently<T>(&self, ask: impl Fn() -> Result<T, OfficeError>) -> Result<T, OfficeError> {
        let mut pause = PAUSES.0;
        let mut is_lost = false;
        loop {
            match ask() {
                Err(OfficeError::Unreachable(why)) => {
                    if !is_lost {
                        (self.say)(&News::Lost(why.clone()));
                        is_lost = true;
                    }
                    self.enough.wait_until(Some(Instant::now() + pause));
                    if self.enough.is_requested() {
                        return Err(OfficeError::Unreachable(why));
                    }
                    pause = (pause * 2).min(PAUSES.1);
                }
                answer => {
                    if is_lost {
                        (self.say)(&News::Back);
                    }
                    return answer;
                }
            }
        }
    }

    /// The same for a worker that the office may have forgotten.
    fn known<T>(&self, ask: impl Fn(&str) -> Result<T, OfficeError>) -> Result<T, OfficeError> {
        loop {
            let id = self.id();
            match self.patiently(|| ask(&id)) {
                // Another thread may have said hello meanwhile.
                Err(OfficeError::Unknown) if self.id() == id => {
                    self.come_in()?;
                }
                Err(OfficeError::Unknown) => {}
                answer => return answer,
            }
        }
    }

    fn give_up(&self, error: OfficeError) {
        if let OfficeError::Refused(_) = &error {
            lock(&self.refused).get_or_insert(error);
        }
        self.enough.request();
    }

    fn keep_beating(&self, done: &Stop) {
        let enough = Stop::new();
        let both = [self.enough, done].map(|stop| {
            let enough = enough.clone();
            stop.on_request(move || enough.request())
        });
        while !enough.is_requested() {
            let every = Duration::from_millis(self.beat.load(Ordering::Relaxed));
            enough.wait_until(Some(Instant::now() + every));
            let doing: Vec<String> = lock(&self.doing).values().cloned().collect();
            // Players may have any names, and there may be many.
            let doing = doing.join("; ").chars().take(SHOWN).collect();
            let worker = self.id();
            // Whoever plays notices that nobody is there; here it is said again soon.
            let beat = self.office.beat(&Beat { worker, doing });
            if let Err(error @ OfficeError::Refused(_)) = beat {
                self.give_up(error);
            }
        }
        drop(both);
    }

    fn keep_playing(&self) {
        if let Err(error) = self.play_on() {
            self.give_up(error);
        }
    }

    /// Plays league after league, until it is enough.
    fn play_on(&self) -> Result<(), OfficeError> {
        let mut batch = 1;
        let mut waiting = Vec::new();
        loop {
            if waiting.is_empty() {
                waiting = self.take(batch)?;
            }
            let Some(bundle) = waiting.first().map(|task| task.errands.bundle.clone()) else {
                return Ok(());
            };
            match self.prepare(&bundle) {
                Ok(ready) => self.stay_with(&ready, &mut waiting, &mut batch)?,
                Err(why) => self.fail(&bundle, &mut waiting, &why)?,
            }
        }
    }

    /// Some tasks, as soon as there are any; none when it is enough.
    fn take(&self, most: usize) -> Result<Vec<Task>, OfficeError> {
        let mut pause = PAUSES.0;
        while !self.enough.is_requested() {
            let tasks = self.known(|id| self.office.take(id, most))?;
            if let Some(lease) = tasks.iter().map(|task| task.lease).min() {
                // Three signs of life may be lost.
                self.beat.fetch_min((lease / 4).max(10), Ordering::Relaxed);
                return Ok(tasks);
            }
            self.enough.wait_until(Some(Instant::now() + pause));
            pause = (pause * 2).min(IDLE);
        }
        Ok(Vec::new())
    }

    /// The tasks of a league can't be played here.
    fn fail(
        &self,
        bundle: &str,
        waiting: &mut Vec<Task>,
        why: &OfficeError,
    ) -> Result<(), OfficeError> {
        (self.say)(&News::Failed(why.to_string()));
        let (failed, others) = split(waiting, bundle);
        *waiting = others;
        let reports: Vec<Report> = failed
            .into_iter()
            .map(|task| Report {
                id: task.id,
                outcome: Outcome::Failed(format!("{}: {why}", self.hello.name)),
            })
            .collect();
        self.known(|id| self.office.report(id, &reports))?;
        // It is not asked again at once.
        self.enough.wait_until(Some(Instant::now() + IDLE));
        Ok(())
    }

    /// Plays the games of one league as long as there are any: its players stay where they are.
    fn stay_with(
        &self,
        ready: &Ready,
        waiting: &mut Vec<Task>,
        batch: &mut usize,
    ) -> Result<(), OfficeError> {
        let seats = |entry: &Entry, seed: u64| {
            let given = Equipment {
                tables: self.options.tables.clone(),
                ..Equipment::default()
            };
            ready.file.open_player(entry, seed, given)
        };
        let speed = waiting.first().map_or(0.0, |task| task.errands.speed);
        let pace = (speed / self.hello.speed.max(1.0)).clamp(PACES.0, PACES.1);
        let floor = Floor::new(&ready.file, &seats, &Nobody, 1, self.enough).at_pace(pace);
        loop {
            let (mine, others) = split(waiting, &ready.bundle);
            *waiting = others;
            if mine.is_empty() {
                return Ok(());
            }
            let (count, began) = (mine.len(), Instant::now());
            let first = &mine[0];
            lock(&self.doing).insert(first.id, in_words(&ready.file, &first.errands));
            let reports: Vec<Report> = mine
                .iter()
                .map_while(|task| self.play(ready, &floor, task))
                .collect();
            *batch = next_batch(*batch, count, began.elapsed());
            self.bring(&reports)?;
            lock(&self.doing).remove(&first.id);
            if waiting.is_empty() {
                *waiting = self.take(*batch)?;
            }
        }
    }

    fn bring(&self, reports: &[Report]) -> Result<(), OfficeError> {
        if reports.is_empty() {
            return Ok(());
        }
        self.known(|id| self.office.report(id, reports))?;
        let games = reports.iter().map(|report| match &report.outcome {
            Outcome::Played(games) => games.len() as u64,
            Outcome::Failed(_) => 0,
        });
        let games: u64 = games.sum();
        let all = self.played.fetch_add(games, Ordering::Relaxed) + games;
        (self.say)(&News::Played(all));
        Ok(())
    }

    /// Plays the games of a task; nothing, if it is stopped meanwhile.
    fn play(&self, ready: &Ready, floor: &Floor, task: &Task) -> Option<Report> {
        let games = task.errands.games.iter();
        let games: Result<Vec<GameReport>, Unplayed> = games
            .map(|errand| play_game(&ready.file, floor, errand))
            .collect();
        let outcome = match games {
            Ok(games) => Outcome::Played(games),
            Err(Unplayed::Stopped) => return None,
            Err(Unplayed::Failed(why)) => {
                (self.say)(&News::Failed(why.clone()));
                Outcome::Failed(format!("{}: {why}", self.hello.name))
            }
        };
        Some(Report {
            id: task.id,
            outcome,
        })
    }

    /// A league that is ready to be played, with its folder here.
    fn prepare(&self, bundle: &str) -> Result<Ready, OfficeError> {
        let folder = self.options.folder.join(bundle);
        if !folder.join(LEAGUE).is_file() {
            let packed = self.patiently(|| self.office.bundle(bundle))?;
            settle_in(bundle, &packed, &folder)?;
        }
        let failed = |error: &dyn std::fmt::Display| OfficeError::Unreachable(error.to_string());
        let text = fs::read_to_string(folder.join(LEAGUE)).map_err(|error| failed(&error))?;
        let mut file = LeagueFile::read(&text, &folder).map_err(|error| failed(&error))?;
        file.check_players()
            .and_then(|()| file.take_tables(self.options.tables.as_deref()))
            .map_err(|error| failed(&error))?;
        Ok(Ready {
            bundle: bundle.to_owned(),
            file,
        })
    }
}

/// Unpacks a folder beside its place and moves it there whole: others may do the same.
fn settle_in(bundle: &str, packed: &[u8], folder: &Path) -> Result<(), OfficeError> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let failed = |error: &dyn std::fmt::Display| OfficeError::Unreachable(error.to_string());
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let half = folder.with_extension(format!("{}-{count}", std::process::id()));
    fs::create_dir_all(&half).map_err(|error| failed(&error))?;
    let unpacked = unpack(bundle, packed, &half).map_err(|error| failed(&error));
    let moved = unpacked.and_then(|()| {
        fs::rename(&half, folder)
            .or_else(|error| if folder.exists() { Ok(()) } else { Err(error) })
            .map_err(|error| failed(&error))
    });
    // What was moved is not there any more.
    fs::remove_dir_all(&half).unwrap_or_default();
    moved
}

/// Why a game was not played.
enum Unplayed {
    Stopped,
    Failed(String),
}

fn play_game(file: &LeagueFile, floor: &Floor, errand: &Errand) -> Result<GameReport, Unplayed> {
    let failed = |why: String| Unplayed::Failed(format!("game {}: {why}", errand.game));
    let number = |name: &String| {
        let found = file.players.iter().position(|entry| entry.name == *name);
        found.ok_or_else(|| failed(format!("there is no player `{name}`")))
    };
    let job = Job {
        game: errand.game,
        round: errand.round,
        players: [number(&errand.names[0])?, number(&errand.names[1])?],
        pair: errand.pair,
    };
    let opening = play_opening(&file.variant, &errand.opening);
    let opening = opening.ok_or_else(|| failed("its opening is not of this game".to_owned()))?;
    let plies = Arc::new(Mutex::new(String::new()));
    let notes = Arc::clone(&plies);
    let on_event = move |event: &Event| {
        if let Event::Turn(ply) = event {
            let mut notes = lock(&notes);
            write_ply(&mut notes, ply);
            notes.push('\n');
        }
        Ok(())
    };
    let seated = floor
        .seat(&job, 0)
        .map_err(|error| failed(error.to_string()))?;
    let played = floor.play(&job, seated, opening, on_event);
    let played = played.map_err(|error| failed(error.to_string()))?;
    match played.session.end() {
        Some(end) if end.reason != EndReason::Aborted => Ok(GameReport {
            game: errand.game,
            plies: std::mem::take(&mut *lock(&plies)),
            end: end.clone(),
            versions: played.versions,
        }),
        _ => Err(Unplayed::Stopped),
    }
}

fn split(tasks: &mut Vec<Task>, bundle: &str) -> (Vec<Task>, Vec<Task>) {
    let all = std::mem::take(tasks).into_iter();
    all.partition(|task| task.errands.bundle == bundle)
}

fn in_words(file: &LeagueFile, errands: &Errands) -> String {
    match errands.games.first() {
        Some(Errand { game, names, .. }) => {
            format!("{}: {} - {}, game {game}", file.name, names[0], names[1])
        }
        None => file.name.clone(),
    }
}

/// How many tasks to take next, if so many took so long.
fn next_batch(now: usize, count: usize, took: Duration) -> usize {
    if count >= now && took < BATCH / 2 {
        (now * 2).min(MOST)
    } else if took > BATCH * 2 {
        (now / 2).max(1)
    } else {
        now
    }
}
