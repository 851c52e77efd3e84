//! Sets for all directions in a few vectors of AVX2.
//!
//! Everything is inlined into functions that are compiled for AVX2; loops are written out, since a
//! closure might not be.
#![allow(unsafe_code)]
// SAFETY, of all that is unsafe here: only `Avx2` rules use these vectors.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_and_si128, _mm_cvtsi32_si128, _mm_cvtsi128_si64, _mm_or_si128,
    _mm_unpackhi_epi64, _mm256_and_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64,
    _mm256_cvtepu8_epi64, _mm256_extracti128_si256, _mm256_or_si256, _mm256_set_epi64x,
    _mm256_set1_epi64x, _mm256_sllv_epi64, _mm256_srlv_epi64, _mm256_sub_epi64,
};
use std::mem::transmute;

use super::lanes::Lanes;
use crate::bits::Bits;
use crate::keys::Keys;

/// Four directions a vector, `N` vectors for the words of a set.
#[derive(Copy, Clone, Debug)]
pub struct Vectors<const N: usize> {
    down: [__m256i; N],
    up: [__m256i; N],
}

/// A set of squares in words of 64 bits.
pub trait Words<const N: usize>: Bits {
    /// The words, lowest first.
    fn words(self) -> [u64; N];

    /// The set of these words.
    fn from_words(words: [u64; N]) -> Self;
}

impl Words<1> for u64 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn words(self) -> [u64; 1] {
        [self]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from_words([word]: [u64; 1]) -> u64 {
        word
    }
}

impl Words<2> for u128 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn words(self) -> [u64; 2] {
        [self as u64, (self >> 64) as u64]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from_words([low, high]: [u64; 2]) -> u128 {
        u128::from(high) << 64 | u128::from(low)
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn shifts(keys: &Keys) -> __m256i {
    // No step is longer than 63 bits; said in so many words, the compiler need not ask.
    let shifts = i32::from_le_bytes(keys.shifts) & 0x3f3f_3f3f;
    unsafe { _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(shifts)) }
}

/// Every set moved down, each by its own number of bits.
#[cfg_attr(not(debug_assertions), inline(always))]
fn lower<const N: usize>(words: [__m256i; N], by: __m256i) -> [__m256i; N] {
    let mut moved = words;
    let mut word = 0;
    while word < N {
        unsafe {
            moved[word] = _mm256_srlv_epi64(words[word], by);
            if word + 1 < N {
                let rest = _mm256_sub_epi64(_mm256_set1_epi64x(64), by);
                let carried = _mm256_sllv_epi64(words[word + 1], rest);
                moved[word] = _mm256_or_si256(moved[word], carried);
            }
        }
        word += 1;
    }
    moved
}

/// Every set moved up, each by its own number of bits.
#[cfg_attr(not(debug_assertions), inline(always))]
fn raise<const N: usize>(words: [__m256i; N], by: __m256i) -> [__m256i; N] {
    let mut moved = words;
    let mut word = 0;
    while word < N {
        unsafe {
            moved[word] = _mm256_sllv_epi64(words[word], by);
            if word > 0 {
                let rest = _mm256_sub_epi64(_mm256_set1_epi64x(64), by);
                let carried = _mm256_srlv_epi64(words[word - 1], rest);
                moved[word] = _mm256_or_si256(moved[word], carried);
            }
        }
        word += 1;
    }
    moved
}

/// All ones in the lanes of the directions that begin at `first`, every other one.
#[cfg_attr(not(debug_assertions), inline(always))]
fn mask(directions: u8, first: i64) -> __m256i {
    unsafe {
        let bits = _mm256_set_epi64x(64 << first, 16 << first, 4 << first, 1 << first);
        let chosen = _mm256_and_si256(_mm256_set1_epi64x(i64::from(directions)), bits);
        _mm256_cmpeq_epi64(chosen, bits)
    }
}

impl<B: Words<N>, const N: usize> Lanes<B> for Vectors<N> {
    const AVX2: bool = true;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn all(directions: u8, set: B) -> Self {
        let sets = Vectors {
            down: [mask(directions, 0); N],
            up: [mask(directions, 1); N],
        };
        sets.and(set)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get(&self, direction: usize) -> B {
        let mut words = [0; N];
        let mut word = 0;
        while word < N {
            let four: [u64; 4] = unsafe {
                transmute(if direction.is_multiple_of(2) {
                    self.down[word]
                } else {
                    self.up[word]
                })
            };
            words[word] = four[direction / 2];
            word += 1;
        }
        B::from_words(words)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn and(mut self, set: B) -> Self {
        let words = set.words();
        let mut word = 0;
        while word < N {
            unsafe {
                let all = _mm256_set1_epi64x(words[word] as i64);
                self.down[word] = _mm256_and_si256(self.down[word], all);
                self.up[word] = _mm256_and_si256(self.up[word], all);
            }
            word += 1;
        }
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn forth(self, keys: &Keys) -> Self {
        let by = shifts(keys);
        Vectors {
            down: lower(self.down, by),
            up: raise(self.up, by),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn back(self, keys: &Keys) -> Self {
        let by = shifts(keys);
        Vectors {
            down: raise(self.down, by),
            up: lower(self.up, by),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn any(self) -> B {
        let mut words = [0; N];
        let mut word = 0;
        while word < N {
            unsafe {
                let four = _mm256_or_si256(self.down[word], self.up[word]);
                let (low, high) = halves(four);
                let two = _mm_or_si128(low, high);
                words[word] = low_word(_mm_or_si128(two, _mm_unpackhi_epi64(two, two)));
            }
            word += 1;
        }
        B::from_words(words)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn twice(self) -> B {
        let mut words = [0; N];
        let mut word = 0;
        while word < N {
            unsafe {
                // What is in one set or more, and in two or more: of two, of four, of eight.
                let one = _mm256_or_si256(self.down[word], self.up[word]);
                let two = _mm256_and_si256(self.down[word], self.up[word]);
                let ((low, high), (low_two, high_two)) = (halves(one), halves(two));
                let one = _mm_or_si128(low, high);
                let two = _mm_or_si128(_mm_or_si128(low_two, high_two), _mm_and_si128(low, high));
                let last = _mm_and_si128(one, _mm_unpackhi_epi64(one, one));
                let two = _mm_or_si128(two, _mm_unpackhi_epi64(two, two));
                words[word] = low_word(_mm_or_si128(two, last));
            }
            word += 1;
        }
        B::from_words(words)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count(self) -> u32 {
        let mut total = 0;
        let mut word = 0;
        while word < N {
            let eight: [[u64; 4]; 2] = unsafe { transmute([self.down[word], self.up[word]]) };
            let mut lane = 0;
            while lane < 4 {
                total += eight[0][lane].count_ones() + eight[1][lane].count_ones();
                lane += 1;
            }
            word += 1;
        }
        total
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn halves(four: __m256i) -> (__m128i, __m128i) {
    unsafe {
        (
            _mm256_castsi256_si128(four),
            _mm256_extracti128_si256(four, 1),
        )
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn low_word(two: __m128i) -> u64 {
    unsafe { _mm_cvtsi128_si64(two) as u64 }
}
