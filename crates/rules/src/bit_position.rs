//! Positions and moves in bits, made for search: small, copied, never allocating.

use crate::Side;
use crate::bits::Bits;
use crate::ruleset::Ruleset;

/// Pieces on the board and the side to move, in bits.
///
/// Its methods take the rules they go by; they trust that the position belongs to them.
#[derive(Copy, Clone, Debug)]
pub struct BitPosition<B> {
    /// The pieces of each side.
    sides: [B; 2],
    /// The kinds of the pieces, as binary digits: kings are in the first set only.
    digits: [B; 2],
    hash: u64,
    turn: Side,
    /// Quiet moves in a row, for the games that limit them.
    runs: Runs,
}

/// The runs of both sides in one word, 32 bits each: copying and looking at it costs nothing.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Runs(u64);

impl Runs {
    #[inline(always)]
    fn of(self, side: Side) -> Run {
        let word = self.0 >> (32 * side as u32);
        Run {
            bit: word as u16,
            count: (word >> 16) as u8,
        }
    }

    #[must_use]
    fn with(self, side: Side, run: Run) -> Runs {
        let shift = 32 * side as u32;
        let word = u64::from(run.bit) | u64::from(run.count) << 16;
        Runs(self.0 & !(0xffff_ffff << shift) | word << shift)
    }

    #[inline(always)]
    fn are_none(self) -> bool {
        self.0 == 0
    }
}

/// How many quiet moves one piece of a side has made in a row.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Run {
    bit: u16,
    count: u8,
}

/// A whole turn in bits: from, to, what it captures, what it becomes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct BitMove<B> {
    /// The pieces that leave the board, where they stood before the move: those that it captures,
    /// or the one of its own side that is huffed for it.
    pub captured: B,
    /// Bit of the square where the piece stood.
    pub from: u16,
    /// Bit of the square where it ends.
    pub to: u16,
    /// The kind of the piece.
    pub kind: u8,
    /// The kind that it is afterwards.
    pub becomes: u8,
}

impl<B: Bits> BitMove<B> {
    /// Whether a piece leaves the board: it is captured, or huffed.
    #[inline(always)]
    pub fn takes_off(&self) -> bool {
        !self.captured.is_empty()
    }

    /// Whether the piece that moves is the one that is huffed: it never arrives.
    #[inline(always)]
    pub fn huffs_mover<R: Ruleset<Bits = B>>(&self, rules: R) -> bool {
        rules.keys().huffs() && self.captured.has(self.from.into())
    }

    /// Whether the piece becomes another kind.
    #[inline(always)]
    pub fn is_promotion(&self) -> bool {
        self.kind != self.becomes
    }
}

// The runs are compared through the hash: they matter in few games.
impl<B: Bits> PartialEq for BitPosition<B> {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && self.turn == other.turn
            && self.sides == other.sides
            && self.digits == other.digits
    }
}

impl<B: Bits> Eq for BitPosition<B> {}

impl<B: Bits> BitPosition<B> {
    /// An empty board.
    pub(crate) fn empty<R: Ruleset<Bits = B>>(rules: R, turn: Side) -> BitPosition<B> {
        BitPosition {
            sides: [B::EMPTY; 2],
            digits: [B::EMPTY; 2],
            hash: match turn {
                Side::White => 0,
                Side::Black => rules.layout().turn_hash(),
            },
            turn,
            runs: Runs::default(),
        }
    }

    /// Men and kings of each side, by `[Side]`, in a game that has no other kinds. The hash is not
    /// computed: this is for tables of positions, not for a search.
    #[inline(always)]
    pub fn unhashed(turn: Side, men: [B; 2], kings: [B; 2]) -> BitPosition<B> {
        BitPosition {
            sides: [men[0] | kings[0], men[1] | kings[1]],
            digits: [kings[0] | kings[1], B::EMPTY],
            hash: 0,
            turn,
            runs: Runs::default(),
        }
    }

    /// Puts a piece on an empty square.
    pub(crate) fn put<R: Ruleset<Bits = B>>(&mut self, rules: R, bit: usize, side: Side, kind: u8) {
        let square = B::bit(bit);
        self.sides[side] = self.sides[side] | square;
        for digit in 0..2 {
            if kind >> digit & 1 == 1 {
                self.digits[digit] = self.digits[digit] | square;
            }
        }
        self.hash ^= rules.layout().hash(bit, side, kind);
    }

