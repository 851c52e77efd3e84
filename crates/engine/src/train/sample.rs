//! Positions with their labels, small enough to keep tens of millions.

use kingme_rules::{BitPosition, Bits, Ruleset, Side, Square, Variant};

use super::games::LONGEST;
use crate::eval::Board;
use crate::random::Random;
use crate::score::Score;

/// A position of a game with how the game ended and what a search said.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub turn: Side,
    /// Result for White: 2 won, 1 drawn, 0 lost.
    pub result: u8,
    /// Score for White.
    pub score: i16,
}

/// Samples of one board, all of the same length.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    squares: usize,
    bytes: Vec<u8>,
}

const LABEL: usize = 4;
/// How much of a target is the result of the game; the rest is the score of the search.
const RESULT_SHARE: f32 = 0.25;
/// Every so many samples one block of this length is kept for validation, so that the positions
/// of one game stay together.
const BLOCK: usize = 2_000;
const BLOCKS: usize = 20;

impl Label {
    /// What an evaluation should predict for White, from 0 to 1.
    pub fn target(self) -> f32 {
        let score = f32::from(self.score) / Score::LOGIT as f32;
        RESULT_SHARE * f32::from(self.result) / 2.0 + (1.0 - RESULT_SHARE) * sigmoid(score)
    }
}

/// The chance that belongs to log-odds.
#[inline(always)]
pub(super) fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// How far a prediction is from its target, as log loss.
#[inline(always)]
pub(super) fn log_loss(predicted: f32, target: f32) -> f32 {
    let safe = predicted.clamp(1e-6, 1.0 - 1e-6);
    -(target * safe.ln() + (1.0 - target) * (1.0 - safe).ln())
}

/// How well weights predict, as mean log loss.
#[derive(Copy, Clone, Debug)]
pub(super) struct Loss {
    pub training: f64,
    pub validation: f64,
}

/// Adds up losses.
#[derive(Default)]
pub(super) struct Losses {
    sums: [f64; 2],
    counts: [u64; 2],
}

impl Losses {
    pub fn add(&mut self, held_out: bool, loss: f32) {
        self.sums[usize::from(held_out)] += f64::from(loss);
        self.counts[usize::from(held_out)] += 1;
    }

    pub fn mean(&self) -> Loss {
        let mean = |index: usize| self.sums[index] / self.counts[index].max(1) as f64;
        Loss {
            training: mean(0),
            validation: mean(1),
        }
    }
}

impl std::iter::Sum for Losses {
    fn sum<I: Iterator<Item = Losses>>(all: I) -> Losses {
        let mut sum = Losses::default();
        for part in all {
            for held_out in 0..2 {
                sum.sums[held_out] += part.sums[held_out];
                sum.counts[held_out] += part.counts[held_out];
            }
        }
        sum
    }
}

impl Samples {
    pub fn new(variant: &Variant) -> Samples {
        Samples {
            squares: variant.board().len(),
            bytes: Vec::new(),
        }
    }

    fn stride(&self) -> usize {
        LABEL + self.squares.div_ceil(2)
    }

    /// Whether a sample is kept for validation.
    pub fn is_held_out(index: usize) -> bool {
        (index / BLOCK).is_multiple_of(BLOCKS)
    }

    /// All samples, in an order that looks random and that the seed decides.
    pub fn shuffled(&self, seed: u64) -> impl Iterator<Item = usize> {
        let count = self.len();
        let step = stride(count, seed);
        (0..count).scan(0, move |at, _| {
            let now = *at;
            *at = (*at + step) % count;
            Some(now)
        })
    }

    pub fn len(&self) -> usize {
        self.bytes.len() / self.stride()
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds samples as they were stored; a torn last one is left out.
    pub fn extend(&mut self, bytes: &[u8]) {
        let whole = bytes.len() / self.stride() * self.stride();
        self.bytes.extend_from_slice(&bytes[..whole]);
    }

    /// Whether these are the samples of a game, and not what would mislead a fit or break it.
    ///
    /// # Errors
    ///
    /// What they can't be.
    pub fn check(variant: &Variant, game: &[u8]) -> Result<(), String> {
        let samples = Samples::new(variant);
        let length = game.len();
        if !length.is_multiple_of(samples.stride()) || length > LONGEST * samples.stride() {
            return Err(format!("{length} bytes are no positions of a game"));
        }
        let pieces = variant.start().pieces().len();
        for (number, sample) in (1..).zip(game.chunks_exact(samples.stride())) {
            if sample[0] > 1 || sample[1] > 2 || sample[1] != game[1] {
                return Err(format!("position {number} has no sound label"));
            }
            samples
                .check_pieces(variant, &sample[LABEL..], pieces)
                .map_err(|why| format!("position {number} {why}"))?;
        }
        Ok(())
    }

    fn check_pieces(&self, variant: &Variant, board: &[u8], most: usize) -> Result<(), String> {
        let kinds = variant.definition().kinds.len();
        let squares = board.iter().flat_map(|pair| [pair & 15, pair >> 4]);
        let mut pieces = 0;
        for (square, piece) in squares.enumerate().filter(|(_, piece)| *piece > 0) {
            let kind = usize::from((piece - 1) % 4);
            if square >= self.squares || piece > 8 || kind >= kinds {
                return Err("has a piece that is none".to_owned());
            }
            pieces += 1;
        }
        if pieces > most {
            return Err(format!("has {pieces} pieces"));
        }
        Ok(())
    }

    /// Adds a position.
    pub fn push<R: Ruleset>(&mut self, rules: R, position: &BitPosition<R::Bits>, score: Score) {
        let turn = position.turn();
        let white = if turn == Side::White { score } else { -score };
        let value = (white.value() as i16).to_le_bytes();
        self.bytes.extend([turn as u8, 1, value[0], value[1]]);
        let start = self.bytes.len();
        self.bytes.resize(start + self.squares.div_ceil(2), 0);
        for side in Side::BOTH {
            for bit in position.side(side).members() {
                let square = rules.layout().square(bit).index();
                let piece = 1 + position.kind_at(bit) + 4 * side as u8;
                self.bytes[start + square / 2] |= piece << (square % 2 * 4);
            }
        }
    }

    /// Says how the game of the samples from `first` on ended: 2, 1 or 0 for White.
    pub fn set_result(&mut self, first: usize, result: u8) {
        let stride = self.stride();
        for sample in self.bytes.chunks_exact_mut(stride).skip(first) {
            sample[1] = result;
        }
    }

    /// Reads a sample into `board`.
    pub fn read(&self, index: usize, squares: &[Square], board: &mut Board) -> Label {
        let stride = self.stride();
        let bytes = &self.bytes[index * stride..(index + 1) * stride];
        board.pieces.clear();
        for (byte, &pair) in bytes[LABEL..].iter().enumerate() {
            if pair == 0 {
                continue;
            }
            for (half, piece) in [pair & 15, pair >> 4].into_iter().enumerate() {
                if piece > 0 {
                    let side = Side::BOTH[usize::from(piece > 4)];
                    let kind = usize::from((piece - 1) % 4);
                    board.pieces.push((squares[2 * byte + half], side, kind));
                }
            }
        }
        Label {
            turn: Side::BOTH[usize::from(bytes[0] & 1)],
            result: bytes[1],
            score: i16::from_le_bytes([bytes[2], bytes[3]]),
        }
    }
}

/// A step that visits all of `count` things in an order that looks random.
fn stride(count: usize, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let coprime = |step: usize| {
        let (mut a, mut b) = (count, step);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    loop {
        let step = 1 + random.below(count.max(1));
        if coprime(step) {
            return step;
        }
    }
}
