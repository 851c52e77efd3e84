//! How games that have ended get into the database: at once into a file, and into a `PostgreSQL` by
//! a thread that brings all that have ended meanwhile at a time, so that no game waits for a disk or
//! a network. Until then they are in the live file, which makes them safe.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::LeagueError;
use super::lines::{Ending, Start};
use super::log::now;
use super::store::{Entire, Store};
use kingme_play::End;

/// How long a process may have the database locked when nothing can be played meanwhile.
const LOCKED: Duration = Duration::from_secs(5);
/// A data base that can't be had is asked again after so long: it can't call us.
const AGAIN: Duration = Duration::from_millis(500);

type Result<T> = std::result::Result<T, LeagueError>;

/// Hears that something was written.
pub(super) type Hear = Box<dyn Fn() + Send + Sync>;

/// A game that is in the live file, perhaps only there.
pub(super) struct Left {
    start: Start,
    plies: String,
    count: u32,
}

impl Left {
    pub fn new(start: Start) -> Left {
        Left::entire(start, String::new(), 0)
    }

    /// One with so many turns, a line each.
    pub fn entire(start: Start, plies: String, count: u32) -> Left {
        Left {
            start,
            plies,
            count,
        }
    }

    pub fn add(&mut self, ply: &str) {
        self.plies += ply;
        self.plies.push('\n');
        self.count += 1;
    }

    /// How it ends if nobody plays it on.
    pub fn interrupted(&self) -> Ending {
        Ending {
            game: self.start.game,
            at: now(),
            how: End::aborted("the run was interrupted"),
        }
    }
}

/// A game that has ended, and how.
pub(super) type Ended = (Left, Ending);

/// Brings games into a database; false if it can't be had now.
pub(super) fn insert(store: &Store, games: &[Ended]) -> Result<bool> {
    let entire = games.iter().map(|(game, end)| Entire {
        start: &game.start,
        plies: &game.plies,
        count: game.count,
        end,
    });
    store.insert(&entire.collect::<Vec<_>>())
}

/// The database in the hands of the one process that plays, and the games on their way there.
pub(super) struct Archive {
    shared: Arc<Shared>,
    writer: Option<JoinHandle<()>>,
}

struct Shared {
    store: Mutex<Store>,
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    hear: OnceLock<Hear>,
}

/// Games that have ended and are not in the database yet.
#[derive(Default)]
struct Waiting {
    games: Vec<Ended>,
    /// Why none of them can get there any more.
    failed: Option<LeagueError>,
    is_over: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Archive {
    pub fn new(store: Store) -> Archive {
        let is_shared = store.is_shared();
        let shared = Arc::new(Shared {
            store: Mutex::new(store),
            waiting: Mutex::default(),
            arrived: Condvar::new(),
            hear: OnceLock::new(),
        });
        let writing = Arc::clone(&shared);
        Archive {
            shared,
            writer: is_shared.then(|| thread::spawn(move || writing.write())),
        }
    }

    /// The database itself.
    pub fn store(&self) -> MutexGuard<'_, Store> {
        lock(&self.shared.store)
    }

    /// How many games wait.
    pub fn waiting(&self) -> usize {
        lock(&self.shared.waiting).games.len()
    }

    /// Has somebody hear of everything that is written; the first who asks.
    pub fn on_write(&self, hear: Hear) {
        self.shared.hear.get_or_init(|| hear);
    }

    /// Tells that something was written.
    pub fn tell(&self) {
        self.shared.tell();
    }

    /// Takes a game that has ended, which is in the live file.
    pub fn add(&self, game: Ended) -> Result<()> {
        let mut waiting = lock(&self.shared.waiting);
        waiting.games.push(game);
        if self.writer.is_none() {
            drop(waiting);
            return self.bring_in().map(drop);
        }
        self.shared.arrived.notify_one();
        waiting.failed.take().map_or(Ok(()), Err)
    }

    /// Brings all games in that wait; false if the database can't be had now.
    pub fn bring_in(&self) -> Result<bool> {
        self.shared.bring_in(&self.store())
    }

    /// Writes what games wait for, after those that have ended: a database that can't be had is
    /// waited for.
    pub fn patiently<T>(&self, write: impl FnOnce(&Store) -> Result<T>) -> Result<T> {
        let store = self.store();
        store.be_patient(LOCKED)?;
        let brought = self.shared.bring_in(&store);
        let written = brought.and_then(|_| write(&store));
        store.be_patient(Duration::ZERO)?;
        written
    }
}

impl Shared {
    fn tell(&self) {
        if let Some(hear) = self.hear.get() {
            hear();
        }
    }

    fn bring_in(&self, store: &Store) -> Result<bool> {
        let games = std::mem::take(&mut lock(&self.waiting).games);
        let brought = insert(store, &games);
        if !matches!(brought, Ok(true)) {
            // Those that have ended meanwhile come after them.
            lock(&self.waiting).games.splice(..0, games);
        }
        brought
    }

    /// Brings games in as they end, until it is over.
    fn write(&self) {
        let mut pause = Duration::ZERO;
        while self.await_games(pause) {
            let brought = self.bring_in(&lock(&self.store));
            pause = match brought {
                Ok(true) => Duration::ZERO,
                Ok(false) => AGAIN,
                Err(error) => {
                    lock(&self.waiting).failed = Some(error);
                    return;
                }
            };
            self.tell();
        }
    }

    /// Waits for games, and at least so long; false if it is over.
    fn await_games(&self, pause: Duration) -> bool {
        let waiting = lock(&self.waiting);
        let paused = self
            .arrived
            .wait_timeout_while(waiting, pause, |waiting| !waiting.is_over);
        let (waiting, _) = paused.unwrap_or_else(PoisonError::into_inner);
        let is_idle = |waiting: &mut Waiting| waiting.games.is_empty() && !waiting.is_over;
        let waiting = self.arrived.wait_while(waiting, is_idle);
        !waiting.unwrap_or_else(PoisonError::into_inner).is_over
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        lock(&self.shared.waiting).is_over = true;
        self.shared.arrived.notify_all();
        if let Some(writer) = self.writer.take() {
            // What it did not bring in is in the live file, for the next run.
            writer.join().unwrap_or_default();
        }
    }
}
