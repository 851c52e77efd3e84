//! Counting the positions of a game tree, to prove and to measure the generator.

use crate::bit_position::BitPosition;
use crate::movegen::{self, MoveList, side_up};
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

/// `UP`: the side to move moves toward the lower bits; a constant, so that a position is made,
/// counted and forgotten without ever being written to memory.
fn below<R: Ruleset, const UP: bool>(
    rules: R,
    position: &BitPosition<R::Bits>,
    lists: &mut [MoveList<R::Bits>],
) -> u64 {
    let Some((list, deeper)) = lists.split_first_mut() else {
        return 1;
    };
    if deeper.is_empty() {
        return movegen::count(rules, position, list);
    }
    let us = side_up(rules, UP);
    let mut total = 0;
    if let [last] = deeper {
        let visit = |child: &_| total += count_after::<R, UP>(rules, child, last);
        if movegen::after_steps::<R, UP>(rules, position, visit) {
            return total;
        }
        movegen::moves(rules, position, list);
        for mv in list.iter() {
            let child = position.moved_counting(rules, us, mv);
            total += count_after::<R, UP>(rules, &child, last);
        }
    } else {
        movegen::moves(rules, position, list);
        for mv in list.iter() {
            let child = position.moved_counting(rules, us, mv);
            total += below_after::<R, UP>(rules, &child, deeper);
        }
    }
    total
}

/// Goes on with the side that answers.
#[inline(always)]
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

/// Counts the moves of the side that answers.
#[inline(always)]
fn count_after<R: Ruleset, const UP: bool>(
    rules: R,
    child: &BitPosition<R::Bits>,
    list: &mut MoveList<R::Bits>,
) -> u64 {
    if UP {
        movegen::count_of::<R, false>(rules, child, list)
    } else {
        movegen::count_of::<R, true>(rules, child, list)
    }
}
