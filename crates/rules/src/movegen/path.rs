//! The way that a capture takes.

use std::collections::HashSet;

use super::step::{Mover, back, step};
use crate::bit_position::{BitMove, BitPosition};
use crate::bits::Bits;
use crate::ruleset::Ruleset;
use crate::variant::{CaptureBy, Criterion, InCapture, Landing};

/// One hop of a move: the square where it lands and the piece that it takes, in bits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// Where the piece lands.
    pub to: usize,
    /// What it takes.
    pub takes: Option<usize>,
}

/// The hops of a legal move. Where several ways have the same effect, one that the rules allow.
pub fn path<R: Ruleset>(
    rules: R,
    position: &BitPosition<R::Bits>,
    mv: &BitMove<R::Bits>,
) -> Vec<Hop> {
    let to = usize::from(mv.to);
    let keys = rules.keys();
    if !mv.takes_off() || position.is_huff(rules, mv) {
        return vec![Hop { to, takes: None }];
    }
    if keys.kind[usize::from(mv.kind)].by == CaptureBy::Replacement {
        return vec![Hop {
            to,
            takes: Some(to),
        }];
    }
    if position.turn() == keys.up {
        Search::<R, true>::new(rules, position, mv).run()
    } else {
        Search::<R, false>::new(rules, position, mv).run()
    }
}

struct Search<'a, R: Ruleset, const UP: bool> {
    mover: Mover<'a, R, UP>,
    mv: &'a BitMove<R::Bits>,
    free: R::Bits,
    hops: Vec<Hop>,
    best: Vec<Hop>,
    seen: HashSet<(Link<R::Bits>, Vec<bool>)>,
}

/// Where a capture stands half-way.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct Link<B> {
    at: B,
    kind: u8,
    captured: B,
    last: usize,
}

impl<'a, R: Ruleset, const UP: bool> Search<'a, R, UP> {
    fn new(rules: R, position: &'a BitPosition<R::Bits>, mv: &'a BitMove<R::Bits>) -> Self {
        let mover = Mover::new(rules, position);
        let free = mover.empty | R::Bits::bit(mv.from.into());
        Search {
            mover,
            mv,
            free,
            hops: Vec::new(),
            best: Vec::new(),
            seen: HashSet::new(),
        }
    }

    fn run(mut self) -> Vec<Hop> {
        self.extend(Link {
            at: R::Bits::bit(self.mv.from.into()),
            kind: self.mv.kind,
            captured: R::Bits::EMPTY,
            last: usize::MAX,
        });
        debug_assert!(!self.best.is_empty(), "no way for {:?}", self.mv);
        self.best
    }

    /// Looks for the rest of the way; returns whether the search is over.
    fn extend(&mut self, link: Link<R::Bits>) -> bool {
        if !self.seen.insert((link, self.order(&self.hops))) {
            return false;
        }
        let directions = self.mover.capture_directions(link.kind);
        (0..8)
            .filter(|direction| directions >> direction & 1 == 1)
            .any(|direction| self.jump(link, direction))
    }

    fn jump(&mut self, link: Link<R::Bits>, direction: usize) -> bool {
        let Some((victim, landings)) = self.landings(link, direction) else {
            return false;
        };
        if !victim.meets(self.mv.captured) {
            return false;
        }
        let captured = link.captured | victim;
        let is_last = captured == self.mv.captured;
        if is_last && !self.may_stop(link.kind, captured, victim, direction, &landings) {
            return false;
        }
        landings.into_iter().any(|at| {
            self.hops.push(Hop {
                to: at.lowest(),
                takes: Some(victim.lowest()),
            });
            let over = if is_last {
                self.arrive(link.kind, at)
            } else {
                self.next_kind(link.kind, at).is_some_and(|kind| {
                    self.extend(Link {
                        at,
                        kind,
                        captured,
                        last: direction,
                    })
                })
            };
            self.hops.pop();
            over
        })
    }

    /// The piece that a jump takes and the squares where it may land.
    fn landings(&self, link: Link<R::Bits>, direction: usize) -> Option<(R::Bits, Vec<R::Bits>)> {
        let keys = self.mover.keys();
        if !keys.turn_back && link.last == back(direction) {
            return None;
        }
        let free = if keys.remove_at_once {
            self.free | link.captured
        } else {
            self.free
        };
        let (victim, mut at) =
            self.mover
                .jump(link.kind, link.at, link.captured, free, direction)?;
        let mut landings = vec![at];
        while self.mover.kind(link.kind).landing != Landing::Next {
            at = step(keys, at, direction) & free;
            if at.is_empty() {
                break;
            }
            landings.push(at);
        }
        Some((victim, landings))
    }

    /// Whether the move may end with a jump that has these landing squares: not if one goes on.
    fn may_stop(
        &self,
        kind: u8,
        captured: R::Bits,
        victim: R::Bits,
        last: usize,
        landings: &[R::Bits],
    ) -> bool {
        let mover = &self.mover;
        let kings = mover.position.pieces(mover.rules, !mover.us(), 1);
        let to = R::Bits::bit(self.mv.to.into());
        let too_far = mover.kind(kind).landing == Landing::NextAfterKing
            && victim.meets(kings)
            && landings[0] != to;
        let goes_on = |&at: &R::Bits| {
            self.next_kind(kind, at).is_some_and(|kind| {
                let link = Link {
                    at,
                    kind,
                    captured,
                    last,
                };
                let directions = mover.capture_directions(kind);
                (0..8).any(|d| directions >> d & 1 == 1 && self.landings(link, d).is_some())
            })
        };
        !(too_far || mover.keys().chain_must_go_on && landings.iter().any(goes_on))
    }

    /// As what a piece goes on that lands on a square, if it may go on.
    fn next_kind(&self, kind: u8, at: R::Bits) -> Option<u8> {
        let new = self.mover.kind(kind).becomes;
        if new == kind || !self.mover.promotion().meets(at) {
            return Some(kind);
        }
        match self.mover.keys().in_capture {
            InCapture::Ends => None,
            InCapture::GoesOnAsMan => Some(kind),
            InCapture::GoesOnAsKing => (self.mover.kind(new).by == CaptureBy::Jump).then_some(new),
        }
    }

    /// The last hop is made: keeps the way if it is the move's. Returns whether that will do.
    fn arrive(&mut self, kind: u8, at: R::Bits) -> bool {
        let becomes = if self.mover.promotion().meets(at) {
            self.mover.kind(kind).becomes
        } else {
            kind
        };
        if at.lowest() != usize::from(self.mv.to) || becomes != self.mv.becomes {
            return false;
        }
        if self.best.is_empty() || self.order(&self.hops) > self.order(&self.best) {
            self.best.clone_from(&self.hops);
        }
        !self.mover.keys().looks_at(Criterion::KingsFirst)
    }

    /// Which of the taken pieces are kings, in order, where the rules look at that.
    fn order(&self, hops: &[Hop]) -> Vec<bool> {
        if !self.mover.keys().looks_at(Criterion::KingsFirst) {
            return Vec::new();
        }
        let is_king = |bit: usize| self.mover.position.kind_at(bit) == 1;
        hops.iter()
            .map(|hop| hop.takes.is_some_and(is_king))
            .collect()
    }
}
