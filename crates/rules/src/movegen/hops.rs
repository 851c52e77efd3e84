//! Captures by men that jump over their neighbours: the most frequent kind, made fast.

use super::MoveList;
use super::capture::Jumps;
use super::step::{Mover, back, each_direction, step};
use crate::bit_position::BitMove;
use crate::bits::Bits;
use crate::ruleset::Ruleset;
use crate::variant::{Criterion, InCapture};

/// After so many jumps the general search takes over; it can deal with any number.
const MOST_JUMPS: u32 = 400;

/// Whether captures over neighbours are of the simple kind that [`Hops`] follows: they must go on,
/// and the captured pieces stay where they are until the end.
#[inline(always)]
pub(super) fn are_simple<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>) -> bool {
    let (keys, man) = (mover.keys(), mover.kind(0));
    keys.chain_must_go_on
        && !keys.remove_at_once
        && (man.becomes == 0 || keys.in_capture != InCapture::GoesOnAsKing)
}

/// A search for the captures of men, where nothing else can capture and all victims are equal.
pub(super) struct Hops<'m, 'p, R: Ruleset, const UP: bool> {
    mover: &'m Mover<'p, R, UP>,
    list: &'m mut MoveList<R::Bits>,
    jumps: &'m Jumps<R::Bits>,
    most: u32,
    followed: u32,
    from: usize,
    free: R::Bits,
}

impl<'m, 'p, R: Ruleset, const UP: bool> Hops<'m, 'p, R, UP> {
    #[inline(always)]
    pub fn new(
        mover: &'m Mover<'p, R, UP>,
        jumps: &'m Jumps<R::Bits>,
        list: &'m mut MoveList<R::Bits>,
    ) -> Self {
        Hops {
            mover,
            list,
            jumps,
            most: 0,
            followed: 0,
            from: 0,
            free: mover.empty,
        }
    }

    /// Fills the list; returns whether all captures could be followed. Some capture must go on
    /// after its first jump, so that where the most pieces must be taken, single ones don't count.
    #[inline(always)]
    pub fn follow(mut self) -> bool {
        let keys = self.mover.keys();
        let men = self.mover.pieces(0);
        each_direction!(R, self.mover.capture_directions(0), direction => {
            let jumpers = men & self.jumps.before[direction];
            for from in jumpers.members() {
                let man = R::Bits::bit(from);
                let over = step(keys, man, direction);
                let to = step(keys, over, direction);
                self.from = from;
                self.free = self.mover.empty | man;
                if self.ends(to) || !self.jumps.ready.meets(to) {
                    if !self.most_count() {
                        self.finish(to, over, 1);
                    }
                } else {
                    self.second(to, over);
                }
            }
        });
        self.followed <= MOST_JUMPS
    }

    /// Whether the number of captured pieces decides.
    #[inline(always)]
    fn most_count(&self) -> bool {
        let keys = self.mover.keys();
        keys.looks_at(Criterion::MostPieces) || keys.looks_at(Criterion::MostValue)
    }

    /// Whether a move ends where it lands.
    #[inline(always)]
    fn ends(&self, to: R::Bits) -> bool {
        self.mover.kind(0).becomes != 0
            && self.mover.keys().in_capture == InCapture::Ends
            && self.mover.promotion().meets(to)
    }

    /// The second jump: it can't cross what the first has changed, so the squares as they were
    /// before the move decide.
    #[inline(always)]
    fn second(&mut self, at: R::Bits, captured: R::Bits) {
        let keys = self.mover.keys();
        let ready = self.jumps.ready | self.before_start();
        each_direction!(R, self.mover.capture_directions(0), direction => {
            if self.jumps.before[direction].meets(at) {
                let over = step(keys, at, direction);
                let to = step(keys, over, direction);
                let goes_on = ready.meets(to)
                    && !self.ends(to)
                    && self.further(to, captured | over, 2);
                if !goes_on {
                    self.finish(to, captured | over, 2);
                }
            }
        });
    }

    /// The squares from which a third jump could lead back to the start, which is free by now.
    /// On diagonals alone that takes four jumps.
    #[inline(always)]
    fn before_start(&self) -> R::Bits {
        const STRAIGHT: u8 = 0b1111_0000;
        let keys = self.mover.keys();
        let start = R::Bits::bit(self.from);
        let mut squares = R::Bits::EMPTY;
        if self.mover.capture_directions(0) & STRAIGHT != 0 {
            each_direction!(R, self.mover.capture_directions(0), direction => {
                let over = step(keys, start, back(direction)) & self.mover.takeable(0);
                squares = squares | step(keys, over, back(direction));
            });
        }
        squares
    }

    /// Any later jump; returns whether there is one.
    fn further(&mut self, at: R::Bits, captured: R::Bits, pieces: u32) -> bool {
        self.followed += 1;
        if self.followed > MOST_JUMPS {
            return true;
        }
        let keys = self.mover.keys();
        let targets = self.mover.takeable(0) & !captured;
        let mut goes_on = false;
        each_direction!(R, self.mover.capture_directions(0), direction => {
            let over = step(keys, at, direction) & targets;
            let to = step(keys, over, direction) & self.free;
            if !to.is_empty() {
                goes_on = true;
                if self.ends(to) || !self.further(to, captured | over, pieces + 1) {
                    self.finish(to, captured | over, pieces + 1);
                }
            }
        });
        goes_on
    }

    #[inline(always)]
    fn finish(&mut self, to: R::Bits, captured: R::Bits, pieces: u32) {
        if self.most_count() && pieces != self.most {
            if pieces < self.most {
                return;
            }
            self.list.clear();
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
