//! Moves: whole turns.

use crate::Square;
use crate::bit_position::{BitMove, BitPosition};
use crate::bits::Bits;
use crate::movegen::{self, Hop};
use crate::ruleset::Ruleset;

/// One whole turn: from, the path, what it captures, what it becomes.
///
/// Moves come from [`Position::legal_moves`](crate::Position::legal_moves) or
/// [`Position::find_move`](crate::Position::find_move).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stood.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
    /// Every square it lands on, in order; the last is `to`. Where several ways have the same
    /// effect, one of them.
    pub path: Vec<Square>,
    /// The pieces that it takes, in the order of the path.
    pub captured: Vec<Square>,
    /// The square of the piece that it costs its own side, which could have captured: `to` if that
    /// is the piece that moved. See [`Obligation::Huff`](crate::variant::Obligation::Huff).
    pub huffed: Option<Square>,
    /// The kind of the piece.
    pub kind: usize,
    /// The kind that it is afterwards.
    pub becomes: usize,
}

impl Move {
    /// The move of some bits.
    pub fn new<R: Ruleset>(
        rules: R,
        position: &BitPosition<R::Bits>,
        mv: &BitMove<R::Bits>,
    ) -> Move {
        if mv.takes_off() {
            return Move::by_way(rules, mv, &movegen::path(rules, position, mv));
        }
        let (to, takes) = (mv.to.into(), None);
        Move::by_way(rules, mv, &[Hop { to, takes }])
    }

    /// The move of some bits that takes a way.
    pub(crate) fn by_way<R: Ruleset>(rules: R, mv: &BitMove<R::Bits>, way: &[Hop]) -> Move {
        let square = |bit: usize| rules.layout().square(bit);
        let taken = way.iter().filter_map(|hop| hop.takes);
        let takes_nothing = way.iter().all(|hop| hop.takes.is_none());
        let huffed = (takes_nothing && mv.takes_off()).then(|| mv.captured.lowest());
        Move {
            from: square(mv.from.into()),
            to: square(mv.to.into()),
            path: way.iter().map(|hop| square(hop.to)).collect(),
            captured: taken.map(square).collect(),
            huffed: huffed.map(|bit| {
                let is_mover = bit == usize::from(mv.from);
                square(if is_mover { mv.to.into() } else { bit })
            }),
            kind: mv.kind.into(),
            becomes: mv.becomes.into(),
        }
    }

    /// The bits of the move; `None` if its squares are not on the board.
    pub fn in_bits<R: Ruleset>(&self, rules: R) -> Option<BitMove<R::Bits>> {
        let bit = |square: Square| rules.layout().try_bit(square);
        let mut captured = R::Bits::EMPTY;
        for &square in &self.captured {
            captured = captured | R::Bits::bit(bit(square)?);
        }
        if let Some(huffed) = self.huffed {
            let stood = if huffed == self.to { self.from } else { huffed };
            captured = captured | R::Bits::bit(bit(stood)?);
        }
        Some(BitMove {
            captured,
            from: bit(self.from)? as u16,
            to: bit(self.to)? as u16,
            kind: self.kind as u8,
            becomes: self.becomes as u8,
        })
    }

    /// Whether the move captures anything.
    pub fn is_capture(&self) -> bool {
        !self.captured.is_empty()
    }

    /// Whether a piece leaves the board: it is captured, or huffed.
    pub fn takes_off(&self) -> bool {
        self.is_capture() || self.huffed.is_some()
    }

    /// Whether it takes just these pieces, in any order.
    pub(crate) fn takes_all_of(&self, squares: &[Square]) -> bool {
        let sorted = |squares: &[Square]| {
            let mut squares = squares.to_vec();
            squares.sort();
            squares
        };
        self.captured.len() == squares.len() && sorted(&self.captured) == sorted(squares)
    }

    /// Whether another move has the same effect, whatever its way.
    pub fn is_same_as(&self, other: &Move) -> bool {
        let ends = |mv: &Move| (mv.from, mv.to, mv.huffed, mv.kind, mv.becomes);
        ends(self) == ends(other) && self.takes_all_of(&other.captured)
    }

    /// Whether the piece becomes another kind.
    pub fn is_promotion(&self) -> bool {
        self.kind != self.becomes
    }

    /// The start and every square the piece lands on.
    pub fn squares(&self) -> Vec<Square> {
        let mut squares = vec![self.from];
        squares.extend(&self.path);
        squares
    }
}
