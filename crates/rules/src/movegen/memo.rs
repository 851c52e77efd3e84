//! What a thorough search for captures has seen already.

use std::collections::{HashMap, HashSet};

use crate::bit_position::BitMove;
use crate::bits::Bits;

/// More states than this are given up on: about a hundredth of a second.
const MOST_STATES: usize = 100_000;

/// Where a capture stands half-way: all that decides how it can go on and what it is worth.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(super) struct State<B> {
    pub from: usize,
    pub at: usize,
    pub kind: u8,
    pub captured: B,
    pub order: u32,
    pub last: usize,
}

/// States with whether they go on, and the moves found.
pub(super) struct Memo<B> {
    states: HashMap<State<B>, bool>,
    moves: HashSet<BitMove<B>>,
}

impl<B: Bits> Memo<B> {
    pub fn new() -> Memo<B> {
        Memo {
            states: HashMap::new(),
            moves: HashSet::new(),
        }
    }

    pub fn known(&self, state: &State<B>) -> Option<bool> {
        self.states.get(state).copied()
    }

    pub fn note(&mut self, state: State<B>, goes_on: bool) {
        self.states.insert(state, goes_on);
    }

    pub fn is_full(&self) -> bool {
        self.states.len() >= MOST_STATES
    }

    /// Whether the move is new.
    pub fn add(&mut self, mv: BitMove<B>) -> bool {
        self.moves.insert(mv)
    }
}
