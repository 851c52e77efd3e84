//! Set-ups: pieces on squares, not yet looked at.

use crate::variant::{Definition, Start};
use crate::{Board, Side, Square};

/// A piece on the board.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// Its kind: an index into [`Definition::kinds`](crate::Definition::kinds).
    pub kind: usize,
}

impl Piece {
    /// The kind of every game's men.
    pub const MAN: usize = 0;
    /// The kind of every game's kings.
    pub const KING: usize = 1;
}

/// Pieces on squares and a side to move. [`Position::new`](crate::Position::new) checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Who moves.
    pub turn: Side,
    /// The pieces.
    pub pieces: Vec<(Square, Piece)>,
    /// For games that limit the quiet moves of one piece in a row: the squares of such pieces,
    /// with the number of moves made.
    pub runs: Vec<(Square, u8)>,
}

/// Why a set-up is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The board has no such square.
    #[error("the board has {squares} squares, there is no square {index} (from 0)")]
    Square {
        /// The index.
        index: usize,
        /// How many there are.
        squares: usize,
    },
    /// Two pieces on one square.
    #[error("two pieces stand on {0}")]
    Twice(String),
    /// A kind that the game does not have.
    #[error("the piece on {square} is of kind {kind}, this game has {kinds} (from 0)")]
    Kind {
        /// Where.
        square: String,
        /// Which.
        kind: usize,
        /// How many there are.
        kinds: usize,
    },
    /// A man that would be a king already.
    #[error("the {side} man on {square} stands on its promotion square")]
    Promoted {
        /// Where.
        square: String,
        /// Whose.
        side: String,
    },
    /// A count of quiet moves that can't be.
    #[error("the piece on {0} can't have made so many quiet moves in a row")]
    Run(String),
    /// Too many captures to list.
    #[error("this position has too many captures to list")]
    TooManyCaptures,
}

impl Setup {
    /// An empty board.
    pub fn empty(turn: Side) -> Setup {
        Setup {
            turn,
            pieces: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// The starting set-up of a game.
    pub(crate) fn start(definition: &Definition, board: &Board) -> Setup {
        let pieces = match &definition.start {
            Start::Rows { gap, offset } => rows_of_men(definition, board, *gap, *offset),
            Start::Drawn(rows) => drawn(definition, board, rows),
        };
        Setup {
            pieces,
            ..Setup::empty(definition.sides.first)
        }
    }
}

fn rows_of_men(
    definition: &Definition,
    board: &Board,
    gap: u8,
    offset: u8,
) -> Vec<(Square, Piece)> {
    let (rows, gap, offset) = (
        usize::from(board.rows()),
        usize::from(gap),
        usize::from(offset),
    );
    let depth = (rows - gap - 2 * offset) / 2;
    let top = definition.sides.top;
    board
        .squares()
        .filter_map(|square| {
            let row = board.row_column(square).0;
            let from_edge = row.min(rows - 1 - row);
            let side = if row < rows / 2 { top } else { !top };
            let kind = Piece::MAN;
            (offset..offset + depth)
                .contains(&from_edge)
                .then_some((square, Piece { side, kind }))
        })
        .collect()
}

fn drawn(definition: &Definition, board: &Board, rows: &[String]) -> Vec<(Square, Piece)> {
    board
        .squares()
        .filter_map(|square| {
            let (row, column) = board.row_column(square);
            let letter = rows[row].chars().nth(column)?;
            let (side, kind) = definition.piece_of(letter)?;
            let side = Side::BOTH[side];
            Some((square, Piece { side, kind }))
        })
        .collect()
}
