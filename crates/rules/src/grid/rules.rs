//! What is computed once per game: neighbours, promotion squares and hash keys.

use crate::hash_keys::HashKeys;
use crate::keys::{Keys, KindKeys};
use crate::layout::promotion_squares;
use crate::variant::{Definition, Directions, Squares};
use crate::{Board, Side, Square};

/// The rules of a game on a board without bits.
#[derive(Clone, Debug)]
pub struct GridRules {
    pub(super) keys: Keys,
    /// By square, then direction as the side sees it that moves up.
    neighbours: Vec<[Option<Square>; 8]>,
    /// By side, then square.
    promotion: [Vec<bool>; 2],
    pub(super) hashes: HashKeys,
}

impl GridRules {
    /// The rules of a definition.
    pub(crate) fn new(definition: &Definition, board: &Board) -> GridRules {
        let mask = |side| {
            let mut mask = vec![false; board.len()];
            for square in promotion_squares(definition, board, side) {
                mask[square.index()] = true;
            }
            mask
        };
        GridRules {
            keys: Keys::new(definition),
            neighbours: board.squares().map(|at| neighbours(board, at)).collect(),
            promotion: Side::BOTH.map(mask),
            hashes: HashKeys::new(board.len()),
        }
    }

    pub(super) fn squares(&self) -> usize {
        self.neighbours.len()
    }

    pub(super) fn kind(&self, kind: usize) -> &KindKeys {
        &self.keys.kind[kind]
    }

    /// The next square in a direction.
    pub(super) fn next(&self, at: Square, direction: usize) -> Option<Square> {
        self.neighbours[at.index()][direction]
    }

    /// The squares in a direction, up to the edge of the board.
    pub(super) fn ray(&self, from: Square, direction: usize) -> impl Iterator<Item = Square> {
        let next = move |at: &Square| self.next(*at, direction);
        std::iter::successors(self.next(from, direction), next)
    }

    /// Directions of a side as those of the side that moves up.
    pub(super) fn absolute(
        &self,
        directions: Directions,
        side: Side,
    ) -> impl Iterator<Item = usize> + use<> {
        let mask = Keys::absolute(directions, side == self.keys.up);
        (0..8).filter(move |direction| mask >> direction & 1 == 1)
    }

    pub(crate) fn promotes(&self, side: Side, square: Square) -> bool {
        self.promotion[side][square.index()]
    }
}

/// Where every other square is played on, the next square straight ahead is two away.
fn neighbours(board: &Board, from: Square) -> [Option<Square>; 8] {
    let (row, column) = board.row_column(from);
    let mut found = [None; 8];
    for (next, (forward, right)) in found.iter_mut().zip(Directions::ALL.steps()) {
        let straight = forward == 0 || right == 0;
        let length = if straight && board.kind() != Squares::All {
            2
        } else {
            1
        };
        let row = row.checked_add_signed(-isize::from(forward) * length);
        let column = column.checked_add_signed(isize::from(right) * length);
        *next = row
            .zip(column)
            .and_then(|(row, column)| board.at(row, column));
    }
    found
}
