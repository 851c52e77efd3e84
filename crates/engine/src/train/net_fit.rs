//! Fits a network to games, by stochastic gradient descent with moments (Adam).

use kingme_rules::{Side, Square, Variant};
use rayon::prelude::*;

use super::Learner;
use super::sample::{Loss, Losses, Samples, log_loss, sigmoid};
use crate::eval::{BUCKETS, Board, Form, HIDDEN, LARGEST, Shape, Weights, twice};
use crate::random::Random;

/// Samples between two updates of the weights.
const BATCH: usize = 4_096;
/// Parts of a batch, which threads share out; as many on any machine, so that sums are the same.
const PARTS: usize = 8;
/// Samples that a fit looks at, all epochs together; few samples are looked at more often.
const LOOKS: usize = 240_000_000;
const EPOCHS: std::ops::RangeInclusive<usize> = 4..=40;
/// Largest step of a weight at the beginning of a fit from nothing, and from known weights.
const RATES: [f32; 2] = [2e-3, 8e-4];
/// The step shrinks to this part of it.
const LAST_RATE: f32 = 0.01;
/// How slowly the moments forget.
const FORGET: [f32; 2] = [0.9, 0.999];

pub(super) struct NetFit<'a> {
    model: Model<'a>,
    parts: Vec<Part>,
    /// Mean gradient and mean square of it, of late.
    moments: [Vec<f32>; 2],
    rate: f32,
    updates: usize,
}

/// What the parts of a batch share while they are looked at.
struct Model<'a> {
    shape: Shape,
    squares: Vec<Square>,
    samples: &'a Samples,
    weights: Vec<f32>,
}

/// What is found out from a part of a batch.
struct Part {
    pass: Pass,
    gradient: Vec<f32>,
    learned: usize,
    losses: Losses,
}

/// One position on its way through the network.
struct Pass {
    board: Board,
    /// Rows that are on, in the view of the side to move and in the other's.
    rows: [Vec<usize>; 2],
    hidden: [[f32; HIDDEN]; 2],
    bucket: usize,
}

impl Default for Pass {
    fn default() -> Pass {
        Pass {
            board: Board::default(),
            rows: Default::default(),
            hidden: [[0.0; HIDDEN]; 2],
            bucket: 0,
        }
    }
}

impl<'a> NetFit<'a> {
    /// Starts from weights if they are a network's, else from chance.
    pub fn new(variant: &Variant, from: &Weights, samples: &'a Samples, seed: u64) -> NetFit<'a> {
        let shape = Shape::new(variant);
        let known = from.form == Form::Net;
        let weights = if known {
            shape.exact(&from.values)
        } else {
            by_chance(&shape, seed)
        };
        let zeros = vec![0.0; weights.len()];
        let part = || Part {
            pass: Pass::default(),
            gradient: zeros.clone(),
            learned: 0,
            losses: Losses::default(),
        };
        NetFit {
            parts: std::iter::repeat_with(part).take(PARTS).collect(),
            moments: [zeros.clone(), zeros],
            rate: RATES[usize::from(known)],
            updates: 0,
            model: Model {
                squares: variant.board().squares().collect(),
                samples,
                weights,
                shape,
            },
        }
    }

    /// Moves the weights against the gradient of a batch.
    fn update(&mut self) {
        let parts = self.parts.iter_mut();
        let learned: usize = parts.map(|part| std::mem::take(&mut part.learned)).sum();
        if learned == 0 {
            return;
        }
        let (sum, others) = self.parts.split_first_mut().expect("there are parts");
        for other in others {
            add_up(&mut sum.gradient, &mut other.gradient);
        }
        self.updates += 1;
        let total = self.model.samples.len() * self.epochs() as usize / BATCH + 1;
        let done = (self.updates as f32 / total as f32).min(1.0);
        let rate = self.rate * (1.0 - done * (1.0 - LAST_RATE));
        // The moments start from 0 and are too small at first.
        let [first, second] = FORGET.map(|forget| 1.0 - forget.powi(self.updates as i32));
        let step = rate * second.sqrt() / first;
        let [mean, square] = &mut self.moments;
        move_weights(
            &mut self.model.weights,
            &mut self.parts[0].gradient,
            mean,
            square,
            1.0 / learned as f32,
            step,
        );
    }
}

impl Model<'_> {
    fn read(&self, index: usize, pass: &mut Pass) -> f32 {
        let label = self.samples.read(index, &self.squares, &mut pass.board);
        for (rows, view) in pass.rows.iter_mut().zip([label.turn, !label.turn]) {
            rows.clear();
            rows.extend(pass.board.pieces.iter().map(|&(square, side, kind)| {
                Shape::row(self.shape.input(view, side, kind, square))
            }));
        }
        pass.bucket = self.shape.bucket(pass.board.pieces.len());
        match label.turn {
            Side::White => label.target(),
            Side::Black => 1.0 - label.target(),
        }
    }

