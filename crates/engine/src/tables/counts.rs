//! How many positions are won, lost and drawn.

use std::fmt;
use std::ops::AddAssign;

use super::verdict::Verdict;

/// Numbers of positions by verdict for the side to move.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The side to move wins.
    pub wins: u64,
    /// It loses.
    pub losses: u64,
    /// Neither wins.
    pub draws: u64,
}

impl Counts {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Counts one more.
    pub(super) fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Win => self.wins += 1,
            Verdict::Loss => self.losses += 1,
            Verdict::Draw => self.draws += 1,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.wins, self.losses, self.draws)
    }
}
