//! Moves that take nothing.

use super::MoveList;
use super::capture::Offers;
use super::step::{Mover, back, each_direction, each_kind, origin, step};
use crate::bit_position::{BitMove, BitPosition};
use crate::bits::Bits;
use crate::ruleset::Ruleset;
use crate::variant::Range;

/// Adds all quiet moves to the list.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn list<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    list: &mut MoveList<R::Bits>,
) {
    each_kind!(R::UNROLL, mover.kinds(), kind => {
        let pieces = able(mover, kind);
        if !pieces.is_empty() {
            match mover.kind(kind).range {
                Range::Step => steps(mover, kind, pieces, list),
                Range::Leap => leaps(mover, kind, pieces, list),
                Range::Slide => slides(mover, kind, pieces, list),
                Range::Anywhere => anywhere(mover, kind, pieces, list),
            }
        }
    });
}

/// Counts all quiet moves.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn count<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>) -> u64 {
    let mut total = 0;
    each_kind!(R::UNROLL, mover.kinds(), kind => {
        let pieces = able(mover, kind);
        if !pieces.is_empty() {
            let keys = mover.keys();
            match mover.kind(kind).range {
                Range::Step => each_direction!(R::UNROLL, mover.move_directions(kind), direction => {
                    total += (step(keys, pieces, direction) & mover.empty).count();
                }),
                Range::Leap => each_direction!(R::UNROLL, mover.move_directions(kind), direction => {
                    total += leap_targets(mover, pieces, direction).count();
                }),
                // One piece alone, since rays of several pieces may cross.
                Range::Slide => for from in pieces.members() {
                    total += slide_targets(mover, kind, R::Bits::bit(from)).count();
                },
                Range::Anywhere => total += pieces.count() * mover.empty.count(),
            }
        }
    });
    u64::from(total)
}

/// Whether all quiet moves are steps of men that change nothing but their squares.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn are_plain_steps<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>) -> bool {
    let man = mover.kind(0);
    let men = mover.men;
    if man.range != Range::Step || mover.own != men || !mover.position.has_no_runs() {
        return false;
    }
    let mut promotes = false;
    each_direction!(R::UNROLL, mover.move_directions(0), direction => {
        promotes |= step(mover.keys(), men, direction).meets(mover.promotion());
    });
    man.quiet_limit == 0 && (man.becomes == 0 || !promotes)
}

/// Something to do with positions. A closure would do, but for being inlined for sure.
pub(crate) trait Visitor<B> {
    fn visit(&mut self, position: &BitPosition<B>);
    /// Visits a position in which the side to move has nothing to capture.
    fn visit_calm(&mut self, position: &BitPosition<B>);
}

/// Visits the position after each plain step.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn visit_steps<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    visitor: &mut impl Visitor<R::Bits>,
) {
    let keys = mover.keys();
    let offers = if UP {
        Offers::new(&Mover::<R, false>::new(mover.rules, mover.position))
    } else {
        Offers::new(&Mover::<R, true>::new(mover.rules, mover.position))
    };
    // Where it can't be said, every step may offer something.
    let offers = offers.unwrap_or(Offers {
        left: R::Bits::EMPTY,
        entered: mover.empty,
    });
    // One loop for all directions: what the visitor does is a lot of code.
    let mut directions = mover.move_directions(0);
    while directions != 0 {
        let direction = directions.trailing_zeros() as usize;
        directions &= directions - 1;
        let targets = step(keys, mover.own, direction) & mover.empty;
        // Whoever stands before the man that has stepped up can jump to where it came from.
        let met = step(keys, mover.enemy, back(direction));
        let offered = targets & (offers.entered | step(keys, offers.left, direction) | met);
        visit_targets::<R, UP, true>(mover, direction, targets ^ offered, visitor);
        visit_targets::<R, UP, false>(mover, direction, offered, visitor);
    }
}

/// Visits the positions after steps in a direction to these squares. `CALM`: there is nothing to
/// capture in them.
#[cfg_attr(not(debug_assertions), inline(always))]
fn visit_targets<R: Ruleset, const UP: bool, const CALM: bool>(
    mover: &Mover<'_, R, UP>,
    direction: usize,
    mut targets: R::Bits,
    visitor: &mut impl Visitor<R::Bits>,
) {
    while !targets.is_empty() {
        let rest = targets.without_lowest();
        let to = targets ^ rest;
        let from = step(mover.keys(), to, back(direction));
        let position = mover.position.stepped(mover.us(), from | to);
        if CALM {
            visitor.visit_calm(&position);
        } else {
            visitor.visit(&position);
        }
        targets = rest;
    }
}

