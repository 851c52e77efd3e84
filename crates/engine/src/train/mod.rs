//! Learning an evaluation: games against itself, a fit, a match, and again.
//!
//! The order matters: windows learned straight from games of plain material lose to it. So square
//! tables come first, twice, and windows learn from their games. Every generation must beat the
//! last one to replace it. All that is made is kept in a folder, so that a killed training goes on
//! where it stopped.

mod fit;
mod folder;
mod games;
mod gate;
mod sample;

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rules::Variant;

pub use gate::Tally;

use crate::eval::{Evaluator, Form, Weights};
use crate::limit::Limit;
use fit::Fit;
use folder::Folder;
use games::SelfPlay;
use gate::Match;
use sample::Samples;

/// What to train and how long.
#[derive(Clone, Debug)]
pub struct Training {
    /// The game.
    pub variant: Variant,
    /// Time for all of it.
    pub time: Duration,
    /// Where games and weights are kept on the way.
    pub folder: PathBuf,
    /// Seed of the games.
    pub seed: u64,
    /// The day, for the header of the file.
    pub date: String,
    /// The largest form to go to.
    pub form: Form,
}

/// A step of the ladder.
struct Step {
    form: Form,
    /// Share of the time, in hundredths, for its games.
    percent: u32,
    /// Nodes a move.
    nodes: u64,
    /// No more games than this.
    games: u64,
}

const LADDER: [Step; 4] = [
    Step::new(Form::Squares, 6, 150, 5_000),
    Step::new(Form::Squares, 6, 200, 5_000),
    Step::new(Form::Windows, 45, 200, u64::MAX),
    Step::new(Form::Windows, 25, 400, u64::MAX),
];

impl Step {
    const fn new(form: Form, percent: u32, nodes: u64, games: u64) -> Step {
        Step {
            form,
            percent,
            nodes,
            games,
        }
    }
}

/// Times over all positions.
const EPOCHS: u64 = 5;

/// Nodes a move in the matches that decide.
const GATE_NODES: u64 = 1_500;
/// Most pairs of games in such a match.
const GATE_PAIRS: u64 = 80;
/// Games between two writes to the folder.
const BATCH: u64 = 64;

/// What a training tells on its way.
#[derive(Clone, Debug)]
pub enum Progress {
    /// Games are being played.
    Games {
        /// Step of the ladder, from 0.
        step: usize,
        /// Games so far in this step.
        games: u64,
        /// Positions so far in this step.
        positions: u64,
    },
    /// Weights are being fitted.
    Fit {
        /// Step of the ladder.
        step: usize,
        /// Times over all positions.
        epoch: u64,
        /// Mean log loss on positions that it learns from.
        training: f64,
        /// Mean log loss on games that were left out.
        validation: f64,
    },
    /// A match was played.
    Match {
        /// Step of the ladder.
        step: usize,
        /// How the new weights did against the old.
        tally: Tally,
        /// Whether they replace them.
        accepted: bool,
    },
}

impl std::fmt::Display for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Progress::Games {
                step,
                games,
                positions,
            } => {
                write!(f, "step {step}: {games} games, {positions} positions")
            }
            Progress::Fit {
                step,
                epoch,
                training,
                validation,
            } => write!(
                f,
                "step {step}: epoch {epoch}, log loss {training:.5}, on other games {validation:.5}"
            ),
            Progress::Match {
                step,
                tally,
                accepted,
            } => {
                let verdict = if *accepted { "accepted" } else { "refused" };
                write!(f, "step {step}: match {tally}, {verdict}")
            }
        }
    }
}

