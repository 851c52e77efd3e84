//! Legal moves of every game, in bits.
//!
//! [`moves`] lists them, [`captures`] and [`quiets`] list a part, [`count`] only counts,
//! [`can_move`], [`can_capture`] and [`can_move_quietly`] only look. All are generic over the rules
//! and inlined into what the rules make of them; none allocates once its list has grown.
//!
//! Inlined without fail only where speed counts: in development builds that would make gigabytes
//! of debug information, and most of the time that such a build takes.

mod avx2;
mod back;
mod capture;
mod chain;
mod hops;
mod huff;
mod lanes;
mod memo;
mod path;
mod quiet;
mod step;
#[cfg(all(target_arch = "x86_64", feature = "fast"))]
mod vectors;

#[cfg(all(target_arch = "x86_64", feature = "fast"))]
pub(crate) use avx2::Avx2;
pub(crate) use avx2::for_processor;
pub use back::unquiets;
pub(crate) use lanes::{Lanes, Plain};
pub use path::{Hop, path};
#[cfg(all(target_arch = "x86_64", feature = "fast"))]
pub(crate) use vectors::Vectors;

use crate::bit_position::{BitMove, BitPosition};
use crate::bits::Bits;
use crate::keys::Keys;
use crate::ruleset::Ruleset;
pub(crate) use quiet::Visitor;
use step::Mover;
pub(crate) use step::side_up;

/// A list of moves that is filled again and again.
#[derive(Clone, Debug)]
pub struct MoveList<B> {
    moves: Vec<BitMove<B>>,
    /// What is known of captures that were hard to find: of hardly any list.
    hard: Option<Box<Hard<B>>>,
}

/// Captures of which there are so many that they were searched for with a memory.
#[derive(Clone, Debug)]
struct Hard<B> {
    /// Whether there were still too many.
    too_many: bool,
    ways: memo::Ways<B>,
}

impl<B> Default for MoveList<B> {
    fn default() -> Self {
        MoveList {
            // Enough for most positions, and little enough to be had at once.
            moves: Vec::with_capacity(32),
            hard: None,
        }
    }
}

impl<B: Bits> MoveList<B> {
    /// An empty list.
    pub fn new() -> MoveList<B> {
        MoveList::default()
    }

    /// Whether the captures were too many to list, so that some are missing.
    pub fn too_many(&self) -> bool {
        self.hard.as_ref().is_some_and(|hard| hard.too_many)
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.moves.clear();
        if self.hard.is_some() {
            self.forget_hard();
        }
    }

    // Not where lists are cleared: dropping it is much code.
    #[cold]
    #[inline(never)]
    fn forget_hard(&mut self) {
        self.hard = None;
    }

    /// The hops of a move of this list, in the position that it was filled for.
    pub fn path<R: Ruleset<Bits = B>>(
        &self,
        rules: R,
        position: &BitPosition<B>,
        mv: &BitMove<B>,
    ) -> Vec<path::Hop> {
        let known = self.hard.as_ref().and_then(|hard| hard.ways.get(mv));
        known.map_or_else(|| path(rules, position, mv), Clone::clone)
    }
}

impl<B> std::ops::Deref for MoveList<B> {
    type Target = Vec<BitMove<B>>;
    fn deref(&self) -> &Vec<BitMove<B>> {
        &self.moves
    }
}

impl<B> std::ops::DerefMut for MoveList<B> {
    fn deref_mut(&mut self) -> &mut Vec<BitMove<B>> {
        &mut self.moves
    }
}

/// Fills the list with all legal moves. Captures with the same start, end, victims and promotion
/// are one move.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn moves<R: Ruleset>(rules: R, position: &BitPosition<R::Bits>, list: &mut MoveList<R::Bits>) {
    list.clear();
    if is_over(rules, position) {
        return;
    }
    if is_up(rules.keys(), position) {
        moves_of::<R, true>(rules, position, list);
    } else {
        moves_of::<R, false>(rules, position, list);
    }
}

/// Fills the list with the legal captures; returns whether there are any.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn captures<R: Ruleset>(
    rules: R,
    position: &BitPosition<R::Bits>,
    list: &mut MoveList<R::Bits>,
) -> bool {
    list.clear();
    if is_over(rules, position) {
        return false;
    }
    if is_up(rules.keys(), position) {
        captures_of::<R, true>(rules, position, list);
    } else {
        captures_of::<R, false>(rules, position, list);
    }
    !list.is_empty()
}

/// Fills the list with the moves that take nothing, whether or not a capture is compulsory. What
/// may be huffed for them is not looked at.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn quiets<R: Ruleset>(rules: R, position: &BitPosition<R::Bits>, list: &mut MoveList<R::Bits>) {
    list.clear();
    if is_over(rules, position) {
        return;
    }
    if is_up(rules.keys(), position) {
        quiets_of::<R, true>(rules, position, list);
    } else {
        quiets_of::<R, false>(rules, position, list);
    }
}

/// Counts the legal moves; `list` is room to work in.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn count<R: Ruleset>(
    rules: R,
    position: &BitPosition<R::Bits>,
    list: &mut MoveList<R::Bits>,
) -> u64 {
    if is_up(rules.keys(), position) {
        count_of::<R, true>(rules, position, list)
    } else {
        count_of::<R, false>(rules, position, list)
    }
}

