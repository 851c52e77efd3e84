//! What the generator needs to know of a game, in a form that can be a constant.

use crate::Side;
use crate::variant::{
    CaptureBy, Criterion, Definition, Directions, InCapture, Landing, Obligation, Range, Reach,
    Squares,
};

/// The rule keys of a game, and how its squares are laid out in bits.
///
/// Squares lie in the bits row by row, with unused bits between the rows, so that a step in any
/// direction is a shift by a number of bits, the same for every square.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// How many bits a step along each of the four lines moves a piece.
    pub(crate) shifts: [u8; 4],
    /// Who moves toward the lower bits.
    pub(crate) up: Side,
    /// How many kinds of pieces there are.
    pub(crate) kinds: u8,
    /// What each kind may do.
    pub(crate) kind: [KindKeys; 4],
    /// Whether a side that can capture must.
    pub(crate) obligation: Obligation,
    /// Which captures are legal when there are several.
    pub(crate) priority: Priority,
    /// Whether a capture must go on while it can.
    pub(crate) chain_must_go_on: bool,
    /// Whether captured pieces leave the board one by one.
    pub(crate) remove_at_once: bool,
    /// Whether a capture may turn straight back.
    pub(crate) turn_back: bool,
    /// What happens on a promotion square in mid-capture.
    pub(crate) in_capture: InCapture,
    /// Whether the first promotion wins.
    pub(crate) king_wins: bool,
    /// Whether a game may be over though the side to move has moves: the first promotion wins, or
    /// the last piece of the other side was huffed.
    pub(crate) may_be_over: bool,
}

/// What a kind of piece may do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct KindKeys {
    pub(crate) moves: Directions,
    pub(crate) range: Range,
    pub(crate) captures: Directions,
    pub(crate) by: CaptureBy,
    pub(crate) reach: Reach,
    pub(crate) landing: Landing,
    /// One bit per kind that it may take.
    pub(crate) takes: u8,
    /// What it becomes; itself if nothing.
    pub(crate) becomes: u8,
    /// Quiet moves in a row while there are men; 0 for no limit.
    pub(crate) quiet_limit: u8,
}

/// Criteria that choose between captures, the first one first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Priority {
    pub order: [Option<Criterion>; 5],
    /// One bit per criterion among them.
    among: u8,
}

impl Priority {
    pub const fn new(criteria: &[Criterion]) -> Priority {
        let mut priority = Priority {
            order: [None; 5],
            among: 0,
        };
        let mut index = 0;
        while index < criteria.len() && index < 5 {
            priority.order[index] = Some(criteria[index]);
            priority.among |= 1 << criteria[index] as u8;
            index += 1;
        }
        priority
    }
}

impl KindKeys {
    /// A kind that does not exist.
    pub(crate) const NONE: KindKeys = KindKeys {
        moves: Directions::NONE,
        range: Range::Step,
        captures: Directions::NONE,
        by: CaptureBy::Jump,
        reach: Reach::Short,
        landing: Landing::Next,
        takes: 0,
        becomes: 0,
        quiet_limit: 0,
    };
}

impl Keys {
    /// The keys of a definition.
    pub(crate) fn new(definition: &Definition) -> Keys {
        let mut kind = [KindKeys::NONE; 4];
        for (index, piece) in definition.kinds.iter().enumerate() {
            kind[index] = KindKeys {
                moves: piece.moves,
                range: piece.range,
                captures: piece.captures,
                by: piece.capture_by,
                reach: piece.reach,
                landing: match piece.reach {
                    Reach::Long => piece.landing,
                    Reach::Short | Reach::Anywhere => Landing::Next,
                },
                takes: piece.takes.iter().fold(0, |takes, kind| takes | 1 << kind),
                becomes: piece.becomes.unwrap_or(index) as u8,
                quiet_limit: piece.quiet_limit.unwrap_or(0),
            };
        }
        Keys {
            shifts: match definition.board.squares {
                Squares::All => full_shifts(definition.board.columns),
                Squares::Even | Squares::Odd => checkered_shifts(definition.board.columns),
            },
            up: !definition.sides.top,
            kinds: definition.kinds.len() as u8,
            kind,
            obligation: definition.capture.obligation,
            priority: Priority::new(&definition.capture.priority),
            chain_must_go_on: definition.capture.chain_must_go_on,
            remove_at_once: definition.capture.remove_at_once,
            turn_back: definition.capture.turn_back,
            in_capture: definition.promotion.in_capture,
            king_wins: definition.end.king_wins,
            may_be_over: definition.end.king_wins
                || definition.capture.obligation == Obligation::Huff,
        }
    }

    /// How many kinds of pieces there are.
    #[inline(always)]
    pub const fn kinds(&self) -> u8 {
        self.kinds
    }

    /// Whether a side that can capture must.
    #[inline(always)]
    pub const fn obligatory(&self) -> bool {
        matches!(self.obligation, Obligation::Must)
    }

    /// Whether a side that can capture and does not loses a piece.
    #[inline(always)]
    pub const fn huffs(&self) -> bool {
        matches!(self.obligation, Obligation::Huff)
    }

    /// Whether the first promotion wins.
    #[inline(always)]
    pub const fn king_wins(&self) -> bool {
        self.king_wins
    }

    /// The directions as bits: what is forward for the side that moves up is backward for the
    /// other, and each direction's opposite is its neighbour in the bits.
    #[inline(always)]
    pub(crate) const fn absolute(directions: Directions, up: bool) -> u8 {
        let bits = directions.0;
        if up {
            bits
        } else {
            (bits & 0b0101_0101) << 1 | (bits & 0b1010_1010) >> 1
        }
    }

    /// Whether some kind has a limit of quiet moves.
    #[inline(always)]
    pub(crate) const fn has_quiet_limit(&self) -> bool {
        self.kind[0].quiet_limit
            | self.kind[1].quiet_limit
            | self.kind[2].quiet_limit
            | self.kind[3].quiet_limit
            != 0
    }

    /// Whether a criterion decides between captures.
    #[inline(always)]
    pub(crate) const fn looks_at(&self, criterion: Criterion) -> bool {
        self.priority.among >> criterion as u8 & 1 == 1
    }

    /// Whether what is captured matters, beyond its number.
    #[inline(always)]
    pub(crate) const fn looks_at_victims(&self) -> bool {
        self.looks_at(Criterion::MostKings)
            || self.looks_at(Criterion::KingsFirst)
            || self.looks_at(Criterion::MostValue)
    }
}

/// Shifts on a board where every other square is used: two rows and three unused bits make one
/// period, so that even steps along a row don't run into the next row.
pub(crate) const fn checkered_shifts(columns: u8) -> [u8; 4] {
    let half = columns / 2 + 1;
    [half + 1, half, 1, 2 * half + 1]
}

/// Shifts on a board where every square is used, with one unused bit after each row.
pub(crate) const fn full_shifts(columns: u8) -> [u8; 4] {
    [columns + 2, columns, 1, columns + 1]
}

/// The bit of a place on the board.
pub(crate) fn bit_index(squares: Squares, shifts: [u8; 4], row: usize, column: usize) -> usize {
    let period = usize::from(shifts[3]);
    match squares {
        Squares::All => row * period + column,
        Squares::Even => usize::midpoint(row * period, column),
        Squares::Odd => (row * period + column - 1) / 2,
    }
}
