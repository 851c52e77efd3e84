//! Long rows of small numbers that are added and weighed at every node, many at a time.

/// Lanes of the largest evaluation.
pub(crate) const LANES: usize = 256;

/// What an evaluation keeps up to date move by move.
#[repr(align(64))]
#[derive(Clone, Debug)]
pub(crate) struct Lanes(pub [i16; LANES]);

impl Default for Lanes {
    fn default() -> Lanes {
        Lanes([0; LANES])
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
    pub(super) fn exchange(after: &mut [i16], before: &[i16], plus: &[i16], minus: &[i16]) {
        let terms = before.iter().zip(plus).zip(minus);
        for (after, ((before, plus), minus)) in after.iter_mut().zip(terms) {
            *after = before.wrapping_add(*plus).wrapping_sub(*minus);
        }
    }
}

twice! {
    /// `after` = `before` + `plus` − both of `minus`.
    pub(super) fn exchange_for_two(after: &mut [i16], before: &[i16], plus: &[i16], minus: [&[i16]; 2]) {
        let terms = before.iter().zip(plus).zip(minus[0]).zip(minus[1]);
        for (after, (((before, plus), minus), other)) in after.iter_mut().zip(terms) {
            *after = before.wrapping_add(*plus).wrapping_sub(*minus).wrapping_sub(*other);
        }
    }
}

twice! {
    /// Adds a row.
    pub(super) fn add(to: &mut [i16], row: &[i16]) {
        for (to, row) in to.iter_mut().zip(row) {
            *to = to.wrapping_add(*row);
        }
    }
}

twice! {
    /// Takes a row away.
    pub(super) fn subtract(from: &mut [i16], row: &[i16]) {
        for (from, row) in from.iter_mut().zip(row) {
            *from = from.wrapping_sub(*row);
        }
    }
}

/// The weighted sum of squares of the lanes, each first brought between 0 and `most`. The product
/// of `most` and a weight must fit 16 bits.
#[inline(always)]
pub(super) fn weigh(lanes: [&[i16]; 2], weights: &[i16], most: i16) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been asked.
        #[allow(unsafe_code)]
        return unsafe { weigh_wide(lanes, weights, most) };
    }
    weigh_plain(lanes, weights, most)
}

fn weigh_plain(lanes: [&[i16]; 2], weights: &[i16], most: i16) -> i32 {
    let lanes = lanes[0].iter().chain(lanes[1]);
    let products = lanes.zip(weights).map(|(lane, weight)| {
        let lane = (*lane).clamp(0, most);
        i32::from(lane) * i32::from(lane.wrapping_mul(*weight))
    });
    products.sum()
}

/// The same, sixteen at a time. In words of its own: the compiler does not find the instruction
/// that multiplies and adds pairs, which is half of the time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn weigh_wide(lanes: [&[i16]; 2], weights: &[i16], most: i16) -> i32 {
    use std::arch::x86_64::{
        _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16,
        _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16,
        _mm256_setzero_si256,
    };
    const WIDTH: usize = 16;
    let load = |sixteen: &[i16; WIDTH]| {
        // SAFETY: sixteen numbers are there, and the address need not be aligned.
        #[allow(unsafe_code)]
        unsafe {
            _mm256_loadu_si256(sixteen.as_ptr().cast())
        }
    };
    let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(most));
    let mut sum = zero;
    let [us, them] = lanes.map(|lanes| lanes.as_chunks::<WIDTH>().0);
    for (lanes, weights) in us.iter().chain(them).zip(weights.as_chunks::<WIDTH>().0) {
        let lanes = _mm256_min_epi16(_mm256_max_epi16(load(lanes), zero), most);
        let products = _mm256_mullo_epi16(lanes, load(weights));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(products, lanes));
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
            let mut numbers = |most: usize| -> Vec<i16> {
                (0..LANES)
                    .map(|_| random.below(2 * most + 1) as i16 - most as i16)
                    .collect()
            };
            let (lanes, weights) = (numbers(700), numbers(127));
            let lanes = [&lanes[..LANES / 2], &lanes[LANES / 2..]];
            let plain = weigh_plain(lanes, &weights, 255);
            assert_eq!(weigh(lanes, &weights, 255), plain);
        }
    }
}
