//! What tells positions apart in a proof.

use std::hash::{BuildHasherDefault, Hash, Hasher};

use rules::variant::{CaptureBy, Range, Reach};
use rules::{BitPosition, Bits, Ruleset, Side, Variant};

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
    pub fn new<R: Ruleset<Bits = B>>(rules: R, position: &BitPosition<B>) -> Key<B> {
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

    /// Only how many pieces each side has.
    pub fn counting(position: &BitPosition<B>) -> Key<B> {
        let [white, black] = Side::BOTH.map(|side| position.side(side).count());
        let first = |count: u32| (0..count as usize).fold(B::EMPTY, |set, bit| set | B::bit(bit));
        let turn = position.turn();
        let number = u64::from(white) << 32 | u64::from(black) << 1 | u64::from(turn as u8);
        Key {
            sides: [first(white), first(black)],
            kinds: [B::EMPTY; 2],
            turn,
            hash: number.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        }
    }
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

/// Whether squares don't matter: every piece goes anywhere and takes anything anywhere, and
/// nothing changes its kind. Then any two positions with the same numbers of pieces are the same
/// up to the names of the squares.
pub(super) fn squares_do_not_matter(variant: &Variant) -> bool {
    let man = &variant.definition().kinds[0];
    let only_men = variant
        .start()
        .pieces()
        .iter()
        .all(|(_, piece)| piece.kind == 0);
    only_men
        && man.becomes.is_none()
        && man.quiet_limit.is_none_or(|limit| limit == 0)
        && man.range == Range::Anywhere
        && man.reach == Reach::Anywhere
        && man.capture_by == CaptureBy::Replacement
        && man.takes.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_matter_in_all_games_but_one() {
        let blind: Vec<&str> = Variant::names()
            .filter(|name| squares_do_not_matter(&Variant::named(name).unwrap()))
            .collect();
        assert_eq!(blind, ["stupid-checkers"]);
    }
}
