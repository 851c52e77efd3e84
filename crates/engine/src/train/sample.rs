//! Positions with their labels, small enough to keep tens of millions.

use rules::{BitPosition, Bits, Ruleset, Side, Square, Variant};

use crate::eval::Board;
use crate::score::Score;

/// A position of a game with how the game ended and what a search said.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub turn: Side,
    /// Result for White: 2 won, 1 drawn, 0 lost.
    pub result: u8,
    /// Score for White.
    pub score: i16,
}

/// Samples of one board, all of the same length.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    squares: usize,
    bytes: Vec<u8>,
}

const LABEL: usize = 4;

impl Samples {
    pub fn new(variant: &Variant) -> Samples {
        Samples {
            squares: variant.board().len(),
            bytes: Vec::new(),
        }
    }

    fn stride(&self) -> usize {
        LABEL + self.squares.div_ceil(2)
    }

    pub fn len(&self) -> usize {
        self.bytes.len() / self.stride()
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds samples as they were stored; a torn last one is left out.
    pub fn extend(&mut self, bytes: &[u8]) {
        let whole = bytes.len() / self.stride() * self.stride();
        self.bytes.extend_from_slice(&bytes[..whole]);
    }

    /// Adds a position.
    pub fn push<R: Ruleset>(&mut self, rules: R, position: &BitPosition<R::Bits>, score: Score) {
        let turn = position.turn();
        let white = if turn == Side::White { score } else { -score };
        let value = (white.value() as i16).to_le_bytes();
        self.bytes.extend([turn as u8, 1, value[0], value[1]]);
        let start = self.bytes.len();
        self.bytes.resize(start + self.squares.div_ceil(2), 0);
        for side in Side::BOTH {
            for bit in position.side(side).members() {
                let square = rules.tables().square(bit).index();
                let piece = 1 + position.kind_at(bit) + 4 * side as u8;
                self.bytes[start + square / 2] |= piece << (square % 2 * 4);
            }
        }
    }

    /// Says how the game of the samples from `first` on ended: 2, 1 or 0 for White.
    pub fn set_result(&mut self, first: usize, result: u8) {
        let stride = self.stride();
        for sample in self.bytes.chunks_exact_mut(stride).skip(first) {
            sample[1] = result;
        }
    }

    /// Reads a sample into `board`.
    pub fn read(&self, index: usize, squares: &[Square], board: &mut Board) -> Label {
        let stride = self.stride();
        let bytes = &self.bytes[index * stride..(index + 1) * stride];
        board.pieces.clear();
        for (byte, &pair) in bytes[LABEL..].iter().enumerate() {
            if pair == 0 {
                continue;
            }
            for (half, piece) in [pair & 15, pair >> 4].into_iter().enumerate() {
                if piece > 0 {
                    let side = Side::BOTH[usize::from(piece > 4)];
                    let kind = usize::from((piece - 1) % 4);
                    board.pieces.push((squares[2 * byte + half], side, kind));
                }
            }
        }
        Label {
            turn: Side::BOTH[usize::from(bytes[0] & 1)],
            result: bytes[1],
            score: i16::from_le_bytes([bytes[2], bytes[3]]),
        }
    }
}
