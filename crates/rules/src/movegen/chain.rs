//! Following a capture from jump to jump.

use super::capture::ready;
use super::memo::{Memo, Memory, NoMemory, State};
use super::path::Hop;
use super::step::{Mover, back, each_direction, each_kind, step};
use super::{Hard, MoveList};
use crate::bit_position::BitMove;
use crate::bits::Bits;
use crate::keys::Keys;
use crate::ruleset::Ruleset;
use crate::variant::{CaptureBy, Criterion, InCapture, Landing, Reach};

/// Captured pieces whose order the criterion 'kings first' can tell apart.
const ORDER_BITS: u32 = 28;

const NO_DIRECTION: usize = 8;

/// A search for captures of one side, keeping the best by the game's criteria.
pub(super) struct Chain<'m, 'p, R: Ruleset, M, const UP: bool> {
    pub mover: &'m Mover<'p, R, UP>,
    list: &'m mut MoveList<R::Bits>,
    best: u64,
    jumps: u32,
    memory: M,
    /// The piece that captures: its square, and the kind that it was.
    from: usize,
    was: u8,
    /// Empty squares, its own included.
    free: R::Bits,
    /// Squares from which a short jumper could capture before anything moved.
    ready: R::Bits,
}

/// Where a capture stands.
#[derive(Copy, Clone)]
struct Link<B> {
    at: B,
    kind: u8,
    captured: B,
    pieces: u32,
    /// Which of the captured pieces were kings, the first one in the highest bit.
    order: u32,
    last: usize,
    /// A direction that another landing square of the same jump covers already.
    skip: usize,
}

impl<'m, 'p, R: Ruleset, const UP: bool> Chain<'m, 'p, R, NoMemory, UP> {
    /// A quick search that gives up early.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn quick(mover: &'m Mover<'p, R, UP>, list: &'m mut MoveList<R::Bits>) -> Self {
        Chain::new(mover, list, NoMemory)
    }
}

impl<'m, 'p, R: Ruleset, const UP: bool> Chain<'m, 'p, R, Memo<R::Bits>, UP> {
    /// A search that remembers, so that many ways to the same end don't add up.
    pub fn thorough(mover: &'m Mover<'p, R, UP>, list: &'m mut MoveList<R::Bits>) -> Self {
        Chain::new(mover, list, Memo::new())
    }

    /// Hands the ways that were found on to the list: to find each again takes as long as this.
    pub fn keep_ways(self, too_many: bool) {
        self.list.hard = Some(Box::new(Hard {
            too_many,
            ways: self.memory.into_moves(),
        }));
    }
}

