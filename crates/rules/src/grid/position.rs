//! A position, square by square.

use super::GridRules;
use crate::moves::Move;
use crate::{Piece, Setup, Side, Square};

/// Pieces on the board and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridPosition {
    hash: u64,
    turn: Side,
    /// A byte a square, since games keep all their positions: 0 is empty.
    cells: Vec<u8>,
    /// By side, then kind.
    counts: [[u32; 4]; 2],
    /// For each side, the piece whose quiet moves in a row are counted.
    runs: [Option<(Square, u8)>; 2],
}

fn to_cell(piece: Piece) -> u8 {
    1 + 4 * piece.side as u8 + piece.kind as u8
}

fn to_piece(cell: u8) -> Option<Piece> {
    let code = usize::from(cell.checked_sub(1)?);
    Some(Piece {
        side: Side::BOTH[code / 4],
        kind: code % 4,
    })
}

impl GridPosition {
    /// The position of a sound set-up.
    pub(crate) fn new(rules: &GridRules, setup: &Setup) -> GridPosition {
        let mut position = GridPosition {
            hash: match setup.turn {
                Side::White => 0,
                Side::Black => rules.hashes.turn(),
            },
            turn: setup.turn,
            cells: vec![0; rules.squares()],
            counts: [[0; 4]; 2],
            runs: [None; 2],
        };
        for &(square, piece) in &setup.pieces {
            position.put(rules, square, piece);
        }
        for &(square, count) in &setup.runs {
            if let Some(piece) = position.piece(square) {
                position.set_run(rules, piece.side, Some((square, count)));
            }
        }
        position
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// A number that differs, in all likelihood, between different positions.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    pub(crate) fn piece(&self, square: Square) -> Option<Piece> {
        to_piece(*self.cells.get(square.index())?)
    }

    pub(super) fn is_empty(&self, square: Square) -> bool {
        self.cells[square.index()] == 0
    }

    /// The squares without a piece, in reading order.
    pub(super) fn empty(&self) -> impl Iterator<Item = Square> {
        let squares = (0..self.cells.len()).map(|index| Square(index as u16));
        squares.filter(|&square| self.is_empty(square))
    }

    /// All pieces, in reading order.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        let cells = self.cells.iter().enumerate();
        cells.filter_map(|(index, &cell)| Some((Square(index as u16), to_piece(cell)?)))
    }

    pub(crate) fn count(&self, side: Side) -> u32 {
        self.counts[side].iter().sum()
    }

    pub(crate) fn count_kind(&self, side: Side, kind: usize) -> u32 {
        self.counts[side].get(kind).copied().unwrap_or(0)
    }

    /// The pieces whose quiet moves in a row are counted, with their moves.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (Square, u8)> {
        self.runs.into_iter().flatten()
    }

    /// The piece of the side to move that may not make another quiet move for now.
    pub(super) fn exhausted(&self, rules: &GridRules) -> Option<Square> {
        let (square, count) = self.runs[self.turn]?;
        let limit = rules.kind(self.piece(square)?.kind).quiet_limit;
        (limit > 0 && count >= limit).then_some(square)
    }

    /// The position after a legal move.
    pub(super) fn play(&self, rules: &GridRules, mv: &Move) -> GridPosition {
        let mut next = self.clone();
        let us = self.turn;
        next.lift(rules, mv.from);
        for &square in &mv.captured {
            next.lift(rules, square);
        }
        let kind = mv.becomes;
        next.put(rules, mv.to, Piece { side: us, kind });
        if let Some(huffed) = mv.huffed {
            next.lift(rules, huffed);
        }
        next.turn = !us;
        next.hash ^= rules.hashes.turn();
        next.count_runs(rules, us, mv);
        next
    }

    fn put(&mut self, rules: &GridRules, square: Square, piece: Piece) {
        self.cells[square.index()] = to_cell(piece);
        self.counts[piece.side][piece.kind] += 1;
        self.hash ^= rules.hashes.piece(square.index(), piece.side, piece.kind);
    }

    fn lift(&mut self, rules: &GridRules, square: Square) {
        if let Some(piece) = self.piece(square) {
            self.cells[square.index()] = 0;
            self.counts[piece.side][piece.kind] -= 1;
            self.hash ^= rules.hashes.piece(square.index(), piece.side, piece.kind);
        }
    }

    /// Counts the quiet moves of one piece in a row, for the games that limit them.
    fn count_runs(&mut self, rules: &GridRules, us: Side, mv: &Move) {
        let limit = rules.kind(mv.kind).quiet_limit;
        let counts = limit > 0 && !mv.takes_off() && !mv.is_promotion();
        let before = self.runs[us].filter(|(square, _)| *square == mv.from);
        let count = before.map_or(0, |(_, count)| count) + 1;
        self.set_run(rules, us, counts.then_some((mv.to, count.min(limit))));
        for side in Side::BOTH {
            let is_own = |square| self.piece(square).is_some_and(|piece| piece.side == side);
            let gone = self.runs[side].is_some_and(|(square, _)| !is_own(square));
            if gone || self.count_kind(side, Piece::MAN) == 0 {
                self.set_run(rules, side, None);
            }
        }
    }

    fn set_run(&mut self, rules: &GridRules, side: Side, run: Option<(Square, u8)>) {
        for (square, count) in [self.runs[side], run].into_iter().flatten() {
            self.hash ^= rules.hashes.run(side, square.index(), count);
        }
        self.runs[side] = run;
    }
}
