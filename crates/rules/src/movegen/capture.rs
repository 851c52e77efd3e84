//! Captures: which pieces can begin one, and the common case in which none goes on.

use super::MoveList;
use super::chain::Chain;
use super::hops::{self, Hops};
use super::lanes::Lanes;
use super::memo::Memory;
use super::step::{Mover, back, each_direction, each_kind, step};
use crate::bit_position::BitMove;
use crate::bits::Bits;
use crate::ruleset::{Loaded, Ruleset};
use crate::variant::{CaptureBy, InCapture, Reach};

/// Fills the empty list with the legal captures.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn list<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    list: &mut MoveList<R::Bits>,
) {
    // The widest boards have no quick ways, which are much code for boards that few play on.
    if const { R::Bits::WIDTH > 128 } {
        return all(mover, list);
    }
    let jumps = Jumps::new(mover);
    match look(mover, &jumps) {
        Look::None => (),
        Look::Single => singles(mover, &jumps, list),
        Look::Men => men(mover, &jumps, list),
        Look::Many => all(mover, list),
    }
}

/// Counts the legal captures; `list` is room to work in.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn count<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    list: &mut MoveList<R::Bits>,
) -> u64 {
    let jumps = Jumps::new(mover);
    let counted = match look(mover, &jumps) {
        Look::None => Some(0),
        Look::Single => Some(jumps.landings(mover).count()),
        Look::Men => hops::count(mover, &jumps),
        Look::Many => None,
    };
    counted.map_or_else(
        || {
            // On a copy, so that the position is written to memory for this only.
            list.clear();
            super::captures_of::<R, UP>(mover.rules, &{ *mover.position }, list);
            list.len() as u64
        },
        u64::from,
    )
}

/// The jumps that men could make as the board stands, if they jump over their neighbours.
pub(super) struct Jumps<R: Ruleset> {
    /// Squares from which a jump in each direction takes something.
    pub before: R::Lanes,
    /// All of them.
    pub ready: R::Bits,
}

impl<R: Ruleset> Jumps<R> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new<const UP: bool>(mover: &Mover<'_, R, UP>) -> Jumps<R> {
        if !hops_over_neighbours(mover) {
            return Jumps {
                before: R::Lanes::all(0, R::Bits::EMPTY),
                ready: R::Bits::EMPTY,
            };
        }
        let before = before(mover, 0, mover.empty);
        Jumps {
            before,
            ready: before.any(),
        }
    }

    /// Where the first jumps of men land. Wherever this is asked it is asked in the same words, so
    /// that the compiler works it out once.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn landings<const UP: bool>(&self, mover: &Mover<'_, R, UP>) -> R::Lanes {
        let jumpers = self.before.and(mover.men);
        jumpers.forth(mover.keys()).forth(mover.keys())
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn hops_over_neighbours<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>) -> bool {
    let man = mover.kind(0);
    matches!((man.by, man.reach), (CaptureBy::Jump, Reach::Short))
}

/// Whether there is a capture.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn any<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>) -> bool {
    let by_men = if hops_over_neighbours(mover) {
        mover.men.meets(Jumps::new(mover).ready)
    } else {
        !starters(mover, 0).is_empty()
    };
    by_men || by_others(mover)
}

/// Whether there is a capture by others than men.
#[cfg_attr(not(debug_assertions), inline(always))]
fn by_others<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>) -> bool {
    let mut found = false;
    each_kind!(R::UNROLL, mover.kinds(), kind => {
        if kind > 0 {
            found = found || !starters(mover, kind).is_empty();
        }
    });
    found
}

/// Steps of one side's men that would offer something to the other side's men, if these can take
/// nothing yet.
pub(super) struct Offers<B> {
    /// Squares that a jump would land on, were they left.
    pub left: B,
    /// Squares that a jump would lead over, were they entered.
    pub entered: B,
}

