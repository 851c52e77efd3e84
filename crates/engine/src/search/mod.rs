//! The search: iterative deepening, principal variations, several threads on one table.
//!
//! [`run`] starts the threads; `root` deepens, `node` is a position in the tree, `settle` plays
//! captures out, `prune` and `order` save work, `facts` knows how games end. Boards that are too
//! large for bits have a search of their own, `plain`.

mod facts;
mod node;
mod order;
mod plain;
mod prune;
mod root;
mod settle;
mod worker;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use kingme_rules::{BitMove, BitPosition, Bits, Game, Move, Ruleset, Visitor};

pub(crate) use facts::{Facts, Past};
pub(crate) use root::{Iteration, Plan, RootMove};
pub(crate) use worker::{Shared, Worker};

use crate::compiled;
use crate::eval::Evaluator;
use crate::limit::{Handle, Limit, Timer};
use crate::report::{Line, Report};
use crate::score::{Depth, Score};
use crate::tables::{Probe, Tables, Verdict};
use crate::transposition::Transpositions;

/// What a search is given.
pub(crate) struct Task<'a> {
    pub game: &'a Game,
    pub limit: &'a Limit,
    /// When it was asked for.
    pub began: Instant,
    /// None on a board that is too large for bits.
    pub evaluator: Option<&'a Evaluator>,
    pub table: &'a Transpositions,
    pub handle: &'a Handle,
    pub threads: usize,
    pub lines: usize,
    /// Whether the only legal move is searched although there is no choice.
    pub search_forced: bool,
    /// Whether moves may be left out or searched less; off only in tests.
    pub pruning: bool,
    pub tables: Option<&'a Tables>,
}

/// The callback of a search.
pub(crate) type OnReport<'a> = dyn FnMut(&Report) -> ControlFlow<()> + 'a;

/// Searches and returns the last report; its first line has the move to play. There is none if
/// the game is over.
pub(crate) fn run(task: &Task<'_>, on_report: &mut OnReport<'_>) -> Option<Report> {
    if task.game.outcome().is_some() {
        return None;
    }
    let Some(evaluator) = task.evaluator else {
        return plain::run(task, on_report);
    };
    let run = Run {
        task,
        evaluator,
        on_report,
    };
    compiled::visit(task.game.since_pass().0, run)?
}

struct Run<'a, 'b> {
    task: &'a Task<'a>,
    evaluator: &'a Evaluator,
    on_report: &'a mut OnReport<'b>,
}

impl Visitor for Run<'_, '_> {
    type Output = Option<Report>;

    fn visit<R: Ruleset>(self, rules: R, start: &BitPosition<R::Bits>) -> Option<Report> {
        let task = self.task;
        let facts = Facts::new(rules, task.game.variant());
        let replay = Replay::new(rules, &facts, start, task.game.since_pass().1);
        let shared = Shared {
            facts: &facts,
            evaluator: self.evaluator,
            table: task.table,
            handle: task.handle,
            nodes: AtomicU64::new(0),
            finished: AtomicBool::new(false),
            pruning: task.pruning,
            tables: task.tables,
        };
        thread::scope(|scope| {
            for number in 1..task.threads {
                let (shared, replay) = (&shared, &replay);
                scope.spawn(move || help(rules, shared, replay, number));
            }
            let report = lead(rules, task, &shared, &replay, self.on_report);
            shared.finished.store(true, Ordering::Relaxed);
            report
        })
    }
}

/// A game in bits: where it stands, and what matters of how it came there.
pub(crate) struct Replay<B> {
    pub position: BitPosition<B>,
    pub past: Past,
    pub hashes: Vec<u64>,
}