    /// The log-odds of the side to move.
    fn forward(&self, pass: &mut Pass) -> f32 {
        let mut odds = self.weights[self.shape.last_bias(pass.bucket)];
        for (view, hidden) in pass.hidden.iter_mut().enumerate() {
            let last = &self.weights[self.shape.last(pass.bucket) + view * HIDDEN..][..HIDDEN];
            let bias = &self.weights[self.shape.bias()..][..HIDDEN];
            odds += switch_on(hidden, &self.weights, bias, &pass.rows[view], last);
        }
        odds
    }

    /// Adds a position's share to the gradient.
    fn backward(&self, pass: &Pass, error: f32, gradient: &mut [f32]) {
        gradient[self.shape.last_bias(pass.bucket)] += error;
        for (view, hidden) in pass.hidden.iter().enumerate() {
            let last = self.shape.last(pass.bucket) + view * HIDDEN;
            let mut back = [0.0; HIDDEN];
            trace_back(
                &mut back,
                hidden,
                &self.weights[last..last + HIDDEN],
                &mut gradient[last..last + HIDDEN],
                error,
            );
            let bias = self.shape.bias();
            spread(gradient, &back, &pass.rows[view], bias);
        }
    }

    /// Looks at samples, and notes what they say of the weights.
    fn look(&self, part: &mut Part, samples: &[usize]) {
        for &at in samples {
            let target = self.read(at, &mut part.pass);
            let predicted = sigmoid(self.forward(&mut part.pass));
            let held_out = Samples::is_held_out(at);
            part.losses.add(held_out, log_loss(predicted, target));
            if !held_out {
                self.backward(&part.pass, predicted - target, &mut part.gradient);
                part.learned += 1;
            }
        }
    }
}

impl Learner for NetFit<'_> {
    fn epochs(&self) -> u64 {
        let epochs = LOOKS / self.model.samples.len().max(1);
        epochs.clamp(*EPOCHS.start(), *EPOCHS.end()) as u64
    }

    fn epoch(&mut self, seed: u64) -> Loss {
        let samples = self.model.samples;
        let mut order = samples.shuffled(seed);
        loop {
            let batch: Vec<usize> = order.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                break;
            }
            let shares = batch.par_chunks(batch.len().div_ceil(PARTS));
            let parts = self.parts.par_iter_mut().zip(shares);
            let model = &self.model;
            parts.for_each(|(part, share)| model.look(part, share));
            self.update();
        }
        let parts = self.parts.iter_mut();
        let losses = parts.map(|part| std::mem::take(&mut part.losses));
        losses.sum::<Losses>().mean()
    }

    fn weights(&self, variant: &Variant, date: &str) -> Weights {
        Weights {
            variant: variant.name().to_owned(),
            form: Form::Net,
            date: date.to_owned(),
            positions: self.model.samples.len() as u64,
            result: String::new(),
            values: self.model.shape.rounded(&self.model.weights),
            mobility: 0,
        }
    }
}

/// Small weights, none alike, and sums that begin between 0 and 1, where they can learn.
fn by_chance(shape: &Shape, seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    let mut chance =
        |most: f32| (random.below(1 << 16) as f32 / f32::from(1_u16 << 15) - 1.0) * most;
    let mut weights = vec![0.0; shape.count()];
    for weight in &mut weights[..shape.bias()] {
        *weight = chance(0.12);
    }
    for weight in &mut weights[shape.bias()..shape.last(0)] {
        *weight = 0.25;
    }
    for weight in &mut weights[shape.last(0)..shape.last(BUCKETS)] {
        *weight = chance(0.12);
    }
    weights
}

twice! {
    /// Fills the sums of a view and weighs them.
    fn switch_on(
        hidden: &mut [f32; HIDDEN],
        weights: &[f32],
        bias: &[f32],
        rows: &[usize],
        last: &[f32],
    ) -> f32 {
        hidden.copy_from_slice(bias);
        for &row in rows {
            for (sum, weight) in hidden.iter_mut().zip(&weights[row..row + HIDDEN]) {
                *sum += weight;
            }
        }
        let mut parts = [0.0; 8];
        for (sums, last) in hidden.chunks_exact(8).zip(last.chunks_exact(8)) {
            for lane in 0..8 {
                let on = sums[lane].clamp(0.0, 1.0);
                parts[lane] += on * on * last[lane];
            }
        }
        parts.iter().sum()
    }
}

