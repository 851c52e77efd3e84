//! What a training tells on its way.

use super::Tally;
use crate::eval::Form;

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
        /// What is fitted.
        form: Form,
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
        /// The form of the new weights.
        form: Form,
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
                form,
                epoch,
                training,
                validation,
            } => write!(
                f,
                "step {step}: {form}, epoch {epoch}, log loss {training:.5}, on other games {validation:.5}"
            ),
            Progress::Match {
                step,
                form,
                tally,
                accepted,
            } => {
                let verdict = if *accepted { "accepted" } else { "refused" };
                write!(f, "step {step}: {form}, match {tally}, {verdict}")
            }
        }
    }
}
