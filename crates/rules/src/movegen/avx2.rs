//! The copy of the generator that is compiled for AVX2. It is used where the processor has it and
//! the rules profit.

#[cfg(all(target_arch = "x86_64", feature = "fast"))]
use crate::{
    bits::Bits,
    keys::Keys,
    layout::Layout,
    ruleset::{Ruleset, Sealed},
};

/// Rules for a processor that has AVX2: there are none for any other.
#[cfg(all(target_arch = "x86_64", feature = "fast"))]
#[derive(Copy, Clone, Debug)]
pub(crate) struct Avx2<R>(R);

#[cfg(all(target_arch = "x86_64", feature = "fast"))]
impl<R: Ruleset> Avx2<R> {
    /// The rules, if they profit from vectors and the processor has them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new(rules: R) -> Option<Avx2<R>> {
        let has_all = || {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
        };
        (R::VECTORS && has_all()).then_some(Avx2(rules))
    }
}

#[cfg(all(target_arch = "x86_64", feature = "fast"))]
impl<R> Sealed for Avx2<R> {}

#[cfg(all(target_arch = "x86_64", feature = "fast"))]
impl<R: Ruleset> Ruleset for Avx2<R> {
    type Bits = R::Bits;
    type Lanes = <R::Bits as Bits>::Vectors;

    const UNROLL: bool = R::UNROLL;
    const VECTORS: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keys(&self) -> &Keys {
        self.0.keys()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn layout(&self) -> &Layout<R::Bits> {
        self.0.layout()
    }
}

/// Defines a function twice: for every processor, and for those with AVX2, chosen at run time.
/// What it uses of vectors must be inlined into it.
macro_rules! for_processor {
    ($(#[$doc:meta])* $access:vis fn $name:ident<R, UP>($rules:ident: R, $($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? $body:block) => {
        $(#[$doc])*
        #[cfg_attr(not(debug_assertions), inline(always))]
        $access fn $name<R: Ruleset, const UP: bool>($rules: R, $($arg: $type),*) $(-> $out)? {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn inlined<R: Ruleset, const UP: bool>($rules: R, $($arg: $type),*) $(-> $out)? $body
            #[inline(never)]
            fn plain<R: Ruleset, const UP: bool>($rules: R, $($arg: $type),*) $(-> $out)? {
                inlined::<R, UP>($rules, $($arg),*)
            }
            #[cfg(all(target_arch = "x86_64", feature = "fast"))]
            {
                #[inline(never)]
                #[target_feature(enable = "avx2,bmi1,bmi2")]
                fn wide<R: Ruleset, const UP: bool>($rules: R, $($arg: $type),*) $(-> $out)? {
                    inlined::<R, UP>($rules, $($arg),*)
                }
                // SAFETY, of both calls: there are `Avx2` rules only if the processor has AVX2.
                #[allow(unsafe_code)]
                if <R::Lanes as $crate::movegen::Lanes<R::Bits>>::AVX2 {
                    return unsafe { wide::<R, UP>($rules, $($arg),*) };
                } else if let Some($rules) = $crate::movegen::Avx2::new($rules) {
                    return unsafe { wide::<$crate::movegen::Avx2<R>, UP>($rules, $($arg),*) };
                }
            }
            plain::<R, UP>($rules, $($arg),*)
        }
    };
}
pub(crate) use for_processor;

#[cfg(test)]
mod tests {
    use crate::keys::Keys;
    use crate::layout::Layout;
    use crate::movegen::Plain;
    use crate::perft::perft;
    use crate::ruleset::{Ruleset, Sealed};
    use crate::{BitPosition, Variant, Visitor};

    /// Rules that never use vectors, as on a processor that has none.
    #[derive(Copy, Clone)]
    struct Scalar<R>(R);

    impl<R> Sealed for Scalar<R> {}

    impl<R: Ruleset> Ruleset for Scalar<R> {
        type Bits = R::Bits;
        type Lanes = Plain<R::Bits, false>;

        const UNROLL: bool = R::UNROLL;
        const VECTORS: bool = false;

        fn keys(&self) -> &Keys {
            self.0.keys()
        }

        fn layout(&self) -> &Layout<R::Bits> {
            self.0.layout()
        }
    }

    struct Both;

    impl Visitor for Both {
        type Output = Option<[Vec<u64>; 2]>;

        fn visit<R: Ruleset>(
            self,
            rules: R,
            position: &BitPosition<R::Bits>,
        ) -> Option<[Vec<u64>; 2]> {
            // Another copy of the generator only where there is something to compare.
            if const { !R::VECTORS } {
                return None;
            }
            let mut counts = [vec![], vec![]];
            for depth in 1..=7 {
                let count = perft(rules, position, depth);
                counts[0].push(count);
                counts[1].push(perft(Scalar(rules), position, depth));
                if count > 20_000 {
                    break;
                }
            }
            Some(counts)
        }
    }

    #[test]
    fn processors_with_and_without_vectors_count_alike() {
        for name in Variant::names() {
            let start = Variant::named(name).unwrap().start();
            let loaded = start.visit_loaded(Both).unwrap();
            assert!(loaded.is_some(), "{name}");
            for [with, without] in [loaded, start.visit(Both).unwrap()].into_iter().flatten() {
                assert_eq!(with, without, "{name}");
            }
        }
    }
}
