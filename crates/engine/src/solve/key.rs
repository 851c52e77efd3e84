//! What tells positions apart in a proof.

use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

use kingme_rules::variant::{CaptureBy, Directions, Obligation, Range, Reach, Squares};
use kingme_rules::{BitPosition, Bits, Board, Ruleset, Side, Variant};

/// A position without doubt: the pieces themselves, not only a hash of them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Key<B> {
    sides: [B; 2],
    kinds: [B; 2],
    turn: Side,
    /// Also tells apart how often a piece has moved in a row, where that is limited.
    hash: u64,
}

impl<B: Bits> Key<B> {
    fn new<R: Ruleset<Bits = B>>(rules: R, position: &BitPosition<B>) -> Key<B> {
        let kind = |kind| {
            let [white, black] = Side::BOTH.map(|side| position.pieces(rules, side, kind));
            white | black
        };
        let occupied = position.occupied();
        Key {
            sides: Side::BOTH.map(|side| position.side(side)),
            kinds: [kind(1) & occupied, kind(2) & occupied],
            turn: position.turn(),
            hash: position.hash(),
        }
    }

    /// The key of a position of which only some sets matter, in a game of men only.
    fn of_sets(turn: Side, sides: [B; 2]) -> Key<B> {
        let mut hasher = DefaultHasher::new();
        (turn as u8, sides).hash(&mut hasher);
        Key {
            sides,
            kinds: [B::EMPTY; 2],
            turn,
            hash: hasher.finish(),
        }
    }
}

/// Which positions are the same but for the names of squares.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// None that proofs make use of.
    None,
    /// Columns can change places: pieces only move and take straight ahead or back.
    Columns,
    /// All squares can change places: every piece goes anywhere and takes anything anywhere.
    Squares,
}

impl Symmetry {
    /// The symmetry of a game from its start.
    pub(super) fn of(variant: &Variant) -> Symmetry {
        let man = &variant.definition().kinds[0];
        let only_men = variant
            .start()
            .pieces()
            .iter()
            .all(|(_, piece)| piece.kind == 0);
        let unlimited = man.quiet_limit.is_none_or(|limit| limit == 0);
        // Which piece is huffed depends on where it stands.
        let huffs = variant.definition().capture.obligation == Obligation::Huff;
        if huffs || !only_men || man.becomes.is_some() || !unlimited || !man.takes.contains(&0) {
            return Symmetry::None;
        }
        let takes_by_replacement = man.capture_by == CaptureBy::Replacement;
        let straight = |directions: Directions| directions.steps().all(|(_, column)| column == 0);
        let steps = man.range == Range::Step && man.reach == Reach::Short;
        let all_squares = variant.definition().board.squares == Squares::All;
        let whole = all_squares && variant.definition().board.holes.is_empty();
        if man.range == Range::Anywhere && man.reach == Reach::Anywhere && takes_by_replacement {
            Symmetry::Squares
        } else if whole && steps && straight(man.moves) && straight(man.captures) {
            Symmetry::Columns
        } else {
            Symmetry::None
        }
    }
}

/// Makes keys that are equal where positions are the same by a game's symmetry.
pub(super) struct Keys {
    symmetry: Symmetry,
    /// Bits by column, from the top.
    columns: Vec<Vec<u16>>,
}

impl Keys {
    pub fn new<R: Ruleset>(rules: R, board: &Board, symmetry: Symmetry) -> Keys {
        let mut columns = vec![Vec::new(); board.columns().into()];
        for square in board.squares() {
            let (_, column) = board.row_column(square);
            columns[column].push(rules.layout().bit(square) as u16);
        }
        Keys { symmetry, columns }
    }

    pub fn key<R: Ruleset>(&self, rules: R, position: &BitPosition<R::Bits>) -> Key<R::Bits> {
        match self.symmetry {
            Symmetry::None => Key::new(rules, position),
            Symmetry::Columns => self.columns(position),
            Symmetry::Squares => {
                let sides = Side::BOTH.map(|side| first(position.side(side).count()));
                Key::of_sets(position.turn(), sides)
            }
        }
    }

    /// The position with its columns in order.
    fn columns<B: Bits>(&self, position: &BitPosition<B>) -> Key<B> {
        let digit = |bit: u16| {
            let [white, black] = Side::BOTH.map(|side| position.side(side).has(bit.into()));
            u64::from(white) + 2 * u64::from(black)
        };
        let mut contents: Vec<u64> = self
            .columns
            .iter()
            .map(|column| {
                column
                    .iter()
                    .fold(0, |number, &bit| number * 3 + digit(bit))
            })
            .collect();
        contents.sort_unstable();
        let mut sides = [B::EMPTY; 2];
        for (column, mut number) in self.columns.iter().zip(contents) {
            for &bit in column.iter().rev() {
                match number % 3 {
                    1 => sides[0] = sides[0] | B::bit(bit.into()),
                    2 => sides[1] = sides[1] | B::bit(bit.into()),
                    _ => (),
                }
                number /= 3;
            }
        }
        Key::of_sets(position.turn(), sides)
    }
}

/// A set of so many squares.
fn first<B: Bits>(count: u32) -> B {
    (0..count as usize).fold(B::EMPTY, |set, bit| set | B::bit(bit))
}

impl<B: Bits> Hash for Key<B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// Takes the hash that a key has already.
#[derive(Default)]
pub(super) struct Ready(u64);

pub(super) type BuildReady = BuildHasherDefault<Ready>;

impl Hasher for Ready {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_worksheets_games_have_symmetries() {
        let symmetric: Vec<(&str, Symmetry)> = Variant::names()
            .map(|name| (name, Symmetry::of(&Variant::named(name).unwrap())))
            .filter(|(_, symmetry)| *symmetry != Symmetry::None)
            .collect();
        let expected = [
            ("stupid-checkers", Symmetry::Squares),
            ("pown-chess", Symmetry::Columns),
        ];
        assert_eq!(symmetric, expected);
    }
}
