//! Slices: all positions with the same numbers of men and kings, as the side to move sees them.

use std::fmt;

/// The most pieces that a table can have.
pub const MOST_PIECES: usize = 8;

/// Men and kings of one side.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Force {
    /// How many men.
    pub men: u8,
    /// How many kings.
    pub kings: u8,
}

/// All positions in which the side to move and the other have these pieces.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slice {
    /// The pieces of the side to move.
    pub own: Force,
    /// The pieces of the other side.
    pub their: Force,
}

impl Force {
    /// How many pieces.
    pub fn pieces(self) -> usize {
        usize::from(self.men) + usize::from(self.kings)
    }

    /// Every way to have so many pieces, fewest men first.
    fn all(pieces: usize, with_kings: bool) -> impl Iterator<Item = Force> {
        let fewest = if with_kings { 0 } else { pieces };
        (fewest..=pieces).map(move |men| Force {
            men: men as u8,
            kings: (pieces - men) as u8,
        })
    }
}

impl Slice {
    /// Every slice of so many pieces in which both sides have some, in an order in which each
    /// needs only itself, its mirror and those before it: a promotion leaves fewer men.
    pub fn of_pieces(pieces: usize, with_kings: bool) -> Vec<Slice> {
        let mut slices: Vec<Slice> = (1..pieces)
            .flat_map(|own| Force::all(own, with_kings).map(move |force| (own, force)))
            .flat_map(|(own, force)| {
                let theirs = Force::all(pieces - own, with_kings);
                theirs.map(move |their| Slice { own: force, their })
            })
            .collect();
        slices.sort_by_key(|slice| (slice.own.men + slice.their.men, *slice));
        slices
    }

    /// How many pieces there are.
    pub fn pieces(self) -> usize {
        self.own.pieces() + self.their.pieces()
    }

    /// The same pieces with the other side to move.
    #[must_use]
    pub fn mirror(self) -> Slice {
        Slice {
            own: self.their,
            their: self.own,
        }
    }

    /// A number below [`Slice::KEYS`] that no other slice of at most [`MOST_PIECES`] has.
    #[inline(always)]
    pub(super) fn key(self) -> usize {
        const BASE: usize = MOST_PIECES + 1;
        let number = |force: Force| usize::from(force.men) * BASE + usize::from(force.kings);
        number(self.own) * BASE * BASE + number(self.their)
    }

    pub(super) const KEYS: usize = (MOST_PIECES + 1).pow(4);
}

impl fmt::Display for Force {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}m{}k", self.men, self.kings)
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.own, self.their)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotions_come_first() {
        let names: Vec<String> = Slice::of_pieces(2, true)
            .iter()
            .map(Slice::to_string)
            .collect();
        assert_eq!(names, ["0m1k-0m1k", "0m1k-1m0k", "1m0k-0m1k", "1m0k-1m0k"]);
        assert_eq!(Slice::of_pieces(2, false).len(), 1);
        assert_eq!(Slice::of_pieces(6, true).len(), 70);
    }

    #[test]
    fn keys_differ() {
        let slices: Vec<Slice> = (2..=MOST_PIECES)
            .flat_map(|pieces| Slice::of_pieces(pieces, true))
            .collect();
        let keys: std::collections::HashSet<usize> = slices.iter().map(|s| s.key()).collect();
        assert_eq!(keys.len(), slices.len());
        assert!(keys.iter().all(|&key| key < Slice::KEYS));
    }
}
