//! Clocks: owned by the server, told by the times of events.

use kingme_rules::Side;
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970.
pub type Millis = u64;

/// How much time each side has.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TimeControl {
    /// For the whole game.
    pub initial_ms: u64,
    /// Added after each move.
    pub increment_ms: u64,
}

impl TimeControl {
    /// Longest game: a week.
    const LONGEST: u64 = 7 * 24 * 3_600_000;

    /// Whether the times make sense.
    pub fn is_sane(self) -> bool {
        (1_000..=Self::LONGEST).contains(&self.initial_ms) && self.increment_ms <= Self::LONGEST
    }
}

/// What both sides have left.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    left: [u64; 2],
    running: Option<(Side, Millis)>,
}

impl Clock {
    /// Full clocks that stand still.
    pub fn new(control: TimeControl) -> Clock {
        Clock {
            control,
            left: [control.initial_ms; 2],
            running: None,
        }
    }

    /// What a side has left.
    pub fn left(&self, side: Side, now: Millis) -> u64 {
        match self.running {
            Some((runner, since)) if runner == side => {
                self.left[side].saturating_sub(now.saturating_sub(since))
            }
            _ => self.left[side],
        }
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    /// When the running clock will have run out, and whose it is.
    pub fn runs_out(&self) -> Option<(Side, Millis)> {
        self.running
            .map(|(side, since)| (side, since.saturating_add(self.left[side])))
    }

    /// A side has moved: its clock stops, the other's starts. The very first move costs nothing.
    pub fn press(&mut self, mover: Side, now: Millis) {
        if self.running.is_some() {
            self.left[mover] = self.left(mover, now) + self.control.increment_ms;
        }
        self.running = Some((!mover, now));
    }

    /// Both clocks stand still.
    pub fn stop(&mut self, now: Millis) {
        for side in Side::BOTH {
            self.left[side] = self.left(side, now);
        }
        self.running = None;
    }

    /// The clock of the side to move runs from now on: time spent while the server was down is
    /// nobody's.
    pub fn resume(&mut self, now: Millis) {
        if let Some((side, _)) = self.running {
            self.running = Some((side, now));
        }
    }

    /// Another side is to move, as after taking a move back.
    pub fn hand_to(&mut self, side: Side, now: Millis) {
        if self.running.is_some() {
            self.stop(now);
            self.running = Some((side, now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock() -> Clock {
        Clock::new(TimeControl {
            initial_ms: 10_000,
            increment_ms: 2_000,
        })
    }

    #[test]
    fn the_first_move_is_free_and_later_ones_cost_their_time() {
        let mut clock = clock();
        clock.press(Side::White, 1_000);
        assert_eq!(clock.left(Side::White, 5_000), 10_000);
        assert_eq!(clock.left(Side::Black, 5_000), 6_000);
        clock.press(Side::Black, 5_000);
        assert_eq!(clock.left(Side::Black, 9_000), 8_000);
        assert_eq!(clock.runs_out(), Some((Side::White, 15_000)));
    }

    #[test]
    fn time_while_the_server_was_down_is_nobodys() {
        let mut clock = clock();
        clock.press(Side::White, 1_000);
        clock.resume(900_000);
        assert_eq!(clock.left(Side::Black, 901_000), 9_000);
    }

    #[test]
    fn a_clock_never_shows_less_than_nothing() {
        let mut clock = clock();
        clock.press(Side::White, 0);
        assert_eq!(clock.left(Side::Black, 1_000_000), 0);
    }
}
