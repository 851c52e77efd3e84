//! A small network. Every piece switches on a row of weights in each side's view of the board; the
//! sums are cut off at 0 and 1, squared, and weighed once more, with other weights as the board
//! empties.

use kingme_rules::{Side, Square, Variant};

use super::geometry::half_turn;
use super::lanes::{self, LANES, Lanes};
use super::weights::Weights;
use crate::score::Score;

/// Sums in one view of the board.
pub(crate) const HIDDEN: usize = LANES / 2;
/// Sets of last weights, by number of pieces.
pub(crate) const BUCKETS: usize = 8;
/// Steps of a first weight to 1.
const UNIT: i32 = 255;
/// Steps of a last weight to 1.
const LAST_UNIT: i32 = 64;
/// Steps of a last bias to 1.
const BIAS_UNIT: i32 = 1_024;
/// The largest weight, so that products fit 16 bits.
pub(crate) const LARGEST: f32 = 127.0 / 64.0;

/// Numbers the inputs and the weights of a game's network. In order: a row of [`HIDDEN`] weights
/// for each input, the row that is always on, the last weights (first the view of the side to
/// move), the last biases.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    squares: usize,
    kinds: usize,
    at_start: usize,
    /// Each square's place after half a turn, if the board looks the same then: both sides' views
    /// share their weights.
    turned: Option<Vec<Square>>,
}

impl Shape {
    pub fn new(variant: &Variant) -> Shape {
        Shape {
            squares: variant.board().len(),
            kinds: variant.definition().kinds.len(),
            at_start: variant.start().pieces().len().max(1),
            turned: half_turn(variant.board()),
        }
    }

    /// The input that a piece switches on in a side's view.
    pub fn input(&self, view: Side, side: Side, kind: usize, square: Square) -> usize {
        let (own_weights, square) = match (view, &self.turned) {
            (Side::White, _) => (0, square),
            (Side::Black, Some(turned)) => (0, turned[square.index()]),
            (Side::Black, None) => (1, square),
        };
        let whose = 2 * own_weights + usize::from(side != view);
        (whose * self.kinds + kind) * self.squares + square.index()
    }

    fn inputs(&self) -> usize {
        let views = if self.turned.is_some() { 1 } else { 2 };
        views * 2 * self.kinds * self.squares
    }

    /// Where the row of an input begins.
    pub fn row(input: usize) -> usize {
        input * HIDDEN
    }

    /// Where the row that is always on begins.
    pub fn bias(&self) -> usize {
        Shape::row(self.inputs())
    }

    /// Where the last weights of a bucket begin.
    pub fn last(&self, bucket: usize) -> usize {
        self.bias() + HIDDEN + bucket * 2 * HIDDEN
    }

    /// Where the last bias of a bucket is.
    pub fn last_bias(&self, bucket: usize) -> usize {
        self.last(BUCKETS) + bucket
    }

    /// How many weights there are.
    pub fn count(&self) -> usize {
        self.last_bias(BUCKETS)
    }

    /// The bucket of a position with so many pieces.
    pub fn bucket(&self, pieces: usize) -> usize {
        pieces.saturating_sub(1).min(self.at_start - 1) * BUCKETS / self.at_start
    }

    /// Weights as a file has them.
    pub fn rounded(&self, weights: &[f32]) -> Vec<i16> {
        let unit = |index| {
            if index < self.last(0) {
                UNIT
            } else if index < self.last_bias(0) {
                LAST_UNIT
            } else {
                BIAS_UNIT
            }
        };
        let weights = weights.iter().enumerate();
        weights
            .map(|(index, weight)| (weight * unit(index) as f32).round() as i16)
            .collect()
    }

    /// The reverse of [`Shape::rounded`].
    pub fn exact(&self, values: &[i16]) -> Vec<f32> {
        let ones = self.rounded(&vec![1.0; values.len()]);
        let pairs = values.iter().zip(ones);
        pairs
            .map(|(&value, one)| f32::from(value) / f32::from(one))
            .collect()
    }
}

