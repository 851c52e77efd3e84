//! What is computed once per game for the generator: masks, square numbers and hash keys.

use crate::bits::Bits;
use crate::hash_keys::HashKeys;
use crate::keys::{Keys, bit_index};
use crate::ruleset::{Loaded, Ruleset};
use crate::variant::{Definition, PromotionSquares, Squares};
use crate::{Board, Side, Square};

const NO_SQUARE: u16 = u16::MAX;

/// The masks of a board in bits, and the hash keys of its pieces.
#[derive(Clone, Debug)]
pub struct Layout<B> {
    pub(crate) keys: Keys,
    pub(crate) playable: B,
    /// Where each side promotes.
    pub(crate) promotion: [B; 2],
    bits: Vec<u16>,
    squares: Vec<u16>,
    hashes: HashKeys,
}

/// How many bits a board needs; `None` if a step on it would be longer than a word.
pub(crate) fn bits_needed(definition: &Definition) -> Option<usize> {
    let board = &definition.board;
    let shifts = Keys::new(definition).shifts;
    let last = bit_index(
        board.squares,
        shifts,
        usize::from(board.rows) - 1,
        usize::from(board.columns),
    );
    shifts
        .iter()
        .all(|&shift| u32::from(shift) < u64::BITS)
        .then_some(last + 1)
}

impl<B: Bits> Layout<B> {
    pub(crate) fn new(definition: &Definition, board: &Board) -> Layout<B> {
        let keys = Keys::new(definition);
        let bit = |square| {
            let (row, column) = board.row_column(square);
            bit_index(board.kind(), keys.shifts, row, column)
        };
        let bits: Vec<u16> = board.squares().map(|square| bit(square) as u16).collect();
        let mut squares = vec![NO_SQUARE; B::WIDTH];
        for square in board.squares() {
            squares[bit(square)] = square.0;
        }
        let mask = |squares: &mut dyn Iterator<Item = Square>| {
            squares.fold(B::EMPTY, |mask, square| mask | B::bit(bit(square)))
        };
        Layout {
            playable: mask(&mut board.squares()),
            promotion: Side::BOTH
                .map(|side| mask(&mut promotion_squares(definition, board, side).into_iter())),
            hashes: HashKeys::new(B::WIDTH),
            keys,
            bits,
            squares,
        }
    }

    /// The rules of the game, read from the data.
    #[inline(always)]
    pub fn rules(&self) -> impl Ruleset<Bits = B> {
        Loaded(self)
    }

    /// The bit of a square.
    #[inline(always)]
    pub fn bit(&self, square: Square) -> usize {
        usize::from(self.bits[square.index()])
    }

    /// The bit of a square, if this board has it.
    pub(crate) fn try_bit(&self, square: Square) -> Option<usize> {
        self.bits.get(square.index()).map(|&bit| usize::from(bit))
    }

    /// The square of a bit.
    ///
    /// # Panics
    ///
    /// If the bit is not a square of the board.
    #[inline(always)]
    pub fn square(&self, bit: usize) -> Square {
        let square = self.squares[bit];
        assert_ne!(square, NO_SQUARE, "bit {bit} is not a square");
        Square(square)
    }

    /// The squares of a set, in reading order.
    pub fn squares(&self, set: B) -> Vec<Square> {
        set.members().map(|bit| self.square(bit)).collect()
    }

    /// All playable squares.
    #[inline(always)]
    pub fn playable(&self) -> B {
        self.playable
    }

    /// The squares on which a side promotes.
    #[inline(always)]
    pub fn promotion(&self, side: Side) -> B {
        self.promotion[side]
    }

    /// Whether a side's pieces are promoted on a square.
    pub(crate) fn promotes(&self, side: Side, square: Square) -> bool {
        self.promotion[side].has(self.bit(square))
    }

    #[inline(always)]
    pub(crate) fn hash(&self, bit: usize, side: Side, kind: u8) -> u64 {
        self.hashes.piece(bit, side, kind.into())
    }

    #[inline(always)]
    pub(crate) fn run_hash(&self, side: Side, bit: usize, count: u8) -> u64 {
        self.hashes.run(side, bit, count)
    }

    #[inline(always)]
    pub(crate) fn turn_hash(&self) -> u64 {
        self.hashes.turn()
    }
}

/// The squares on which a side's pieces are promoted.
pub(crate) fn promotion_squares(definition: &Definition, board: &Board, side: Side) -> Vec<Square> {
    let named = definition.promotion.named(side);
    if !named.is_empty() {
        return named.iter().filter_map(|name| board.parse(name)).collect();
    }
    let moves_down = side == definition.sides.top;
    let is_far = |&square: &Square| match definition.promotion.squares {
        PromotionSquares::LastRow => is_on_last_row(board, moves_down, square),
        PromotionSquares::Edge => is_at_edge(board, moves_down, square),
    };
    board.squares().filter(is_far).collect()
}

fn is_on_last_row(board: &Board, moves_down: bool, square: Square) -> bool {
    let (row, _) = board.row_column(square);
    if moves_down {
        row + 1 == usize::from(board.rows())
    } else {
        row == 0
    }
}

/// Whether there is no square diagonally or straight before this one.
fn is_at_edge(board: &Board, moves_down: bool, square: Square) -> bool {
    let (row, column) = board.row_column(square);
    let next = if moves_down {
        Some(row + 1)
    } else {
        row.checked_sub(1)
    };
    let columns = [column.checked_sub(1), Some(column), Some(column + 1)];
    !columns.into_iter().flatten().any(|beside| {
        let counts = board.kind() == Squares::All || beside != column;
        counts && next.is_some_and(|row| board.at(row, beside).is_some())
    })
}
