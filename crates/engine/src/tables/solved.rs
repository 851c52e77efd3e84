//! The slices that are solved already, in memory, for those that lead into them.

use std::sync::Arc;

use kingme_rules::movegen::{self, MoveList};
use kingme_rules::{BitPosition, Bits, Ruleset, Side};

use super::ends::Ends;
use super::index::SliceIndex;
use super::packed::Packed;
use super::slice::{Force, Slice};
use super::verdict::Verdict;
use super::view::Geometry;

/// A slice with a verdict for every position.
#[derive(Clone)]
pub(super) struct SolvedSlice {
    pub index: Arc<SliceIndex>,
    pub verdicts: Arc<Packed>,
}

/// Solved slices by side and material.
pub(super) struct Solved {
    slices: [Vec<Option<SolvedSlice>>; 2],
}

impl Solved {
    pub fn new() -> Solved {
        Solved {
            slices: [(); 2].map(|()| vec![None; Slice::KEYS]),
        }
    }

    pub fn insert(&mut self, side: Side, slice: SolvedSlice) {
        let key = slice.index.slice.key();
        self.slices[side][key] = Some(slice);
    }

    /// Forgets the slices that are not wanted.
    pub fn retain(&mut self, wanted: impl Fn(Side, Slice) -> bool) {
        for side in Side::BOTH {
            for place in &mut self.slices[side] {
                let keep = place
                    .as_ref()
                    .is_some_and(|solved| wanted(side, solved.index.slice));
                if !keep {
                    *place = None;
                }
            }
        }
    }

    #[inline(always)]
    pub fn get(&self, side: Side, slice: Slice) -> Option<&SolvedSlice> {
        self.slices[side][slice.key()].as_ref()
    }

    /// Bytes of memory that the verdicts take.
    pub fn bytes(&self) -> usize {
        let all = self.slices.iter().flatten().flatten();
        all.map(|slice| slice.verdicts.as_bytes().len()).sum()
    }
}

/// A game with what is solved of it.
pub(super) struct Context<'a, R: Ruleset> {
    pub rules: R,
    pub geometry: &'a Geometry<R::Bits>,
    pub ends: &'a Ends,
    pub solved: &'a Solved,
}

/// What the moves of a position say, those apart that stay in its slice.
pub(super) struct Look {
    /// The best that a capture or a promotion leads to.
    pub best: Option<Verdict>,
    /// How many moves stay in the slice.
    pub quiet: usize,
    /// Whether there is no legal move.
    pub stuck: bool,
    /// Whether captures alone decide.
    pub captures: bool,
}

impl<R: Ruleset> Context<'_, R> {
    /// Looks at the moves of a position.
    #[inline(always)]
    pub fn look(&self, position: &BitPosition<R::Bits>, list: &mut MoveList<R::Bits>) -> Look {
        movegen::moves(self.rules, position, list);
        let mut best = None;
        let mut quiet = 0;
        for mv in list.iter() {
            if !mv.takes_off() && !mv.is_promotion() {
                quiet += 1;
            } else if best < Some(Verdict::Win) {
                best = best.max(Some(!self.verdict(&position.moved(self.rules, mv))));
            }
        }
        Look {
            best,
            quiet,
            stuck: list.is_empty(),
            captures: self.ends.obligatory
                && list.first().is_some_and(kingme_rules::BitMove::takes_off),
        }
    }

    /// The verdict of a position in which captures decide.
    #[inline(always)]
    pub fn by_captures(
        &self,
        position: &BitPosition<R::Bits>,
        list: &mut MoveList<R::Bits>,
    ) -> Option<Verdict> {
        if !movegen::captures(self.rules, position, list) {
            return None;
        }
        let lead_to = |mv| !self.verdict(&position.moved(self.rules, mv));
        list.iter().map(lead_to).max()
    }

    /// The verdict of a position in a solved slice, or of one in which a side has no pieces.
    ///
    /// # Panics
    ///
    /// If its slice is not solved yet: slices are solved in an order in which this can't be.
    #[inline(always)]
    pub fn verdict(&self, position: &BitPosition<R::Bits>) -> Verdict {
        let us = position.turn();
        let Pieces { men, kings, slice } = Pieces::of(self.rules, position);
        if slice.own.pieces() == 0 {
            return self.ends.stuck(slice);
        }
        let solved = self.solved.get(self.geometry.kept_under(us), slice);
        let solved = solved.expect("smaller slices are solved first");
        let view = &self.geometry.views[us];
        let place = solved.index.rank(&self.geometry.choose, view, men, kings);
        solved.verdicts.get(place)
    }
}

/// The pieces of a position, those of the side to move first.
pub(crate) struct Pieces<B> {
    pub men: [B; 2],
    pub kings: [B; 2],
    pub slice: Slice,
}

impl<B: Bits> Pieces<B> {
    #[inline(always)]
    pub fn of<R: Ruleset<Bits = B>>(rules: R, position: &BitPosition<B>) -> Pieces<B> {
        let (us, them) = (position.turn(), !position.turn());
        let men = [us, them].map(|side| position.pieces(rules, side, 0));
        let kings = [us, them].map(|side| position.pieces(rules, side, 1));
        let force = |place: usize| Force {
            men: men[place].count() as u8,
            kings: kings[place].count() as u8,
        };
        Pieces {
            men,
            kings,
            slice: Slice {
                own: force(0),
                their: force(1),
            },
        }
    }
}