/// The last weights of a network, ready for search.
pub(super) struct Net {
    /// By bucket, the view of the side to move first.
    last: Vec<Lanes>,
    biases: [i32; BUCKETS],
    /// By number of pieces.
    buckets: Vec<usize>,
}

impl Net {
    pub fn new(variant: &Variant, weights: &Weights) -> Net {
        let shape = Shape::new(variant);
        Net {
            last: weights.values[shape.last(0)..shape.last(BUCKETS)]
                .chunks_exact(2 * HIDDEN)
                .map(|last| Lanes::new(last.iter().copied()))
                .collect(),
            biases: std::array::from_fn(|bucket| {
                i32::from(weights.values[shape.last_bias(bucket)]) * UNIT * LAST_UNIT / BIAS_UNIT
            }),
            buckets: (0..=variant.board().len())
                .map(|pieces| shape.bucket(pieces))
                .collect(),
        }
    }

    /// The lanes of an empty board.
    pub fn empty(shape: &Shape, weights: &Weights) -> Lanes {
        let bias = &weights.values[shape.bias()..][..HIDDEN];
        Lanes::new(bias.iter().chain(bias).copied())
    }

    /// What a piece adds to the lanes: White's view, then Black's.
    pub fn row(
        shape: &Shape,
        weights: &Weights,
        side: Side,
        kind: usize,
        square: Square,
    ) -> impl Iterator<Item = i16> {
        Side::BOTH.into_iter().flat_map(move |view| {
            let start = Shape::row(shape.input(view, side, kind, square));
            weights.values[start..start + HIDDEN].to_vec()
        })
    }

    /// How good a position with so many pieces is for the side to move.
    #[inline(always)]
    pub fn judge(&self, lanes: &Lanes, turn: Side, pieces: usize) -> Score {
        let bucket = self.buckets[pieces];
        let [white, black] = lanes.halves();
        let views = match turn {
            Side::White => [white, black],
            Side::Black => [black, white],
        };
        let sum = lanes::weigh(views, self.last[bucket].halves(), UNIT as i16);
        let odds = sum / UNIT + self.biases[bucket];
        Score::points(odds * Score::LOGIT / (UNIT * LAST_UNIT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_is_numbered_once() {
        for name in ["english", "turkish", "stupid-checkers"] {
            let variant = Variant::named(name).unwrap();
            let shape = Shape::new(&variant);
            let mut seen = vec![0; shape.inputs()];
            for side in Side::BOTH {
                for kind in 0..variant.definition().kinds.len() {
                    for square in variant.board().squares() {
                        seen[shape.input(Side::White, side, kind, square)] += 1;
                        let other = shape.input(Side::Black, side, kind, square);
                        assert!(other < shape.inputs(), "{name}");
                    }
                }
            }
            let once = 2 * variant.definition().kinds.len() * variant.board().len();
            assert!(seen[..once].iter().all(|&times| times == 1), "{name}");
        }
    }

    #[test]
    fn a_full_board_is_in_the_last_bucket_and_a_bare_one_in_the_first() {
        let shape = Shape::new(&Variant::named("english").unwrap());
        assert_eq!(shape.bucket(24), BUCKETS - 1);
        assert_eq!(shape.bucket(32), BUCKETS - 1);
        assert_eq!(shape.bucket(1), 0);
        assert_eq!(shape.bucket(0), 0);
        assert_eq!(shape.bucket(12), 3);
    }

    #[test]
    fn rounding_and_back() {
        let shape = Shape::new(&Variant::named("english").unwrap());
        let weights = vec![0.5; shape.count()];
        let values = shape.rounded(&weights);
        assert_eq!(values[0], 128);
        assert_eq!(values[shape.last(0)], 32);
        assert_eq!(values[shape.last_bias(7)], 512);
        let back = shape.exact(&values);
        assert!(back.iter().all(|weight| (weight - 0.5).abs() < 0.01));
    }
}
