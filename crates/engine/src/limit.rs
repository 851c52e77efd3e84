//! How long a search may go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

/// How long a search may go on. Limits add up: the first that is reached ends the search, and a
/// limit without any is an analysis that runs until it is stopped.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// Complete iterations.
    pub depth: Option<u32>,
    /// Positions, over all threads.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Time for this and the moves to come.
    pub game_time: Option<GameTime>,
    /// Times are what the first thread of the search computes; when so much has passed on the wall
    /// it ends in any case. Without it, times are those of the wall.
    pub on_cpu: Option<Duration>,
}

/// What the mover has for the rest of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct GameTime {
    /// Time left.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time is added; `None` if the time is for the rest of the game.
    pub moves: Option<u32>,
}

impl Limit {
    /// Until it is stopped.
    pub const INFINITE: Limit = Limit {
        depth: None,
        nodes: None,
        move_time: None,
        game_time: None,
        on_cpu: None,
    };

    /// So many iterations.
    pub fn depth(depth: u32) -> Limit {
        Limit {
            depth: Some(depth),
            ..Limit::INFINITE
        }
    }

    /// So many positions.
    pub fn nodes(nodes: u64) -> Limit {
        Limit {
            nodes: Some(nodes),
            ..Limit::INFINITE
        }
    }

    /// So much time for this move.
    pub fn move_time(time: Duration) -> Limit {
        Limit {
            move_time: Some(time),
            ..Limit::INFINITE
        }
    }

    /// A clock with an increment.
    pub fn clock(left: Duration, increment: Duration) -> Limit {
        Limit {
            game_time: Some(GameTime {
                left,
                increment,
                moves: None,
            }),
            ..Limit::INFINITE
        }
    }

    /// Whether the search ends by itself.
    pub fn ends(&self) -> bool {
        let on_the_wall = Limit {
            on_cpu: None,
            ..*self
        };
        on_the_wall != Limit::INFINITE
    }

    /// The longest that a move may take, if time limits it at all.
    pub fn longest(&self) -> Option<Duration> {
        Budget::of(self).map(|budget| budget.hard)
    }

    /// The same, and no longer than this for the move.
    #[must_use]
    pub fn within(self, time: Duration) -> Limit {
        let own = self.move_time.unwrap_or(time);
        Limit {
            move_time: Some(own.min(time)),
            ..self
        }
    }
}

/// Stops a search from outside, and tells a pondering one that its guess was played. Clones act on
/// the same search.
#[derive(Clone, Debug, Default)]
pub struct Handle {
    stop: Arc<AtomicBool>,
    pondering: Arc<AtomicBool>,
}

impl Handle {
    /// A handle of a search that has not begun.
    pub fn new() -> Handle {
        Handle::default()
    }

    /// Ends the search as soon as it looks, within some milliseconds.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Makes the next search ponder: it minds no limit until [`Handle::ponder_hit`].
    pub fn ponder(&self) {
        self.pondering.store(true, Ordering::Relaxed);
    }

    /// The guessed move was played: the search goes on under its limit, whose time starts now.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }

    /// Whether the search minds no limit for now.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}

/// Where the time of one search stands.
#[derive(Clone, Debug)]
pub(crate) struct Timer {
    began: Instant,
    /// When the limit began to count: later than `began` after pondering.
    counts_from: Stopwatch,
    budget: Option<Budget>,
    /// How long it may last on the wall, where that is not what counts.
    wall: Option<Duration>,
}

/// Measures the time of a search, on the wall or by what this thread computes.
#[derive(Copy, Clone, Debug)]
enum Stopwatch {
    Wall(Instant),
    Cpu(ThreadTime),
}

impl Stopwatch {
    fn elapsed(self) -> Duration {
        match self {
            Stopwatch::Wall(began) => began.elapsed(),
            Stopwatch::Cpu(began) => began.elapsed(),
        }
    }

    fn restart(&mut self) {
        *self = match self {
            Stopwatch::Wall(_) => Stopwatch::Wall(Instant::now()),
            Stopwatch::Cpu(_) => Stopwatch::Cpu(ThreadTime::now()),
        };
    }
}

/// What a search may spend.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Budget {
    /// No new iteration begins after this. A time for one move has no such bound: what is left of
    /// it is worth nothing later.
    soft: Option<Duration>,
    /// The search ends at this.
    hard: Duration,
}

/// What a move loses on its way to the one who asked.
const OVERHEAD: Duration = Duration::from_millis(2);

impl Timer {
    /// For a search that was asked for at a moment that may have passed already.
    pub fn start(limit: &Limit, began: Instant) -> Timer {
        Timer {
            began,
            counts_from: if limit.on_cpu.is_some() {
                Stopwatch::Cpu(ThreadTime::now())
            } else {
                Stopwatch::Wall(began)
            },
            budget: Budget::of(limit),
            wall: limit.on_cpu,
        }
    }

