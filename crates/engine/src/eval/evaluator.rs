//! An evaluation made ready for search: window patterns are kept up to date move by move, and a
//! score is a sum of table look-ups.

use rules::movegen::{self, MoveList};
use rules::{BitMove, BitPosition, Bits, Ruleset, RulesetVisitor, Side, Square, Variant};

use super::geometry::{Geometry, PATTERNS};
use super::parameters::{Parameters, Term};
use super::weights::{STEPS, Weights};
use crate::score::Score;

/// Most windows that a board has, rounded up.
pub(crate) const LANES: usize = 96;
/// Windows are updated in groups of this size, one instruction each.
const GROUP: usize = 8;
/// Weights of the opening and the ending in one number, so that one addition adds both.
type Packed = i32;

/// The pattern in each window of a position.
#[derive(Clone, Debug)]
pub(crate) struct Indices([u16; LANES]);

impl Default for Indices {
    fn default() -> Indices {
        Indices([0; LANES])
    }
}

/// An evaluation made ready for search in one game.
pub(crate) struct Evaluator {
    /// Windows in use, rounded up to whole groups.
    lanes: usize,
    windows: usize,
    /// What a man adds to the patterns: by bit, then side, a number for each lane.
    digits: Vec<u16>,
    /// By window, then pattern. The square table of men is worked in.
    patterns: Vec<Packed>,
    /// Square tables of other pieces: by kind, then bit, then side.
    pieces: Vec<Packed>,
    bits: usize,
    /// By White's kings, Black's kings, then difference of men.
    balance: Vec<Packed>,
    tempo: Packed,
    /// How much the opening counts, in 256ths, by number of pieces.
    opening: Vec<i32>,
    mobility: i32,
}

fn pack([opening, ending]: [i32; 2]) -> Packed {
    (ending << 16) + opening
}

fn unpack(packed: Packed) -> [i32; 2] {
    [i32::from(packed as i16), (packed + 0x8000) >> 16]
}

/// How much the opening counts in a position with so many pieces, in 256ths.
pub(crate) fn opening_share(pieces: usize, at_start: usize) -> i32 {
    (256 * pieces.min(at_start) / at_start.max(1)) as i32
}

