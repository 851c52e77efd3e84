//! What a thorough search for captures has seen already.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::path::Hop;
use crate::bit_position::BitMove;
use crate::bits::Bits;

/// States that need more memory than this are given up on: about a tenth of a second on any board.
const MOST_BYTES: usize = 16 << 20;

/// More captures than this are too many to list: nobody could read them, and every screen has to
/// show them.
const MOST_MOVES: usize = 2_000;

/// Where a capture stands half-way: all that decides how it can go on and what it is worth.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(super) struct State<B> {
    pub captured: B,
    pub order: u32,
    pub from: u16,
    pub at: u16,
    pub kind: u8,
    pub last: u8,
}

/// States come by the hundred thousand, and nobody can choose them to collide.
#[derive(Default)]
struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// States with whether they go on, and the moves found.
pub(super) struct Memo<B> {
    states: HashMap<State<B>, bool, BuildHasherDefault<QuickHasher>>,
    moves: Ways<B>,
}

/// Captures, each with a way that it can take.
pub(super) type Ways<B> = HashMap<BitMove<B>, Vec<Hop>>;

impl<B: Bits> Memo<B> {
    pub fn new() -> Memo<B> {
        Memo {
            states: HashMap::default(),
            moves: HashMap::new(),
        }
    }

    pub fn known(&self, state: &State<B>) -> Option<bool> {
        self.states.get(state).copied()
    }

    pub fn note(&mut self, state: State<B>, goes_on: bool) {
        self.states.insert(state, goes_on);
    }

    pub fn is_full(&self) -> bool {
        self.states.len() >= MOST_BYTES / size_of::<State<B>>() || self.moves.len() > MOST_MOVES
    }

    /// Better captures have been found: what was added so far does not count.
    pub fn forget_moves(&mut self) {
        self.moves.clear();
    }

    /// Adds a move with the way that it takes; returns whether it is new.
    pub fn add(&mut self, mv: BitMove<B>, way: &[Hop]) -> bool {
        let is_new = !self.moves.contains_key(&mv);
        if is_new {
            self.moves.insert(mv, way.to_vec());
        }
        is_new
    }

    /// The moves found.
    pub fn into_moves(self) -> Ways<B> {
        self.moves
    }
}
