//! What a thorough search for captures has seen already.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use crate::bit_position::BitMove;
use crate::bits::Bits;

/// What needs more memory than this is given up on: states and moves, so many bytes each. It is
/// about a tenth of a second on any board.
const MOST_BYTES: usize = 16 << 20;

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
    moves: HashSet<BitMove<B>>,
}

impl<B: Bits> Memo<B> {
    pub fn new() -> Memo<B> {
        Memo {
            states: HashMap::default(),
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
        self.states.len() >= MOST_BYTES / size_of::<State<B>>()
            || self.moves.len() >= MOST_BYTES / size_of::<BitMove<B>>()
    }

    /// Better captures have been found: what was added so far does not count.
    pub fn forget_moves(&mut self) {
        self.moves.clear();
    }

    /// Whether the move is new.
    pub fn add(&mut self, mv: BitMove<B>) -> bool {
        self.moves.insert(mv)
    }
}
