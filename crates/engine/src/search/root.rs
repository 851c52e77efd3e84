//! The root of the tree: deeper and deeper, best moves first.

use std::ops::ControlFlow;

use kingme_rules::movegen::{self, MoveList};
use kingme_rules::{BitMove, BitPosition, Bits, Ruleset};

use super::node::Question;
use super::worker::Worker;
use crate::score::{Depth, Score};

/// A move at the root with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<B> {
    /// The move and what is expected to follow.
    pub line: Vec<BitMove<B>>,
    /// Its score in the last iteration in which it was among the best.
    pub score: Score,
}

impl<B: Bits> RootMove<B> {
    /// All legal moves.
    pub fn all<R: Ruleset<Bits = B>>(rules: R, position: &BitPosition<B>) -> Vec<RootMove<B>> {
        let mut list = MoveList::new();
        movegen::moves(rules, position, &mut list);
        let root_move = |mv: &BitMove<B>| RootMove {
            line: vec![*mv],
            score: -Score::INFINITE,
        };
        list.iter().map(root_move).collect()
    }
}

/// What a worker tells after each iteration.
pub(crate) struct Iteration<'a, B> {
    pub depth: Depth,
    /// The best moves first; only the first `lines` have exact scores.
    pub moves: &'a [RootMove<B>],
    pub nodes: u64,
}

/// Half the width of the first window around the last score.
const WINDOW: i32 = 18;

/// What the root is asked.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Plan {
    /// The first iteration.
    pub first: Depth,
    /// The last one.
    pub last: Depth,
    /// How many moves get a score and a line.
    pub lines: usize,
}

/// What is called after each iteration; it may end the search.
pub(super) type OnIteration<'a, W, B> = dyn FnMut(&W, &Iteration<'_, B>) -> ControlFlow<()> + 'a;

impl<R: Ruleset> Worker<'_, R> {
    /// Searches deeper and deeper until it is stopped, and returns the moves, best first.
    pub fn deepen(
        &mut self,
        position: &BitPosition<R::Bits>,
        mut moves: Vec<RootMove<R::Bits>>,
        plan: Plan,
        on_iteration: &mut OnIteration<'_, Self, R::Bits>,
    ) -> Vec<RootMove<R::Bits>> {
        let mut depth = plan.first;
        while depth <= plan.last && !moves.is_empty() {
            let lines = plan.lines.clamp(1, moves.len());
            for line in 0..lines {
                self.aspire(position, depth, &mut moves, line);
                if self.stopped {
                    return moves;
                }
            }
            // What the table has learned meanwhile may have put a later line first.
            moves[..lines].sort_by_key(|mv| -mv.score.value());
            let iteration = Iteration {
                depth,
                moves: &moves,
                nodes: self.nodes,
            };
            if on_iteration(self, &iteration).is_break() {
                break;
            }
            depth += 1;
        }
        moves
    }

    /// Finds the best of the moves from `line` on, with a narrow window that opens as needed.
    fn aspire(
        &mut self,
        position: &BitPosition<R::Bits>,
        depth: Depth,
        moves: &mut [RootMove<R::Bits>],
        line: usize,
    ) {
        let expected = moves[line].score;
        let (mut below, mut above) = (WINDOW, WINDOW);
        let narrow = depth >= Depth(4) && !expected.is_decided() && expected > -Score::INFINITE;
        loop {
            let limit = |points: i32| narrow && points < 500;
            let alpha = if limit(below) {
                expected - below
            } else {
                -Score::INFINITE
            };
            let beta = if limit(above) {
                expected + above
            } else {
                Score::INFINITE
            };
            let best = self.search_root(position, depth, &mut moves[line..], [alpha, beta]);
            if self.stopped {
                return;
            }
            if best <= alpha {
                below *= 4;
            } else if best >= beta {
                above *= 4;
            } else {
                // Stable, so that moves of equal score stay in their order.
                moves[line..].sort_by_key(|mv| -mv.score.value());
                return;
            }
        }
    }

    /// One pass over the root moves; the best comes first.
    fn search_root(
        &mut self,
        position: &BitPosition<R::Bits>,
        depth: Depth,
        moves: &mut [RootMove<R::Bits>],
        [mut alpha, beta]: [Score; 2],
    ) -> Score {
        let mut best = -Score::INFINITE;
        for index in 0..moves.len() {
            let mv = moves[index].line[0];
            let next = self.descend(position, &mv, 0, depth);
            let ask = |alpha: Score, beta: Score| Question {
                alpha: -beta,
                beta: -alpha,
                depth: depth - 1,
                ply: 1,
                without: 0,
            };
            let mut score = alpha + 1;
            if index > 0 {
                score = -self.search(&next, ask(alpha, alpha + 1));
            }
            if index == 0 || (score > alpha && !self.stopped) {
                score = -self.search(&next, ask(alpha, beta));
            }
            if self.stopped {
                return best;
            }
            if score > best {
                best = score;
            }
            moves[index].score = if index == 0 || score > alpha {
                score
            } else {
                -Score::INFINITE
            };
            if index == 0 || score > alpha {
                moves[index].line.truncate(1);
                let line = &self.frames[1].line;
                moves[index].line.extend_from_slice(line);
                moves[..=index].rotate_right(1);
            }
            alpha = alpha.max(score);
            if score >= beta {
                break;
            }
        }
        best
    }
}
