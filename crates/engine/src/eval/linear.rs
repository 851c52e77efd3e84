//! Sums of weights: piece-square tables, windows of eight squares, the balance of kings and men,
//! the right to move, each with a weight for the opening and one for the ending.

use kingme_rules::movegen::{self, MoveList};
use kingme_rules::variant::Stuck;
use kingme_rules::{BitPosition, Bits, Ruleset, Side, Square, Variant};

use super::geometry::{Geometry, PATTERNS};
use super::lanes::{GROUP, Lanes};
use super::parameters::{Parameters, Term};
use super::weights::{Form, STEPS, Weights};
use crate::score::Score;

/// Weights of the opening and the ending in one number, so that one addition adds both.
type Packed = i32;

/// A linear evaluation made ready for search. A lane has the pattern of a window.
pub(super) struct Linear {
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
    /// Where being stuck wins, pieces are a burden.
    burden: bool,
}

/// In men: a greater lead than this may be more than a packed sum can hold.
const MOST_LEAD: i32 = 64;

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

impl Linear {
    pub fn new(
        variant: &Variant,
        weights: &Weights,
        bits: usize,
        bit: &dyn Fn(Square) -> usize,
    ) -> Linear {
        let parameters = Parameters::new(variant, weights.form);
        let windows = parameters.geometry.windows.len();
        let value = |term: Term| {
            let pair = weights.pair(term.weight as usize);
            pack(pair.map(|value| i32::from(value) * i32::from(term.sign)))
        };
        let at_start = variant.start().pieces().len();
        let mut linear = Linear {
            patterns: vec![0; windows * PATTERNS],
            pieces: Vec::new(),
            bits,
            balance: Vec::new(),
            tempo: value(parameters.tempo()),
            opening: (0..=variant.board().len())
                .map(|pieces| opening_share(pieces, at_start))
                .collect(),
            mobility: weights.mobility,
            burden: variant.definition().end.stuck == Stuck::Wins,
        };
        linear.fill_patterns(&parameters, &value);
        linear.fill_pieces(variant, &parameters, &value, bit);
        linear.fill_balance(&parameters, &value);
        linear
    }

    /// What a man adds to the lanes.
    pub fn row(geometry: &Geometry, side: Side, square: Square) -> impl Iterator<Item = i16> {
        geometry.windows.iter().map(move |window| {
            let place = window.iter().position(|at| *at == Some(square));
            place.map_or(0, |place| Geometry::digit(side, place) as i16)
        })
    }

    fn fill_patterns(&mut self, parameters: &Parameters, value: &dyn Fn(Term) -> Packed) {
        let mut done = vec![false; parameters.geometry.squares];
        for (window, squares) in parameters.geometry.windows.iter().enumerate() {
            // The first window with a square takes its men's weights.
            let new = squares.map(|square| {
                square.filter(|square| !std::mem::replace(&mut done[square.index()], true))
            });
            for pattern in 0..PATTERNS {
                let mut sum = match parameters.form {
                    Form::Windows => value(parameters.pattern(window, pattern)),
                    Form::Squares | Form::Net => 0,
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

    /// How good a position is for the side to move.
    #[inline(always)]
    pub fn judge<R: Ruleset>(
        &self,
        rules: R,
        position: &BitPosition<R::Bits>,
        lanes: &Lanes,
    ) -> Score {
        let mut sum: Packed = 0;
        for (tables, group) in self.patterns.chunks(GROUP * PATTERNS).zip(&lanes.0) {
            for (table, &index) in tables.chunks_exact(PATTERNS).zip(&group.0) {
                // Only the whole sum has to fit: each side's men alone may be too many.
                sum = sum.wrapping_add(table[index as usize]);
            }
        }
        let men = Side::BOTH.map(|side| position.pieces(rules, side, 0));
        let others = Side::BOTH.map(|side| position.side(side) & !men[side as usize]);
        for side in Side::BOTH {
            for bit in others[side].members() {
                let kind = usize::from(position.kind_at(bit));
                let piece = (kind * self.bits + bit) * 2 + side as usize;
                sum = sum.wrapping_add(self.pieces[piece]);
            }
        }
        let men = men.map(Bits::count);
        let kings = others.map(Bits::count);
        let difference = (men[0] as i32 - men[1] as i32).clamp(-3, 3) + 3;
        let [white, black] = kings.map(|kings| kings.min(3) as usize);
        sum = sum.wrapping_add(self.balance[(white * 4 + black) * 7 + difference as usize]);
        let us = position.turn();
        let lead = (men[0] + 3 * kings[0]) as i32 - (men[1] + 3 * kings[1]) as i32;
        if lead.abs() > MOST_LEAD {
            return self.overwhelming(if us == Side::White { lead } else { -lead });
        }
        let sum = if us == Side::White { sum } else { -sum } + self.tempo;
        let [opening, ending] = unpack(sum);
        let pieces = men[0] + men[1] + kings[0] + kings[1];
        let share = self.opening[pieces as usize];
        let points = (opening * share + ending * (256 - share)) / (256 * STEPS);
        Score::points(points + self.mobility(rules, position))
    }

    #[cold]
    fn overwhelming(&self, lead: i32) -> Score {
        Score::points(if self.burden { -lead } else { lead } * 100)
    }

    /// By rules read from the data: games with constant rules have weights that do without it, and
    /// the code that counts moves is long.
    #[inline(always)]
    fn mobility<R: Ruleset>(&self, rules: R, position: &BitPosition<R::Bits>) -> i32 {
        if self.mobility == 0 {
            return 0;
        }
        let rules = rules.layout().rules();
        let mut list = MoveList::new();
        let ours = movegen::count(rules, position, &mut list);
        let theirs = movegen::count(rules, &position.passed(rules), &mut list);
        self.mobility * (ours.min(1_000) as i32 - theirs.min(1_000) as i32)
    }
}
