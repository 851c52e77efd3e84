//! Sets for the boards that no integer type can hold.

use std::array;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::Bits;
use crate::movegen::Plain;

// The operations are calls, where those of the integers are an instruction or two: inlined
// everywhere, their loops over the words were 45 % of the program and of the time to compile it,
// for boards that few people play on.

const WORDS: usize = 12;

/// 768 bits: enough for a 26×26 board on which every square is used, and for 36×36 where every
/// other one is.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wide([u64; WORDS]);

impl Wide {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip(self, other: Wide, combine: impl Fn(u64, u64) -> u64) -> Wide {
        Wide(array::from_fn(|word| combine(self.0[word], other.0[word])))
    }
}

impl BitAnd for Wide {
    type Output = Wide;
    #[inline(never)]
    fn bitand(self, other: Wide) -> Wide {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Wide {
    type Output = Wide;
    #[inline(never)]
    fn bitor(self, other: Wide) -> Wide {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Wide {
    type Output = Wide;
    #[inline(never)]
    fn bitxor(self, other: Wide) -> Wide {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Not for Wide {
    type Output = Wide;
    #[inline(never)]
    fn not(self) -> Wide {
        Wide(self.0.map(|word| !word))
    }
}

impl Bits for Wide {
    type Vectors = Plain<Wide, false>;

    const EMPTY: Wide = Wide([0; WORDS]);
    const WIDTH: usize = WORDS * 64;

    #[inline(never)]
    fn bit(index: usize) -> Wide {
        let mut words = [0; WORDS];
        words[index / 64] = 1 << (index % 64);
        Wide(words)
    }

    // Boards with steps longer than 63 bits have no bits, so a bit moves into the next word at
    // most.
    #[inline(never)]
    fn up(self, by: u8) -> Wide {
        debug_assert!((1..64).contains(&by), "shift by {by}");
        Wide(array::from_fn(|word| {
            let carried = word
                .checked_sub(1)
                .map_or(0, |lower| self.0[lower] >> (64 - by));
            self.0[word] << by | carried
        }))
    }

    #[inline(never)]
    fn down(self, by: u8) -> Wide {
        debug_assert!((1..64).contains(&by), "shift by {by}");
        Wide(array::from_fn(|word| {
            let carried = self.0.get(word + 1).map_or(0, |upper| upper << (64 - by));
            self.0[word] >> by | carried
        }))
    }

    #[inline(never)]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(never)]
    fn lowest(self) -> usize {
        let word = self.0.iter().position(|&word| word != 0);
        word.map_or(Wide::WIDTH, |word| {
            word * 64 + self.0[word].trailing_zeros() as usize
        })
    }

    #[inline(never)]
    fn without_lowest(mut self) -> Wide {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_cross_word_boundaries() {
        let set = Wide::bit(60) | Wide::bit(130);
        assert_eq!(set.up(10).members().collect::<Vec<_>>(), [70, 140]);
        assert_eq!(set.up(10).down(10), set);
        assert_eq!(set.down(61).members().collect::<Vec<_>>(), [69]);
        assert_eq!(set.count(), 2);
    }
}
