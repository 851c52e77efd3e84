//! Games of an evaluation against itself.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kingme_rules::movegen::{self, MoveList};
use kingme_rules::{BitPosition, Ruleset, Side, Variant, Visitor};

use super::sample::Samples;
use crate::compiled;
use crate::eval::Evaluator;
use crate::limit::{Handle, Limit};
use crate::random::Random;
use crate::score::{Depth, Score};
use crate::search::{Facts, Plan, Replay, RootMove, Shared, Worker};
use crate::tables::{Tables, Verdict};
use crate::transposition::Transpositions;

/// How self-play goes.
pub(super) struct SelfPlay<'a> {
    pub variant: &'a Variant,
    pub evaluator: &'a Evaluator,
    /// Positions searched for each move.
    pub nodes: u64,
    pub seed: u64,
    /// Endgame tables, if there are any: where they know the result the game has it.
    pub tables: Option<&'a Tables>,
}

/// Random plies at the start of a game.
const OPENING: std::ops::Range<usize> = 4..12;
/// A game that is not over by then is drawn.
pub(super) const LONGEST: usize = 240;
/// Positions after so many plies without progress teach nothing.
const SHUFFLING: u16 = 8;
/// A game goes on for so many plies after the tables have known its result: whoever plays without
/// tables has to judge such positions too.
const AFTERMATH: usize = 24;
/// What a position that the tables call won is taken to be worth.
const KNOWN_WIN: i32 = 300;

impl SelfPlay<'_> {
    /// Memory for a game's searches. New memory costs more than a short game: it is used again.
    pub fn memory() -> Transpositions {
        Transpositions::new(1)
    }

    /// The quiet positions of a game, as a file stores them. The same number gives the same game.
    pub fn game(&self, number: u64, memory: &mut Transpositions) -> Vec<u8> {
        memory.clear();
        compiled::visit(
            &self.variant.start(),
            Play {
                setting: self,
                memory,
                random: Random::for_task(self.seed, number),
            },
        )
        .unwrap_or_default()
    }
}

struct Play<'a> {
    setting: &'a SelfPlay<'a>,
    memory: &'a Transpositions,
    random: Random,
}

impl Visitor for Play<'_> {
    type Output = Vec<u8>;

    fn visit<R: Ruleset>(mut self, rules: R, start: &BitPosition<R::Bits>) -> Vec<u8> {
        let facts = Facts::new(rules, self.setting.variant);
        let mut samples = Samples::new(self.setting.variant);
        let mut replay = Replay::new(rules, &facts, start, std::iter::empty());
        for _ in 0..OPENING.start + self.random.below(OPENING.len()) {
            let mut list = MoveList::new();
            movegen::moves(rules, &replay.position, &mut list);
            if let Some(mv) = self.random.choose(&list) {
                replay.play(rules, &facts, mv);
            }
        }
        let result = self.play(rules, &facts, &mut replay, &mut samples);
        samples.set_result(0, result);
        samples.bytes().to_vec()
    }
}

