//! What a move costs that takes nothing though something could be taken.

use super::MoveList;
use crate::bits::Bits;

/// Huffs a piece for each move of a list after its captures: the one that moves if it could
/// capture, or else the first that could.
#[inline(never)]
pub(super) fn huff<B: Bits>(list: &mut MoveList<B>, captures: usize) {
    let (captures, quiets) = list.moves.split_at_mut(captures);
    let able = captures
        .iter()
        .fold(B::EMPTY, |able, mv| able | B::bit(mv.from.into()));
    if able.is_empty() {
        return;
    }
    let first = B::bit(able.lowest());
    for mv in quiets {
        if able.has(mv.from.into()) {
            mv.captured = B::bit(mv.from.into());
            mv.becomes = mv.kind;
        } else {
            mv.captured = first;
        }
    }
}
