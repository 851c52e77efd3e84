//! A set of squares for each direction.

use std::fmt::Debug;

use super::step::{back, each_direction, step};
use crate::bits::Bits;
use crate::keys::Keys;

/// A set of squares for each direction: held one by one, or in vectors.
pub trait Lanes<B: Bits>: Copy + Debug + Send + Sync {
    /// Whether what uses it must be compiled for AVX2.
    const AVX2: bool = false;

    /// The same set for each of these directions, and none for the others.
    fn all(directions: u8, set: B) -> Self;

    /// The set of a direction.
    fn get(&self, direction: usize) -> B;

    /// What each set shares with another.
    #[must_use]
    fn and(self, set: B) -> Self;

    /// Each set moved a step in its direction.
    #[must_use]
    fn forth(self, keys: &Keys) -> Self;

    /// Each set moved a step against its direction.
    #[must_use]
    fn back(self, keys: &Keys) -> Self;

    /// What is in any of the sets.
    fn any(self) -> B;

    /// What is in two of the sets or more.
    fn twice(self) -> B;

    /// How many members the sets have together.
    fn count(self) -> u32;
}

/// The sets one by one. `UNROLL`: the directions are constants, so that loops over them fold away.
#[derive(Copy, Clone, Debug)]
pub struct Plain<B, const UNROLL: bool> {
    sets: [B; 8],
    directions: u8,
}

impl<B: Bits, const UNROLL: bool> Plain<B, UNROLL> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn map(mut self, change: impl Fn(usize, B) -> B) -> Self {
        each_direction!(UNROLL, self.directions, direction => {
            self.sets[direction] = change(direction, self.sets[direction]);
        });
        self
    }
}

impl<B: Bits, const UNROLL: bool> Lanes<B> for Plain<B, UNROLL> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn all(directions: u8, set: B) -> Self {
        let none = Plain {
            sets: [B::EMPTY; 8],
            directions,
        };
        none.map(|_, _| set)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get(&self, direction: usize) -> B {
        self.sets[direction]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn and(self, set: B) -> Self {
        self.map(|_, own| own & set)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn forth(self, keys: &Keys) -> Self {
        self.map(|direction, set| step(keys, set, direction))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn back(self, keys: &Keys) -> Self {
        self.map(|direction, set| step(keys, set, back(direction)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn any(self) -> B {
        let mut one = B::EMPTY;
        each_direction!(UNROLL, self.directions, direction => {
            one = one | self.sets[direction];
        });
        one
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn twice(self) -> B {
        let mut one_two = (B::EMPTY, B::EMPTY);
        each_direction!(UNROLL, self.directions, direction => {
            let set = self.sets[direction];
            one_two = (one_two.0 | set, one_two.1 | (one_two.0 & set));
        });
        one_two.1
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count(self) -> u32 {
        let mut total = 0;
        each_direction!(UNROLL, self.directions, direction => {
            total += self.sets[direction].count();
        });
        total
    }
}
