//! Logistic regression: weights under which evaluations predict results.

use kingme_rules::{Side, Square, Variant};

use super::Learner;
use super::sample::{Label, Loss, Losses, Samples, log_loss, sigmoid};
use crate::eval::{Board, Form, Parameters, Weights, opening_share};
use crate::eval::{PATTERNS, STEPS, Term};
use crate::score::Score;

/// Step of the first update of a weight; later ones are smaller.
const RATE: f32 = 0.05;
/// The same for a pattern in a window. Most patterns are rare: what one game taught about them
/// must not decide another.
const PATTERN_RATE: f32 = 0.012;
/// Times over all positions.
const EPOCHS: u64 = 5;
/// Draws weights toward 0, so that rare patterns stay modest.
const DECAY: f32 = 2e-5;
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
            Form::Squares | Form::Net => Vec::new(),
            Form::Windows => (0..geometry.windows.len() * PATTERNS)
                .map(|index| parameters.pattern(index / PATTERNS, index % PATTERNS))
                .collect(),
        };
        let mut weights = vec![Weight::default(); parameters.count()];
        for (weight, pair) in weights.iter_mut().zip(from.values.chunks_exact(2)) {
            weight.value =
                [pair[0], pair[1]].map(|value| f32::from(value) / (STEPS * Score::LOGIT) as f32);
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

    fn read(&self, index: usize, features: &mut Features) -> Label {
        let label = self.samples.read(index, &self.squares, &mut features.board);
        features.fill(self, label.turn);
        label
    }

    /// The prediction for White.
    fn predict(&self, features: &Features) -> f32 {
        let mut sum = 0.0;
        for term in &features.terms {
            let [opening, ending] = self.weights[term.weight as usize].value;
            sum += f32::from(term.sign)
                * (opening * features.opening + ending * (1.0 - features.opening));
        }
        sigmoid(sum)
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
}

impl Learner for Fit<'_> {
    fn epochs(&self) -> u64 {
        EPOCHS
    }

    fn epoch(&mut self, seed: u64) -> Loss {
        let mut features = Features::default();
        let mut losses = Losses::default();
        for at in self.samples.shuffled(seed) {
            let held_out = Samples::is_held_out(at);
            let target = self.read(at, &mut features).target();
            let predicted = self.predict(&features);
            losses.add(held_out, log_loss(predicted, target));
            if !held_out {
                self.learn(&features, predicted - target);
            }
        }
        losses.mean()
    }

    fn weights(&self, variant: &Variant, date: &str) -> Weights {
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
                .flat_map(|weight| weight.value.map(rounded))
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