twice! {
    /// What an error says of the sums of a view and of their last weights.
    fn trace_back(
        back: &mut [f32; HIDDEN],
        hidden: &[f32; HIDDEN],
        last: &[f32],
        last_gradient: &mut [f32],
        error: f32,
    ) {
        for lane in 0..HIDDEN {
            let on = hidden[lane].clamp(0.0, 1.0);
            last_gradient[lane] += error * on * on;
            let slope = if hidden[lane] < 1.0 { 2.0 * on } else { 0.0 };
            back[lane] = error * slope * last[lane];
        }
    }
}

twice! {
    /// Adds what was traced back to the gradients of all rows that were on.
    fn spread(gradient: &mut [f32], back: &[f32; HIDDEN], rows: &[usize], bias: usize) {
        for &row in rows.iter().chain(&[bias]) {
            for (gradient, back) in gradient[row..row + HIDDEN].iter_mut().zip(back) {
                *gradient += back;
            }
        }
    }
}

twice! {
    /// Adds one part's gradient to another's, and empties it.
    fn add_up(sum: &mut [f32], other: &mut [f32]) {
        for (sum, other) in sum.iter_mut().zip(other) {
            *sum += std::mem::take(other);
        }
    }
}

twice! {
    /// One step of all weights; the gradient is used up.
    fn move_weights(
        weights: &mut [f32],
        gradient: &mut [f32],
        mean: &mut [f32],
        square: &mut [f32],
        share: f32,
        step: f32,
    ) {
        let moments = mean.iter_mut().zip(square);
        for ((weight, gradient), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
            let slope = *gradient * share;
            *gradient = 0.0;
            *mean = FORGET[0] * *mean + (1.0 - FORGET[0]) * slope;
            *square = FORGET[1] * *square + (1.0 - FORGET[1]) * slope * slope;
            *weight -= step * *mean / (square.sqrt() + 1e-8);
            *weight = weight.clamp(-LARGEST, LARGEST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;
    use crate::train::games::SelfPlay;

    /// What search and training say of a position, in log-odds of the side to move.
    struct Both<'a>(&'a Variant, &'a Weights);

    impl kingme_rules::Visitor for Both<'_> {
        type Output = [f32; 2];
        fn visit<R: kingme_rules::Ruleset>(
            self,
            rules: R,
            position: &kingme_rules::BitPosition<R::Bits>,
        ) -> [f32; 2] {
            let evaluator = Evaluator::new(self.0, self.1);
            let lanes = evaluator.lanes::<R>(position);
            let searched = evaluator.evaluate(rules, position, &lanes).value();
            let mut samples = Samples::new(self.0);
            samples.push(rules, position, crate::Score::DRAW);
            let fit = NetFit::new(self.0, self.1, &samples, 0);
            let mut pass = Pass::default();
            fit.model.read(0, &mut pass);
            let odds = fit.model.forward(&mut pass);
            [searched as f32 / crate::Score::LOGIT as f32, odds]
        }
    }

    #[test]
    fn search_and_training_see_the_same_network() {
        for name in ["english", "international", "turkish"] {
            let variant = Variant::named(name).unwrap();
            let shape = Shape::new(&variant);
            let weights = Weights {
                form: Form::Net,
                values: shape.rounded(&by_chance(&shape, 7)),
                ..Weights::material(&variant)
            };
            let mut game = kingme_rules::Game::new(&variant);
            let mut random = Random::new(3);
            while let Some(mv) = random.choose(&game.legal_moves()) {
                game.play(mv).unwrap();
                let [searched, trained] = game.position().visit(Both(&variant, &weights)).unwrap();
                assert!(
                    (searched - trained).abs() < 0.02,
                    "{name} {searched} {trained}"
                );
                if game.plies() > 80 {
                    break;
                }
            }
        }
    }

    #[test]
    fn a_network_learns_to_predict_games() {
        let variant = Variant::named("english").unwrap();
        let material = Weights::material(&variant);
        let play = SelfPlay {
            variant: &variant,
            evaluator: &Evaluator::new(&variant, &material),
            nodes: 60,
            seed: 1,
            tables: None,
        };
        let mut samples = Samples::new(&variant);
        let mut memory = SelfPlay::memory();
        for number in 0..60 {
            samples.extend(&play.game(number, &mut memory));
        }
        let mut fit = NetFit::new(&variant, &material, &samples, 1);
        let first = fit.epoch(0);
        let mut last = first;
        for seed in 1..15 {
            last = fit.epoch(seed);
        }
        assert!(last.training < first.training - 0.01, "{first:?} {last:?}");
        let weights = fit.weights(&variant, "2026-01-01");
        let again = NetFit::new(&variant, &weights, &samples, 2).epoch(0);
        assert!(
            again.training < first.training,
            "it goes on from its own file"
        );
    }
}
