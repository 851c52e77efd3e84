//! A search for boards that are too large for bits: alpha-beta on pieces and steps forward, with
//! captures played out. It looks at moves and not at counters of the draw rules.

use kingme_rules::variant::{Obligation, Stuck};
use kingme_rules::{Move, Piece, Position};

use super::{OnReport, Task};
use crate::eval::Material;
use crate::limit::Timer;
use crate::report::{Line, Report};
use crate::score::{Depth, Score};

/// Plies below the last one in which captures are played out.
const CAPTURES: i32 = 12;

/// Searches and returns the last report, as `search::run` does for other boards.
pub(super) fn run(task: &Task<'_>, on_report: &mut OnReport<'_>) -> Option<Report> {
    let mut search = PlainSearch::new(task);
    let legal = task.game.legal_moves();
    let mut lines: Vec<Line> = legal.into_iter().map(unsearched).collect();
    let mut last = Depth::ZERO;
    let deepest = task
        .limit
        .depth
        .map_or(Depth::MAX.0, |depth| depth.clamp(1, 99) as i32);
    for depth in (1..=deepest).map(Depth) {
        let complete = search.deepen(&mut lines, depth);
        if !complete {
            break;
        }
        last = depth;
        let wanted = on_report(&search.report(&lines, depth));
        if wanted.is_break() || !search.goes_on(&lines) {
            break;
        }
    }
    (!lines.is_empty()).then(|| search.report(&lines, last))
}

fn unsearched(mv: Move) -> Line {
    Line {
        score: -Score::INFINITE,
        moves: vec![mv],
    }
}

struct PlainSearch<'a> {
    task: &'a Task<'a>,
    material: Material,
    timer: Timer,
    pondering: bool,
    nodes: u64,
}

/// A score and the moves that lead to it.
type Found = (Score, Vec<Move>);

impl<'a> PlainSearch<'a> {
    fn new(task: &'a Task<'a>) -> PlainSearch<'a> {
        PlainSearch {
            task,
            material: Material::new(task.game.variant()),
            timer: Timer::start(task.limit, task.began),
            pondering: task.handle.is_pondering(),
            nodes: 0,
        }
    }

    /// Searches every move of the root and sorts them, best first; returns whether there was time
    /// for all. Those that were not reached stay behind those that were.
    fn deepen(&mut self, lines: &mut Vec<Line>, depth: Depth) -> bool {
        let mut done: Vec<Line> = Vec::new();
        for line in lines.iter() {
            // As many moves as are wanted get their exact score, the others only less than these.
            let wanted = done.get(self.task.lines - 1);
            let alpha = wanted.map_or(-Score::INFINITE, |line| line.score);
            let position = self.task.game.position().play_unchecked(&line.moves[0]);
            let found = self.value(&position, depth - 1, -Score::INFINITE, -alpha, 1);
            let Some((score, rest)) = found else { break };
            let place = done.partition_point(|other| other.score >= -score);
            let moves = line.moves.iter().take(1).cloned().chain(rest).collect();
            done.insert(
                place,
                Line {
                    score: -score,
                    moves,
                },
            );
        }
        let complete = done.len() == lines.len();
        // The best move so far comes first, so that a depth that was only begun is of use.
        done.extend(lines.drain(..).skip(done.len()));
        *lines = done;
        complete
    }

    /// What a position is worth to the side to move; `None` if the search is over.
    fn value(
        &mut self,
        position: &Position,
        depth: Depth,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Option<Found> {
        self.nodes += 1;
        if self.is_over() {
            return None;
        }
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return Some((stuck(position, ply), Vec::new()));
        }
        let mut best = (-Score::INFINITE, Vec::new());
        if depth <= Depth::ZERO {
            let must = moves.iter().all(Move::takes_off);
            if !must || depth.0 <= -CAPTURES {
                best.0 = self.material.of(position);
                alpha = alpha.max(best.0);
            }
            moves.retain(|mv| mv.is_capture() && depth.0 > -CAPTURES);
        }
        for mv in moves {
            if alpha >= beta {
                break;
            }
            let child = position.play_unchecked(&mv);
            let (score, rest) = self.value(&child, depth - 1, -beta, -alpha, ply + 1)?;
            if -score > best.0 {
                best = (-score, std::iter::once(mv).chain(rest).collect());
                alpha = alpha.max(-score);
            }
        }
        Some(best)
    }

    /// Whether a limit is reached or the search was stopped. A position takes long enough here for
    /// a look at the clock.
    fn is_over(&mut self) -> bool {
        let handle = self.task.handle;
        if self.pondering && !handle.is_pondering() {
            self.pondering = false;
            self.timer.restart();
        }
        let spent = self.task.limit.nodes.is_some_and(|most| self.nodes > most);
        handle.is_stopped() || !self.pondering && (spent || self.timer.is_up())
    }

    /// Whether another iteration makes sense.
    fn goes_on(&self, lines: &[Line]) -> bool {
        let forced = lines.len() == 1 && !self.task.search_forced;
        let settled = forced || lines[0].score.is_decided();
        !self.timer.has_limit() || self.pondering || !settled && self.timer.has_time_for_more(1.0)
    }

    fn report(&self, lines: &[Line], depth: Depth) -> Report {
        let shown = lines.iter().take(self.task.lines).cloned();
        let known = |line: Line| Line {
            score: if line.score > -Score::INFINITE {
                line.score
            } else {
                Score::DRAW
            },
            ..line
        };
        Report {
            depth,
            nodes: self.nodes,
            time: self.timer.elapsed(),
            hash_permille: 0,
            lines: shown.map(known).collect(),
        }
    }
}

/// The score of a side to move that cannot move.
fn stuck(position: &Position, ply: usize) -> Score {
    let definition = position.variant().definition();
    let end = definition.end;
    let (us, them) = (position.turn(), !position.turn());
    // The other side may have lost its last piece for a capture that it did not make.
    let huffs = definition.capture.obligation == Obligation::Huff;
    let they_are_stuck = huffs && position.count(them) == 0;
    let pieces = |side| position.count(side);
    let is_lost = match end.stuck {
        _ if end.king_wins && position.count_kind(them, Piece::KING) > 0 => true,
        Stuck::Loses => !they_are_stuck,
        Stuck::Wins => they_are_stuck,
        Stuck::MostPieces if pieces(us) == pieces(them) => return Score::DRAW,
        Stuck::MostPieces => pieces(us) < pieces(them),
    };
    if is_lost {
        Score::loss_in(ply)
    } else {
        Score::win_in(ply)
    }
}
