//! How long to think: `level depth=… nodes=… move-time=…`, `level time=… inc=… moves=…`,
//! `level infinite`.

use std::time::{Duration, Instant};

use super::line::{Line, LineWriter};
use crate::{Budget, Clock};

/// The limits of a `level` line; what is not given does not limit.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// How deep to look.
    pub depth: Option<u32>,
    /// How many positions to look at.
    pub nodes: Option<u64>,
    /// How long to think about this move.
    pub move_time: Option<Duration>,
    /// What is left for the game.
    pub time: Option<Duration>,
    /// What is gained with every move.
    pub increment: Duration,
    /// For how many moves the time must do.
    pub moves: Option<u32>,
}

/// How long a move may take when nobody says: long enough to play well, and it ends.
const USUAL: Duration = Duration::from_secs(1);
/// A game that has no number of moves is taken to last for so many more.
const MOVES_TO_GO: u32 = 30;

impl Level {
    /// The level of a line. What can't be read is as if it were not there.
    pub fn read(line: Line) -> Level {
        Level {
            depth: number(line, "depth").map(|depth: u32| depth.max(1)),
            nodes: number(line, "nodes").map(|nodes: u64| nodes.max(1)),
            move_time: seconds(line, "move-time"),
            time: seconds(line, "time"),
            increment: seconds(line, "inc").unwrap_or_default(),
            moves: number(line, "moves").filter(|&moves| moves > 0),
        }
    }

    /// The level of a referee's clock.
    pub fn of(clock: &Clock) -> Level {
        let mut level = Level::default();
        match clock.budget {
            Budget::Move(time) => level.move_time = Some(time),
            Budget::Game {
                left,
                increment,
                moves,
                ..
            } => {
                level.time = Some(left);
                level.increment = increment;
                level.moves = moves;
            }
            Budget::Depth(depth) => level.depth = Some(depth),
            Budget::Nodes(nodes) => level.nodes = Some(nodes),
            // Without a limit many engines would think for ever.
            Budget::Free => level.move_time = Some(USUAL),
        }
        level
    }

    /// The line.
    pub fn write(&self) -> String {
        let mut line = LineWriter::new("level")
            .with_some("depth", self.depth)
            .with_some("nodes", self.nodes)
            .with_some("move-time", self.move_time.map(in_seconds))
            .with_some("moves", self.moves)
            .with_some("time", self.time.map(in_seconds));
        if self.time.is_some() && !self.increment.is_zero() {
            line = line.with("inc", in_seconds(self.increment));
        }
        if *self == Level::default() {
            line = line.flag("infinite");
        }
        line.finish()
    }

    /// How long to think, if time limits it at all: a fair share of what is left.
    pub fn think_time(&self) -> Option<Duration> {
        let share = self.time.map(|left| {
            let share = left / self.moves.unwrap_or(MOVES_TO_GO) + self.increment;
            // However generous the increment, the flag must not fall.
            share.min(left.mul_f64(0.8))
        });
        match (self.move_time, share) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    /// The clock for a player that is asked now.
    pub fn clock(&self, now: Instant) -> Clock {
        let budget = match *self {
            Level {
                move_time: Some(time),
                ..
            } => Budget::Move(time),
            Level {
                time: Some(left),
                increment,
                moves,
                ..
            } => Budget::Game {
                left,
                opponent: left,
                increment,
                moves,
            },
            Level {
                depth: Some(depth), ..
            } => Budget::Depth(depth),
            Level {
                nodes: Some(nodes), ..
            } => Budget::Nodes(nodes),
            _ => Budget::Free,
        };
        Clock {
            budget,
            deadline: self.think_time().map(|time| now + time),
        }
    }
}

impl Level {
    /// The level of the next move, after one that took so long.
    #[must_use]
    pub(super) fn after(self, used: Duration) -> Level {
        Level {
            time: self
                .time
                .map(|left| left.saturating_sub(used) + self.increment),
            moves: self.moves.map(|moves| moves.saturating_sub(1).max(1)),
            ..self
        }
    }

