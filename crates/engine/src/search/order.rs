//! Which moves to try first.

use kingme_rules::movegen::MoveList;
use kingme_rules::{BitMove, Bits, Side};

/// A number that tells the moves of a position apart, in all likelihood. Never 0.
#[inline(always)]
pub(crate) fn signature<B: Bits>(mv: &BitMove<B>) -> u16 {
    let ends = u32::from(mv.from) * 769 + u32::from(mv.to) + 1;
    let mut mixed = ends.wrapping_mul(0x9e37_79b1);
    for bit in mv.captured.members() {
        mixed ^= (bit as u32 + 1)
            .wrapping_mul(0x85eb_ca6b)
            .rotate_left(bit as u32 % 13);
    }
    (mixed >> 16) as u16 | 1
}

/// The moves of a node, best first.
pub(super) struct Picker<B> {
    pub list: MoveList<B>,
    ranks: Vec<i32>,
}

impl<B: Bits> Default for Picker<B> {
    fn default() -> Self {
        Picker {
            list: MoveList::new(),
            ranks: Vec::with_capacity(64),
        }
    }
}

impl<B: Bits> Picker<B> {
    /// Gives every move its rank.
    #[inline(always)]
    pub fn rank(&mut self, rank: impl Fn(&BitMove<B>) -> i32) {
        self.ranks.clear();
        self.ranks.extend(self.list.iter().map(rank));
    }

    /// Brings a move to the front, if it is there; the others have no ranks yet.
    #[inline(always)]
    pub fn bring_forward(&mut self, wanted: u16) -> bool {
        let found = self.list.iter().position(|mv| signature(mv) == wanted);
        if let Some(place) = found {
            self.list.swap(0, place);
        }
        found.is_some()
    }

    /// The best move from `index` on, brought to `index`.
    #[inline(always)]
    pub fn pick(&mut self, index: usize) -> BitMove<B> {
        // Rank and place in one number, the first of equals the highest: its maximum is found
        // without a jump for each move, which no processor could foresee.
        let ranks = self.ranks.iter().enumerate().skip(index);
        let places = ranks.map(|(place, &rank)| i64::from(rank) << 32 | i64::from(!(place as u32)));
        let best = places.fold(i64::MIN, i64::max);
        let best = !(best as u32) as usize;
        self.ranks.swap(index, best);
        self.list.swap(index, best);
        self.list[index]
    }
}

const HISTORY_LIMIT: i32 = 1 << 14;

/// How well moves have done in this search, wherever they were made.
pub(super) struct History {
    squares: usize,
    /// By side, from and to.
    worth: Vec<i16>,
    /// The move that refuted a move, by its mover, from and to.
    replies: Vec<u16>,
}

impl History {
    /// For a board whose highest bit is `squares - 1`.
    pub fn new(squares: usize) -> History {
        History {
            squares,
            worth: vec![0; 2 * squares * squares],
            replies: vec![0; 2 * squares * squares],
        }
    }

    pub fn clear(&mut self) {
        self.worth.fill(0);
        self.replies.fill(0);
    }

    #[inline(always)]
    fn index<B: Bits>(&self, side: Side, mv: &BitMove<B>) -> usize {
        (side as usize * self.squares + usize::from(mv.from)) * self.squares + usize::from(mv.to)
    }

    #[inline(always)]
    pub fn worth<B: Bits>(&self, side: Side, mv: &BitMove<B>) -> i32 {
        self.worth[self.index(side, mv)].into()
    }

    /// A move was good (positive) or not; large numbers saturate.
    #[inline(always)]
    pub fn learn<B: Bits>(&mut self, side: Side, mv: &BitMove<B>, bonus: i32) {
        let index = self.index(side, mv);
        let old = i32::from(self.worth[index]);
        self.worth[index] = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    /// The known refutation of the other side's last move.
    #[inline(always)]
    pub fn reply<B: Bits>(&self, mover: Side, last: Option<&BitMove<B>>) -> u16 {
        last.map_or(0, |last| self.replies[self.index(mover, last)])
    }

    #[inline(always)]
    pub fn learn_reply<B: Bits>(&mut self, mover: Side, last: Option<&BitMove<B>>, reply: u16) {
        if let Some(last) = last {
            let index = self.index(mover, last);
            self.replies[index] = reply;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(from: u16, to: u16, captured: u64) -> BitMove<u64> {
        BitMove {
            captured,
            from,
            to,
            kind: 0,
            becomes: 0,
        }
    }

    #[test]
    fn quiet_moves_have_signatures_of_their_own() {
        let mut seen = std::collections::HashSet::<u16>::new();
        let steps = (0..64_u16).flat_map(|from| [1, 5, 6, 7].map(|step| mv(from, from + step, 0)));
        let signatures: Vec<u16> = steps.map(|mv| signature(&mv)).collect();
        seen.extend(&signatures);
        assert!(seen.len() + 3 >= signatures.len());
        assert_ne!(signature(&mv(3, 9, 1)), signature(&mv(3, 9, 2)));
    }

    #[test]
    fn moves_come_best_first() {
        let mut picker = Picker::<u64>::default();
        for to in [1, 2, 3, 4] {
            picker.list.push(mv(0, to, 0));
        }
        picker.rank(|mv| match mv.to {
            3 => 9,
            4 => -5,
            _ => 0,
        });
        let order = [0, 1, 2, 3].map(|index| picker.pick(index).to);
        assert_eq!(order, [3, 2, 1, 4], "3 and 1 have changed places");
        assert!(picker.bring_forward(signature(&mv(0, 4, 0))));
        assert_eq!(picker.list[0].to, 4);
        assert!(!picker.bring_forward(signature(&mv(0, 5, 0))));
    }

    #[test]
    fn history_stays_within_its_limit() {
        let mut history = History::new(64);
        for _ in 0..1_000 {
            history.learn(Side::White, &mv(1, 2, 0), 2_000);
        }
        assert!(history.worth(Side::White, &mv(1, 2, 0)) <= HISTORY_LIMIT);
        assert!(history.worth(Side::White, &mv(1, 2, 0)) > HISTORY_LIMIT / 2);
        assert_eq!(history.worth(Side::Black, &mv(1, 2, 0)), 0);
    }
}