impl Evaluator {
    /// Makes weights ready for a game.
    pub fn new(variant: &Variant, weights: &Weights) -> Evaluator {
        struct Build<'a>(&'a Variant, &'a Weights);
        impl RulesetVisitor for Build<'_> {
            type Output = Evaluator;
            fn visit<R: Ruleset>(self, rules: R) -> Evaluator {
                let bit = |square| rules.tables().bit(square);
                Evaluator::build(self.0, self.1, R::Bits::WIDTH, &bit)
            }
        }
        variant.visit_loaded(Build(variant, weights))
    }

    fn build(
        variant: &Variant,
        weights: &Weights,
        bits: usize,
        bit: &dyn Fn(Square) -> usize,
    ) -> Evaluator {
        let parameters = Parameters::new(variant, weights.form);
        let windows = parameters.geometry.windows.len();
        let value = |term: Term| {
            let pair = weights.values[term.weight as usize];
            pack(pair.map(|value| i32::from(value) * i32::from(term.sign)))
        };
        let at_start = variant.start().pieces().len();
        let mut evaluator = Evaluator {
            lanes: windows.next_multiple_of(GROUP),
            windows,
            digits: Vec::new(),
            patterns: vec![0; windows * PATTERNS],
            pieces: Vec::new(),
            bits,
            balance: Vec::new(),
            tempo: value(parameters.tempo()),
            opening: (0..=variant.board().len())
                .map(|pieces| opening_share(pieces, at_start))
                .collect(),
            mobility: weights.mobility,
        };
        evaluator.fill_digits(&parameters.geometry, bit);
        evaluator.fill_patterns(&parameters, &value);
        evaluator.fill_pieces(variant, &parameters, &value, bit);
        evaluator.fill_balance(&parameters, &value);
        evaluator
    }

    fn fill_digits(&mut self, geometry: &Geometry, bit: &dyn Fn(Square) -> usize) {
        self.digits = vec![0; self.bits * 2 * self.lanes];
        for (lane, window) in geometry.windows.iter().enumerate() {
            for (place, square) in window.iter().enumerate() {
                let Some(square) = *square else { continue };
                for side in Side::BOTH {
                    let at = self.digits_at(bit(square), side) + lane;
                    self.digits[at] = Geometry::digit(side, place);
                }
            }
        }
    }

    fn fill_patterns(&mut self, parameters: &Parameters, value: &dyn Fn(Term) -> Packed) {
        let mut done = vec![false; parameters.geometry.squares];
        for window in 0..self.windows {
            let squares = parameters.geometry.windows[window];
            // The first window with a square takes its men's weights.
            let new = squares.map(|square| {
                square.filter(|square| !std::mem::replace(&mut done[square.index()], true))
            });
            for pattern in 0..PATTERNS {
                let mut sum = match parameters.form {
                    super::Form::Windows => value(parameters.pattern(window, pattern)),
                    super::Form::Squares => 0,
                };
                for (place, square) in new.iter().enumerate() {
                    let side = match pattern / 3_usize.pow(place as u32) % 3 {
                        1 => Side::White,
                        2 => Side::Black,
                        _ => continue,
                    };
                    sum += square.map_or(0, |square| value(parameters.piece(side, 0, square)));
                }
                self.patterns[window * PATTERNS + pattern] = sum;
            }
        }
    }

    fn fill_pieces(
        &mut self,
        variant: &Variant,
        parameters: &Parameters,
        value: &dyn Fn(Term) -> Packed,
        bit: &dyn Fn(Square) -> usize,
    ) {
        let kinds = variant.definition().kinds.len();
        self.pieces = vec![0; kinds * self.bits * 2];
        for kind in 1..kinds {
            for square in variant.board().squares() {
                for side in Side::BOTH {
                    let at = (kind * self.bits + bit(square)) * 2 + side as usize;
                    self.pieces[at] = value(parameters.piece(side, kind, square));
                }
            }
        }
    }

    fn fill_balance(&mut self, parameters: &Parameters, value: &dyn Fn(Term) -> Packed) {
        for white in 0..4 {
            for black in 0..4 {
                for difference in -3_i32..=3 {
                    let men = [difference.max(0) as u32, (-difference).max(0) as u32];
                    self.balance
                        .push(value(parameters.balance(men, [white, black])));
                }
            }
        }
    }

    #[inline(always)]
    fn digits_at(&self, bit: usize, side: Side) -> usize {
        (bit * 2 + side as usize) * self.lanes
    }

    #[inline(always)]
    fn digits(&self, bit: usize, side: Side) -> &[u16] {
        let at = self.digits_at(bit, side);
        &self.digits[at..at + self.lanes]
    }

    /// The patterns of a position.
    pub fn indices<R: Ruleset>(&self, rules: R, position: &BitPosition<R::Bits>) -> Indices {
        let mut indices = Indices::default();
        for side in Side::BOTH {
            for bit in position.pieces(rules, side, 0).members() {
                add(&mut indices.0[..self.lanes], self.digits(bit, side));
            }
        }
        indices
    }

    /// The patterns after a move in `position`, whose patterns are `before`.
    #[inline(always)]
    pub fn update<B: Bits>(
        &self,
        position: &BitPosition<B>,
        mv: &BitMove<B>,
        before: &Indices,
        after: &mut Indices,
    ) {
        let us = position.turn();
        let before = &before.0[..self.lanes];
        let after = &mut after.0[..self.lanes];
        if mv.kind == 0 && mv.becomes == 0 {
            let to = self.digits(mv.to.into(), us);
            let from = self.digits(mv.from.into(), us);
            for lane in 0..self.lanes {
                after[lane] = before[lane].wrapping_add(to[lane]).wrapping_sub(from[lane]);
            }
        } else {
            after.copy_from_slice(before);
            if mv.kind == 0 {
                subtract(after, self.digits(mv.from.into(), us));
            }
            if mv.becomes == 0 {
                add(after, self.digits(mv.to.into(), us));
            }
        }
        for bit in mv.captured.members() {
            if position.kind_at(bit) == 0 {
                subtract(after, self.digits(bit, !us));
            }
        }
    }

    /// How good a position is for the side to move.
    #[inline(always)]
    pub fn evaluate<R: Ruleset>(
        &self,
        rules: R,
        position: &BitPosition<R::Bits>,
        indices: &Indices,
    ) -> Score {
        let mut sum: Packed = 0;
        let lanes = &indices.0[..self.windows];
        for (table, &index) in self.patterns.chunks_exact(PATTERNS).zip(lanes) {
            sum += table[usize::from(index)];
        }
        let men = Side::BOTH.map(|side| position.pieces(rules, side, 0));
        let others = Side::BOTH.map(|side| position.side(side) & !men[side as usize]);
        for side in Side::BOTH {
            for bit in others[side].members() {
                let kind = usize::from(position.kind_at(bit));
                sum += self.pieces[(kind * self.bits + bit) * 2 + side as usize];
            }
        }
        let men = men.map(Bits::count);
        let kings = others.map(Bits::count);
        let difference = (men[0] as i32 - men[1] as i32).clamp(-3, 3) + 3;
        let [white, black] = kings.map(|kings| kings.min(3) as usize);
        sum += self.balance[(white * 4 + black) * 7 + difference as usize];
        let us = position.turn();
        let sum = if us == Side::White { sum } else { -sum } + self.tempo;
        let [opening, ending] = unpack(sum);
        let pieces = men[0] + men[1] + kings[0] + kings[1];
        let share = self.opening[pieces as usize];
        let points = (opening * share + ending * (256 - share)) / (256 * STEPS);
        Score::points(points + self.mobility(rules, position))
    }

    #[inline(always)]
    fn mobility<R: Ruleset>(&self, rules: R, position: &BitPosition<R::Bits>) -> i32 {
        if self.mobility == 0 {
            return 0;
        }
        let mut list = MoveList::new();
        let ours = movegen::count(rules, position, &mut list);
        let theirs = movegen::count(rules, &position.passed(rules), &mut list);
        self.mobility * (ours.min(1_000) as i32 - theirs.min(1_000) as i32)
    }
}

#[inline(always)]
fn add(to: &mut [u16], what: &[u16]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to = to.wrapping_add(*what);
    }
}

#[inline(always)]
fn subtract(from: &mut [u16], what: &[u16]) {
    for (from, what) in from.iter_mut().zip(what) {
        *from = from.wrapping_sub(*what);
    }
}
