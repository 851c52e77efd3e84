//! Long rows of small numbers that are added and weighed at every node, many at a time.

/// Lanes of the largest evaluation.
pub(crate) const LANES: usize = 256;

/// Lanes that one instruction handles.
pub(crate) const GROUP: usize = 16;

/// So many lanes, aligned: only then does the compiler use one instruction.
#[repr(align(32))]
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Group(pub [i16; GROUP]);

/// What an evaluation keeps up to date move by move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lanes(pub [Group; LANES / GROUP]);

/// Half of the lanes.
pub(super) type Half = [Group; LANES / GROUP / 2];

impl Lanes {
    /// Lanes that begin with these numbers; the others are 0.
    pub fn new(numbers: impl Iterator<Item = i16>) -> Lanes {
        let mut lanes = Lanes::default();
        for (lane, number) in lanes
            .0
            .iter_mut()
            .flat_map(|group| &mut group.0)
            .zip(numbers)
        {
            *lane = number;
        }
        lanes
    }

    /// The first and the second half.
    #[inline(always)]
    pub fn halves(&self) -> [&Half; 2] {
        let (first, second) = self.0.as_chunks().0.split_at(1);
        [&first[0], &second[0]]
    }
}

/// Defines a function twice: for every processor, and for those with AVX2, chosen at run time.
macro_rules! twice {
    ($(#[$doc:meta])* $access:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? $body:block) => {
        $(#[$doc])*
        #[inline(always)]
        $access fn $name($($arg: $type),*) $(-> $out)? {
            #[inline(always)]
            fn plain($($arg: $type),*) $(-> $out)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn wide($($arg: $type),*) $(-> $out)? {
                    plain($($arg),*)
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has just been asked.
                    #[allow(unsafe_code)]
                    return unsafe { wide($($arg),*) };
                }
            }
            plain($($arg),*)
        }
    };
}
pub(crate) use twice;

twice! {
    /// `after` = `before` + `plus` − `minus`.
    pub(super) fn exchange(after: &mut [Group], before: &[Group], plus: &[Group], minus: &[Group]) {
        for (((after, before), plus), minus) in after.iter_mut().zip(before).zip(plus).zip(minus) {
            for lane in 0..GROUP {
                after.0[lane] = before.0[lane]
                    .wrapping_add(plus.0[lane])
                    .wrapping_sub(minus.0[lane]);
            }
        }
    }
}

twice! {
    /// Adds a row.
    pub(super) fn add(to: &mut [Group], row: &[Group]) {
        for (to, row) in to.iter_mut().zip(row) {
            for lane in 0..GROUP {
                to.0[lane] = to.0[lane].wrapping_add(row.0[lane]);
            }
        }
    }
}

twice! {
    /// Takes a row away.
    pub(super) fn subtract(from: &mut [Group], row: &[Group]) {
        for (from, row) in from.iter_mut().zip(row) {
            for lane in 0..GROUP {
                from.0[lane] = from.0[lane].wrapping_sub(row.0[lane]);
            }
        }
    }
}

/// The weighted sum of squares of the lanes, each first brought between 0 and `most`. The product
/// of `most` and a weight must fit 16 bits.
#[inline(always)]
pub(super) fn weigh(lanes: [&Half; 2], weights: [&Half; 2], most: i16) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been asked.
        #[allow(unsafe_code)]
        return unsafe { weigh_wide(lanes, weights, most) };
    }
    weigh_plain(lanes, weights, most)
}

fn weigh_plain(lanes: [&Half; 2], weights: [&Half; 2], most: i16) -> i32 {
    let groups = lanes
        .into_iter()
        .flatten()
        .zip(weights.into_iter().flatten());
    let pairs = groups.flat_map(|(lanes, weights)| lanes.0.into_iter().zip(weights.0));
    let products = pairs.map(|(lane, weight)| {
        let lane = lane.clamp(0, most);
        i32::from(lane) * i32::from(lane.wrapping_mul(weight))
    });
    products.sum()
}

/// The same, sixteen at a time. In words of its own: the compiler does not find the instruction
/// that multiplies and adds pairs, which is half of the time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn weigh_wide(lanes: [&Half; 2], weights: [&Half; 2], most: i16) -> i32 {
    use std::arch::x86_64::{
        _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16,
        _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16,
        _mm256_setzero_si256,
    };
    let load = |group: &Group| {
        // SAFETY: a group is aligned, and as long as what is loaded.
        #[allow(unsafe_code)]
        unsafe {
            _mm256_load_si256(group.0.as_ptr().cast())
        }
    };
    let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(most));
    let mut sum = zero;
    for (lanes, weights) in lanes.into_iter().zip(weights) {
        for (lanes, weights) in lanes.iter().zip(weights) {
            let lanes = _mm256_min_epi16(_mm256_max_epi16(load(lanes), zero), most);
            let products = _mm256_mullo_epi16(lanes, load(weights));
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(products, lanes));
        }
    }
    let four = _mm_add_epi32(
        _mm256_castsi256_si128(sum),
        _mm256_extracti128_si256::<1>(sum),
    );
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b1110>(four));
    let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b01>(two));
    _mm_cvtsi128_si32(one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn both_ways_to_weigh_agree() {
        let mut random = Random::new(5);
        for _ in 0..50 {
            let mut numbers = |most: usize| {
                let numbers = std::iter::repeat_with(|| random.below(2 * most + 1));
                let numbers = numbers.map(|number| number as i16 - most as i16);
                Lanes::new(numbers)
            };
            let (lanes, weights) = (numbers(700), numbers(127));
            let plain = weigh_plain(lanes.halves(), weights.halves(), 255);
            assert_eq!(weigh(lanes.halves(), weights.halves(), 255), plain);
        }
    }
}
