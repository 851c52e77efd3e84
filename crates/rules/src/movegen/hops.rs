//! Captures by men that jump over their neighbours: the most frequent kind, made fast.

use super::MoveList;
use super::capture::{Jumps, before};
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
#[inline(always)]
pub(super) fn are_simple<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>) -> bool {
    let (keys, man) = (mover.keys(), mover.kind(0));
    keys.chain_must_go_on
        && !keys.remove_at_once
        && (man.becomes == 0 || keys.in_capture != InCapture::GoesOnAsKing)
}

/// Whether the number of captured pieces decides.
#[inline(always)]
fn most_count<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>) -> bool {
    let keys = mover.keys();
    keys.looks_at(Criterion::MostPieces) || keys.looks_at(Criterion::MostValue)
}

/// Counts the captures of men all at once, if none takes more than two pieces. Some capture must
/// go on after its first jump.
#[inline(always)]
pub(super) fn count<R: Ruleset, const UP: bool>(
    mover: &Mover<'_, R, UP>,
    jumps: &Jumps<R::Bits>,
) -> Option<u32> {
    let keys = mover.keys();
    let starters = mover.pieces(0) & jumps.ready;
    let on = mover.goes_on_from(jumps.ready);
    let ways = Ways::new(mover, &jumps.before);
    let mut middle = R::Bits::EMPTY;
    each_direction!(R, mover.capture_directions(0), direction => {
        middle = middle | two_steps(keys, starters & jumps.before[direction], direction);
    });
    middle = middle & on;
    let mut ends = R::Bits::EMPTY;
    each_direction!(R, mover.capture_directions(0), direction => {
        ends = ends | two_steps(keys, middle & jumps.before[direction], direction);
    });
    if ends.meets(ways.more_than_back(mover)) || ends.meets(before_start(mover, starters)) {
        return None;
    }
    let mut total = 0;
    each_direction!(R, mover.capture_directions(0), direction => {
        let landings = two_steps(keys, starters & jumps.before[direction], direction);
        total += ways.sum(landings & on);
        if !most_count(mover) {
            total += (landings & !on).count();
        }
    });
    Some(total)
}

/// For each square the number of directions in which a jump from it takes something, as binary
/// digits. On the landing square of a first jump there are at most seven; eight, which are
/// possible later, count as four.
struct Ways<B> {
    ones: B,
    twos: B,
    fours: B,
}

impl<B: Bits> Ways<B> {
    #[inline(always)]
    fn new<R: Ruleset<Bits = B>, const UP: bool>(
        mover: &Mover<'_, R, UP>,
        before: &[B; 8],
    ) -> Ways<B> {
        let (mut ones, mut twos, mut fours) = (B::EMPTY, B::EMPTY, B::EMPTY);
        each_direction!(R, mover.capture_directions(0), direction => {
            let squares = before[direction];
            let carry = ones & squares;
            ones = ones ^ squares;
            fours = fours | (twos & carry);
            twos = twos ^ carry;
        });
        Ways { ones, twos, fours }
    }

    /// The directions of all squares of a set, added up.
    #[inline(always)]
    fn sum(&self, set: B) -> u32 {
        (set & self.ones).count() + 2 * (set & self.twos).count() + 4 * (set & self.fours).count()
    }

    /// Landing squares of a second jump or a later one from which another may lead on. Where every direction
    /// has its opposite, the way back over the piece just taken is always counted, and never is
    /// one.
    #[inline(always)]
    fn more_than_back<R: Ruleset<Bits = B>, const UP: bool>(&self, mover: &Mover<'_, R, UP>) -> B {
        let there_and_back = self.twos | self.fours;
        let directions = mover.kind(0).captures;
        if Keys::absolute(directions, true) == Keys::absolute(directions, false) {
            there_and_back
        } else {
            there_and_back | self.ones
        }
    }
}

/// The squares from which a third jump could lead back to one of the starts, which is free by
/// then. On diagonals alone that takes four jumps.
#[inline(always)]
fn before_start<R: Ruleset, const UP: bool>(mover: &Mover<'_, R, UP>, starts: R::Bits) -> R::Bits {
    const STRAIGHT: u8 = 0b1111_0000;
    let mut squares = R::Bits::EMPTY;
    if mover.capture_directions(0) & STRAIGHT != 0 {
        each_direction!(R, mover.capture_directions(0), direction => {
            squares = squares | before(mover.keys(), mover.takeable(0), starts, direction);
        });
    }
    squares
}

#[inline(always)]
fn two_steps<B: Bits>(keys: &Keys, set: B, direction: usize) -> B {
    step(keys, step(keys, set, direction), direction)
}

/// A search for the captures of men, where nothing else can capture and all victims are equal.
pub(super) struct Hops<'m, 'p, R: Ruleset, const UP: bool> {
    mover: &'m Mover<'p, R, UP>,
    list: &'m mut MoveList<R::Bits>,
    jumps: &'m Jumps<R::Bits>,
    /// The jumps by direction, also those that may open when a man has left its square.
    open: [R::Bits; 8],
    /// Where a third jump, or a later one, may lead on.
    further: R::Bits,
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
        let takeable = mover.takeable(0);
        let maybe_empty = mover.empty | (mover.pieces(0) & jumps.ready);
        let mut open = [R::Bits::EMPTY; 8];
        each_direction!(R, mover.capture_directions(0), direction => {
            open[direction] = before(mover.keys(), takeable, maybe_empty, direction);
        });
        Hops {
            mover,
            list,
            jumps,
            further: Ways::new(mover, &open).more_than_back(mover),
            open,
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
        let on = self.mover.goes_on_from(self.jumps.ready);
        each_direction!(R, self.mover.capture_directions(0), direction => {
            let mut jumpers = men & self.jumps.before[direction];
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
    #[inline(always)]
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
        each_direction!(R, self.mover.capture_directions(0), direction => {
            if self.jumps.before[direction].meets(at) {
                let over = step(keys, at, direction);
                let to = step(keys, over, direction);
                self.land(to, captured | over, 2);
            }
        });
    }

    /// A second jump or a later one has led to a square: goes on from there, or ends.
    #[inline(always)]
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
        each_direction!(R, self.mover.capture_directions(0), direction => {
            if self.open[direction].meets(at) {
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
