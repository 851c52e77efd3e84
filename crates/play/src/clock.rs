//! The clock of a game: both sides' time, by one arithmetic.

use std::time::Duration;

use kingme_rules::Side;

use crate::TimeControl;

/// A moment of a game in play: how long after a beginning that whoever drives the game has chosen.
pub type Moment = Duration;

/// What both sides have left, and whose time runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    control: [TimeControl; 2],
    left: [Duration; 2],
    /// Turns that each side has taken.
    taken: [u32; 2],
    running: Option<(Side, Moment)>,
}

impl Clock {
    /// Full clocks that stand still.
    pub fn new(control: [TimeControl; 2]) -> Clock {
        Clock {
            control,
            left: control.map(|control| match control {
                TimeControl::Move(time) | TimeControl::Game { time, .. } => time,
                TimeControl::Depth(_) | TimeControl::Nodes(_) | TimeControl::Free => Duration::ZERO,
            }),
            taken: [0; 2],
            running: None,
        }
    }

    /// The same clocks with so much left on them.
    #[must_use]
    pub fn with_left(self, left: [Duration; 2]) -> Clock {
        Clock { left, ..self }
    }

    /// How a side's clock runs.
    pub fn control(&self, side: Side) -> TimeControl {
        self.control[side]
    }

    /// What a side has left, for a move or for the game; `None` if there is no limit.
    pub fn left(&self, side: Side, now: Moment) -> Option<Duration> {
        let has_limit = matches!(
            self.control[side],
            TimeControl::Move(_) | TimeControl::Game { .. }
        );
        let used = match self.running {
            Some((runner, _)) if runner == side => self.used(now),
            _ => Duration::ZERO,
        };
        has_limit.then(|| self.left[side].saturating_sub(used))
    }

    /// How many turns a side must take with what it has left; `None`: the whole game.
    pub fn turns_to_go(&self, side: Side) -> Option<u32> {
        match self.control[side] {
            TimeControl::Game {
                moves: Some(moves), ..
            } => Some(moves - self.taken[side] % moves),
            _ => None,
        }
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    /// How long the running clock has run on this turn; nothing if the clocks stand.
    pub fn used(&self, now: Moment) -> Duration {
        self.running
            .map_or(Duration::ZERO, |(_, since)| now.saturating_sub(since))
    }

    /// Whose time runs out, and when.
    pub fn runs_out(&self) -> Option<(Side, Moment)> {
        let (side, since) = self.running?;
        let left = self.left(side, since)?;
        Some((side, since.saturating_add(left)))
    }

    /// A side's clock runs from now on, and nothing was used of this turn so far.
    pub fn start(&mut self, side: Side, now: Moment) {
        self.running = Some((side, now));
    }

    /// The clocks stand; what was used of this turn is gone.
    pub fn stop(&mut self, now: Moment) {
        if let Some(side) = self.running() {
            self.charge(side, self.used(now));
        }
        self.running = None;
    }

    /// A side has taken its turn, after so long: the other's clock runs. A turn that was taken
    /// while the clocks stood, such as the first, gains no increment.
    pub fn press(&mut self, mover: Side, used: Duration, now: Moment) {
        self.taken[mover] += 1;
        if self.running.is_some() {
            self.charge(mover, used);
            self.reward(mover);
        }
        self.start(!mover, now);
    }

    fn charge(&mut self, side: Side, used: Duration) {
        if matches!(self.control[side], TimeControl::Game { .. }) {
            self.left[side] = self.left[side].saturating_sub(used);
        }
    }

    fn reward(&mut self, side: Side) {
        if let TimeControl::Game {
            time,
            increment,
            moves,
        } = self.control[side]
        {
            self.left[side] += increment;
            if moves.is_some_and(|moves| self.taken[side].is_multiple_of(moves)) {
                self.left[side] += time;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clock(control: &str) -> Clock {
        Clock::new([control.parse().unwrap(); 2])
    }

    #[test]
    fn the_first_turn_is_free_while_the_clocks_stand() {
        let mut clock = clock("10s+2s");
        clock.press(Side::White, SECOND * 50, SECOND);
        assert_eq!(clock.left(Side::White, SECOND * 5), Some(SECOND * 10));
        assert_eq!(clock.left(Side::Black, SECOND * 5), Some(SECOND * 6));
        clock.press(Side::Black, SECOND * 4, SECOND * 5);
        assert_eq!(clock.left(Side::Black, SECOND * 9), Some(SECOND * 8));
        assert_eq!(clock.runs_out(), Some((Side::White, SECOND * 15)));
    }

    #[test]
    fn time_while_nobody_played_is_nobodys() {
        let mut clock = clock("10s+2s");
        clock.press(Side::White, Duration::ZERO, SECOND);
        clock.start(Side::Black, SECOND * 900);
        assert_eq!(clock.left(Side::Black, SECOND * 901), Some(SECOND * 9));
    }

    #[test]
    fn a_clock_never_shows_less_than_nothing() {
        let mut clock = clock("10s+2s");
        clock.start(Side::Black, Duration::ZERO);
        assert_eq!(clock.left(Side::Black, SECOND * 1000), Some(Duration::ZERO));
        clock.stop(SECOND * 1000);
        assert_eq!(clock.left(Side::Black, SECOND * 1000), Some(Duration::ZERO));
    }

    #[test]
    fn without_a_limit_nothing_runs_out() {
        let mut clock = Clock::new([TimeControl::Free; 2]);
        clock.start(Side::White, Duration::ZERO);
        assert_eq!(clock.left(Side::White, SECOND), None);
        assert_eq!(clock.runs_out(), None);
    }

    #[test]
    fn a_time_for_each_move_is_whole_again_on_the_next_turn() {
        let mut clock = clock("2s");
        clock.start(Side::White, Duration::ZERO);
        assert_eq!(clock.runs_out(), Some((Side::White, SECOND * 2)));
        clock.press(Side::White, SECOND, SECOND);
        assert_eq!(clock.left(Side::White, SECOND), Some(SECOND * 2));
    }

    #[test]
    fn the_time_comes_again_after_so_many_moves() {
        let mut clock = clock("2/1m");
        clock.start(Side::Black, Duration::ZERO);
        clock.press(Side::Black, SECOND * 30, SECOND * 30);
        assert_eq!(clock.left(Side::Black, SECOND * 30), Some(SECOND * 30));
        assert_eq!(clock.turns_to_go(Side::Black), Some(1));
        clock.press(Side::Black, SECOND * 10, SECOND * 40);
        assert_eq!(clock.left(Side::Black, SECOND * 40), Some(SECOND * 80));
    }
}
