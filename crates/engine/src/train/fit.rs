//! Logistic regression: weights under which evaluations predict results.

use rules::{Side, Square, Variant};

use super::sample::{Label, Samples};
use crate::eval::{Board, Form, Parameters, Weights, opening_share};
use crate::eval::{PATTERNS, STEPS, Term};
use crate::random::Random;
use crate::score::Score;

/// How much of a label is the result of the game; the rest is the score of the search.
const RESULT_SHARE: f32 = 0.75;
/// Step of the first update of a weight; later ones are smaller.
const RATE: f32 = 0.05;
/// The same for a pattern in a window. Most patterns are rare: what one game taught about them
/// must not decide another.
const PATTERN_RATE: f32 = 0.012;
/// Draws weights toward 0, so that rare patterns stay modest.
const DECAY: f32 = 2e-5;
/// Every so many samples one block of this length is kept for validation, so that the positions
/// of one game stay together.
const BLOCK: usize = 2_000;
const BLOCKS: usize = 20;

/// A weight for the opening and one for the ending, in log-odds, with the squares of their
/// gradients so far.
#[derive(Copy, Clone, Default)]
struct Weight {
    value: [f32; 2],
    seen: [f32; 2],
}

pub(super) struct Fit<'a> {
    parameters: Parameters,
    squares: Vec<Square>,
    /// By square, the windows it is in with the place in each.
    in_windows: Vec<Vec<(usize, [u16; 2])>>,
    /// By window and pattern.
    terms: Vec<Term>,
    weights: Vec<Weight>,
    at_start: usize,
    samples: &'a Samples,
}

/// How well weights predict, as mean log loss.
#[derive(Copy, Clone, Debug)]
pub(super) struct Loss {
    pub training: f64,
    pub validation: f64,
}

