//! Boards that are too large for sets of bits: positions square by square, and their legal moves.
//!
//! Nothing here recurs from jump to jump: on a board of thousands of squares a capture may be
//! longer than a thread's stack is deep.

mod captures;
mod position;
mod quiet;
mod rules;

pub use position::GridPosition;
pub use rules::GridRules;

use std::collections::BTreeSet;

use crate::moves::Move;
use crate::{Piece, Side, Square};
use captures::Captures;

/// A position with the rules that it is played by: the side to move, looked at by the generator.
#[derive(Copy, Clone)]
pub(crate) struct Grid<'a> {
    pub rules: &'a GridRules,
    pub position: &'a GridPosition,
}

impl<'a> Grid<'a> {
    /// The legal moves. Captures with the same start, end, victims and promotion are one move.
    pub fn moves(self) -> Vec<Move> {
        let mut list = self.captures().0;
        if (list.is_empty() || !self.rules.keys.obligatory()) && !self.is_over() {
            let captures = list.len();
            self.push_quiets(&mut list);
            if self.rules.keys.huffs() {
                huff(&mut list, captures);
            }
        }
        list
    }

    /// The legal captures, and whether they are too many to list, so that some are missing.
    pub fn captures(self) -> (Vec<Move>, bool) {
        if self.can_capture() {
            Captures::new(self).all()
        } else {
            (Vec::new(), false)
        }
    }

    /// Whether the side to move can capture.
    pub fn can_capture(self) -> bool {
        !self.is_over() && Captures::new(self).any()
    }

    /// Whether the side to move has a legal move.
    pub fn can_move(self) -> bool {
        self.can_capture() || !self.is_over() && self.can_move_quietly()
    }

    /// The number of ways to play so many plies.
    pub fn perft(self, depth: u32) -> u64 {
        let moves = match depth {
            0 => return 1,
            _ => self.moves(),
        };
        if depth == 1 {
            return moves.len() as u64;
        }
        let after = |mv: &Move| {
            let position = &self.play(mv);
            Grid { position, ..self }.perft(depth - 1)
        };
        moves.iter().map(after).sum()
    }

    /// The position after a legal move.
    pub fn play(self, mv: &Move) -> GridPosition {
        self.position.play(self.rules, mv)
    }

    fn us(self) -> Side {
        self.position.turn()
    }

    /// Whether the first promotion has decided the game already, or the huff of a last piece.
    fn is_over(self) -> bool {
        let (keys, them) = (&self.rules.keys, !self.us());
        keys.king_wins && self.position.count_kind(them, Piece::KING) > 0
            || keys.huffs() && self.position.count(them) == 0
    }

    /// The pieces of the side to move with their kinds, in reading order.
    fn own(self) -> impl Iterator<Item = (Square, usize)> + use<'a> {
        let us = self.us();
        let pieces = self.position.pieces();
        pieces.filter_map(move |(square, piece)| (piece.side == us).then_some((square, piece.kind)))
    }

    /// What a piece of the side to move is after it has come to a square.
    fn arrived(self, kind: usize, at: Square) -> usize {
        if self.rules.promotes(self.us(), at) {
            self.rules.kind(kind).becomes.into()
        } else {
            kind
        }
    }
}

/// Huffs a piece for each move of a list after its captures: the one that moves if it could
/// capture, or else the first that could.
fn huff(list: &mut [Move], captures: usize) {
    let (captures, quiets) = list.split_at_mut(captures);
    let able: BTreeSet<Square> = captures.iter().map(|mv| mv.from).collect();
    let Some(&first) = able.first() else {
        return;
    };
    for mv in quiets {
        if able.contains(&mv.from) {
            mv.huffed = Some(mv.to);
            mv.becomes = mv.kind;
        } else {
            mv.huffed = Some(first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    type Effect = (Square, Square, Vec<Square>, Option<Square>, usize);

    /// The moves with their effects, sorted.
    fn effects(moves: Vec<Move>) -> Vec<Effect> {
        let effect = |mut mv: Move| {
            mv.captured.sort();
            (mv.from, mv.to, mv.captured, mv.huffed, mv.becomes)
        };
        let mut effects: Vec<_> = moves.into_iter().map(effect).collect();
        effects.sort();
        effects
    }

    /// Bits and grid are two generators: in games that have bits they can be compared.
    #[test]
    fn every_game_has_the_same_moves_in_bits_and_on_a_grid() {
        for name in Variant::names() {
            let variant = Variant::named(name).unwrap();
            let rules = &GridRules::new(variant.definition(), variant.board());
            let mut position = variant.start();
            let mut on_grid = GridPosition::new(rules, &position.setup());
            for ply in 0..120 {
                let grid = Grid {
                    rules,
                    position: &on_grid,
                };
                let moves = position.legal_moves();
                assert_eq!(effects(grid.moves()), effects(moves.clone()), "{name}");
                assert_eq!(grid.can_capture(), position.can_capture(), "{name}");
                assert_eq!(grid.can_move(), position.can_move(), "{name}");
                let Some(mv) = moves.get(ply * 7 % moves.len().max(1)) else {
                    break;
                };
                on_grid = grid.play(mv);
                position = position.play_unchecked(mv);
                let setup = position.setup();
                assert_eq!(on_grid, GridPosition::new(rules, &setup), "{name}");
            }
        }
    }
}
