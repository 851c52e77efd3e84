//! Counting the positions of a game tree, to prove and to measure the generator.

use crate::bit_position::BitPosition;
use crate::bits::Bits;
use crate::movegen::{self, MoveList, Visitor, for_processor, side_up};
use crate::ruleset::Ruleset;

/// The number of ways to play `depth` plies; the last ply is counted, not played.
pub(crate) fn perft<R: Ruleset>(rules: R, position: &BitPosition<R::Bits>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut lists: Vec<MoveList<R::Bits>> = (0..depth).map(|_| MoveList::new()).collect();
    if position.turn() == side_up(rules, true) {
        below::<R, true>(rules, position, &mut lists)
    } else {
        below::<R, false>(rules, position, &mut lists)
    }
}

/// `UP`: the side to move moves toward the lower bits. Inlined where positions are played, so that
/// the last two plies, which most positions are, cost one call only.
#[cfg_attr(not(debug_assertions), inline(always))]
fn below<R: Ruleset, const UP: bool>(
    rules: R,
    position: &BitPosition<R::Bits>,
    lists: &mut [MoveList<R::Bits>],
) -> u64 {
    match lists {
        [] => 1,
        // Not for the widest boards, for which that much code is not worth compiling.
        [first, last] if const { cfg!(feature = "fast") && R::Bits::WIDTH <= 128 } => {
            last_two::<R, UP>(rules, position, first, last)
        }
        [list, deeper @ ..] => played::<R, UP>(rules, position, list, deeper),
    }
}

/// Plays the moves of a ply, if there are more plies to come.
#[inline(never)]
fn played<R: Ruleset, const UP: bool>(
    rules: R,
    position: &BitPosition<R::Bits>,
    list: &mut MoveList<R::Bits>,
    deeper: &mut [MoveList<R::Bits>],
) -> u64 {
    movegen::moves(rules, position, list);
    if deeper.is_empty() {
        return list.len() as u64;
    }
    let mut total = 0;
    for mv in list.iter() {
        let child = position.moved_counting(rules, side_up(rules, UP), mv);
        total += below_after::<R, UP>(rules, &child, deeper);
    }
    total
}

for_processor! {
    /// The last two plies: who moves is a constant, so that a position is made, counted and
    /// forgotten without ever being written to memory.
    fn last_two<R, UP>(
        rules: R,
        position: &BitPosition<R::Bits>,
        list: &mut MoveList<R::Bits>,
        last: &mut MoveList<R::Bits>,
    ) -> u64 {
        let mut answers = Answers::<R, UP> {
            rules,
            list: last,
            total: 0,
        };
        if !movegen::visit_steps::<R, UP>(rules, position, &mut answers) {
            movegen::moves(rules, position, list);
            for mv in list.iter() {
                answers.visit(&position.moved_counting(rules, side_up(rules, UP), mv));
            }
        }
        answers.total
    }
}

/// Counts the moves of the side that answers.
struct Answers<'l, R: Ruleset, const UP: bool> {
    rules: R,
    list: &'l mut MoveList<R::Bits>,
    total: u64,
}

impl<R: Ruleset, const UP: bool> Visitor<R::Bits> for Answers<'_, R, UP> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit(&mut self, position: &BitPosition<R::Bits>) {
        self.total += if UP {
            movegen::count_inlined::<R, false>(self.rules, position, self.list)
        } else {
            movegen::count_inlined::<R, true>(self.rules, position, self.list)
        };
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_calm(&mut self, position: &BitPosition<R::Bits>) {
        self.total += if UP {
            movegen::count_calm::<R, false>(self.rules, position)
        } else {
            movegen::count_calm::<R, true>(self.rules, position)
        };
    }
}

/// Goes on with the side that answers.
#[cfg_attr(not(debug_assertions), inline(always))]
fn below_after<R: Ruleset, const UP: bool>(
    rules: R,
    child: &BitPosition<R::Bits>,
    lists: &mut [MoveList<R::Bits>],
) -> u64 {
    if UP {
        below::<R, false>(rules, child, lists)
    } else {
        below::<R, true>(rules, child, lists)
    }
}
