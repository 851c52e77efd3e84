//! Sets of squares as bits, in the width that a board needs.

mod wide;

pub use wide::Wide;

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::movegen::Lanes;
#[cfg(not(all(target_arch = "x86_64", feature = "fast")))]
use crate::movegen::Plain;
#[cfg(all(target_arch = "x86_64", feature = "fast"))]
use crate::movegen::Vectors;
use crate::position::Width;

/// A set of squares, one bit each. Which bit is which square is the matter of
/// [`Layout`](crate::Layout).
pub trait Bits:
    Width
    + Copy
    + Eq
    + Hash
    + Default
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// A set for each direction, in the processor's vectors if there are any.
    type Vectors: Lanes<Self>;

    /// The empty set.
    const EMPTY: Self;

    /// How many bits there are.
    const WIDTH: usize;

    /// The set of one bit.
    fn bit(index: usize) -> Self;

    /// Every member moved up by `by` bits.
    #[must_use]
    fn up(self, by: u8) -> Self;

    /// Every member moved down by `by` bits.
    #[must_use]
    fn down(self, by: u8) -> Self;

    /// How many members there are.
    fn count(self) -> u32;

    /// The lowest member. The set must not be empty.
    fn lowest(self) -> usize;

    /// The set without its lowest member. The set must not be empty.
    #[must_use]
    fn without_lowest(self) -> Self;

    /// Whether there are no members.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether the two sets share a member.
    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Whether `index` is a member.
    #[inline(always)]
    fn has(self, index: usize) -> bool {
        self.meets(Self::bit(index))
    }

    /// The members, lowest first.
    #[inline(always)]
    fn members(self) -> Members<Self> {
        Members(self)
    }
}

/// The members of a set, lowest first.
#[derive(Clone, Debug)]
pub struct Members<B>(B);

impl<B: Bits> Iterator for Members<B> {
    type Item = usize;
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let lowest = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(lowest)
    }
}

macro_rules! integer_bits {
    ($integer:ty, $words:literal) => {
        impl Bits for $integer {
            #[cfg(all(target_arch = "x86_64", feature = "fast"))]
            type Vectors = Vectors<$words>;
            #[cfg(not(all(target_arch = "x86_64", feature = "fast")))]
            type Vectors = Plain<$integer, false>;

            const EMPTY: Self = 0;
            const WIDTH: usize = <$integer>::BITS as usize;

            #[inline(always)]
            fn bit(index: usize) -> Self {
                1 << index
            }

            #[inline(always)]
            fn up(self, by: u8) -> Self {
                self << by
            }

            #[inline(always)]
            fn down(self, by: u8) -> Self {
                self >> by
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & (self - 1)
            }
        }
    };
}

integer_bits!(u64, 1);
integer_bits!(u128, 2);
