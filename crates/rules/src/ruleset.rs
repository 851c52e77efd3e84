//! One generator, compiled many times: with constant keys for the well-known games, and once per
//! board width with keys that are read from the data.

use std::marker::PhantomData;

use crate::bits::{Bits, Wide};
use crate::grid::GridRules;
use crate::keys::{Keys, KindKeys, Priority, checkered_shifts, full_shifts};
use crate::layout::Layout;
use crate::movegen::{Lanes, Plain};
use crate::variant::{CaptureBy, Criterion, Directions, InCapture, Landing, Range, Reach};
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

/// Keys that are known when the program is compiled.
pub trait ConstantKeys: Copy + Send + Sync + 'static {
    /// The width of the board.
    type Bits: Bits;
    /// The keys.
    const KEYS: Keys;
}

/// Rules whose keys are constants and fold away.
#[derive(Copy, Clone, Debug)]
pub struct Fixed<'a, K: ConstantKeys>(&'a Layout<K::Bits>, PhantomData<K>);

impl<'a, K: ConstantKeys> Fixed<'a, K> {
    /// The rules, if a game's keys are these very keys.
    fn matching(layout: &'a Layout<K::Bits>) -> Option<Fixed<'a, K>> {
        (layout.keys == K::KEYS).then_some(Fixed(layout, PhantomData))
    }
}

impl<K: ConstantKeys> Sealed for Fixed<'_, K> {}

impl<K: ConstantKeys> Ruleset for Fixed<'_, K> {
    type Bits = K::Bits;
    type Lanes = Plain<K::Bits, true>;

    const UNROLL: bool = true;
    const VECTORS: bool = K::KEYS.kind[0].captures.0.count_ones() > 4;

    #[inline(always)]
    fn keys(&self) -> &Keys {
        const { &K::KEYS }
    }

    #[inline(always)]
    fn layout(&self) -> &Layout<K::Bits> {
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
        macro_rules! try_fixed {
            ($layout:expr, $($game:ty),*) => {
                $(if let Some(rules) = Fixed::<$game>::matching($layout) {
                    return Some(visitor.visit(rules));
                })*
            };
        }
        match self {
            AnyLayout::Small(layout) => {
                try_fixed!(
                    layout,
                    International,
                    English,
                    Russian,
                    Brazilian,
                    Frisian,
                    Italian
                );
            }
            AnyLayout::Medium(layout) => try_fixed!(layout, Turkish),
            AnyLayout::Large(_) | AnyLayout::Grid(_) => (),
        }
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

macro_rules! game {
    ($(#[$doc:meta])* $name:ident, $bits:ty, $keys:expr) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug)]
        pub enum $name {}

        impl ConstantKeys for $name {
            type Bits = $bits;
            const KEYS: Keys = $keys;
        }
    };
}

const FORWARD: Directions = Directions(0b0000_0101);
const DIAGONAL: Directions = Directions(0b0000_1111);
const ORTHOGONAL: Directions = Directions(0b1111_0000);
const FORWARD_OR_SIDEWAYS: Directions = Directions(0b0111_0000);

const MEN_AND_KINGS: u8 = 0b11;

/// A man that takes forward and backward.
const MAN: KindKeys = KindKeys {
    moves: FORWARD,
    range: Range::Step,
    captures: DIAGONAL,
    by: CaptureBy::Jump,
    reach: Reach::Short,
    landing: Landing::Next,
    takes: MEN_AND_KINGS,
    becomes: 1,
    quiet_limit: 0,
};

/// A man that takes forward only.
const FORWARD_MAN: KindKeys = KindKeys {
    captures: FORWARD,
    ..MAN
};

const SHORT_KING: KindKeys = KindKeys {
    moves: DIAGONAL,
    becomes: 1,
    ..MAN
};

const FLYING_KING: KindKeys = KindKeys {
    range: Range::Slide,
    reach: Reach::Long,
    landing: Landing::Any,
    ..SHORT_KING
};

const fn men_and_kings(man: KindKeys, king: KindKeys) -> [KindKeys; 4] {
    [man, king, KindKeys::NONE, KindKeys::NONE]
}

game!(
    /// 10×10, flying kings, most pieces.
    International,
    u64,
    Keys {
        shifts: checkered_shifts(10),
        up: Side::White,
        kinds: 2,
        kind: men_and_kings(MAN, FLYING_KING),
        obligatory: true,
        priority: Priority::new(&[Criterion::MostPieces]),
        chain_must_go_on: true,
        remove_at_once: false,
        turn_back: true,
        in_capture: InCapture::GoesOnAsMan,
        king_wins: false,
    }
);

game!(
    /// As [`International`] with captures along rows and columns, by value.
    Frisian,
    u64,
    Keys {
        kind: men_and_kings(
            KindKeys {
                captures: Directions(0xff),
                ..MAN
            },
            KindKeys {
                captures: Directions(0xff),
                quiet_limit: 3,
                ..FLYING_KING
            },
        ),
        priority: Priority::new(&[Criterion::MostValue, Criterion::ByKing]),
        ..International::KEYS
    }
);

game!(
    /// 8×8 with the rules of [`International`].
    Brazilian,
    u64,
    Keys {
        shifts: checkered_shifts(8),
        ..International::KEYS
    }
);

game!(
    /// 8×8, any capture, crowned in passing.
    Russian,
    u64,
    Keys {
        priority: Priority::new(&[]),
        in_capture: InCapture::GoesOnAsKing,
        ..Brazilian::KEYS
    }
);

game!(
    /// 8×8, men take forward, kings step.
    English,
    u64,
    Keys {
        kind: men_and_kings(FORWARD_MAN, SHORT_KING),
        priority: Priority::new(&[]),
        in_capture: InCapture::Ends,
        ..Brazilian::KEYS
    }
);

game!(
    /// As [`English`] with an order of captures; men can't take kings.
    Italian,
    u64,
    Keys {
        kind: men_and_kings(
            KindKeys {
                takes: 0b01,
                ..FORWARD_MAN
            },
            SHORT_KING,
        ),
        priority: Priority::new(&[
            Criterion::MostPieces,
            Criterion::ByKing,
            Criterion::MostKings,
            Criterion::KingsFirst,
        ]),
        ..English::KEYS
    }
);

game!(
    /// All squares of an 8×8 board, straight moves.
    Turkish,
    u128,
    Keys {
        shifts: full_shifts(8),
        kind: men_and_kings(
            KindKeys {
                moves: FORWARD_OR_SIDEWAYS,
                captures: FORWARD_OR_SIDEWAYS,
                ..MAN
            },
            KindKeys {
                moves: ORTHOGONAL,
                captures: ORTHOGONAL,
                ..FLYING_KING
            },
        ),
        remove_at_once: true,
        turn_back: false,
        ..International::KEYS
    }
);
