//! Whole numbers of any fixed length: what a pairing is worth, criterion by criterion.

use std::ops::{Add, AddAssign, Sub, SubAssign};

/// A number of `N` words, the highest first, so that comparing words compares numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Weight<const N: usize>([u64; N]);

impl<const N: usize> Weight<N> {
    /// Nothing.
    pub const ZERO: Weight<N> = Weight([0; N]);

    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub fn double(self) -> Weight<N> {
        self + self
    }

    pub fn half(mut self) -> Weight<N> {
        let mut carry = 0;
        for word in &mut self.0 {
            (*word, carry) = ((*word >> 1) | (carry << 63), *word & 1);
        }
        debug_assert_eq!(carry, 0, "only even numbers are halved");
        self
    }

    /// Adds `value` with so many bits below it.
    pub fn add_at(&mut self, bits: u32, value: u64) {
        let (word, shift) = (N - 1 - (bits / 64) as usize, bits % 64);
        let mut part = [0; N];
        part[word] = value << shift;
        if shift > 0 && word > 0 {
            part[word - 1] = value >> (64 - shift);
        }
        *self += Weight(part);
    }
}

impl<const N: usize> AddAssign for Weight<N> {
    fn add_assign(&mut self, other: Weight<N>) {
        let mut carry = false;
        for (word, other) in self.0.iter_mut().zip(other.0).rev() {
            let (sum, over) = word.overflowing_add(other);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, over | again);
        }
        debug_assert!(!carry, "a weight has room for every sum");
    }
}

impl<const N: usize> SubAssign for Weight<N> {
    fn sub_assign(&mut self, other: Weight<N>) {
        let mut borrow = false;
        for (word, other) in self.0.iter_mut().zip(other.0).rev() {
            let (rest, under) = word.overflowing_sub(other);
            let (rest, again) = rest.overflowing_sub(u64::from(borrow));
            (*word, borrow) = (rest, under | again);
        }
        debug_assert!(!borrow, "a weight is never negative");
    }
}

impl<const N: usize> Add for Weight<N> {
    type Output = Weight<N>;

    fn add(mut self, other: Weight<N>) -> Weight<N> {
        self += other;
        self
    }
}

impl<const N: usize> Sub for Weight<N> {
    type Output = Weight<N>;

    fn sub(mut self, other: Weight<N>) -> Weight<N> {
        self -= other;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(bits: u32, value: u64) -> Weight<3> {
        let mut weight = Weight::ZERO;
        weight.add_at(bits, value);
        weight
    }

    #[test]
    fn words_carry_and_borrow() {
        let all = number(0, u64::MAX) + number(64, u64::MAX);
        assert_eq!(all + number(0, 1), number(128, 1));
        assert_eq!(number(128, 1) - number(0, 1), all);
        assert_eq!(number(60, 0xff), number(60, 0xf) + number(64, 0xf));
        assert_eq!(number(64, 1).half(), number(63, 1));
        assert_eq!(number(63, 1).double(), number(64, 1));
        assert!(number(64, 1) > number(0, u64::MAX));
        assert!(Weight::<3>::ZERO.is_zero() && !number(128, 1).is_zero());
    }
}