impl<B: Bits> Offers<B> {
    /// What the other side's steps would offer to a side: `None` if that side can capture already,
    /// or has pieces for which it is harder to say.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new<R: Ruleset<Bits = B>, const UP: bool>(
        mover: &Mover<'_, R, UP>,
    ) -> Option<Offers<B>> {
        if !hops_over_neighbours(mover) || mover.own != mover.men {
            return None;
        }
        let (keys, directions) = (mover.keys(), mover.capture_directions(0));
        let beside = R::Lanes::all(directions, mover.men).forth(keys);
        let left = beside.and(mover.takeable(0)).forth(keys).any();
        if left.meets(mover.empty) {
            return None;
        }
        let onto = R::Lanes::all(directions, mover.empty).back(keys);
        let entered = onto.back(keys).and(mover.men).forth(keys).any();
        Some(Offers { left, entered })
    }
}

/// What a first look at the board shows.
enum Look {
    /// No captures.
    None,
    /// Captures of one piece each, all by men and all equal before the rules.
    Single,
    /// Captures by men, all equal before the rules but for their length.
    Men,
    /// Captures of any kind.
    Many,
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn look<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>, jumps: &Jumps<R>) -> Look {
    if by_others(mover) {
        return Look::Many;
    }
    if !hops_over_neighbours(mover) {
        return if starters(mover, 0).is_empty() {
            Look::None
        } else {
            Look::Many
        };
    }
    if !mover.men.meets(jumps.ready) {
        Look::None
    } else if victims_differ(mover) {
        Look::Many
    } else if !goes_on(mover, jumps) {
        Look::Single
    } else if hops::are_simple(mover) {
        Look::Men
    } else {
        Look::Many
    }
}

/// Whether the kinds of the captured pieces may decide between captures.
#[cfg_attr(not(debug_assertions), inline(always))]
fn victims_differ<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>) -> bool {
    let enemy_men = mover.position.pieces(mover.rules, !mover.us(), 0);
    mover.keys().looks_at_victims() && enemy_men != mover.enemy
}

/// Whether a man can go on after its first jump.
///
/// It is enough to look at the board before the jump: a second jump can only lead straight back
/// to where the first began, which is occupied now, or past squares the first did not touch.
#[cfg_attr(not(debug_assertions), inline(always))]
fn goes_on<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>, jumps: &Jumps<R>) -> bool {
    let landings = jumps.landings(mover).any();
    landings.meets(mover.goes_on_from(jumps.ready))
}

impl<R: Ruleset, const UP: bool> Mover<'_, R, UP> {
    /// The landing squares from which a man may go on, if it can jump from those that are ready.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn goes_on_from(&self, ready: R::Bits) -> R::Bits {
        if self.kind(0).becomes == 0 {
            return ready;
        }
        match self.keys().in_capture {
            InCapture::Ends => ready & !self.promotion(),
            InCapture::GoesOnAsMan => ready,
            InCapture::GoesOnAsKing => ready | self.promotion(),
        }
    }
}

/// The squares from which a short jump of a kind takes something. Without vectors, since searches
/// that are not compiled for them ask for it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn ready<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>, kind: u8) -> R::Bits {
    let mut squares = R::Bits::EMPTY;
    each_direction!(R::UNROLL, mover.capture_directions(kind), direction => {
        let over = mover.takeable(kind) & step(mover.keys(), mover.empty, back(direction));
        squares = squares | step(mover.keys(), over, back(direction));
    });
    squares
}

/// The squares from which a short jump of a kind takes something, by direction, if these squares
/// were empty.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn before<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    kind: u8,
    empty: R::Bits,
) -> R::Lanes {
    let landings = R::Lanes::all(mover.capture_directions(kind), empty);
    let over = landings.back(mover.keys()).and(mover.takeable(kind));
    over.back(mover.keys())
}

/// The pieces of a kind that can capture.
#[cfg_attr(not(debug_assertions), inline(always))]
fn starters<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>, kind: u8) -> R::Bits {
    let pieces = mover.pieces(kind);
    if pieces.is_empty() {
        return pieces;
    }
    let takeable = mover.takeable(kind);
    let mut found = R::Bits::EMPTY;
    match (mover.kind(kind).by, mover.kind(kind).reach) {
        (CaptureBy::Jump, Reach::Short) => found = ready(mover, kind),
        (CaptureBy::Jump, Reach::Long) => {
            each_direction!(R::UNROLL, mover.capture_directions(kind), direction => {
                let over = takeable & step(mover.keys(), mover.empty, back(direction));
                found = found | slid_from(mover, over, back(direction));
            });
        }
        (CaptureBy::Replacement, Reach::Short) => {
            each_direction!(R::UNROLL, mover.capture_directions(kind), direction => {
                found = found | step(mover.keys(), takeable, back(direction));
            });
        }
        (CaptureBy::Replacement, Reach::Long) => {
            each_direction!(R::UNROLL, mover.capture_directions(kind), direction => {
                found = found | slid_from(mover, takeable, back(direction));
            });
        }
        (_, Reach::Anywhere) => {
            if !takeable.is_empty() {
                found = pieces;
            }
        }
    }
    found & pieces
}

