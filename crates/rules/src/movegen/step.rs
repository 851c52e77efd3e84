//! Steps, and the side that makes them.

use crate::Side;
use crate::bit_position::BitPosition;
use crate::bits::Bits;
use crate::keys::{Keys, KindKeys};
use crate::ruleset::Ruleset;

/// The side to move, looked at by the generator. `UP`: it moves toward the lower bits; a constant,
/// so that forward is a shift one way without a question.
pub(super) struct Mover<'a, R: Ruleset, const UP: bool> {
    pub rules: R,
    pub position: &'a BitPosition<R::Bits>,
    pub own: R::Bits,
    /// Those of the first kind.
    pub men: R::Bits,
    pub enemy: R::Bits,
    pub empty: R::Bits,
}

impl<'a, R: Ruleset, const UP: bool> Mover<'a, R, UP> {
    #[inline(always)]
    pub fn new(rules: R, position: &'a BitPosition<R::Bits>) -> Self {
        let us = side_up(rules, UP);
        Mover {
            rules,
            position,
            own: position.side(us),
            men: position.pieces(rules, us, 0),
            enemy: position.side(!us),
            empty: rules.layout().playable & !position.occupied(),
        }
    }

    /// The side to move: what the position says, but a constant where the rules are.
    #[inline(always)]
    pub fn us(&self) -> Side {
        side_up(self.rules, UP)
    }

    #[inline(always)]
    pub fn keys(&self) -> &Keys {
        self.rules.keys()
    }

    #[inline(always)]
    pub fn kind(&self, kind: u8) -> &KindKeys {
        &self.rules.keys().kind[usize::from(kind)]
    }

    #[inline(always)]
    pub fn pieces(&self, kind: u8) -> R::Bits {
        if kind >= self.keys().kinds {
            return R::Bits::EMPTY;
        }
        self.position.pieces(self.rules, self.us(), kind)
    }

    /// How many kinds there may be among the pieces to move: often there are only men.
    #[inline(always)]
    pub fn kinds(&self) -> u8 {
        if self.own == self.men {
            1
        } else {
            self.keys().kinds
        }
    }

    /// The enemy pieces that a kind may take.
    #[inline(always)]
    pub fn takeable(&self, kind: u8) -> R::Bits {
        let takes = self.kind(kind).takes;
        self.position.of_kinds(self.rules, !self.us(), takes)
    }

    /// Where the side to move promotes.
    #[inline(always)]
    pub fn promotion(&self) -> R::Bits {
        self.rules.layout().promotion[self.us()]
    }

    /// Bits of the directions of a kind's quiet moves.
    #[inline(always)]
    pub fn move_directions(&self, kind: u8) -> u8 {
        Keys::absolute(self.kind(kind).moves, UP)
    }

    /// Bits of the directions of a kind's captures.
    #[inline(always)]
    pub fn capture_directions(&self, kind: u8) -> u8 {
        Keys::absolute(self.kind(kind).captures, UP)
    }
}

/// The side that moves toward the lower bits, or the other one.
#[inline(always)]
pub(crate) fn side_up<R: Ruleset>(rules: R, up: bool) -> Side {
    let side = rules.keys().up;
    if up { side } else { !side }
}

/// Every member of a set moved one step.
#[inline(always)]
pub(super) fn step<B: Bits>(keys: &Keys, set: B, direction: usize) -> B {
    let shift = keys.shifts[direction / 2];
    if direction.is_multiple_of(2) {
        set.down(shift)
    } else {
        set.up(shift)
    }
}

/// The direction that leads back.
#[inline(always)]
pub(super) const fn back(direction: usize) -> usize {
    direction ^ 1
}

/// The bit from which `steps` steps lead to `to`.
#[inline(always)]
pub(super) fn origin(keys: &Keys, to: usize, direction: usize, steps: usize) -> usize {
    along(keys, to, back(direction), steps)
}

/// The bit to which `steps` steps lead from `from`.
#[inline(always)]
pub(super) fn along(keys: &Keys, from: usize, direction: usize, steps: usize) -> usize {
    let distance = usize::from(keys.shifts[direction / 2]) * steps;
    if direction.is_multiple_of(2) {
        from - distance
    } else {
        from + distance
    }
}

/// Runs a block for each direction in a mask. Unrolled, the direction is a constant in the block.
macro_rules! each_direction {
    ($unroll:expr, $mask:expr, $direction:ident => $body:block) => {{
        let mask: u8 = $mask;
        if $unroll {
            each_direction!(@unroll mask, $direction, $body, 0 1 2 3 4 5 6 7);
        } else {
            // Line by line, so that at least the way along it is a constant.
            let mut line = 0;
            while line < 4 && mask >> (2 * line) != 0 {
                if mask >> (2 * line) & 1 == 1 {
                    let $direction: usize = 2 * line;
                    $body
                }
                if mask >> (2 * line) & 2 == 2 {
                    let $direction: usize = 2 * line + 1;
                    $body
                }
                line += 1;
            }
        }
    }};
    (@unroll $mask:ident, $direction:ident, $body:block, $($number:literal)*) => {
        $(if $mask >> $number & 1 == 1 {
            let $direction: usize = $number;
            $body
        })*
    };
}

/// Runs a block for each kind of piece there is. Unrolled, the kind is a constant in the block.
macro_rules! each_kind {
    ($unroll:expr, $kinds:expr, $kind:ident => $body:block) => {{
        let kinds: u8 = $kinds;
        if $unroll {
            each_kind!(@unroll kinds, $kind, $body, 0 1 2 3);
        } else {
            for $kind in 0..kinds {
                $body
            }
        }
    }};
    (@unroll $kinds:ident, $kind:ident, $body:block, $($number:literal)*) => {
        $(if $kinds > $number {
            let $kind: u8 = $number;
            $body
        })*
    };
}

pub(super) use {each_direction, each_kind};