impl<'a> Fit<'a> {
    /// Starts from weights, which may be of the smaller form.
    pub fn new(variant: &Variant, form: Form, from: &Weights, samples: &'a Samples) -> Fit<'a> {
        let parameters = Parameters::new(variant, form);
        let geometry = &parameters.geometry;
        let mut in_windows = vec![Vec::new(); geometry.squares];
        for (index, window) in geometry.windows.iter().enumerate() {
            for (place, square) in window.iter().enumerate() {
                if let Some(square) = square {
                    let digits = Side::BOTH.map(|side| crate::eval::Geometry::digit(side, place));
                    in_windows[square.index()].push((index, digits));
                }
            }
        }
        let terms = match form {
            Form::Squares => Vec::new(),
            Form::Windows => (0..geometry.windows.len() * PATTERNS)
                .map(|index| parameters.pattern(index / PATTERNS, index % PATTERNS))
                .collect(),
        };
        let mut weights = vec![Weight::default(); parameters.count()];
        for (weight, value) in weights.iter_mut().zip(&from.values) {
            weight.value = value.map(|value| f32::from(value) / (STEPS * Score::LOGIT) as f32);
        }
        Fit {
            squares: variant.board().squares().collect(),
            in_windows,
            terms,
            weights,
            at_start: variant.start().pieces().len(),
            samples,
            parameters,
        }
    }

    /// Goes once over all samples, in an order that the seed decides.
    pub fn epoch(&mut self, seed: u64) -> Loss {
        let count = self.samples.len();
        let step = stride(count, seed);
        let mut at = 0;
        let mut features = Features::default();
        let (mut sums, mut counts) = ([0.0; 2], [0_u64; 2]);
        for _ in 0..count {
            let held_out = (at / BLOCK).is_multiple_of(BLOCKS);
            let label = self.read(at, &mut features);
            let (loss, error) = self.judge(&features, label);
            sums[usize::from(held_out)] += f64::from(loss);
            counts[usize::from(held_out)] += 1;
            if !held_out {
                self.learn(&features, error);
            }
            at = (at + step) % count;
        }
        let mean = |index: usize| sums[index] / counts[index].max(1) as f64;
        Loss {
            training: mean(0),
            validation: mean(1),
        }
    }

    fn read(&self, index: usize, features: &mut Features) -> Label {
        let label = self.samples.read(index, &self.squares, &mut features.board);
        features.fill(self, label.turn);
        label
    }

    /// The loss, and how much the prediction is too high for White.
    fn judge(&self, features: &Features, label: Label) -> (f32, f32) {
        let mut sum = 0.0;
        for term in &features.terms {
            let [opening, ending] = self.weights[term.weight as usize].value;
            sum += f32::from(term.sign)
                * (opening * features.opening + ending * (1.0 - features.opening));
        }
        let predicted = 1.0 / (1.0 + (-sum).exp());
        let score = f64::from(label.score) / f64::from(Score::LOGIT);
        let score = 1.0 / (1.0 + (-score).exp());
        let target =
            RESULT_SHARE * f32::from(label.result) / 2.0 + (1.0 - RESULT_SHARE) * score as f32;
        let safe = predicted.clamp(1e-6, 1.0 - 1e-6);
        let loss = -(target * safe.ln() + (1.0 - target) * (1.0 - safe).ln());
        (loss, predicted - target)
    }

    fn learn(&mut self, features: &Features, error: f32) {
        let patterns = self.parameters.tempo().weight;
        for term in &features.terms {
            let weight = &mut self.weights[term.weight as usize];
            let gradient = error * f32::from(term.sign);
            let rate = if term.weight > patterns {
                PATTERN_RATE
            } else {
                RATE
            };
            for (phase, share) in [features.opening, 1.0 - features.opening]
                .into_iter()
                .enumerate()
            {
                let gradient = gradient * share + DECAY * weight.value[phase];
                weight.seen[phase] += gradient * gradient;
                weight.value[phase] -= rate * gradient / (1.0 + weight.seen[phase]).sqrt();
            }
        }
    }

    /// The weights as a file has them.
    pub fn weights(&self, variant: &Variant, date: &str) -> Weights {
        let unit = (STEPS * Score::LOGIT) as f32;
        let rounded = |value: f32| (value * unit).round().clamp(-8_000.0, 8_000.0) as i16;
        Weights {
            variant: variant.name().to_owned(),
            form: self.parameters.form,
            date: date.to_owned(),
            positions: self.samples.len() as u64,
            result: String::new(),
            values: self
                .weights
                .iter()
                .map(|weight| weight.value.map(rounded))
                .collect(),
            mobility: 0,
        }
    }
}

/// The weights that a position uses.
#[derive(Default)]
struct Features {
    board: Board,
    patterns: Vec<u16>,
    terms: Vec<Term>,
    /// How much the opening counts.
    opening: f32,
}

impl Features {
    fn fill(&mut self, fit: &Fit<'_>, turn: Side) {
        let parameters = &fit.parameters;
        self.terms.clear();
        self.patterns.clear();
        self.patterns.resize(parameters.geometry.windows.len(), 0);
        for &(square, side, kind) in &self.board.pieces {
            self.terms.push(parameters.piece(side, kind, square));
            if kind == 0 && parameters.form == Form::Windows {
                for &(window, digits) in &fit.in_windows[square.index()] {
                    self.patterns[window] += digits[side];
                }
            }
        }
        let (men, kings) = self.board.counts();
        self.terms.push(parameters.balance(men, kings));
        let tempo = parameters.tempo();
        let sign = if turn == Side::White { 1 } else { -1 };
        self.terms.push(Term { sign, ..tempo });
        if parameters.form == Form::Windows {
            for (window, &pattern) in self.patterns.iter().enumerate() {
                self.terms
                    .push(fit.terms[window * PATTERNS + usize::from(pattern)]);
            }
        }
        self.opening = opening_share(self.board.pieces.len(), fit.at_start) as f32 / 256.0;
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
