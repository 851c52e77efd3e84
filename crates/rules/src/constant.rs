//! The well-known games with keys that are constants: most of what the generator can do folds away
//! for them. They are much code, and stand behind the feature `fast`.

use std::marker::PhantomData;

use crate::Side;
use crate::bits::Bits;
use crate::keys::{Keys, KindKeys, Priority, checkered_shifts, full_shifts};
use crate::layout::Layout;
use crate::movegen::Plain;
use crate::ruleset::{AnyLayout, Ruleset, RulesetVisitor, Sealed};
use crate::variant::{
    CaptureBy, Criterion, Directions, InCapture, Landing, Obligation, Range, Reach,
};

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

/// Calls the visitor with constant rules, or gives it back if there are none for this game.
pub(crate) fn visit<V: RulesetVisitor>(layout: &AnyLayout, visitor: V) -> Result<V::Output, V> {
    macro_rules! try_fixed {
        ($layout:expr, $($game:ty),*) => {
            $(if let Some(rules) = Fixed::<$game>::matching($layout) {
                return Ok(visitor.visit(rules));
            })*
        };
    }
    match layout {
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
    Err(visitor)
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
        obligation: Obligation::Must,
        priority: Priority::new(&[Criterion::MostPieces]),
        chain_must_go_on: true,
        remove_at_once: false,
        turn_back: true,
        in_capture: InCapture::GoesOnAsMan,
        king_wins: false,
        may_be_over: false,
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
