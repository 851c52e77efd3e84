//! Captures by men that jump over their neighbours: the most frequent kind, made fast.

use super::MoveList;
use super::capture::{Jumps, before};
use super::lanes::Lanes;
use super::step::{Mover, back, each_direction, step};
use crate::bit_position::BitMove;
use crate::bits::Bits;
use crate::keys::Keys;
use crate::ruleset::Ruleset;
use crate::variant::{Criterion, InCapture};

/// After so many jumps the general search takes over; it can deal with any number.
const MOST_JUMPS: u32 = 400;

/// Whether captures over neighbours are of the simple kind that [`Hops`] follows: they must go on,
/// and the captured pieces stay where they are until the end.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn are_simple<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>) -> bool {
    let (keys, man) = (mover.keys(), mover.kind(0));
    keys.chain_must_go_on
        && !keys.remove_at_once
        && (man.becomes == 0 || keys.in_capture != InCapture::GoesOnAsKing)
}

/// Whether the number of captured pieces decides.
#[cfg_attr(not(debug_assertions), inline(always))]
fn most_count<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>) -> bool {
    let keys = mover.keys();
    keys.looks_at(Criterion::MostPieces) || keys.looks_at(Criterion::MostValue)
}

/// Counts the captures of men all at once, if none takes more than two pieces and no two first
/// jumps that go on end on the same square. Some capture must go on after its first jump.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn count<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    jumps: &Jumps<R>,
) -> Option<u32> {
    let keys = mover.keys();
    let on = mover.goes_on_from(jumps.ready);
    let landings = jumps.landings(mover);
    let middle = landings.any() & on;
    let second = jumps.before.and(middle);
    let ends = second.forth(keys).forth(keys).any();
    let starters = mover.men & jumps.ready;
    if ends.meets(leads_on(mover, jumps.before))
        || landings.twice().meets(middle)
        || comes_back(mover, ends, starters)
    {
        return None;
    }
    let mut total = second.count();
    if !most_count(mover) {
        total += landings.and(!on).count();
    }
    Some(total)
}

/// Landing squares of a second jump or a later one from which another may lead on. Where every
/// direction has its opposite, the way back over the piece just taken is always there and never
/// leads on, so it takes two directions.
#[cfg_attr(not(debug_assertions), inline(always))]
fn leads_on<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>, before: R::Lanes) -> R::Bits {
    let directions = mover.kind(0).captures;
    if Keys::absolute(directions, true) == Keys::absolute(directions, false) {
        before.twice()
    } else {
        before.any()
    }
}