impl<B: Bits> Replay<B> {
    pub fn new<'m, R: Ruleset<Bits = B>>(
        rules: R,
        facts: &Facts<B>,
        start: &BitPosition<B>,
        moves: impl Iterator<Item = &'m Move>,
    ) -> Replay<B> {
        let mut replay = Replay {
            position: *start,
            past: Past::default(),
            hashes: vec![start.hash()],
        };
        for mv in moves {
            let mv = mv.in_bits(rules).expect("a move of this game");
            replay.play(rules, facts, &mv);
        }
        replay
    }

    pub fn play<R: Ruleset<Bits = B>>(&mut self, rules: R, facts: &Facts<B>, mv: &BitMove<B>) {
        let next = self.position.play(rules, mv);
        self.past = facts.after(rules, &self.past, [&self.position, &next], mv);
        self.position = next;
        self.hashes.push(next.hash());
    }
}

/// A thread that only fills the table.
fn help<R: Ruleset>(
    rules: R,
    shared: &Shared<'_, R::Bits>,
    replay: &Replay<R::Bits>,
    number: usize,
) {
    let mut worker = Worker::new(rules, shared);
    worker.begin(replay.past, &replay.hashes, &replay.position);
    let plan = Plan {
        // Every other helper is one ply ahead, so that they don't all do the same.
        first: Depth(1 + (number % 2) as i32),
        last: Depth::MAX,
        lines: 1,
    };
    let moves = RootMove::all(rules, &replay.position);
    worker.deepen(&replay.position, moves, plan, &mut |_, _| {
        ControlFlow::Continue(())
    });
}

/// The moves to choose from, and whether the tables have ordered them already. In a draw, or
/// without distances, the tables only say which moves are good enough.
fn candidates<R: Ruleset>(
    rules: R,
    task: &Task<'_>,
    position: &BitPosition<R::Bits>,
) -> (Vec<RootMove<R::Bits>>, bool) {
    let known = task
        .tables
        .and_then(|tables| tables.root_moves(rules, position));
    let Some(Probe {
        verdict: best,
        distance,
    }) = known
        .as_ref()
        .and_then(|moves| moves.first())
        .map(|best| best.probe)
    else {
        return (RootMove::all(rules, position), false);
    };
    // Large tables have no distances: there the search finds the way, among the moves that win.
    let ordered = best != Verdict::Draw && distance.is_some();
    let as_good = known
        .into_iter()
        .flatten()
        .filter(|mv| mv.probe.verdict == best);
    let moves = as_good.map(|mv| {
        let plies = mv.probe.distance.map_or(1, usize::from);
        RootMove {
            line: vec![mv.mv],
            score: match best {
                _ if !ordered => -Score::INFINITE,
                Verdict::Win => Score::known_win_in(plies),
                Verdict::Draw => -Score::INFINITE,
                Verdict::Loss => -Score::known_win_in(plies),
            },
        }
    });
    (moves.collect(), ordered)
}

/// The thread that minds the limit and reports.
fn lead<R: Ruleset>(
    rules: R,
    task: &Task<'_>,
    shared: &Shared<'_, R::Bits>,
    replay: &Replay<R::Bits>,
    on_report: &mut OnReport<'_>,
) -> Option<Report> {
    let mut worker = Worker::new(rules, shared);
    worker.begin(replay.past, &replay.hashes, &replay.position);
    worker.mind_since(task.limit, task.began);
    let plan = Plan {
        first: Depth(1),
        last: task
            .limit
            .depth
            .map_or(Depth::MAX, |depth| Depth(depth.clamp(1, 99) as i32)),
        lines: task.lines,
    };
    let (candidates, known) = candidates(rules, task, &replay.position);
    if known {
        return (!candidates.is_empty()).then(|| {
            let iteration = Iteration {
                depth: Depth::ZERO,
                moves: &candidates,
                nodes: 0,
            };
            let report = report(&worker, &replay.position, &iteration, task);
            // Nothing is left to search, whatever the answer.
            let _ = on_report(&report);
            report
        });
    }
    let mut last: Option<Report> = None;
    let mut steady = Steady::default();
    let moves = worker.deepen(
        &replay.position,
        candidates,
        plan,
        &mut |worker, iteration| {
            let report = report(worker, &replay.position, iteration, task);
            let wanted = on_report(&report);
            let more = goes_on(worker, iteration, task, &mut steady);
            last = Some(report);
            if wanted.is_break() { wanted } else { more }
        },
    );
    let iteration = Iteration {
        depth: last.as_ref().map_or(Depth::ZERO, |report| report.depth),
        moves: &moves,
        nodes: worker.nodes,
    };
    // A search that was stopped may have found a better move after its last report.
    (!moves.is_empty()).then(|| report(&worker, &replay.position, &iteration, task))
}

