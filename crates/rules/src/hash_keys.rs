//! Random numbers that make up the hash of a position, the same on every machine.

use crate::Side;

/// A number for everything that makes one position differ from another.
#[derive(Clone, Debug)]
pub(crate) struct HashKeys {
    /// By place, then side, then kind.
    pieces: Vec<[[u64; 4]; 2]>,
    /// By side, then place.
    runs: [Vec<u64>; 2],
    turn: u64,
}

impl HashKeys {
    /// For so many places: bits or squares.
    pub fn new(places: usize) -> HashKeys {
        let mut random = SplitMix(0x6b69_6e67_6d65_2121);
        HashKeys {
            pieces: (0..places)
                .map(|_| [(); 2].map(|()| [(); 4].map(|()| random.next())))
                .collect(),
            runs: [(); 2].map(|()| (0..places).map(|_| random.next() | 1).collect()),
            turn: random.next(),
        }
    }

    /// For a piece.
    #[inline(always)]
    pub fn piece(&self, place: usize, side: Side, kind: usize) -> u64 {
        self.pieces[place][side][kind]
    }

    /// For a piece that has made so many quiet moves in a row.
    #[inline(always)]
    pub fn run(&self, side: Side, place: usize, count: u8) -> u64 {
        self.runs[side][place].wrapping_mul(u64::from(count))
    }

    /// For Black to move.
    #[inline(always)]
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// For a place in a set of places.
    pub fn member(&self, place: usize) -> u128 {
        let [high, low] = Side::BOTH.map(|side| u128::from(self.piece(place, side, 0)));
        high << 64 | low
    }
}

/// A small generator of random numbers.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
