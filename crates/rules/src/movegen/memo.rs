//! What a thorough search for captures has seen already.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::path::Hop;
use crate::bit_position::BitMove;
use crate::bits::Bits;

/// After so many jumps the search starts again, remembering what it has seen.
const QUICK_JUMPS: u32 = 400;

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

/// States with whether they go on, the hops so far and the moves found.
pub(super) struct Memo<B> {
    states: HashMap<State<B>, bool, BuildHasherDefault<QuickHasher>>,
    hops: Vec<Hop>,
    moves: Ways<B>,
}

/// Captures, each with a way that it can take.
pub(super) type Ways<B> = HashMap<BitMove<B>, Vec<Hop>>;

/// What a search for captures remembers, if it does.
pub(super) trait Memory<B> {
    /// Whether it remembers anything; if not, nothing below does anything.
    const REMEMBERS: bool;

    /// Whether the search must be given up after so many jumps.
    fn is_full(&self, jumps: u32) -> bool;

    /// Whether a capture goes on from a state, if that has been seen.
    fn known(&self, _: &State<B>) -> Option<bool> {
        None
    }

    /// Takes note of whether a capture goes on from a state.
    fn note(&mut self, _: State<B>, _: bool) {}

    /// A hop is made.
    fn enter(&mut self, _: Hop) {}

    /// The last hop is taken back.
    fn leave(&mut self) {}

    /// Better captures have been found: what was added so far does not count.
    fn forget_moves(&mut self) {}

    /// Adds a move that the hops so far lead to; returns whether it is new.
    fn add(&mut self, _: BitMove<B>) -> bool {
        true
    }
}

/// The search that is quick: it is given up early.
pub(super) struct NoMemory;

impl<B> Memory<B> for NoMemory {
    const REMEMBERS: bool = false;

    #[inline(always)]
    fn is_full(&self, jumps: u32) -> bool {
        jumps > QUICK_JUMPS
    }
}

impl<B: Bits> Memo<B> {
    pub fn new() -> Memo<B> {
        Memo {
            states: HashMap::default(),
            hops: Vec::new(),
            moves: HashMap::new(),
        }
    }

    /// The moves found.
    pub fn into_moves(self) -> Ways<B> {
        self.moves
    }
}

impl<B: Bits> Memory<B> for Memo<B> {
    const REMEMBERS: bool = true;

    fn is_full(&self, _: u32) -> bool {
        self.states.len() >= MOST_BYTES / size_of::<State<B>>() || self.moves.len() > MOST_MOVES
    }

    fn known(&self, state: &State<B>) -> Option<bool> {
        self.states.get(state).copied()
    }

    fn note(&mut self, state: State<B>, goes_on: bool) {
        self.states.insert(state, goes_on);
    }

    fn enter(&mut self, hop: Hop) {
        self.hops.push(hop);
    }

    fn leave(&mut self) {
        self.hops.pop();
    }

    fn forget_moves(&mut self) {
        self.moves.clear();
    }

    fn add(&mut self, mv: BitMove<B>) -> bool {
        let is_new = !self.moves.contains_key(&mv);
        if is_new {
            self.moves.insert(mv, self.hops.clone());
        }
        is_new
    }
}