/// The squares that some member of a set reaches across empty squares, obstacles included.
#[cfg_attr(not(debug_assertions), inline(always))]
fn slid_from<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    set: R::Bits,
    direction: usize,
) -> R::Bits {
    let mut reached = R::Bits::EMPTY;
    let mut front = step(mover.keys(), set, direction);
    while !front.is_empty() {
        reached = reached | front;
        front = step(mover.keys(), front & mover.empty, direction);
    }
    reached
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn singles<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    jumps: &Jumps<R>,
    list: &mut MoveList<R::Bits>,
) {
    let keys = mover.keys();
    let (men, new) = (mover.men, mover.kind(0).becomes);
    each_direction!(R::UNROLL, mover.capture_directions(0), direction => {
        for from in (men & jumps.before.get(direction)).members() {
            let over = step(keys, R::Bits::bit(from), direction);
            let to = step(keys, over, direction);
            list.push(BitMove {
                captured: over,
                from: from as u16,
                to: to.lowest() as u16,
                kind: 0,
                becomes: if mover.promotion().meets(to) { new } else { 0 },
            });
        }
    });
}

/// Follows the captures of men to their ends.
#[cfg_attr(not(debug_assertions), inline(always))]
fn men<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    jumps: &Jumps<R>,
    list: &mut MoveList<R::Bits>,
) {
    if !Hops::new(mover, jumps, list).follow() {
        list.clear();
        all(mover, list);
    }
}

/// Follows every capture to its end.
#[inline(never)]
fn all<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>, list: &mut MoveList<R::Bits>) {
    if !follow(&mut Chain::quick(mover, list)) {
        let layout = mover.rules.layout();
        very_many(&Mover::<_, UP>::new(Loaded(layout), mover.position), list);
    }
}

/// The same where there are very many: with keys that are read from the data, since that is rare
/// and as much code as the rest.
#[cold]
#[inline(never)]
fn very_many<B: Bits, const UP: bool>(
    mover: &Mover<'_, Loaded<'_, B>, UP>,
    list: &mut MoveList<B>,
) {
    list.clear();
    let mut chain = Chain::thorough(mover, list);
    let all = follow(&mut chain);
    chain.keep_ways(!all);
}

/// Whether all captures could be followed.
fn follow<R: Ruleset, M: Memory<R::Bits>, const UP: bool>(
    chain: &mut Chain<'_, '_, R, M, UP>,
) -> bool {
    each_kind!(R::UNROLL, chain.mover.keys().kinds, kind => {
        for from in starters(chain.mover, kind).members() {
            match chain.mover.kind(kind).by {
                CaptureBy::Jump => chain.jump_from(from, kind),
                CaptureBy::Replacement => replacements(chain, from, kind),
            }
        }
    });
    !chain.gave_up()
}

fn replacements<R: Ruleset, M: Memory<R::Bits>, const UP: bool>(
    chain: &mut Chain<'_, '_, R, M, UP>,
    from: usize,
    kind: u8,
) {
    let mover = chain.mover;
    let piece = R::Bits::bit(from);
    let mut targets = R::Bits::EMPTY;
    match mover.kind(kind).reach {
        Reach::Short => each_direction!(R::UNROLL, mover.capture_directions(kind), direction => {
            targets = targets | step(mover.keys(), piece, direction);
        }),
        Reach::Long => each_direction!(R::UNROLL, mover.capture_directions(kind), direction => {
            targets = targets | slid_from(mover, piece, direction);
        }),
        Reach::Anywhere => targets = !R::Bits::EMPTY,
    }
    for to in (targets & mover.takeable(kind)).members() {
        chain.replace(from, kind, to);
    }
}