impl Play<'_> {
    /// Plays to the end; returns 2, 1 or 0 for White.
    fn play<R: Ruleset>(
        &self,
        rules: R,
        facts: &Facts<R::Bits>,
        replay: &mut Replay<R::Bits>,
        samples: &mut Samples,
    ) -> u8 {
        let shared = Shared {
            facts,
            evaluator: self.setting.evaluator,
            table: self.memory,
            handle: &Handle::new(),
            nodes: AtomicU64::new(0),
            finished: AtomicBool::new(false),
            pruning: true,
            // It would stop looking where the tables know, and learn nothing about it.
            tables: None,
        };
        // One worker for the whole game: making one costs as much as a short search.
        let mut worker = Worker::new(rules, &shared);
        let mut result = None;
        let mut last = LONGEST;
        while replay.hashes.len() < last {
            let turn = replay.position.turn();
            let known = self.known(rules, &replay.position);
            if let (None, Some(score)) = (result, known) {
                result = Some(for_white(score, turn));
                last = last.min(replay.hashes.len() + AFTERMATH);
            }
            if let Some(score) = ended(rules, facts, replay) {
                return result.unwrap_or_else(|| for_white(score, turn));
            }
            let best = self.search(&mut worker, replay);
            if best.score.is_decided() && best.score > -Score::INFINITE {
                return result.unwrap_or_else(|| for_white(best.score, turn));
            }
            let position = &replay.position;
            // A search judges where the side to move has nothing to capture, threatened or not.
            if replay.past.reversible < SHUFFLING && !movegen::can_capture(rules, position) {
                let score = known.unwrap_or(best.score);
                samples.push(rules, position, score.max(Score::points(-10_000)));
            }
            replay.play(rules, facts, &best.line[0]);
        }
        result.unwrap_or(1)
    }

    /// What the endgame tables say of a position.
    fn known<R: Ruleset>(&self, rules: R, position: &BitPosition<R::Bits>) -> Option<Score> {
        let verdict = self.setting.tables?.probe_bits(rules, position)?;
        Some(match verdict {
            Verdict::Win => Score::points(KNOWN_WIN),
            Verdict::Draw => Score::DRAW,
            Verdict::Loss => Score::points(-KNOWN_WIN),
        })
    }

    /// The best move.
    fn search<R: Ruleset>(
        &self,
        worker: &mut Worker<'_, R>,
        replay: &Replay<R::Bits>,
    ) -> RootMove<R::Bits> {
        let plan = Plan {
            first: Depth(1),
            last: Depth(30),
            lines: 1,
        };
        worker.shared.nodes.store(0, Ordering::Relaxed);
        worker.begin(replay.past, &replay.hashes, &replay.position);
        worker.mind(&Limit::nodes(self.setting.nodes));
        let moves = RootMove::all(worker.rules, &replay.position);
        let mut moves = worker.deepen(&replay.position, moves, plan, &mut |_, _| {
            ControlFlow::Continue(())
        });
        moves.swap_remove(0)
    }
}

/// The result for the side to move if the game is over. Coming back once is taken for a draw.
fn ended<R: Ruleset>(rules: R, facts: &Facts<R::Bits>, replay: &Replay<R::Bits>) -> Option<Score> {
    if !movegen::can_move(rules, &replay.position) {
        return Some(facts.stuck(rules, &replay.position, 0));
    }
    let (now, before) = replay.hashes.split_last()?;
    let reversible = before.iter().rev().take(replay.past.reversible.into());
    if reversible.into_iter().any(|hash| hash == now) {
        return Some(Score::DRAW);
    }
    facts.counted_out(rules, &replay.past, &replay.position, 0)
}

fn for_white(score: Score, turn: Side) -> u8 {
    let white = if turn == Side::White { score } else { -score };
    (white.value().signum() + 1) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Board, Weights};

    /// The scores of all positions of some games, with the number of pieces.
    fn scores(tables: Option<&Tables>, variant: &Variant) -> Vec<(usize, i16)> {
        let play = SelfPlay {
            variant,
            evaluator: &Evaluator::new(variant, &Weights::material(variant)),
            nodes: 60,
            seed: 1,
            tables,
        };
        let mut samples = Samples::new(variant);
        let mut memory = SelfPlay::memory();
        for number in 0..20 {
            samples.extend(&play.game(number, &mut memory));
        }
        let squares: Vec<_> = variant.board().squares().collect();
        let mut board = Board::default();
        let mut read = |index| {
            let label = samples.read(index, &squares, &mut board);
            (board.pieces.len(), label.score)
        };
        (0..samples.len()).map(&mut read).collect()
    }

    #[test]
    fn what_the_tables_know_is_learned_from_them() {
        let variant = Variant::named("english").unwrap().sized(6).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let tables = Tables::ready(&variant, folder.path()).unwrap();
        let is_few = |&(pieces, _): &(usize, i16)| pieces <= tables.pieces();
        let known = scores(Some(&tables), &variant);
        let known: Vec<_> = known.into_iter().filter(is_few).collect();
        assert!(known.len() > 100, "games go on where the tables know");
        let verdicts = [-KNOWN_WIN, 0, KNOWN_WIN];
        for (pieces, score) in known {
            assert!(verdicts.contains(&i32::from(score)), "{pieces}: {score}");
        }
        let mut guessed = scores(None, &variant).into_iter().filter(is_few);
        assert!(guessed.any(|(_, score)| !verdicts.contains(&i32::from(score))));
    }
}
