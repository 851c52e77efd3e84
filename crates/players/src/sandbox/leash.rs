//! Whose turn it is: a bot whose opponent is to move is halted with all it has started, since both
//! share the cores of their game.

use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::keeper::{Order, Realm};
use super::{processes, usher};

/// How long a bot may go on when its turn is over. Bots that answer at once are asked again before,
/// and are never halted: that would take as long as their whole turn.
const GRACE: Duration = Duration::from_millis(2);

/// New processes may come while the others are being halted; so often they are looked for.
const ROUNDS: usize = 100;

/// What we hold a bot by. Turns begin and end without a lock, as long as it need not be halted.
#[derive(Debug)]
pub(super) struct Leash {
    /// Our child: the keeper, or whoever waits for it.
    child: Pid,
    realm: Realm,
    orders: OwnedFd,
    /// Counts the beginnings and ends of turns: odd while it has nothing to do.
    turns: AtomicU64,
    is_halted: AtomicBool,
    /// Held by whoever halts or resumes it: the count that was seen last, and since when.
    seen: Mutex<(u64, Option<Instant>)>,
}

impl Leash {
    pub fn new(child: Pid, realm: Realm, orders: OwnedFd) -> Arc<Leash> {
        let leash = Arc::new(Leash {
            child,
            realm,
            orders,
            turns: AtomicU64::new(0),
            is_halted: AtomicBool::new(false),
            seen: Mutex::default(),
        });
        usher::register(&leash);
        leash
    }

    /// It may compute from now on.
    pub fn start_turn(&self) {
        if is_on(self.turns.load(SeqCst)) {
            return;
        }
        self.turns.fetch_add(1, SeqCst);
        // Whoever halts it now has said so before they look at the count again: either they see
        // that its turn has begun, or we see them.
        if self.is_halted.load(SeqCst) {
            let _seen = self.seen();
            if self.is_halted.swap(false, SeqCst) {
                self.resume();
            }
        }
    }

    /// It has nothing to do any more.
    pub fn end_turn(&self) {
        if is_on(self.turns.load(SeqCst)) {
            self.turns.fetch_add(1, SeqCst);
            usher::wake();
        }
    }

    /// Halts it if its turn has been over for a while; when to look again otherwise.
    pub fn look(&self, now: Instant) -> Option<Instant> {
        let mut seen = self.seen();
        let turns = self.turns.load(SeqCst);
        if is_on(turns) || self.is_halted.load(SeqCst) {
            return None;
        }
        let since = match *seen {
            (count, Some(since)) if count == turns => since,
            _ => now,
        };
        *seen = (turns, Some(since));
        if now < since + GRACE {
            return Some(since + GRACE);
        }
        self.is_halted.store(true, SeqCst);
        if self.turns.load(SeqCst) == turns {
            self.halt();
        } else {
            self.is_halted.store(false, SeqCst);
        }
        None
    }

    fn halt(&self) {
        match self.realm {
            Realm::Namespace => self.order(Order::Halt),
            Realm::Children => self.halt_one_by_one(),
        }
    }

    fn resume(&self) {
        match self.realm {
            Realm::Namespace => self.order(Order::Resume),
            Realm::Children => signal(&processes::below(self.child), Signal::SIGCONT),
        }
    }

    fn halt_one_by_one(&self) {
        let mut halted = Vec::new();
        for _ in 0..ROUNDS {
            let mut new = processes::below(self.child);
            new.retain(|pid| !halted.contains(pid));
            if new.is_empty() {
                return;
            }
            signal(&new, Signal::SIGSTOP);
            halted.append(&mut new);
        }
    }

    /// A keeper that can't hear any more has ended, and the bot with it.
    pub fn order(&self, order: Order) {
        match nix::unistd::write(&self.orders, &[order as u8]) {
            Ok(_) | Err(nix::Error::EPIPE) => {}
            Err(error) => debug_assert!(false, "our own pipe: {error}"),
        }
    }

    fn seen(&self) -> MutexGuard<'_, (u64, Option<Instant>)> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_on(turns: u64) -> bool {
    turns.is_multiple_of(2)
}

/// Who has ended in the meantime needs no signal.
fn signal(pids: &[Pid], signal: Signal) {
    for &pid in pids {
        let _ = kill(pid, signal);
    }
}
