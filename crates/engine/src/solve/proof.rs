//! The search for a proof that a side holds at least a draw.

use std::collections::HashMap;

use kingme_rules::movegen::{self, MoveList};
use kingme_rules::{BitMove, BitPosition, Bits, Ruleset, Side};

use super::key::{BuildReady, Key, Keys};
use super::{OnSolving, Solving};
use crate::tables::{Ends, Pieces, Tables, Verdict};

/// Whether a side holds at least a draw.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// It does.
    Yes,
    /// It does not: the other side wins by force.
    No,
    /// Neither is shown within the depth.
    Open,
}

/// What was found out about a position.
#[derive(Copy, Clone)]
struct Found {
    held: Held,
    /// Within how many plies it stayed open.
    depth: u16,
    /// The place of the move that settled it or came nearest, in the generator's order.
    best: u16,
}

/// A proof in the making. Its leaves are ends of the game and verdicts of tables, never
/// repetitions, so that the way to a position does not matter.
pub(super) struct Proof<'a, R: Ruleset> {
    rules: R,
    ends: &'a Ends,
    tables: Option<&'a Tables>,
    side: Side,
    keys: Keys,
    seen: HashMap<Key<R::Bits>, Found, BuildReady>,
    /// By from and to: how often such a move settled a position.
    history: Vec<u32>,
    lists: Vec<MoveList<R::Bits>>,
    pub nodes: u64,
    most_nodes: u64,
    /// Within how many plies it is looked for.
    depth: u16,
    on_progress: &'a mut OnSolving<'a>,
}

/// Positions between two words about them.
const TELL: u64 = 1 << 18;
/// Positions that are remembered, at most.
const MOST_SEEN: usize = 20_000_000;

impl<'a, R: Ruleset> Proof<'a, R> {
    pub fn new(
        rules: R,
        ends: &'a Ends,
        tables: Option<&'a Tables>,
        side: Side,
        keys: Keys,
        most_nodes: u64,
        on_progress: &'a mut OnSolving<'a>,
    ) -> Self {
        Proof {
            rules,
            ends,
            tables,
            side,
            keys,
            seen: HashMap::default(),
            history: vec![0; R::Bits::WIDTH * R::Bits::WIDTH],
            lists: Vec::new(),
            nodes: 0,
            most_nodes,
            depth: 0,
            on_progress,
        }
    }

    /// Whether the side holds at least a draw in a position, shown within some plies.
    pub fn holds(&mut self, position: &BitPosition<R::Bits>, depth: u16) -> Held {
        self.depth = depth;
        self.tell();
        if self.lists.len() <= usize::from(depth) {
            self.lists
                .resize_with(usize::from(depth) + 1, MoveList::new);
        }
        self.node(position, depth)
    }

    /// Whether the search has looked at as many positions as it may.
    pub fn is_spent(&self) -> bool {
        self.nodes >= self.most_nodes
    }

    fn tell(&mut self) {
        let Proof {
            side, depth, nodes, ..
        } = *self;
        (self.on_progress)(&Solving::Proof { side, depth, nodes });
    }

    fn node(&mut self, position: &BitPosition<R::Bits>, depth: u16) -> Held {
        self.nodes += 1;
        if self.nodes.is_multiple_of(TELL) {
            self.tell();
        }
        if let Some(verdict) = self.verdict(position) {
            return self.held(position, verdict);
        }
        let key = self.keys.key(self.rules, position);
        let found = self.seen.get(&key).copied();
        if let Some(found) = found
            && (found.held != Held::Open || found.depth >= depth)
        {
            return found.held;
        }
        let mut list = std::mem::take(&mut self.lists[usize::from(depth)]);
        movegen::moves(self.rules, position, &mut list);
        let first = found.map_or(usize::MAX, |found| found.best.into());
        let (held, best) = if list.is_empty() {
            let slice = Pieces::of(self.rules, position).slice;
            (self.held(position, self.ends.stuck(slice)), 0)
        } else if depth == 0 || self.is_spent() {
            (Held::Open, 0)
        } else {
            self.moves(position, &list, first, depth)
        };
        self.lists[usize::from(depth)] = list;
        if self.seen.len() < MOST_SEEN || self.seen.contains_key(&key) {
            let best = best as u16;
            self.seen.insert(key, Found { held, depth, best });
        }
        held
    }

    /// The verdict of an end that the rules make of the material, or of a table.
    fn verdict(&self, position: &BitPosition<R::Bits>) -> Option<Verdict> {
        let slice = Pieces::of(self.rules, position).slice;
        if let Some(verdict) = self.ends.over(slice) {
            return Some(verdict);
        }
        if let Some(verdict) = self.ends.stopped(slice) {
            return Some(if movegen::can_move(self.rules, position) {
                verdict
            } else {
                self.ends.stuck(slice)
            });
        }
        self.tables?.probe_bits(self.rules, position)
    }

    fn held(&self, position: &BitPosition<R::Bits>, verdict: Verdict) -> Held {
        let ours = if position.turn() == self.side {
            verdict
        } else {
            !verdict
        };
        if ours == Verdict::Loss {
            Held::No
        } else {
            Held::Yes
        }
    }

    /// Tries the moves of a position; returns also the place of the one to try first next time.
    fn moves(
        &mut self,
        position: &BitPosition<R::Bits>,
        list: &[BitMove<R::Bits>],
        first: usize,
        depth: u16,
    ) -> (Held, usize) {
        // The side that wants a draw needs one move that holds it; the other, one that does not.
        let wanted = if position.turn() == self.side {
            Held::Yes
        } else {
            Held::No
        };
        let mut all_fail = true;
        let mut open = 0;
        for place in self.order(list, first) {
            let mv = &list[place];
            let held = self.node(&position.play(self.rules, mv), depth - 1);
            if held == wanted {
                self.history[slot(mv)] += u32::from(depth) + 1;
                return (held, place);
            }
            if held == Held::Open && all_fail {
                all_fail = false;
                open = place;
            }
        }
        let opposite = if wanted == Held::Yes {
            Held::No
        } else {
            Held::Yes
        };
        (if all_fail { opposite } else { Held::Open }, open)
    }

    /// The places of the moves in the order to try them.
    fn order(&self, list: &[BitMove<R::Bits>], first: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..list.len()).collect();
        places.sort_by_key(|&place| {
            let mv = &list[place];
            let settles = mv.takes_off() || mv.is_promotion();
            let liked = self.history[slot(mv)];
            std::cmp::Reverse((place == first, settles, liked))
        });
        places
    }
}

/// The place of a move in the history.
fn slot<B: Bits>(mv: &BitMove<B>) -> usize {
    usize::from(mv.from) * B::WIDTH + usize::from(mv.to)
}