    /// The side to move.
    #[inline(always)]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// A number that differs, in all likelihood, between different positions. Kept up to date by
    /// [`BitPosition::play`].
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// All pieces of a side.
    #[inline(always)]
    pub fn side(&self, side: Side) -> B {
        self.sides[side]
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> B {
        self.sides[0] | self.sides[1]
    }

    /// The pieces of a kind that a side has.
    #[inline(always)]
    pub fn pieces<R: Ruleset<Bits = B>>(&self, rules: R, side: Side, kind: u8) -> B {
        self.sides[side] & self.of_kind(rules, kind)
    }

    /// Everything of a kind; for men, also the empty squares.
    #[inline(always)]
    fn of_kind<R: Ruleset<Bits = B>>(&self, rules: R, kind: u8) -> B {
        let digit = |index: usize| {
            if kind >> index & 1 == 1 {
                self.digits[index]
            } else {
                !self.digits[index]
            }
        };
        if rules.keys().kinds > 2 {
            digit(0) & digit(1)
        } else {
            digit(0)
        }
    }

    /// The pieces of a side that are of any of the kinds in a mask.
    #[inline(always)]
    pub(crate) fn of_kinds<R: Ruleset<Bits = B>>(&self, rules: R, side: Side, mask: u8) -> B {
        let all = (1 << rules.keys().kinds) - 1;
        if mask & all == all {
            return self.sides[side];
        }
        if mask & all == 1 {
            return self.pieces(rules, side, 0);
        }
        let mut found = B::EMPTY;
        for kind in 0..rules.keys().kinds {
            if mask >> kind & 1 == 1 {
                found = found | self.pieces(rules, side, kind);
            }
        }
        found
    }

    /// The kind of the piece on a square.
    #[inline(always)]
    pub fn kind_at(&self, bit: usize) -> u8 {
        u8::from(self.digits[0].has(bit)) | u8::from(self.digits[1].has(bit)) << 1
    }

    /// The piece of a side that may not make another quiet move for now, as a set.
    #[inline(always)]
    pub(crate) fn exhausted<R: Ruleset<Bits = B>>(&self, rules: R, us: Side) -> B {
        let run = self.runs.of(us);
        if run.count == 0 {
            return B::EMPTY;
        }
        let bit = usize::from(run.bit);
        let limit = rules.keys().kind[usize::from(self.kind_at(bit))].quiet_limit;
        if limit > 0 && run.count >= limit {
            B::bit(bit)
        } else {
            B::EMPTY
        }
    }

    /// The position after a move, which must be legal.
    #[inline(always)]
    #[must_use]
    pub fn play<R: Ruleset<Bits = B>>(&self, rules: R, mv: &BitMove<B>) -> BitPosition<B> {
        let layout = rules.layout();
        let (us, them) = (self.turn, !self.turn);
        let mut next = self.moved(rules, mv);
        next.hash ^= layout.turn_hash() ^ layout.hash(mv.from.into(), us, mv.kind);
        if !mv.huffs_mover(rules) {
            let owner = if self.is_huff(rules, mv) { us } else { them };
            next.hash ^= layout.hash(mv.to.into(), us, mv.becomes);
            for bit in mv.captured.members() {
                next.hash ^= layout.hash(bit, owner, self.kind_at(bit));
            }
        }
        if rules.keys().has_quiet_limit() {
            next.count_run(rules, mv);
        }
        next
    }

    /// Whether a move costs the side to move a piece of its own: it could have captured.
    #[inline(always)]
    pub fn is_huff<R: Ruleset<Bits = B>>(&self, rules: R, mv: &BitMove<B>) -> bool {
        rules.keys().huffs() && mv.captured.meets(self.sides[self.turn])
    }

    /// The same pieces with the other side to move, as if this one had passed: to look for what it
    /// threatens.
    #[inline(always)]
    #[must_use]
    pub fn passed<R: Ruleset<Bits = B>>(&self, rules: R) -> BitPosition<B> {
        BitPosition {
            turn: !self.turn,
            hash: self.hash ^ rules.layout().turn_hash(),
            ..*self
        }
    }

    /// As [`BitPosition::play`] without the hash and without the limits of quiet moves.
    #[inline(always)]
    #[must_use]
    pub fn moved<R: Ruleset<Bits = B>>(&self, rules: R, mv: &BitMove<B>) -> BitPosition<B> {
        self.moved_by(rules, self.turn, mv)
    }

    /// The same, where `us` is the side to move: a constant where the caller has one.
    #[inline(always)]
    fn moved_by<R: Ruleset<Bits = B>>(
        &self,
        rules: R,
        us: Side,
        mv: &BitMove<B>,
    ) -> BitPosition<B> {
        let from = B::bit(mv.from.into());
        let to = if mv.huffs_mover(rules) {
            B::EMPTY
        } else {
            B::bit(mv.to.into())
        };
        let stay = !(from | mv.captured);
        let digit = |index: usize| {
            let arrives = mv.becomes >> index & 1 == 1;
            (self.digits[index] & stay) | if arrives { to } else { B::EMPTY }
        };
        let others = if rules.keys().huffs() {
            self.sides[us] & stay
        } else {
            self.sides[us] ^ from
        };
        let moved = others | to;
        let left = self.sides[!us] & !mv.captured;
        BitPosition {
            sides: match us {
                Side::White => [moved, left],
                Side::Black => [left, moved],
            },
            digits: [
                digit(0),
                if rules.keys().kinds > 2 {
                    digit(1)
                } else {
                    self.digits[1]
                },
            ],
            hash: self.hash,
            turn: !us,
            runs: self.runs,
        }
    }

    /// As [`BitPosition::moved`], with the limits of quiet moves but without the hash. `us` is the
    /// side to move.
    #[inline(always)]
    pub(crate) fn moved_counting<R: Ruleset<Bits = B>>(
        &self,
        rules: R,
        us: Side,
        mv: &BitMove<B>,
    ) -> BitPosition<B> {
        let mut next = self.moved_by(rules, us, mv);
        if rules.keys().has_quiet_limit() {
            next.count_run(rules, mv);
        }
        next
    }

    /// The position after a step of a man that changes nothing else, as the set of its two squares;
    /// without the hash. `us` is the side to move.
    #[inline(always)]
    pub(crate) fn stepped(&self, us: Side, squares: B) -> BitPosition<B> {
        let moved = self.sides[us] ^ squares;
        let other = self.sides[!us];
        BitPosition {
            sides: match us {
                Side::White => [moved, other],
                Side::Black => [other, moved],
            },
            turn: !us,
            ..*self
        }
    }

    /// Whether no side has a run of quiet moves.
    #[inline(always)]
    pub(crate) fn has_no_runs(&self) -> bool {
        self.runs.are_none()
    }

    /// The side not to move has just made a quiet move or another; counts it.
    #[inline(always)]
    fn count_run<R: Ruleset<Bits = B>>(&mut self, rules: R, mv: &BitMove<B>) {
        // Men come first: for them the answer is a constant where the rules are.
        let limit = match mv.kind {
            0 => rules.keys().kind[0].quiet_limit,
            kind => rules.keys().kind[usize::from(kind)].quiet_limit,
        };
        let limited = limit > 0;
        if limited || !self.runs.are_none() {
            *self = self.with_runs_after(rules, mv);
        }
    }

    // By value, so that the position itself need not be in memory for this rare case.
    #[cold]
    fn with_runs_after<R: Ruleset<Bits = B>>(mut self, rules: R, mv: &BitMove<B>) -> Self {
        let us = !self.turn;
        let limit = rules.keys().kind[usize::from(mv.kind)].quiet_limit;
        let mut run = Run::default();
        if limit > 0 && !mv.takes_off() && !mv.is_promotion() {
            let before = self.runs.of(us);
            let same = before.count > 0 && before.bit == mv.from;
            run = Run {
                bit: mv.to,
                count: (if same { before.count } else { 0 } + 1).min(limit),
            };
        }
        self.set_run(rules, us, run);
        for side in Side::BOTH {
            let run = self.runs.of(side);
            let idle = self.pieces(rules, side, 0).is_empty()
                || !self.sides[side].has(usize::from(run.bit));
            if run.count > 0 && idle {
                self.set_run(rules, side, Run::default());
            }
        }
        self
    }

    fn set_run<R: Ruleset<Bits = B>>(&mut self, rules: R, side: Side, run: Run) {
        for run in [self.runs.of(side), run] {
            self.hash ^= rules.layout().run_hash(side, run.bit.into(), run.count);
        }
        self.runs = self.runs.with(side, run);
    }

    /// A side's run of quiet moves with one piece, as (bit, moves), if its game counts them.
    pub(crate) fn run(&self, side: Side) -> Option<(usize, u8)> {
        let run = self.runs.of(side);
        (run.count > 0).then_some((usize::from(run.bit), run.count))
    }

    /// Says how many quiet moves in a row a piece has made.
    pub(crate) fn with_run<R: Ruleset<Bits = B>>(
        mut self,
        rules: R,
        side: Side,
        bit: usize,
        count: u8,
    ) -> BitPosition<B> {
        let run = Run {
            bit: bit as u16,
            count,
        };
        self.set_run(rules, side, run);
        self
    }
}
