//! Scores and depths, as types of their own.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

/// How good a position is for the side to move. [`Score::LOGIT`] points are one unit of log-odds;
/// a man is worth about a hundred.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// Neither side is better.
    pub const DRAW: Score = Score(0);
    /// Points to one unit of log-odds of winning.
    pub const LOGIT: i32 = 128;
    /// Greater than any score.
    pub const INFINITE: Score = Score(32_000);
    /// A win on the spot; one that takes longer is worth one point less a ply.
    const WIN: i32 = 30_000;
    /// The longest win that a search can see, in plies.
    const LONGEST_WIN: i32 = 1_000;
    /// No evaluation is greater.
    const MAX_EVALUATION: i32 = Score::WIN - 2 * Score::LONGEST_WIN;

    /// An evaluation of so many points, kept below every proven win.
    pub fn points(points: i32) -> Score {
        Score(points.clamp(-Score::MAX_EVALUATION, Score::MAX_EVALUATION))
    }

    /// A win after so many plies from the root.
    pub fn win_in(plies: usize) -> Score {
        Score(Score::WIN - (plies as i32).min(Score::LONGEST_WIN))
    }

    /// A loss after so many plies from the root.
    pub fn loss_in(plies: usize) -> Score {
        -Score::win_in(plies)
    }

    /// A win that the endgame tables know, reached after so many plies from the root: better than
    /// every evaluation, less than every win that is seen to its end.
    pub(crate) fn known_win_in(plies: usize) -> Score {
        Score(Score::WIN - Score::LONGEST_WIN - 1 - (plies as i32).min(Score::LONGEST_WIN - 2))
    }

    /// Whether the endgame tables know the score to be a win (positive) or a loss.
    pub fn is_known(self) -> bool {
        !self.is_decided() && self.0.abs() > Score::MAX_EVALUATION
    }

    /// In points.
    pub fn value(self) -> i32 {
        self.0
    }

    /// Plies to the end of the game if the score is a proven win (positive) or loss (negative).
    pub fn plies_to_end(self) -> Option<i32> {
        let plies = Score::WIN - self.0.abs();
        self.is_decided().then_some(plies * self.0.signum())
    }

    /// Whether the score is a proven win or loss.
    pub fn is_decided(self) -> bool {
        self.0.abs() >= Score::WIN - Score::LONGEST_WIN
    }

    /// The score as seen from a node `plies` below the root: wins count from there.
    pub(crate) fn seen_from_node(self, plies: usize) -> Score {
        self.shifted(plies as i32)
    }

    /// The reverse of [`Score::seen_from_node`].
    pub(crate) fn seen_from_root(self, plies: usize) -> Score {
        self.shifted(-(plies as i32))
    }

    fn shifted(self, plies: i32) -> Score {
        if self.is_decided() || self.is_known() {
            Score(self.0 + plies * self.0.signum())
        } else {
            self
        }
    }

    /// From the sixteen bits of a table's entry.
    pub(crate) fn from_bits(bits: u16) -> Score {
        Score(i32::from(bits as i16))
    }

    /// As sixteen bits.
    pub(crate) fn to_bits(self) -> u16 {
        self.0 as i16 as u16
    }

    /// The probability of winning, with draws as halves.
    pub fn expectation(self) -> f64 {
        1.0 / (1.0 + (-f64::from(self.0) / f64::from(Score::LOGIT)).exp())
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    fn add(self, points: i32) -> Score {
        Score(self.0 + points)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    fn sub(self, points: i32) -> Score {
        Score(self.0 - points)
    }
}

impl fmt::Display for Score {
    /// In hundredths of a man with a sign, or `win in N` and `loss in N` plies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_end() {
            Some(plies) if plies >= 0 && self.0 > 0 => write!(f, "win in {plies}"),
            Some(plies) => write!(f, "loss in {}", -plies),
            None if self.is_known() => f.write_str(if self.0 > 0 {
                "known win"
            } else {
                "known loss"
            }),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

/// A number of plies to search.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Depth(pub i32);

impl Depth {
    /// Nothing left to search.
    pub const ZERO: Depth = Depth(0);
    /// The deepest that a search goes.
    pub const MAX: Depth = Depth(99);
}

impl Add<i32> for Depth {
    type Output = Depth;
    fn add(self, plies: i32) -> Depth {
        Depth(self.0 + plies)
    }
}

impl Sub<i32> for Depth {
    type Output = Depth;
    fn sub(self, plies: i32) -> Depth {
        Depth(self.0 - plies)
    }
}

impl AddAssign<i32> for Depth {
    fn add_assign(&mut self, plies: i32) {
        self.0 += plies;
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_counted_from_where_one_looks() {
        let win = Score::win_in(7);
        assert_eq!(win.seen_from_node(3), Score::win_in(4));
        assert_eq!(win.seen_from_node(3).seen_from_root(3), win);
        assert_eq!((-win).plies_to_end(), Some(-7));
        assert_eq!(Score::points(50).seen_from_node(3), Score::points(50));
    }

    #[test]
    fn known_wins_are_counted_likewise() {
        let win = Score::known_win_in(7);
        assert_eq!(win.seen_from_node(7), Score::known_win_in(0));
        assert_eq!((-win).seen_from_node(3), -Score::known_win_in(4));
        assert_eq!(
            win.seen_from_node(3).seen_from_root(240),
            Score::known_win_in(244)
        );
        assert!(Score::known_win_in(500).is_known());
    }

    #[test]
    fn no_evaluation_looks_like_a_win() {
        assert!(!Score::points(1_000_000).is_decided());
        assert!(Score::points(1_000_000) < Score::win_in(900));
    }

    #[test]
    fn sixteen_bits_are_enough() {
        for score in [Score::win_in(0), Score::loss_in(99), Score::points(-77)] {
            assert_eq!(Score::from_bits(score.to_bits()), score);
        }
    }

    #[test]
    fn scores_read_well() {
        assert_eq!(Score::points(-31).to_string(), "-0.31");
        assert_eq!(Score::win_in(5).to_string(), "win in 5");
        assert_eq!(Score::loss_in(0).to_string(), "loss in 0");
        assert_eq!((-Score::known_win_in(9)).to_string(), "known loss");
    }
}
