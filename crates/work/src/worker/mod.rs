//! A worker: asks for games, plays them and brings them back, until it is stopped.

mod games;
mod training;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use kingme_arena::Cores;
use kingme_play::Stop;
use kingme_players::TableShelf;

use crate::{Beat, Hello, Office, OfficeError, Outcome, Report, Task, Work, program, speed};

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

/// Tasks that a thread has taken and not begun.
struct Pile {
    waiting: Vec<Task>,
    /// How many to take at a time.
    most: usize,
}

impl Pile {
    /// Takes out those that are like this one.
    fn alike(&mut self, work: &Work) -> Vec<Task> {
        let all = std::mem::take(&mut self.waiting).into_iter();
        let (alike, others) = all.partition(|task| task.work.is_like(work));
        self.waiting = others;
        alike
    }
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

    /// Plays what there is to play, until it is enough.
    fn play_on(&self) -> Result<(), OfficeError> {
        let mut pile = Pile {
            waiting: Vec::new(),
            most: 1,
        };
        loop {
            if pile.waiting.is_empty() {
                pile.waiting = self.take(pile.most)?;
            }
            let Some(task) = pile.waiting.first() else {
                return Ok(());
            };
            let work = task.work.clone();
            let stayed = match &work {
                Work::Games(errands) => games::prepare(self, errands)
                    .map(|league| games::stay(self, &league, &work, &mut pile)),
                Work::Stretch(stretch) => training::prepare(self, stretch)
                    .map(|training| training::stay(self, &training, &work, &mut pile)),
            };
            match stayed {
                Ok(stayed) => stayed?,
                Err(why) => self.fail(&work, &mut pile, &why)?,
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

    /// Tasks can't be played here.
    fn fail(&self, work: &Work, pile: &mut Pile, why: &OfficeError) -> Result<(), OfficeError> {
        (self.say)(&News::Failed(why.to_string()));
        let reports: Vec<Report> = pile
            .alike(work)
            .into_iter()
            .map(|task| Report {
                id: task.id,
                outcome: self.failed(why),
            })
            .collect();
        self.known(|id| self.office.report(id, &reports))?;
        // It is not asked again at once.
        self.enough.wait_until(Some(Instant::now() + IDLE));
        Ok(())
    }

    fn failed(&self, why: &dyn std::fmt::Display) -> Outcome {
        Outcome::Failed(format!("{}: {why}", self.hello.name))
    }

    /// Plays tasks that are alike as long as there are any. `play` gives nothing if it is stopped
    /// meanwhile.
    fn stay(
        &self,
        work: &Work,
        pile: &mut Pile,
        in_words: &dyn Fn(&Work) -> String,
        play: &mut dyn FnMut(&Work) -> Option<Outcome>,
    ) -> Result<(), OfficeError> {
        loop {
            let mine = pile.alike(work);
            let Some(first) = mine.first() else {
                return Ok(());
            };
            let began = Instant::now();
            lock(&self.doing).insert(first.id, in_words(&first.work));
            let reports = mine.iter().map_while(|task| {
                let (id, outcome) = (task.id, play(&task.work)?);
                Some(Report { id, outcome })
            });
            let reports: Vec<Report> = reports.collect();
            pile.most = next_batch(pile.most, mine.len(), began.elapsed());
            self.bring(&reports)?;
            lock(&self.doing).remove(&first.id);
            if pile.waiting.is_empty() {
                pile.waiting = self.take(pile.most)?;
            }
        }
    }

    fn bring(&self, reports: &[Report]) -> Result<(), OfficeError> {
        if reports.is_empty() {
            return Ok(());
        }
        self.known(|id| self.office.report(id, reports))?;
        let games = reports.iter().map(|report| report.outcome.games() as u64);
        let games: u64 = games.sum();
        let all = self.played.fetch_add(games, Ordering::Relaxed) + games;
        (self.say)(&News::Played(all));
        Ok(())
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
