//! Counting the positions of a game tree, to prove and to measure the generator.

use crate::bit_position::BitPosition;
use crate::movegen::{self, MoveList};
use crate::ruleset::Ruleset;

/// The number of ways to play `depth` plies; the last ply is counted, not played.
pub(crate) fn perft<R: Ruleset>(rules: R, position: &BitPosition<R::Bits>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut lists: Vec<MoveList<R::Bits>> = (0..depth).map(|_| MoveList::new()).collect();
    below(rules, position, &mut lists)
}

fn below<R: Ruleset>(
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
    movegen::moves(rules, position, list);
    let children = list.iter().map(|mv| position.moved_counting(rules, mv));
    if let [last] = deeper {
        return children
            .map(|child| movegen::count(rules, &child, last))
            .sum();
    }
    children.map(|child| below(rules, &child, deeper)).sum()
}
