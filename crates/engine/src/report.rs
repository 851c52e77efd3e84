//! What a search tells.

use std::time::Duration;

use kingme_rules::Move;

use crate::score::{Depth, Score};

/// How a search stands after an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Plies searched.
    pub depth: Depth,
    /// Positions searched, over all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hash_permille: u32,
    /// The best moves, best first: as many as were asked for.
    pub lines: Vec<Line>,
}

/// A move with its score and what is expected to follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// How good it is for the side to move.
    pub score: Score,
    /// The move, then the expected moves of both sides.
    pub moves: Vec<Move>,
}

/// The move that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// How good it is for the side to move.
    pub score: Score,
    /// The expected answer: what to think about while the other side thinks.
    pub ponder: Option<Move>,
}

impl Report {
    /// Positions a second.
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-6)
    }
}
