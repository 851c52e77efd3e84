//! What is not searched, or searched less. `docs/ENGINE.md` has the matches behind the numbers.

use kingme_rules::{BitMove, BitPosition, Ruleset};

use super::node::{Known, Question};
use super::worker::Worker;
use crate::score::{Depth, Score};
use crate::transposition::Bound;

/// From this depth on, a shallow search may show that a node is far above beta.
const PROBE_DEPTH: i32 = 5;
/// How far above beta that search has to be.
const PROBE_MARGIN: i32 = 20;
/// From this depth on, a node that the table does not know is searched a ply less.
const UNKNOWN_DEPTH: i32 = 4;

impl<R: Ruleset> Worker<'_, R> {
    /// A score for the whole node without trying its moves, if it is plain enough.
    pub(super) fn prune(
        &mut self,
        position: &BitPosition<R::Bits>,
        question: &Question,
        known: &Known,
    ) -> Option<Score> {
        let evaluation = known.evaluation?;
        if question.is_open() || question.without != 0 || question.beta.is_decided() {
            return None;
        }
        let depth = question.depth.0;
        if depth <= 4 && evaluation >= question.beta + 60 * depth && !self.is_threatened(position) {
            return Some(evaluation);
        }
        if depth >= PROBE_DEPTH && evaluation >= question.beta && !self.probing {
            return self.probe(position, question);
        }
        None
    }

    /// A shallow search for a score so good that the deep one would hardly miss beta. It makes no
    /// such guesses itself.
    fn probe(&mut self, position: &BitPosition<R::Bits>, question: &Question) -> Option<Score> {
        let beta = question.beta + PROBE_MARGIN;
        let shallow = Question {
            alpha: beta - 1,
            beta,
            depth: Depth(question.depth.0 * 2 / 5),
            ..*question
        };
        self.probing = true;
        let score = self.search(position, shallow);
        self.probing = false;
        (!self.stopped && score >= beta).then_some(question.beta)
    }

    /// Whether a late quiet move of a hopeless node is left out.
    #[inline(always)]
    pub(super) fn skips(
        &self,
        question: &Question,
        known: &Known,
        best: Score,
        tried: usize,
        mv: &BitMove<R::Bits>,
    ) -> bool {
        let Some(evaluation) = known.evaluation else {
            return false;
        };
        let depth = question.depth.0;
        self.shared.pruning
            && !question.is_open()
            && depth <= 3
            && tried >= 3 + 2 * depth as usize
            && best > -Score::INFINITE
            && !best.is_decided()
            && evaluation + 40 * depth <= question.alpha
            && !mv.is_promotion()
    }

    /// Plies more or less for all moves of a node.
    #[inline(always)]
    pub(super) fn depth_change(&self, question: &Question, known: &Known, moves: usize) -> i32 {
        if moves == 1 {
            // The only move is no choice: it costs no depth.
            1
        } else if self.shared.pruning && known.best == 0 && question.depth.0 >= UNKNOWN_DEPTH {
            // Nobody has looked here yet: the same work is better spent on what looks good.
            -1
        } else {
            0
        }
    }

    /// Plies more for a move.
    #[inline(always)]
    pub(super) fn extension(
        &mut self,
        position: &BitPosition<R::Bits>,
        question: &Question,
        known: &Known,
        signature: u16,
    ) -> i32 {
        if self.shared.pruning && signature == known.best && question.depth.0 >= 8 {
            self.singular(position, question, known)
        } else {
            0
        }
    }

    /// One ply more if the table's move is much better than all others.
    fn singular(
        &mut self,
        position: &BitPosition<R::Bits>,
        question: &Question,
        known: &Known,
    ) -> i32 {
        let Some(entry) = known.entry else { return 0 };
        let score = entry.score.seen_from_root(question.ply);
        if question.without != 0
            || entry.bound == Bound::Upper
            || entry.depth < question.depth - 3
            || score.is_decided()
            || question.ply > 2 * question.depth.0 as usize + 20
        {
            return 0;
        }
        let beta = score - 2 * question.depth.0;
        let others = Question {
            alpha: beta - 1,
            beta,
            depth: Depth((question.depth.0 - 1) / 2),
            without: known.best,
            ..*question
        };
        i32::from(self.search(position, others) < beta)
    }
}

/// How many plies less a late move gets that neither captures nor promotes.
#[inline(always)]
pub(super) fn reduction(question: &Question, tried: usize, history: i32) -> i32 {
    let depth = question.depth.0;
    if depth < 2 {
        return 0;
    }
    if question.is_open() {
        return i32::from(tried >= 3 && depth >= 3);
    }
    let mut less = 1 + i32::from(tried >= 4) + i32::from(depth >= 8 && tried >= 3);
    less -= (history / 6_000).clamp(-1, 1);
    less.clamp(0, depth - 1)
}
