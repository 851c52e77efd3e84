//! Seeded chance: the same seed gives the same choices on every machine.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A source of choices that a seed determines.
///
/// ```
/// use kingme_play::Chance;
///
/// let numbers = |seed| Chance::new(seed).below(1000);
/// assert_eq!(numbers(7), numbers(7));
/// assert!(Chance::new(7).pick(&["one"]) == Some(&"one"));
/// ```
#[derive(Clone, Debug)]
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    /// Chance from a seed.
    pub fn new(seed: u64) -> Chance {
        Chance(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Another source, for the part of this work that has a number: a game of a match, say.
    #[must_use]
    pub fn fork(seed: u64, part: u64) -> Chance {
        // Neighbouring parts must not have neighbouring states; seeding mixes the sum well.
        Chance::new(seed ^ part.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 up to, not including, `end`.
    ///
    /// # Panics
    ///
    /// If `end` is zero.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "there is nothing to choose from");
        ((u128::from(self.number()) * end as u128) >> 64) as usize
    }

    /// One of the items; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| &items[self.below(items.len())])
    }

    /// Puts the items into any order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (2..=items.len()).rev() {
            items.swap(end - 1, self.below(end));
        }
    }
}
