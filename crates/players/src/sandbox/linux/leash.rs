//! What a bot is held by: one whose opponent is to move is halted with all it has started, since
//! both share the cores of their game, and one that uses too much is ended.

use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::budget::{Budget, PERIOD};
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
    /// Held by whoever halts or resumes it.
    seen: Mutex<Seen>,
    /// What it may use, where that has to be watched.
    budget: Option<Budget>,
    /// What it has used too much of.
    excess: OnceLock<String>,
}

/// What was seen of a bot.
#[derive(Copy, Clone, Debug, Default)]
struct Seen {
    /// The count of its turns, and since when it is the same.
    turns: Option<(u64, Instant)>,
    /// When its budget was looked at.
    budget: Option<Instant>,
}

impl Leash {
    pub fn new(child: Pid, realm: Realm, orders: OwnedFd, budget: Option<Budget>) -> Arc<Leash> {
        let leash = Arc::new(Leash {
            child,
            realm,
            orders,
            turns: AtomicU64::new(0),
            is_halted: AtomicBool::new(false),
            seen: Mutex::default(),
            budget,
            excess: OnceLock::new(),
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
                usher::wake();
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

    /// Ends it with all it has started. Who forks faster than it can be ended is halted first.
    pub fn end(&self) {
        if self.realm == Realm::Children {
            self.halt_one_by_one();
        }
        self.order(Order::End);
    }

    /// What it has used too much of and was ended for.
    pub fn excess(&self) -> Option<&String> {
        self.excess.get()
    }

    /// Halts it if its turn has been over for a while, and ends it if it uses too much; when to
    /// look again.
    pub fn look(&self, now: Instant) -> Option<Instant> {
        let mut seen = self.seen();
        if self.is_halted.load(SeqCst) {
            return None;
        }
        let budget = self.check_budget(&mut seen, now);
        let turn = self.check_turn(&mut seen, now);
        [budget, turn].into_iter().flatten().min()
    }

    fn check_budget(&self, seen: &mut Seen, now: Instant) -> Option<Instant> {
        let budget = self.budget.as_ref()?;
        if self.excess.get().is_some() {
            return None;
        }
        let next = seen.budget.map_or(now, |last| last + PERIOD);
        if now < next {
            return Some(next);
        }
        seen.budget = Some(now);
        if let Some(words) = budget.exceeded(self.child) {
            self.excess.get_or_init(|| words);
            self.end();
        }
        Some(now + PERIOD)
    }

    fn check_turn(&self, seen: &mut Seen, now: Instant) -> Option<Instant> {
        let turns = self.turns.load(SeqCst);
        if is_on(turns) {
            return None;
        }
        let since = match seen.turns {
            Some((count, since)) if count == turns => since,
            _ => now,
        };
        seen.turns = Some((turns, since));
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
    fn order(&self, order: Order) {
        match nix::unistd::write(&self.orders, &[order as u8]) {
            Ok(_) | Err(nix::Error::EPIPE) => {}
            Err(error) => debug_assert!(false, "our own pipe: {error}"),
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
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