/// Whether the side to move can capture.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn can_capture<R: Ruleset>(rules: R, position: &BitPosition<R::Bits>) -> bool {
    if is_over(rules, position) {
        return false;
    }
    if is_up(rules.keys(), position) {
        any_of::<R, true>(rules, position)
    } else {
        any_of::<R, false>(rules, position)
    }
}

/// Whether the side to move has a legal move.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn can_move<R: Ruleset>(rules: R, position: &BitPosition<R::Bits>) -> bool {
    can_capture(rules, position) || can_move_quietly(rules, position)
}

/// Whether the side to move has a move that takes nothing, whether or not a capture is compulsory.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn can_move_quietly<R: Ruleset>(rules: R, position: &BitPosition<R::Bits>) -> bool {
    if is_over(rules, position) {
        return false;
    }
    if is_up(rules.keys(), position) {
        any_quiet_of::<R, true>(rules, position)
    } else {
        any_quiet_of::<R, false>(rules, position)
    }
}

// The parts of the generator are inlined into these few functions, and these into nothing, so that
// there is one copy of them for each game and side.
for_processor! {
    fn moves_of<R, UP>(rules: R, position: &BitPosition<R::Bits>, list: &mut MoveList<R::Bits>) {
        let mover = Mover::<R, UP>::new(rules, position);
        if const { cfg!(feature = "fast") && R::Bits::WIDTH <= 128 } {
            capture::list(&mover, list);
        } else {
            // Not a second copy where it would only be large.
            captures_of::<R, UP>(rules, position, list);
        }
        if list.is_empty() || !mover.keys().obligatory() {
            let captures = list.len();
            quiet::list(&mover, list);
            if mover.keys().huffs() {
                huff::huff(list, captures);
            }
        }
    }
}

for_processor! {
    fn captures_of<R, UP>(rules: R, position: &BitPosition<R::Bits>, list: &mut MoveList<R::Bits>) {
        capture::list(&Mover::<R, UP>::new(rules, position), list);
    }
}

#[inline(never)]
fn quiets_of<R: Ruleset, const UP: bool>(
    rules: R,
    position: &BitPosition<R::Bits>,
    list: &mut MoveList<R::Bits>,
) {
    quiet::list(&Mover::<R, UP>::new(rules, position), list);
}

for_processor! {
    fn count_of<R, UP>(rules: R, position: &BitPosition<R::Bits>, list: &mut MoveList<R::Bits>) -> u64 {
        count_inlined::<R, UP>(rules, position, list)
    }
}

/// As [`count`], where it is known who is to move, inlined: for perft, which does little else.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn count_inlined<R: Ruleset, const UP: bool>(
    rules: R,
    position: &BitPosition<R::Bits>,
    list: &mut MoveList<R::Bits>,
) -> u64 {
    if is_over(rules, position) {
        return 0;
    }
    let mover = Mover::<R, UP>::new(rules, position);
    let captures = if const { R::Bits::WIDTH <= 128 } {
        capture::count(&mover, list)
    } else {
        // Not another copy for the widest boards.
        list.clear();
        captures_of::<R, UP>(rules, position, list);
        list.len() as u64
    };
    if captures == 0 {
        quiet::count(&mover)
    } else if mover.keys().obligatory() {
        captures
    } else {
        captures + quiet::count(&mover)
    }
}

/// As [`count_inlined`], where it is known that there is nothing to capture.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn count_calm<R: Ruleset, const UP: bool>(
    rules: R,
    position: &BitPosition<R::Bits>,
) -> u64 {
    quiet::count(&Mover::<R, UP>::new(rules, position))
}

/// If all legal moves are steps of men that change nothing else, visits the position after each,
/// without its hash, and returns `true`: no list is needed.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn visit_steps<R: Ruleset, const UP: bool>(
    rules: R,
    position: &BitPosition<R::Bits>,
    visitor: &mut impl Visitor<R::Bits>,
) -> bool {
    let mover = Mover::<R, UP>::new(rules, position);
    let over = is_over(rules, position);
    if over || !quiet::are_plain_steps(&mover) || capture::any(&mover) {
        return false;
    }
    quiet::visit_steps(&mover, visitor);
    true
}

for_processor! {
    fn any_of<R, UP>(rules: R, position: &BitPosition<R::Bits>) -> bool {
        capture::any(&Mover::<R, UP>::new(rules, position))
    }
}

#[inline(never)]
fn any_quiet_of<R: Ruleset, const UP: bool>(rules: R, position: &BitPosition<R::Bits>) -> bool {
    quiet::any(&Mover::<R, UP>::new(rules, position))
}

/// Whether the first promotion has decided the game already, or the huff of a last piece.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_over<R: Ruleset>(rules: R, position: &BitPosition<R::Bits>) -> bool {
    let (keys, them) = (rules.keys(), !position.turn());
    let crowned = || keys.king_wins && !position.pieces(rules, them, 1).is_empty();
    let huffed = || keys.huffs() && position.side(them).is_empty();
    keys.may_be_over && (crowned() || huffed())
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn is_up<B: Bits>(keys: &Keys, position: &BitPosition<B>) -> bool {
    position.turn() == keys.up
}