impl<'m, 'p, R: Ruleset, M: Memory<R::Bits>, const UP: bool> Chain<'m, 'p, R, M, UP> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(mover: &'m Mover<'p, R, UP>, list: &'m mut MoveList<R::Bits>, memory: M) -> Self {
        let ready = if mover.kind(0).reach == Reach::Short {
            ready(mover, 0)
        } else {
            R::Bits::EMPTY
        };
        Chain {
            ready,
            mover,
            list,
            best: 0,
            jumps: 0,
            memory,
            from: 0,
            was: 0,
            free: mover.empty,
        }
    }

    /// Whether there were too many captures to follow them all.
    pub fn gave_up(&self) -> bool {
        self.memory.is_full(self.jumps)
    }

    /// Adds all captures by jumping that a piece can make.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn jump_from(&mut self, from: usize, kind: u8) {
        let at = R::Bits::bit(from);
        self.from = from;
        self.was = kind;
        self.free = self.mover.empty | at;
        self.extend(Link {
            at,
            kind,
            captured: R::Bits::EMPTY,
            pieces: 0,
            order: 0,
            last: NO_DIRECTION,
            skip: NO_DIRECTION,
        });
    }

    /// Adds a capture by moving onto a square.
    pub fn replace(&mut self, from: usize, kind: u8, to: usize) {
        self.from = from;
        self.was = kind;
        let captured = R::Bits::bit(to);
        let link = Link {
            at: captured,
            kind,
            captured,
            pieces: 1,
            order: self.order_bit(captured, 0),
            last: NO_DIRECTION,
            skip: NO_DIRECTION,
        };
        self.hop(&link, captured);
        self.finish(&link);
        self.memory.leave();
    }

    /// Adds every way to go on; returns whether there is one.
    fn extend(&mut self, link: Link<R::Bits>) -> bool {
        self.jumps += 1;
        if self.gave_up() {
            return false;
        }
        if M::REMEMBERS {
            return self.extend_once(link);
        }
        self.extend_as(link)
    }

    fn extend_once(&mut self, link: Link<R::Bits>) -> bool {
        let state = State {
            captured: link.captured,
            order: link.order,
            from: self.from as u16,
            at: link.at.lowest() as u16,
            kind: link.kind,
            last: if self.mover.keys().turn_back {
                0
            } else {
                link.last as u8
            },
        };
        if let Some(goes_on) = self.memory.known(&state) {
            return goes_on;
        }
        let goes_on = self.extend_as(Link {
            skip: NO_DIRECTION,
            ..link
        });
        self.memory.note(state, goes_on);
        goes_on
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn extend_as(&mut self, link: Link<R::Bits>) -> bool {
        if !R::UNROLL {
            return self.extend_kind(link, link.kind);
        }
        let mut goes_on = false;
        each_kind!(R::UNROLL, self.mover.keys().kinds, kind => {
            if link.kind == kind {
                goes_on = self.extend_kind(link, kind);
            }
        });
        goes_on
    }

    /// `kind` is the link's kind, as a constant where the rules are constants.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn extend_kind(&mut self, link: Link<R::Bits>, kind: u8) -> bool {
        let mut goes_on = false;
        each_direction!(R::UNROLL, self.mover.capture_directions(kind), direction => {
            let turns_back = !self.mover.keys().turn_back && link.last == back(direction);
            if !turns_back && link.skip != direction {
                goes_on |= self.jump(&link, kind, direction);
            }
        });
        goes_on
    }

    /// Adds every capture that goes on with a jump in a direction; returns whether there is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn jump(&mut self, link: &Link<R::Bits>, kind: u8, direction: usize) -> bool {
        let free = if self.mover.keys().remove_at_once {
            self.free | link.captured
        } else {
            self.free
        };
        let Some((victim, landing)) =
            self.mover
                .jump(kind, link.at, link.captured, free, direction)
        else {
            return false;
        };
        let next = Link {
            at: landing,
            kind,
            captured: link.captured | victim,
            pieces: link.pieces + 1,
            order: link.order | self.order_bit(victim, link.pieces),
            last: direction,
            skip: NO_DIRECTION,
        };
        if self.mover.kind(kind).landing == Landing::Next {
            self.hop(&next, victim);
            let goes_on = self.go_on(next, kind);
            if !goes_on || !self.mover.keys().chain_must_go_on {
                self.finish(&next);
            }
            self.memory.leave();
        } else {
            self.land_anywhere(next, kind, victim, free);
        }
        true
    }

    /// Takes note of a hop, where the search remembers.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn hop(&mut self, link: &Link<R::Bits>, victim: R::Bits) {
        if M::REMEMBERS {
            self.memory.enter(Hop {
                to: link.at.lowest(),
                takes: Some(victim.lowest()),
            });
        }
    }

    fn land_anywhere(&mut self, first: Link<R::Bits>, kind: u8, victim: R::Bits, free: R::Bits) {
        let keys = self.mover.keys();
        let beyond = |link: Link<R::Bits>| Link {
            at: step(keys, link.at, first.last) & free,
            skip: first.last,
            ..link
        };
        let mut goes_on = false;
        let mut link = first;
        while !link.at.is_empty() {
            self.hop(&link, victim);
            goes_on |= self.go_on(link, kind);
            self.memory.leave();
            link = beyond(link);
        }
        if goes_on && keys.chain_must_go_on {
            return;
        }
        let king_last = self.mover.kind(kind).landing == Landing::NextAfterKing
            && victim.meets(self.enemy_kings());
        let mut link = first;
        while !link.at.is_empty() {
            self.hop(&link, victim);
            self.finish(&link);
            self.memory.leave();
            if king_last {
                break;
            }
            link = beyond(link);
        }
    }

    /// Goes on from a landing square, as what the piece is there; returns whether it can.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn go_on(&mut self, mut link: Link<R::Bits>, kind: u8) -> bool {
        let new = self.mover.kind(kind).becomes;
        if new != kind && self.mover.promotion().meets(link.at) {
            match self.mover.keys().in_capture {
                InCapture::Ends => return false,
                InCapture::GoesOnAsMan => (),
                InCapture::GoesOnAsKing => {
                    // A piece that captures by replacement can't jump on.
                    if self.mover.kind(new).by == CaptureBy::Replacement {
                        return false;
                    }
                    link.kind = new;
                    link.skip = NO_DIRECTION;
                }
            }
        }
        // The way back to the start is free only now, but it takes three jumps to get there.
        let short = link.kind == 0 && self.mover.kind(0).reach == Reach::Short;
        if short && link.pieces < 2 && !self.ready.meets(link.at) {
            return false;
        }
        self.extend(link)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(&mut self, link: &Link<R::Bits>) {
        let rank = self.rank(link);
        if rank < self.best {
            return;
        }
        if rank > self.best {
            self.list.moves.clear();
            self.memory.forget_moves();
            self.best = rank;
        }
        let new = self.mover.kind(link.kind).becomes;
        let mv = BitMove {
            captured: link.captured,
            from: self.from as u16,
            to: link.at.lowest() as u16,
            kind: self.was,
            becomes: if self.mover.promotion().meets(link.at) {
                new
            } else {
                link.kind
            },
        };
        let is_new = if M::REMEMBERS {
            self.memory.add(mv)
        } else {
            link.pieces < 2 || !self.list.contains(&mv)
        };
        if is_new {
            self.list.push(mv);
        }
    }

    /// What a capture is worth by the game's criteria; more is better.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn rank(&self, link: &Link<R::Bits>) -> u64 {
        let keys: &Keys = self.mover.keys();
        let kings = if keys.looks_at_victims() {
            u64::from((link.captured & self.enemy_kings()).count())
        } else {
            0
        };
        let pieces = u64::from(link.pieces);
        let mut rank = 0;
        for criterion in keys.priority.order.into_iter().flatten() {
            // Each criterion gets as many bits as its largest value needs on a board of 768 bits.
            rank = match criterion {
                Criterion::MostPieces => rank << 9 | pieces,
                Criterion::ByKing => rank << 1 | u64::from(self.was == 1),
                Criterion::MostKings => rank << 9 | kings,
                Criterion::KingsFirst => rank << ORDER_BITS | u64::from(link.order),
                // A king counts two, less a hundredth: two men beat one king.
                Criterion::MostValue => rank << 17 | ((pieces + kings) * 100 - kings),
            };
        }
        rank
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn order_bit(&self, victim: R::Bits, pieces: u32) -> u32 {
        let counts = self.mover.keys().looks_at(Criterion::KingsFirst);
        if counts && pieces < ORDER_BITS && victim.meets(self.enemy_kings()) {
            1 << (ORDER_BITS - 1 - pieces)
        } else {
            0
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enemy_kings(&self) -> R::Bits {
        let mover = self.mover;
        mover.position.pieces(mover.rules, !mover.us(), 1)
    }
}

impl<R: Ruleset, const UP: bool> Mover<'_, R, UP> {
    /// The piece that a jump in a direction takes, and the square right behind it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn jump(
        &self,
        kind: u8,
        at: R::Bits,
        captured: R::Bits,
        free: R::Bits,
        direction: usize,
    ) -> Option<(R::Bits, R::Bits)> {
        let keys = self.keys();
        let mut next = step(keys, at, direction);
        if self.kind(kind).reach == Reach::Long {
            while next.meets(free) {
                next = step(keys, next, direction);
            }
        }
        let victim = next & self.takeable(kind) & !captured;
        let landing = step(keys, victim, direction) & free;
        (!landing.is_empty()).then_some((victim, landing))
    }
}