    /// Both levels together; where both say the same thing, the other counts.
    #[must_use]
    pub(super) fn and(self, other: Level) -> Level {
        Level {
            depth: other.depth.or(self.depth),
            nodes: other.nodes.or(self.nodes),
            move_time: other.move_time.or(self.move_time),
            time: other.time.or(self.time),
            increment: if other.time.is_some() {
                other.increment
            } else {
                self.increment.max(other.increment)
            },
            moves: other.moves.or(self.moves),
        }
    }
}

fn number<T: std::str::FromStr>(line: Line, name: &str) -> Option<T> {
    line.get(name)?.parse().ok()
}

/// A year: more time than anybody has.
const MOST_SECONDS: f64 = 365.0 * 86_400.0;

fn seconds(line: Line, name: &str) -> Option<Duration> {
    let seconds: f64 = number(line, name)?;
    // A clock that has run out is still a limit.
    (!seconds.is_nan()).then(|| Duration::from_secs_f64(seconds.clamp(0.0, MOST_SECONDS)))
}

/// Seconds with as many digits as are needed.
fn in_seconds(time: Duration) -> String {
    let text = format!("{}.{:06}", time.as_secs(), time.subsec_micros());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Level {
        let level = Level::read(Line::new(text));
        assert_eq!(level.write(), format!("{text}\n"));
        level
    }

    #[test]
    fn levels_are_read_as_they_are_written() {
        assert_eq!(check("level infinite").think_time(), None);
        assert_eq!(check("level depth=9").think_time(), None);
        check("level nodes=100000");
        check("level depth=9 nodes=100000 move-time=0.25");
        check("level moves=9 time=291.587");
        check("level time=60 inc=0.5");
    }

    #[test]
    fn time_is_shared_out() {
        let think = |text: &str| check(text).think_time().unwrap().as_secs_f64();
        assert!((think("level move-time=0.25") - 0.25).abs() < 1e-9);
        assert!((think("level moves=10 time=100") - 10.0).abs() < 1e-9);
        assert!((think("level time=60 inc=1") - 3.0).abs() < 1e-9);
        assert!(think("level time=0.5 inc=10") < 0.5);
        assert!((think("level move-time=1 time=3000") - 1.0).abs() < 1e-9);
    }

    #[test]
    fn rubbish_does_not_limit() {
        let level = Level::read(Line::new(
            "level depth=deep move-time=soon moves=0 time=NaN",
        ));
        assert_eq!(level, Level::default());
    }

    #[test]
    fn a_clock_that_has_run_out_is_a_limit() {
        for text in [
            "level time=-0.25",
            "level move-time=-1",
            "level time=0 inc=0",
        ] {
            let level = Level::read(Line::new(text));
            assert_eq!(level.think_time(), Some(Duration::ZERO), "{text}");
        }
        let level = Level::read(Line::new("level depth=0 nodes=0"));
        assert_eq!((level.depth, level.nodes), (Some(1), Some(1)));
        assert!(Level::read(Line::new("level time=inf")).time.is_some());
    }

    #[test]
    fn limits_of_several_lines_add_up() {
        let read = |text| Level::read(Line::new(text));
        let both = read("level depth=9").and(read("level moves=3 time=60"));
        assert_eq!(both, read("level depth=9 moves=3 time=60"));
        let later = read("level time=60 inc=1").and(read("level time=50"));
        assert_eq!(later, read("level time=50"));
    }

    #[test]
    fn a_clock_without_a_limit_still_ends() {
        assert_eq!(Level::of(&Clock::free()).write(), "level move-time=1\n");
        let clock = Clock {
            budget: Budget::Nodes(5000),
            deadline: None,
        };
        assert_eq!(Level::of(&clock).write(), "level nodes=5000\n");
    }
}