impl Training {
    /// Climbs the ladder and returns the best weights; `None` if nothing beat plain material.
    ///
    /// # Errors
    ///
    /// If the folder can't be read or written.
    pub fn run(&self, on_progress: &mut dyn FnMut(&Progress)) -> io::Result<Option<Weights>> {
        let folder = Folder::open(&self.folder)?;
        let mut best: Option<Weights> = None;
        let mut earlier = Samples::new(&self.variant);
        for (step, plan) in LADDER.iter().enumerate() {
            if plan.form == Form::Windows && self.form == Form::Squares {
                break;
            }
            let done = folder.weights(step, &self.variant)?;
            let current = best
                .clone()
                .unwrap_or_else(|| Weights::material(&self.variant));
            // Windows need many positions: those of earlier steps with windows stay in use.
            let mut samples = if plan.form == Form::Windows {
                earlier
            } else {
                Samples::new(&self.variant)
            };
            if let Some(verdict) = done {
                samples.extend(&folder.games(step)?);
                best = verdict.or(best);
            } else {
                self.play(step, plan, &current, &folder, &mut samples, on_progress)?;
                let new = self.fit(step, plan, &current, &samples, on_progress);
                let accepted = self.decide(step, new, &current, on_progress);
                folder.write_weights(step, accepted.as_ref())?;
                best = accepted.or(best);
            }
            earlier = if plan.form == Form::Windows {
                samples
            } else {
                Samples::new(&self.variant)
            };
        }
        Ok(best)
    }

    /// Plays the games of a step, going on where an earlier run stopped.
    fn play(
        &self,
        step: usize,
        plan: &Step,
        weights: &Weights,
        folder: &Folder,
        samples: &mut Samples,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> io::Result<()> {
        let evaluator = Evaluator::new(&self.variant, weights);
        let setting = SelfPlay {
            variant: &self.variant,
            evaluator: &evaluator,
            nodes: plan.nodes,
            seed: self.seed.wrapping_mul(31).wrapping_add(step as u64),
        };
        let time = self.time * plan.percent / 100;
        let mut spent = folder.spent(step)?;
        let before = samples.len();
        samples.extend(&folder.games(step)?);
        while spent.games < plan.games && spent.time < time {
            let began = Instant::now();
            let mut bytes = Vec::new();
            for number in spent.games..(spent.games + BATCH).min(plan.games) {
                bytes.extend(setting.game(number));
            }
            samples.extend(&bytes);
            spent.games = (spent.games + BATCH).min(plan.games);
            spent.time += began.elapsed();
            folder.add_games(step, &bytes, &spent)?;
            on_progress(&Progress::Games {
                step,
                games: spent.games,
                positions: (samples.len() - before) as u64,
            });
        }
        Ok(())
    }

    fn fit(
        &self,
        step: usize,
        plan: &Step,
        current: &Weights,
        samples: &Samples,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Weights {
        let mut fit = Fit::new(&self.variant, plan.form, current, samples);
        if samples.len() > 0 {
            for epoch in 0..EPOCHS {
                let loss = fit.epoch(self.seed.wrapping_add(epoch));
                on_progress(&Progress::Fit {
                    step,
                    epoch,
                    training: loss.training,
                    validation: loss.validation,
                });
            }
        }
        fit.weights(&self.variant, &self.date)
    }

    /// The new weights with their result, if they win.
    fn decide(
        &self,
        step: usize,
        mut new: Weights,
        current: &Weights,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Option<Weights> {
        let tally = Match {
            variant: &self.variant,
            players: [&new, current],
            limit: Limit::nodes(GATE_NODES),
            seed: self.seed,
            pairs: GATE_PAIRS,
        }
        .play(&mut |_| ControlFlow::Continue(()));
        let accepted = tally.share() > 0.5;
        on_progress(&Progress::Match {
            step,
            tally,
            accepted,
        });
        new.result = format!("{tally} against step {}", step as i32 - 1);
        accepted.then_some(new)
    }
}

/// A match between two weight files at equal limits, to see what a training has gained.
pub fn compare(
    variant: &Variant,
    players: [&Weights; 2],
    limit: &Limit,
    pairs: u64,
    seed: u64,
    on_pair: &mut dyn FnMut(&Tally) -> ControlFlow<()>,
) -> Tally {
    Match {
        variant,
        players,
        limit: limit.clone(),
        seed,
        pairs,
    }
    .play(on_pair)
}
