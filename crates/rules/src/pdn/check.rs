//! What is odd about a game whose main line is legal.

use super::replay::position;
use super::{MoveNode, PdnGame, Replay, ReplayError, ResultToken, Score, replay_line};
use crate::Position;

/// More of one game say nothing new.
const MOST: usize = 100;

/// Something that does not fit together in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// The tag and the end of the moves say different results.
    #[error("line {line}: the tag Result says {tag}, but the moves end with {end}")]
    Results {
        /// The line the game starts on.
        line: usize,
        /// The result by the tag.
        tag: ResultToken,
        /// The result at the end of the moves.
        end: ResultToken,
    },
    /// The result is not that of the last position.
    #[error("line {line}: the result is {result}, but by the rules it is {outcome}")]
    Outcome {
        /// The line the game starts on.
        line: usize,
        /// The result by the file.
        result: ResultToken,
        /// The outcome in words.
        outcome: String,
    },
    /// A variation is not legal.
    #[error("{}: in a variation, {}", .0.at, .0.fault)]
    Variation(ReplayError),
}

/// What does not fit together in a game; `replay` is what became of it.
pub fn warnings(game: &PdnGame, replay: &Replay) -> Vec<Warning> {
    let mut found: Vec<Warning> = results(game).into_iter().collect();
    found.extend(outcome(game, replay));
    let nodes = game.moves.get(replay.displaced..).unwrap_or_default();
    variations(nodes, &replay.start, &mut found);
    found
}

/// A result that says something.
fn known(result: Option<ResultToken>) -> Option<ResultToken> {
    result.filter(|result| result.score() != Score::Unknown)
}

fn tagged(game: &PdnGame) -> Option<ResultToken> {
    known(game.tag("Result").and_then(ResultToken::parse))
}

fn results(game: &PdnGame) -> Option<Warning> {
    let (tag, end) = (tagged(game)?, known(game.result.clone())?);
    let line = game.line;
    (tag.score() != end.score()).then_some(Warning::Results { line, tag, end })
}

/// Only where the game ends as told: people may play on after a draw that nobody claims.
fn outcome(game: &PdnGame, replay: &Replay) -> Option<Warning> {
    let result = tagged(game).or_else(|| known(game.result.clone()))?;
    let outcome = replay.game.outcome()?;
    let variant = replay.game.variant();
    let is_whole = replay.errors.is_empty() && replay.game.moves().count() == replay.moves.len();
    let by_rules = ResultToken::won_by(variant, outcome.winner);
    (is_whole && by_rules.score() != result.score()).then(|| Warning::Outcome {
        line: game.line,
        result,
        outcome: format!(
            "{by_rules} ({})",
            outcome.in_words(variant).trim_end_matches('.')
        ),
    })
}

/// Plays a line and the variations of its moves.
fn variations(nodes: &[MoveNode], start: &Position, found: &mut Vec<Warning>) {
    let mut at = start.clone();
    let mut rest = nodes;
    while found.len() < MOST {
        let setup = rest.iter().position(|node| node.setup().is_some());
        let (line, after) = rest.split_at(setup.unwrap_or(rest.len()));
        let (moves, error) = replay_line(&at, line);
        for (node, mv) in line.iter().zip(&moves) {
            for variation in &node.variations {
                let (_, error) = replay_line(&at, first_line(variation));
                found.extend(error.map(Warning::Variation));
                variations(variation, &at, found);
            }
            at = at.play_unchecked(mv);
        }
        let Some((node, next)) = after.split_first().filter(|_| error.is_none()) else {
            return;
        };
        let Ok(set_up) = position(at.variant(), node.setup().unwrap_or_default()) else {
            return;
        };
        (at, rest) = (set_up, next);
    }
}

/// The moves before a position is set up.
fn first_line(nodes: &[MoveNode]) -> &[MoveNode] {
    let setup = nodes.iter().position(|node| node.setup().is_some());
    &nodes[..setup.unwrap_or(nodes.len())]
}
