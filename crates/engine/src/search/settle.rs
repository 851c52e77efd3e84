//! Captures are played out before a position is judged.

use kingme_rules::{BitPosition, Ruleset, movegen};

use super::order::Picker;
use super::worker::{MAX_PLY, Worker};
use crate::score::{Depth, Score};

/// How many times a line may look at quiet moves because the other side threatens to capture.
pub(super) const LOOKS: u32 = 1;

impl<R: Ruleset> Worker<'_, R> {
    /// The score of a position once its captures are played out.
    pub(super) fn settle(
        &mut self,
        position: &BitPosition<R::Bits>,
        [alpha, beta]: [Score; 2],
        ply: usize,
        looks: u32,
    ) -> Score {
        self.count_node();
        self.frames[ply].line.clear();
        if self.stopped || ply >= MAX_PLY {
            return self.evaluate(position, ply);
        }
        if self.shared.facts.may_end_at_once(position)
            && let Some(score) = self.ruled(position, ply)
        {
            return score;
        }
        let mut picker = self.take_picker();
        let score = if movegen::captures(self.rules, position, &mut picker.list) {
            self.settle_captures(position, [alpha, beta], ply, looks, &mut picker)
        } else if movegen::can_move_quietly(self.rules, position) {
            self.settle_quiet(position, [alpha, beta], ply, looks, &mut picker)
        } else {
            self.shared.facts.stuck(self.rules, position, ply)
        };
        self.put_picker(picker);
        score
    }

    fn settle_captures(
        &mut self,
        position: &BitPosition<R::Bits>,
        [alpha, beta]: [Score; 2],
        ply: usize,
        looks: u32,
        picker: &mut Picker<R::Bits>,
    ) -> Score {
        let mut best = -Score::INFINITE;
        // A capture that costs a piece to decline is as good as compulsory here.
        let keys = self.rules.keys();
        let is_free = !keys.obligatory() && !keys.huffs();
        if is_free && movegen::can_move_quietly(self.rules, position) {
            best = self.evaluate(position, ply);
            if best >= beta {
                return best;
            }
        }
        picker.rank(|mv| kingme_rules::Bits::count(mv.captured) as i32);
        self.best_of(position, [alpha, beta], ply, looks, picker, best)
    }

    fn settle_quiet(
        &mut self,
        position: &BitPosition<R::Bits>,
        [alpha, beta]: [Score; 2],
        ply: usize,
        looks: u32,
        picker: &mut Picker<R::Bits>,
    ) -> Score {
        if let Some(score) = self.tabled(position, ply) {
            return score;
        }
        let standing = self.evaluate(position, ply);
        // A threat makes it worse, nearly always: a search that must be exact has a look.
        let bad_enough = standing <= alpha && self.shared.pruning;
        if looks == 0 || bad_enough || !self.is_threatened(position) {
            return standing;
        }
        movegen::quiets(self.rules, position, &mut picker.list);
        let history = &self.history;
        picker.rank(|mv| history.worth(position.turn(), mv));
        self.best_of(
            position,
            [alpha, beta],
            ply,
            looks - 1,
            picker,
            -Score::INFINITE,
        )
    }

    fn best_of(
        &mut self,
        position: &BitPosition<R::Bits>,
        [mut alpha, beta]: [Score; 2],
        ply: usize,
        looks: u32,
        picker: &mut Picker<R::Bits>,
        mut best: Score,
    ) -> Score {
        alpha = alpha.max(best);
        for index in 0..picker.list.len() {
            let mv = picker.pick(index);
            let next = self.descend(position, &mv, ply, Depth::ZERO);
            let score = -self.settle(&next, [-beta, -alpha], ply + 1, looks);
            if score > best {
                best = score;
                if score > alpha {
                    if beta.value() - alpha.value() > 1 {
                        self.extend_line(&mv, ply);
                    }
                    alpha = score;
                }
                if score >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Whether the other side could capture if it were its turn.
    #[inline(always)]
    pub(super) fn is_threatened(&self, position: &BitPosition<R::Bits>) -> bool {
        movegen::can_capture(self.rules, &position.passed(self.rules))
    }
}