    /// The guess was right: the limit counts from now.
    pub fn restart(&mut self) {
        self.counts_from.restart();
    }

    /// Whether there is a limit of time.
    pub fn has_limit(&self) -> bool {
        self.budget.is_some()
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether the time is up.
    pub fn is_up(&self) -> bool {
        let is_used_up = |budget: Budget| self.counts_from.elapsed() >= budget.hard;
        self.budget.is_some_and(is_used_up) || self.wall.is_some_and(|wall| self.elapsed() >= wall)
    }

    /// Whether another iteration is worth beginning; `share` is less than one if the best move
    /// has been the same for long.
    pub fn has_time_for_more(&self, share: f64) -> bool {
        let soft = self.budget.and_then(|budget| budget.soft);
        soft.is_none_or(|soft| self.counts_from.elapsed() < soft.mul_f64(share))
    }
}

impl Budget {
    fn of(limit: &Limit) -> Option<Budget> {
        let game = limit.game_time.map(Budget::of_game);
        let fixed = limit.move_time.map(Budget::of_move);
        match (game, fixed) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    fn of_move(time: Duration) -> Budget {
        let time = time.saturating_sub(OVERHEAD).max(time / 2);
        Budget {
            soft: None,
            hard: time,
        }
    }

    fn of_game(game: GameTime) -> Budget {
        /// How many moves a game without a time control is expected to last yet.
        const EXPECTED_MOVES: u32 = 28;
        let left = game.left.saturating_sub(OVERHEAD * 5).max(game.left / 4);
        let moves = game
            .moves
            .unwrap_or(EXPECTED_MOVES)
            .clamp(1, EXPECTED_MOVES);
        // The last move before a control may use nearly all that is left; the others a part.
        let most = if moves == 1 {
            left.mul_f64(0.9)
        } else {
            left.mul_f64(0.35)
        };
        let share = left / moves + game.increment.mul_f64(0.8);
        Budget {
            soft: Some(share.mul_f64(0.65).min(most)),
            hard: share.mul_f64(2.5).min(most),
        }
    }

    fn min(self, other: Budget) -> Budget {
        Budget {
            soft: self.soft.or(other.soft),
            hard: self.hard.min(other.hard),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(left: u64, increment: u64, moves: Option<u32>) -> Budget {
        Budget::of_game(GameTime {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
            moves,
        })
    }

    #[test]
    fn no_clock_is_ever_overdrawn() {
        for left in [0, 1, 5, 20, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 1_000, 100_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(500)] {
                    let budget = budget(left, increment, moves);
                    assert!(
                        budget.soft.unwrap() <= budget.hard,
                        "{left} {increment} {moves:?}"
                    );
                    assert!(budget.hard <= Duration::from_millis(left));
                }
            }
        }
    }

    #[test]
    fn more_moves_mean_less_time_for_each() {
        assert!(budget(60_000, 0, Some(5)).soft > budget(60_000, 0, Some(20)).soft);
        assert!(budget(60_000, 1_000, None).soft > budget(60_000, 0, None).soft);
    }

    #[test]
    fn a_time_for_one_move_is_used_up() {
        let now = Instant::now();
        let timer = Timer::start(&Limit::move_time(Duration::from_secs(5)), now);
        assert!(timer.has_time_for_more(0.0));
        let limit = Limit::clock(Duration::from_mins(1), Duration::ZERO);
        let clock = Timer::start(&limit, now);
        assert!(clock.has_time_for_more(1.0) && !clock.has_time_for_more(0.0));
    }

    #[test]
    fn who_waits_computes_nothing() {
        let limit = Limit {
            on_cpu: Some(Duration::from_mins(2)),
            ..Limit::move_time(Duration::from_millis(20))
        };
        let long_ago = Instant::now().checked_sub(Duration::from_mins(1)).unwrap();
        let timer = Timer::start(&limit, long_ago);
        assert!(!timer.is_up() && timer.elapsed() >= Duration::from_mins(1));
        let began = ThreadTime::now();
        while began.elapsed() < Duration::from_millis(20) {}
        assert!(timer.is_up());
        let limit = Limit {
            on_cpu: Some(Duration::from_secs(1)),
            ..limit
        };
        assert!(Timer::start(&limit, long_ago).is_up());
    }

    #[test]
    fn the_shorter_of_two_limits_counts() {
        let mut limit = Limit::clock(Duration::from_hours(1), Duration::ZERO);
        limit.move_time = Some(Duration::from_millis(10));
        let budget = Timer::start(&limit, Instant::now()).budget.unwrap();
        assert!(budget.hard <= Duration::from_millis(10));
    }
}
