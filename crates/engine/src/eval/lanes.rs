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

twice! {
    /// The weighted sum of squares of the lanes, each first brought between 0 and `most`. The
    /// product of `most` and a weight must fit 16 bits.
    pub(super) fn weigh(lanes: &[i16], weights: &[i16], most: i16) -> i32 {
        let products = lanes.iter().zip(weights).map(|(lane, weight)| {
            let lane = (*lane).clamp(0, most);
            i32::from(lane).wrapping_mul(i32::from(lane.wrapping_mul(*weight)))
        });
        // Checks for overflow would be in the way of adding many at a time.
        products.fold(0, i32::wrapping_add)
    }
}
