//! The steps of a training.

use crate::eval::Form;

/// A step of the ladder.
pub(super) struct Step {
    /// What is fitted to the games.
    pub forms: &'static [Form],
    /// Share of the time, in hundredths, for its games.
    pub percent: u32,
    /// Nodes a move.
    pub nodes: u64,
    /// No more games than this.
    pub games: u64,
}

pub(super) const SMALL: &[Form] = &[Form::Squares];
pub(super) const LARGE: &[Form] = &[Form::Windows, Form::Net];

pub(super) const LADDER: [Step; 5] = [
    Step::new(SMALL, 5, 150, 6_000),
    Step::new(SMALL, 5, 200, 6_000),
    Step::new(LARGE, 30, 200, u64::MAX),
    Step::new(LARGE, 35, 300, u64::MAX),
    Step::new(LARGE, 25, 600, u64::MAX),
];

/// What a training does that goes on from good weights: fewer games, better judged.
pub(super) const HIGHER: [Step; 2] = [
    Step::new(LARGE, 60, 2_000, u64::MAX),
    Step::new(LARGE, 40, 2_000, u64::MAX),
];

impl Step {
    const fn new(forms: &'static [Form], percent: u32, nodes: u64, games: u64) -> Step {
        Step {
            forms,
            percent,
            nodes,
            games,
        }
    }

    /// Whether the games of earlier steps of this kind stay in use: large forms need many.
    pub fn accumulates(&self) -> bool {
        self.forms == LARGE
    }
}
