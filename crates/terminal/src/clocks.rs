//! The clocks of a game between people and programs.

use std::time::{Duration, Instant};

use kingme_arena::{Budget, Clock, TimeControl};
use kingme_rules::Side;

/// How long a program may think about a move if nobody says so.
pub const THINKING_TIME: Duration = Duration::from_secs(1);

/// Both sides' clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    control: TimeControl,
    left: [Duration; 2],
    moves: [u32; 2],
}

/// What happens to a side that has used up its time.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Late {
    /// Its time for one move is over: a random move is played for it, as in the league's rules.
    RandomMove,
    /// Its clock has run out: it loses.
    Loses,
}

impl Clocks {
    /// Clocks that have not run yet.
    pub fn new(control: TimeControl) -> Clocks {
        let time = match control {
            TimeControl::Move(time) | TimeControl::Game { time, .. } => time,
            _ => Duration::ZERO,
        };
        Clocks {
            control,
            left: [time; 2],
            moves: [0; 2],
        }
    }

    /// The same clocks with so much left on them.
    #[must_use]
    pub fn with_left(self, left: [Duration; 2]) -> Clocks {
        Clocks { left, ..self }
    }

    /// How they run.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// What a side has left, for a move or for the game; `None` if there is no limit.
    pub fn left(&self, side: Side) -> Option<Duration> {
        match self.control {
            TimeControl::Move(_) | TimeControl::Game { .. } => Some(self.left[side]),
            _ => None,
        }
    }

    /// What happens if a side takes so long for its move; `None`: it is in time.
    pub fn late(&self, side: Side, used: Duration) -> Option<Late> {
        if self.left(side).is_none_or(|left| used < left) {
            return None;
        }
        Some(match self.control {
            TimeControl::Move(_) => Late::RandomMove,
            _ => Late::Loses,
        })
    }

    /// A side has moved after so long.
    pub fn spend(&mut self, side: Side, used: Duration) {
        if let TimeControl::Game {
            time,
            increment,
            moves,
        } = self.control
        {
            self.moves[side] += 1;
            let mut left = self.left[side].saturating_sub(used) + increment;
            if moves.is_some_and(|moves| self.moves[side].is_multiple_of(moves)) {
                left += time;
            }
            self.left[side] = left;
        }
    }

    /// The clock of a program that is asked for a move now. Without a limit it gets a second.
    pub fn clock(&self, side: Side) -> Clock {
        let deadline = |time: Duration| Some(Instant::now() + time);
        match self.control {
            TimeControl::Move(time) => Clock::for_move(time),
            TimeControl::Game {
                increment, moves, ..
            } => Clock {
                budget: Budget::Game {
                    left: self.left[side],
                    opponent: self.left[!side],
                    increment,
                    moves: moves.map(|moves| moves - self.moves[side] % moves),
                },
                deadline: deadline(self.left[side]),
            },
            TimeControl::Depth(depth) => Clock {
                budget: Budget::Depth(depth),
                deadline: None,
            },
            TimeControl::Nodes(nodes) => Clock {
                budget: Budget::Nodes(nodes),
                deadline: None,
            },
            TimeControl::Free => Clock::for_move(THINKING_TIME),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(control: &str) -> Clocks {
        Clocks::new(control.parse().unwrap())
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn without_a_limit_nobody_is_late() {
        let clocks = Clocks::new(TimeControl::Free);
        assert_eq!(clocks.left(Side::White), None);
        assert_eq!(clocks.late(Side::White, SECOND * 1_000_000), None);
    }

    #[test]
    fn a_move_that_takes_too_long_is_played_by_chance() {
        let mut clocks = clocks("2s");
        assert_eq!(clocks.late(Side::White, SECOND), None);
        assert_eq!(clocks.late(Side::White, SECOND * 2), Some(Late::RandomMove));
        clocks.spend(Side::White, SECOND);
        assert_eq!(clocks.left(Side::White), Some(SECOND * 2));
    }

    #[test]
    fn a_clock_runs_down_and_gains_its_increment() {
        let mut clocks = clocks("1m+3s");
        clocks.spend(Side::White, SECOND * 10);
        assert_eq!(clocks.left(Side::White), Some(SECOND * 53));
        assert_eq!(clocks.left(Side::Black), Some(SECOND * 60));
        assert_eq!(clocks.late(Side::White, SECOND * 53), Some(Late::Loses));
    }

    #[test]
    fn the_time_comes_again_after_so_many_moves() {
        let mut clocks = clocks("2/1m");
        clocks.spend(Side::Black, SECOND * 30);
        assert_eq!(clocks.left(Side::Black), Some(SECOND * 30));
        clocks.spend(Side::Black, SECOND * 10);
        assert_eq!(clocks.left(Side::Black), Some(SECOND * 80));
    }
}
