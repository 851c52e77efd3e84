//! A thread that looks after bots: it halts those whose turn is over, and ends those that use too
//! much. It sleeps while there is nothing to look at.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::{self, Thread};
use std::time::Instant;

use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;

use super::leash::Leash;

struct Usher {
    leashes: Mutex<Vec<Weak<Leash>>>,
    /// Whether it has to be woken.
    sleeps: AtomicBool,
    thread: OnceLock<Thread>,
}

static USHER: Usher = Usher {
    leashes: Mutex::new(Vec::new()),
    sleeps: AtomicBool::new(false),
    thread: OnceLock::new(),
};

/// Has a bot watched that was started.
pub(super) fn register(leash: &Arc<Leash>) {
    let mut leashes = USHER.leashes();
    leashes.push(Arc::downgrade(leash));
    drop(leashes);
    USHER.thread.get_or_init(|| {
        let usher = thread::Builder::new().name("usher".to_owned());
        let usher = usher.spawn(|| USHER.walk());
        usher.expect("a thread can be started").thread().clone()
    });
    wake();
}

/// There is something new to look at.
pub(super) fn wake() {
    if USHER.sleeps.load(Ordering::SeqCst)
        && USHER.sleeps.swap(false, Ordering::SeqCst)
        && let Some(thread) = USHER.thread.get()
    {
        thread.unpark();
    }
}

impl Usher {
    fn leashes(&self) -> MutexGuard<'_, Vec<Weak<Leash>>> {
        self.leashes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn walk(&self) {
        leave_the_core();
        loop {
            // Said before it looks: whoever ends a turn afterwards wakes it.
            self.sleeps.store(true, Ordering::SeqCst);
            match self.look() {
                None => thread::park(),
                Some(next) => {
                    self.sleeps.store(false, Ordering::SeqCst);
                    thread::park_timeout(next.saturating_duration_since(Instant::now()));
                }
            }
        }
    }

    /// Looks at every bot; when to look again, if that is known.
    fn look(&self) -> Option<Instant> {
        let mut leashes = self.leashes();
        leashes.retain(|leash| leash.strong_count() > 0);
        let held: Vec<Arc<Leash>> = leashes.iter().filter_map(Weak::upgrade).collect();
        drop(leashes);
        let now = Instant::now();
        held.iter().filter_map(|leash| leash.look(now)).min()
    }
}

/// It was started by a thread that may have to stay on the core of a game, where a bot that will
/// not rest is in its way.
fn leave_the_core() {
    let mut all = CpuSet::new();
    for core in 0..CpuSet::count() {
        // Every number below the count is one of the set.
        let _ = all.set(core);
    }
    // A system that does not allow it only has it wait a little longer.
    let _ = sched_setaffinity(Pid::from_raw(0), &all);
}