/// Whether a third jump may lead from one of the `ends` back to one of the starts, which is free
/// by then. On diagonals alone that takes four jumps.
#[cfg_attr(not(debug_assertions), inline(always))]
fn comes_back<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    ends: R::Bits,
    starts: R::Bits,
) -> bool {
    const STRAIGHT: u8 = 0b1111_0000;
    let directions = mover.capture_directions(0);
    if directions & STRAIGHT == 0 {
        return false;
    }
    let over = R::Lanes::all(directions, ends).forth(mover.keys());
    let landings = over.and(mover.takeable(0)).forth(mover.keys());
    landings.any().meets(starts)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn two_steps<B: Bits>(keys: &Keys, set: B, direction: usize) -> B {
    step(keys, step(keys, set, direction), direction)
}

/// A search for the captures of men, where nothing else can capture and all victims are equal.
pub(super) struct Hops<'m, 'p, R: Ruleset, const UP: bool> {
    mover: &'m Mover<'p, R, UP>,
    list: &'m mut MoveList<R::Bits>,
    jumps: &'m Jumps<R>,
    /// The jumps by direction, also those that may open when a man has left its square.
    open: R::Lanes,
    /// Where a third jump, or a later one, may lead on.
    further: R::Bits,
    most: u32,
    followed: u32,
    from: usize,
    free: R::Bits,
}

impl<'m, 'p, R: Ruleset, const UP: bool> Hops<'m, 'p, R, UP> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new(
        mover: &'m Mover<'p, R, UP>,
        jumps: &'m Jumps<R>,
        list: &'m mut MoveList<R::Bits>,
    ) -> Self {
        let maybe_empty = mover.empty | (mover.men & jumps.ready);
        let open = before(mover, 0, maybe_empty);
        Hops {
            mover,
            list,
            jumps,
            further: leads_on(mover, open),
            open,
            most: 0,
            followed: 0,
            from: 0,
            free: mover.empty,
        }
    }

    /// Fills the list; returns whether all captures could be followed. Some capture must go on
    /// after its first jump, so that where the most pieces must be taken, single ones don't count.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn follow(mut self) -> bool {
        let keys = self.mover.keys();
        let men = self.mover.men;
        let on = self.mover.goes_on_from(self.jumps.ready);
        each_direction!(R::UNROLL, self.mover.capture_directions(0), direction => {
            let mut jumpers = men & self.jumps.before.get(direction);
            if most_count(self.mover) {
                jumpers = jumpers & two_steps(keys, on, back(direction));
            }
            for from in jumpers.members() {
                let man = R::Bits::bit(from);
                let over = step(keys, man, direction);
                let to = step(keys, over, direction);
                self.from = from;
                self.free = self.mover.empty | man;
                if on.meets(to) {
                    self.second(to, over);
                } else {
                    self.finish(to, over, 1);
                }
            }
        });
        self.followed <= MOST_JUMPS
    }

    /// Whether a move ends where it lands.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ends(&self, to: R::Bits) -> bool {
        self.mover.kind(0).becomes != 0
            && self.mover.keys().in_capture == InCapture::Ends
            && self.mover.promotion().meets(to)
    }

    /// The second jump: it can't cross what the first has changed, so the squares as they were
    /// before the move decide.
    #[inline(never)]
    fn second(&mut self, at: R::Bits, captured: R::Bits) {
        let keys = self.mover.keys();
        each_direction!(R::UNROLL, self.mover.capture_directions(0), direction => {
            if self.jumps.before.get(direction).meets(at) {
                let over = step(keys, at, direction);
                let to = step(keys, over, direction);
                self.land(to, captured | over, 2);
            }
        });
    }

    /// A second jump or a later one has led to a square: goes on from there, or ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn land(&mut self, to: R::Bits, captured: R::Bits, pieces: u32) {
        let goes_on = self.further.meets(to) && !self.ends(to) && self.go_on(to, captured, pieces);
        if !goes_on {
            self.finish(to, captured, pieces);
        }
    }

    /// A third jump or a later one; returns whether there is one.
    fn go_on(&mut self, at: R::Bits, captured: R::Bits, pieces: u32) -> bool {
        self.followed += 1;
        if self.followed > MOST_JUMPS {
            return true;
        }
        let keys = self.mover.keys();
        let mut goes_on = false;
        each_direction!(R::UNROLL, self.mover.capture_directions(0), direction => {
            if self.open.get(direction).meets(at) {
                let over = step(keys, at, direction);
                let to = step(keys, over, direction);
                if !captured.meets(over) && self.free.meets(to) {
                    goes_on = true;
                    self.land(to, captured | over, pieces + 1);
                }
            }
        });
        goes_on
    }

    // Not inlined, as the second jump is not: sixty-four copies would push all else out of the
    // processor's cache.
    #[inline(never)]
    fn finish(&mut self, to: R::Bits, captured: R::Bits, pieces: u32) {
        if most_count(self.mover) && pieces != self.most {
            if pieces < self.most {
                return;
            }
            self.list.moves.clear();
            self.most = pieces;
        }
        let mv = BitMove {
            captured,
            from: self.from as u16,
            to: to.lowest() as u16,
            kind: 0,
            becomes: if self.mover.promotion().meets(to) {
                self.mover.kind(0).becomes
            } else {
                0
            },
        };
        // Two ways with the same effect make a round trip of three jumps at least.
        if pieces < 3 || !self.list.contains(&mv) {
            self.list.push(mv);
        }
    }
}
