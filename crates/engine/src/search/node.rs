//! A node of the search tree: principal variation search with what saves it work.

use kingme_rules::{BitMove, BitPosition, Bits, Ruleset, movegen};

use super::order::{Picker, signature};
use super::prune;
use super::settle::LOOKS;
use super::worker::{MAX_PLY, Worker};
use crate::score::{Depth, Score};
use crate::transposition::{Bound, Entry};

/// What is asked of a node: a score that is right between `alpha` and `beta`.
#[derive(Copy, Clone, Debug)]
pub(super) struct Question {
    pub alpha: Score,
    pub beta: Score,
    pub depth: Depth,
    pub ply: usize,
    /// Signature of a move that is left out, to see how good the others are.
    pub without: u16,
}

impl Question {
    /// Whether the score itself is wanted, not only on which side of a bound it is.
    pub fn is_open(&self) -> bool {
        self.beta.value() - self.alpha.value() > 1
    }
}

/// What a node knows before it tries its moves.
pub(super) struct Known {
    pub entry: Option<Entry>,
    /// The static evaluation, where no capture stands open.
    pub evaluation: Option<Score>,
    pub best: u16,
}

impl<R: Ruleset> Worker<'_, R> {
    /// The score of a position for the side to move.
    pub(super) fn search(&mut self, position: &BitPosition<R::Bits>, question: Question) -> Score {
        let Question { ply, depth, .. } = question;
        if depth <= Depth::ZERO || ply >= MAX_PLY {
            return self.settle(position, [question.alpha, question.beta], ply, LOOKS);
        }
        self.count_node();
        self.frames[ply].line.clear();
        if self.stopped {
            return Score::DRAW;
        }
        if let Some(score) = self
            .ruled(position, ply)
            .or_else(|| self.tabled(position, ply))
        {
            return score;
        }
        let Some(question) = within_reach(question) else {
            return question.alpha.max(Score::loss_in(ply));
        };
        // The moves come before the table although it may make them needless: meanwhile the
        // memory that the table's entry is in has time to answer.
        let mut picker = self.take_picker();
        movegen::moves(self.rules, position, &mut picker.list);
        let entry = if question.without == 0 {
            self.shared.table.get(position.hash())
        } else {
            None
        };
        let answer = entry.and_then(|entry| self.answered(&entry, &question));
        let score = match answer {
            Some(score) => score,
            None => self.search_moves(position, question, entry, &mut picker),
        };
        self.put_picker(picker);
        score
    }

    /// The answer, if the table has it.
    fn answered(&self, entry: &Entry, question: &Question) -> Option<Score> {
        // Without pruning a search is exact: its answers must be of the very depth asked for.
        let other = !self.shared.pruning && entry.depth != question.depth;
        if question.is_open() || entry.depth < question.depth || other {
            return None;
        }
        let score = entry.score.seen_from_root(question.ply);
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= question.beta,
            Bound::Upper => score <= question.alpha,
        };
        decides.then_some(score)
    }

    fn search_moves(
        &mut self,
        position: &BitPosition<R::Bits>,
        question: Question,
        entry: Option<Entry>,
        picker: &mut Picker<R::Bits>,
    ) -> Score {
        if picker.list.is_empty() {
            return self.shared.facts.stuck(self.rules, position, question.ply);
        }
        let known = self.known(position, &question, entry, picker);
        if self.shared.pruning
            && let Some(score) = self.prune(position, &question, &known)
        {
            return score;
        }
        let asked = Question {
            depth: question.depth + self.depth_change(&question, &known, picker.list.len()),
            ..question
        };
        let (best, best_move) = self.try_moves(position, asked, &known, picker);
        if !self.stopped && question.without == 0 {
            self.remember(position, &question, &known, best, best_move);
        }
        best
    }

    fn known(
        &self,
        position: &BitPosition<R::Bits>,
        question: &Question,
        entry: Option<Entry>,
        picker: &Picker<R::Bits>,
    ) -> Known {
        let captures = if self.rules.keys().obligatory() {
            picker.list[0].takes_off()
        } else {
            picker.list.iter().any(BitMove::takes_off)
        };
        let evaluation = (!captures).then(|| {
            entry
                .and_then(|entry| entry.evaluation)
                .unwrap_or_else(|| self.evaluate(position, question.ply))
        });
        Known {
            entry,
            evaluation,
            best: entry.map_or(0, |entry| entry.best),
        }
    }

    fn rank(&self, position: &BitPosition<R::Bits>, ply: usize, picker: &mut Picker<R::Bits>) {
        let us = position.turn();
        let frame = &self.frames[ply];
        let [first, second] = frame.killers;
        let reply = self.history.reply(!us, frame.last.as_ref());
        let (history, rules) = (&self.history, self.rules);
        picker.rank(|mv| {
            let signature = signature(mv);
            let bonus = if position.is_huff(rules, mv) {
                -(1 << 20)
            } else if mv.takes_off() {
                (1 << 20) + ((mv.captured.count() as i32) << 16)
            } else if mv.is_promotion() {
                1 << 19
            } else if signature == first {
                1 << 18
            } else if signature == second {
                1 << 17
            } else if signature == reply {
                1 << 16
            } else {
                0
            };
            bonus + history.worth(us, mv)
        });
    }

    /// Tries the moves in order; returns the best score and its move.
    fn try_moves(
        &mut self,
        position: &BitPosition<R::Bits>,
        question: Question,
        known: &Known,
        picker: &mut Picker<R::Bits>,
    ) -> (Score, Option<BitMove<R::Bits>>) {
        let Question { ply, beta, .. } = question;
        let mut asked = question;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut tried = 0;
        self.frames[ply + 1].killers = [0; 2];
        // The table's move refutes most positions that it knows: the others can wait.
        let ranked = usize::from(known.best != 0 && picker.bring_forward(known.best));
        for index in 0..picker.list.len() {
            if index == ranked {
                self.rank(position, ply, picker);
            }
            let mv = if index < ranked {
                picker.list[0]
            } else {
                picker.pick(index)
            };
            let signature = signature(&mv);
            if signature == question.without {
                continue;
            }
            if self.skips(&asked, known, best, tried, &mv) {
                continue;
            }
            let longer = self.extension(position, &question, known, signature);
            let next = self.descend(position, &mv, ply, question.depth);
            let score = self.follow([position, &next], &asked, &mv, tried, longer);
            tried += 1;
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > asked.alpha {
                    best_move = Some(mv);
                    asked.alpha = score;
                    if question.is_open() {
                        self.extend_line(&mv, ply);
                    }
                }
                if score >= beta {
                    self.learn(position, &question, &picker.list[..=index]);
                    break;
                }
            }
        }
        // With everything left out or skipped, nothing beats alpha.
        (if tried == 0 { question.alpha } else { best }, best_move)
    }

    /// The score of a move: the first by a full search, the others by the question whether they
    /// are better at all, at less depth the later they come.
    fn follow(
        &mut self,
        [position, next]: [&BitPosition<R::Bits>; 2],
        question: &Question,
        mv: &BitMove<R::Bits>,
        tried: usize,
        longer: i32,
    ) -> Score {
        let Question { alpha, beta, .. } = *question;
        let depth = question.depth - 1 + longer;
        let ask = |alpha: Score, beta: Score, depth: Depth| Question {
            alpha: -beta,
            beta: -alpha,
            depth,
            ply: question.ply + 1,
            without: 0,
        };
        if tried == 0 {
            return -self.search(next, ask(alpha, beta, depth));
        }
        let history = self.history.worth(!next.turn(), mv);
        let is_quiet = !mv.takes_off() || position.is_huff(self.rules, mv);
        let less = if self.shared.pruning && is_quiet && !mv.is_promotion() {
            prune::reduction(question, tried, history)
        } else {
            0
        };
        let mut score = -self.search(next, ask(alpha, alpha + 1, depth - less));
        if score > alpha && less > 0 {
            score = -self.search(next, ask(alpha, alpha + 1, depth));
        }
        if score > alpha && score < beta && question.is_open() {
            score = -self.search(next, ask(alpha, beta, depth));
        }
        score
    }

    /// Puts a move before the best line of the next ply.
    pub(super) fn extend_line(&mut self, mv: &BitMove<R::Bits>, ply: usize) {
        let (before, after) = self.frames.split_at_mut(ply + 1);
        let line = &mut before[ply].line;
        line.clear();
        line.push(*mv);
        line.extend_from_slice(&after[0].line);
    }

    /// The last of `tried` refuted the position; the others did not.
    fn learn(
        &mut self,
        position: &BitPosition<R::Bits>,
        question: &Question,
        tried: &[BitMove<R::Bits>],
    ) {
        let Some((good, bad)) = tried.split_last() else {
            return;
        };
        if good.takes_off() {
            return;
        }
        let us = position.turn();
        let bonus = (question.depth.0 * question.depth.0 * 8).clamp(8, 1_600);
        self.history.learn(us, good, bonus);
        for mv in bad {
            self.history.learn(us, mv, -bonus);
        }
        let signature = signature(good);
        let frame = &mut self.frames[question.ply];
        if frame.killers[0] != signature {
            frame.killers = [signature, frame.killers[0]];
        }
        self.history
            .learn_reply(!us, frame.last.as_ref(), signature);
    }

    fn remember(
        &self,
        position: &BitPosition<R::Bits>,
        question: &Question,
        known: &Known,
        score: Score,
        best: Option<BitMove<R::Bits>>,
    ) {
        let bound = if score >= question.beta {
            Bound::Lower
        } else if best.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            score: score.seen_from_node(question.ply),
            evaluation: known.evaluation,
            depth: question.depth,
            bound,
            best: best.as_ref().map_or(0, signature),
        };
        self.shared.table.put(position.hash(), entry);
    }
}

/// The question without the scores that can't come out: no win is shorter than the line so far.
fn within_reach(question: Question) -> Option<Question> {
    let alpha = question.alpha.max(Score::loss_in(question.ply));
    let beta = question.beta.min(Score::win_in(question.ply + 1));
    (alpha < beta).then_some(Question {
        alpha,
        beta,
        ..question
    })
}
