//! Moves that take nothing.

use super::Grid;
use crate::Square;
use crate::moves::Move;
use crate::variant::Range;

impl Grid<'_> {
    /// Adds all quiet moves to the list.
    pub(super) fn push_quiets(self, list: &mut Vec<Move>) {
        for (from, kind) in self.able() {
            for to in self.targets(from, kind) {
                list.push(Move {
                    from,
                    to,
                    path: vec![to],
                    captured: Vec::new(),
                    huffed: None,
                    kind,
                    becomes: self.arrived(kind, to),
                });
            }
        }
    }

    /// Whether there is a quiet move.
    pub(super) fn can_move_quietly(self) -> bool {
        self.able()
            .any(|(from, kind)| !self.targets(from, kind).is_empty())
    }

    /// The pieces that may make a quiet move.
    fn able(self) -> impl Iterator<Item = (Square, usize)> {
        let exhausted = self.position.exhausted(self.rules);
        self.own()
            .filter(move |(square, _)| exhausted != Some(*square))
    }

    /// Where a piece can go.
    fn targets(self, from: Square, kind: usize) -> Vec<Square> {
        let keys = self.rules.kind(kind);
        if keys.range == Range::Anywhere {
            return self.position.empty().collect();
        }
        let mut targets = Vec::new();
        for direction in self.rules.absolute(keys.moves, self.us()) {
            let mut ray = self.rules.ray(from, direction);
            let is_empty = |square: &Square| self.position.is_empty(*square);
            match keys.range {
                Range::Step => targets.extend(ray.next().filter(is_empty)),
                Range::Slide => targets.extend(ray.take_while(is_empty)),
                Range::Leap if ray.next().is_some_and(|over| self.is_own(over)) => {
                    targets.extend(ray.next().filter(is_empty));
                }
                Range::Leap | Range::Anywhere => (),
            }
        }
        targets
    }

    fn is_own(self, square: Square) -> bool {
        let piece = self.position.piece(square);
        piece.is_some_and(|piece| piece.side == self.us())
    }
}
