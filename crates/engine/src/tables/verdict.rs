//! What a table says of a position.

use std::fmt;
use std::ops::Not;

/// Who wins with best play, as the side to move sees it. Ordered: more is better.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The side to move loses.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

/// A verdict and how far off its next step is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Who wins.
    pub verdict: Verdict,
    /// Plies to the next capture or promotion, or to the end of the game, when the winner hurries
    /// and the loser delays. `None` for a draw, or where the table has no distances.
    pub distance: Option<u8>,
}

impl Verdict {
    /// All of them, by the number that stands for each in a table.
    const CODES: [Verdict; 3] = [Verdict::Draw, Verdict::Win, Verdict::Loss];

    /// The number that stands for the verdict in a table.
    #[inline(always)]
    pub(super) const fn code(self) -> u8 {
        match self {
            Verdict::Draw => 0,
            Verdict::Win => 1,
            Verdict::Loss => 2,
        }
    }

    /// The verdict of a number, if it is one.
    #[inline(always)]
    pub(super) fn of_code(code: u8) -> Option<Verdict> {
        Verdict::CODES.get(usize::from(code)).copied()
    }
}

impl Not for Verdict {
    type Output = Verdict;

    /// The same for the other side.
    #[inline(always)]
    fn not(self) -> Verdict {
        match self {
            Verdict::Loss => Verdict::Win,
            Verdict::Draw => Verdict::Draw,
            Verdict::Win => Verdict::Loss,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Loss => "loss",
            Verdict::Draw => "draw",
            Verdict::Win => "win",
        })
    }
}
