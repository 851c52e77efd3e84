//! One generator, compiled many times: once per board width with keys that are read from the data,
//! and with the feature `fast` also with constant keys for the well-known games.

use crate::bits::{Bits, Wide};
#[cfg(feature = "fast")]
use crate::constant;
use crate::grid::GridRules;
use crate::keys::Keys;
use crate::layout::Layout;
use crate::movegen::{Lanes, Plain};
use crate::{Side, Square};

/// The rules of a game as the generator sees them. Code that is generic over it is compiled for
/// each of the well-known games and once per board width for all others.
///
/// It can't be implemented elsewhere: rules that named vectors as their lanes would make the
/// generator run AVX2 code on a processor without it.
///
/// ```compile_fail
/// use kingme_rules::{Bits, Keys, Ruleset, Layout};
///
/// #[derive(Copy, Clone)]
/// struct Mine<R>(R);
///
/// impl<R: Ruleset> Ruleset for Mine<R> {
///     type Bits = R::Bits;
///     type Lanes = <R::Bits as Bits>::Vectors;
///     const UNROLL: bool = false;
///     const VECTORS: bool = false;
///     fn keys(&self) -> &Keys { self.0.keys() }
///     fn layout(&self) -> &Layout<R::Bits> { self.0.layout() }
/// }
/// ```
pub trait Ruleset: Sealed + Copy + Send + Sync {
    /// The width of the board.
    type Bits: Bits;

    /// How a set of squares for each direction is held.
    type Lanes: Lanes<Self::Bits>;

    /// Whether the keys are constants. If so, loops over directions and kinds are unrolled and
    /// fold away; if not, unrolling them would only make the program large.
    const UNROLL: bool;

    /// Whether sets for all directions are better held in vectors: where there are many directions,
    /// or where they are not known.
    const VECTORS: bool;

    /// The rule keys; a constant for the well-known games.
    fn keys(&self) -> &Keys;

    /// Masks, square numbers and hash keys.
    fn layout(&self) -> &Layout<Self::Bits>;
}

/// What only this crate can name.
mod sealed {
    /// Keeps [`Ruleset`](super::Ruleset) to this crate.
    pub trait Sealed {}
}
pub(crate) use sealed::Sealed;

/// Rules whose keys are read from the data.
#[derive(Copy, Clone, Debug)]
pub struct Loaded<'a, B>(pub(crate) &'a Layout<B>);

impl<B> Sealed for Loaded<'_, B> {}

impl<B: Bits> Ruleset for Loaded<'_, B> {
    type Bits = B;
    type Lanes = Plain<B, false>;

    const UNROLL: bool = false;
    const VECTORS: bool = B::WIDTH <= 128;

    #[inline(always)]
    fn keys(&self) -> &Keys {
        &self.0.keys
    }

    #[inline(always)]
    fn layout(&self) -> &Layout<B> {
        self.0
    }
}

/// The layout of a game in the width that its board needs.
#[derive(Clone, Debug)]
pub(crate) enum AnyLayout {
    Small(Layout<u64>),
    Medium(Layout<u128>),
    Large(Box<Layout<Wide>>),
    /// The board is too large for bits.
    Grid(Box<GridRules>),
}

/// Something to do with the rules of a game, whichever they are.
pub trait RulesetVisitor {
    /// What comes out.
    type Output;

    /// Does it.
    fn visit<R: Ruleset>(self, rules: R) -> Self::Output;
}

impl AnyLayout {
    /// Calls the visitor with the fastest rules there are for this game, if its board has bits.
    pub(crate) fn visit<V: RulesetVisitor>(&self, visitor: V) -> Option<V::Output> {
        #[cfg(feature = "fast")]
        let visitor = match constant::visit(self, visitor) {
            Ok(output) => return Some(output),
            Err(visitor) => visitor,
        };
        self.visit_loaded(visitor)
    }

    /// Whether a side's pieces are promoted on a square.
    pub(crate) fn promotes(&self, side: Side, square: Square) -> bool {
        match self {
            AnyLayout::Small(layout) => layout.promotes(side, square),
            AnyLayout::Medium(layout) => layout.promotes(side, square),
            AnyLayout::Large(layout) => layout.promotes(side, square),
            AnyLayout::Grid(rules) => rules.promotes(side, square),
        }
    }

    /// Calls the visitor with rules that are read from the data, if the board has bits.
    pub(crate) fn visit_loaded<V: RulesetVisitor>(&self, visitor: V) -> Option<V::Output> {
        Some(match self {
            AnyLayout::Small(layout) => visitor.visit(Loaded(layout)),
            AnyLayout::Medium(layout) => visitor.visit(Loaded(layout)),
            AnyLayout::Large(layout) => visitor.visit(Loaded(&**layout)),
            AnyLayout::Grid(_) => return None,
        })
    }
}