/// How the best move has done from iteration to iteration.
#[derive(Default)]
struct Steady {
    best: u16,
    score: Score,
    /// For how many iterations it has been the same.
    iterations: u32,
}

/// A score that falls by so many points from one iteration to the next means trouble.
const FALL: i32 = 20;

impl Steady {
    /// How much of the time that was planned for the move it should have.
    fn share(&mut self, best: u16, score: Score) -> f64 {
        let falls = self.score.value() - score.value() >= FALL;
        self.iterations = if best == self.best {
            self.iterations + 1
        } else {
            0
        };
        (self.best, self.score) = (best, score);
        match self.iterations {
            _ if falls => 2.0,
            0..4 => 1.2,
            4..8 => 0.75,
            _ => 0.5,
        }
    }
}

/// Whether another iteration makes sense: not once the game is decided or, for a player, the only
/// move is known, if there is a clock; and not without the time for it.
fn goes_on<R: Ruleset>(
    worker: &Worker<'_, R>,
    iteration: &Iteration<'_, R::Bits>,
    task: &Task<'_>,
    steady: &mut Steady,
) -> ControlFlow<()> {
    let best = &iteration.moves[0];
    let share = steady.share(order::signature(&best.line[0]), best.score);
    let Some(timer) = worker
        .timer()
        .filter(|timer| timer.has_limit() && !worker.ponders())
    else {
        return ControlFlow::Continue(());
    };
    let forced = iteration.moves.len() == 1 && !task.search_forced;
    if forced || is_settled(iteration) || !timer.has_time_for_more(share) {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// Whether the end of the game has been seen well within the depth searched.
fn is_settled<B>(iteration: &Iteration<'_, B>) -> bool {
    iteration.moves[0]
        .score
        .plies_to_end()
        .is_some_and(|plies| plies.abs() + 4 <= iteration.depth.0)
}

fn report<R: Ruleset>(
    worker: &Worker<'_, R>,
    position: &BitPosition<R::Bits>,
    iteration: &Iteration<'_, R::Bits>,
    task: &Task<'_>,
) -> Report {
    let lines = task.lines.clamp(1, iteration.moves.len());
    Report {
        depth: iteration.depth,
        nodes: iteration
            .nodes
            .max(worker.shared.nodes.load(Ordering::Relaxed)),
        time: worker.timer().map_or(Duration::ZERO, Timer::elapsed),
        hash_permille: task.table.permille_used(),
        lines: iteration.moves[..lines]
            .iter()
            .map(|root| Line {
                score: if root.score > -Score::INFINITE {
                    root.score
                } else {
                    Score::DRAW
                },
                moves: line_of(worker.rules, position, &root.line),
            })
            .collect(),
    }
}

fn line_of<R: Ruleset>(
    rules: R,
    position: &BitPosition<R::Bits>,
    line: &[BitMove<R::Bits>],
) -> Vec<Move> {
    let mut position = *position;
    line.iter()
        .map(|mv| {
            let whole = Move::new(rules, &position, mv);
            position = position.play(rules, mv);
            whole
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_gets_more_time_and_an_easy_move_less() {
        let mut steady = Steady::default();
        let first = steady.share(1, Score::points(10));
        for _ in 0..8 {
            steady.share(1, Score::points(10));
        }
        let easy = steady.share(1, Score::points(12));
        let trouble = steady.share(1, Score::points(-30));
        let changed = steady.share(2, Score::points(-30));
        assert!(easy < first && first < trouble && easy < changed);
    }
}