/// Whether there is a quiet move.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn any<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>) -> bool {
    let mut found = false;
    each_kind!(R::UNROLL, mover.kinds(), kind => {
        let pieces = able(mover, kind);
        let range = mover.kind(kind).range;
        if range == Range::Anywhere {
            found = found || !(pieces.is_empty() || mover.empty.is_empty());
        } else if !found && !pieces.is_empty() {
            each_direction!(R::UNROLL, mover.move_directions(kind), direction => {
                // A slide that leads anywhere leads to the next square.
                let targets = if range == Range::Leap {
                    leap_targets(mover, pieces, direction)
                } else {
                    step(mover.keys(), pieces, direction) & mover.empty
                };
                found = found || !targets.is_empty();
            });
        }
    });
    found
}

/// The pieces of a kind that may make a quiet move.
#[cfg_attr(not(debug_assertions), inline(always))]
fn able<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>, kind: u8) -> R::Bits {
    let pieces = mover.pieces(kind);
    if mover.kind(kind).quiet_limit > 0 {
        pieces & !mover.position.exhausted(mover.rules, mover.us())
    } else {
        pieces
    }
}

/// Where a kind is promoted, and to what.
#[cfg_attr(not(debug_assertions), inline(always))]
fn promotion<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>, kind: u8) -> (R::Bits, u8) {
    let new = mover.kind(kind).becomes;
    if new == kind {
        (R::Bits::EMPTY, kind)
    } else {
        (mover.promotion(), new)
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn push<B: Bits>(
    list: &mut MoveList<B>,
    kind: u8,
    (squares, new): (B, u8),
    from: usize,
    to: usize,
) {
    list.push(BitMove {
        captured: B::EMPTY,
        from: from as u16,
        to: to as u16,
        kind,
        becomes: if squares.has(to) { new } else { kind },
    });
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn steps<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    kind: u8,
    pieces: R::Bits,
    list: &mut MoveList<R::Bits>,
) {
    let promotion = promotion(mover, kind);
    let keys = mover.keys();
    each_direction!(R::UNROLL, mover.move_directions(kind), direction => {
        let targets = step(keys, pieces, direction) & mover.empty;
        for to in targets.members() {
            push(list, kind, promotion, origin(keys, to, direction, 1), to);
        }
    });
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn leap_targets<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    pieces: R::Bits,
    direction: usize,
) -> R::Bits {
    let over = step(mover.keys(), pieces, direction) & mover.own;
    step(mover.keys(), over, direction) & mover.empty
}

fn leaps<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    kind: u8,
    pieces: R::Bits,
    list: &mut MoveList<R::Bits>,
) {
    let promotion = promotion(mover, kind);
    each_direction!(R::UNROLL, mover.move_directions(kind), direction => {
        for to in leap_targets(mover, pieces, direction).members() {
            push(list, kind, promotion, origin(mover.keys(), to, direction, 2), to);
        }
    });
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn slide_targets<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    kind: u8,
    piece: R::Bits,
) -> R::Bits {
    let mut targets = R::Bits::EMPTY;
    each_direction!(R::UNROLL, mover.move_directions(kind), direction => {
        let mut at = step(mover.keys(), piece, direction) & mover.empty;
        while !at.is_empty() {
            targets = targets | at;
            at = step(mover.keys(), at, direction) & mover.empty;
        }
    });
    targets
}

fn slides<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    kind: u8,
    pieces: R::Bits,
    list: &mut MoveList<R::Bits>,
) {
    let promotion = promotion(mover, kind);
    for from in pieces.members() {
        for to in slide_targets(mover, kind, R::Bits::bit(from)).members() {
            push(list, kind, promotion, from, to);
        }
    }
}

fn anywhere<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    kind: u8,
    pieces: R::Bits,
    list: &mut MoveList<R::Bits>,
) {
    let promotion = promotion(mover, kind);
    for from in pieces.members() {
        for to in mover.empty.members() {
            push(list, kind, promotion, from, to);
        }
    }
}
