//! The way that a capture takes.

use std::collections::HashSet;

use super::step::{Mover, back, step};
use crate::bit_position::{BitMove, BitPosition};
use crate::bits::Bits;
use crate::ruleset::Ruleset;
use crate::variant::{CaptureBy, InCapture, Landing};

/// One hop of a move: the square where it lands and the piece that it takes, in bits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// Where the piece lands.
    pub to: usize,
    /// What it takes.
    pub takes: Option<usize>,
}

/// The hops of a legal move. Where several ways have the same effect, one of them.
pub fn path<R: Ruleset>(
    rules: R,
    position: &BitPosition<R::Bits>,
    mv: &BitMove<R::Bits>,
) -> Vec<Hop> {
    let to = usize::from(mv.to);
    let keys = rules.keys();
    if !mv.is_capture() {
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
    failed: HashSet<(R::Bits, R::Bits, u8, usize)>,
}

#[derive(Copy, Clone)]
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
            failed: HashSet::new(),
        }
    }

    fn run(mut self) -> Vec<Hop> {
        let found = self.extend(Link {
            at: R::Bits::bit(self.mv.from.into()),
            kind: self.mv.kind,
            captured: R::Bits::EMPTY,
            last: usize::MAX,
        });
        debug_assert!(found, "no way for {:?}", self.mv);
        self.hops
    }

    /// Whether the rest of the way can be found from here; if so, `hops` has it.
    fn extend(&mut self, link: Link<R::Bits>) -> bool {
        if link.captured == self.mv.captured {
            return link.at.lowest() == usize::from(self.mv.to)
                && self.end_kind(link) == self.mv.becomes;
        }
        let state = (link.at, link.captured, link.kind, link.last);
        if self.failed.contains(&state) {
            return false;
        }
        let directions = self.mover.capture_directions(link.kind);
        for direction in (0..8).filter(|direction| directions >> direction & 1 == 1) {
            let turns_back = !self.mover.keys().turn_back && link.last == back(direction);
            if !turns_back && self.jump(link, direction) {
                return true;
            }
        }
        self.failed.insert(state);
        false
    }

    fn jump(&mut self, link: Link<R::Bits>, direction: usize) -> bool {
        let free = if self.mover.keys().remove_at_once {
            self.free | link.captured
        } else {
            self.free
        };
        let jump = self
            .mover
            .jump(link.kind, link.at, link.captured, free, direction);
        let Some((victim, mut at)) = jump.filter(|(victim, _)| victim.meets(self.mv.captured))
        else {
            return false;
        };
        while !at.is_empty() {
            let to = at.lowest();
            self.hops.push(Hop {
                to,
                takes: Some(victim.lowest()),
            });
            let next = Link {
                at,
                kind: self.kind_going_on(link.kind, at),
                captured: link.captured | victim,
                last: direction,
            };
            if self.extend(next) {
                return true;
            }
            self.hops.pop();
            if self.mover.kind(link.kind).landing == Landing::Next {
                break;
            }
            at = step(self.mover.keys(), at, direction) & free;
        }
        false
    }

    fn kind_going_on(&self, kind: u8, at: R::Bits) -> u8 {
        if self.mover.keys().in_capture == InCapture::GoesOnAsKing
            && self.mover.promotion().meets(at)
        {
            self.mover.kind(kind).becomes
        } else {
            kind
        }
    }

    fn end_kind(&self, link: Link<R::Bits>) -> u8 {
        if self.mover.promotion().meets(link.at) {
            self.mover.kind(link.kind).becomes
        } else {
            link.kind
        }
    }
}
