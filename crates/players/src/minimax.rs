//! Plain minimax on material: the sample player, kept simple as a starting point to copy.

use kingme_rules::{Game, Piece, Position, Side};

use crate::{OURS, Player, PlayerFault, Question};
use kingme_play::Answer;

/// Looks a few plies ahead and counts pieces.
#[derive(Clone, Debug)]
pub struct Minimax {
    depth: u32,
}

/// A king is worth this many men.
const KING: i32 = 3;
/// More than any material.
const WIN: i32 = 10_000;

impl Minimax {
    /// The depth that is used when none is given.
    pub const DEPTH: u32 = 4;

    /// Looks `depth` plies ahead, one at least.
    pub fn new(depth: u32) -> Minimax {
        Minimax {
            depth: depth.max(1),
        }
    }
}

impl Player for Minimax {
    fn name(&self) -> String {
        "minimax".to_owned()
    }

    fn version(&self) -> Option<String> {
        Some(OURS.to_owned())
    }

    fn choose(&mut self, game: &Game, question: &Question) -> Result<Answer, PlayerFault> {
        let mut best = None;
        for depth in 1..=self.depth {
            match best_move(game, depth, question) {
                Some(answer) => best = Some(answer),
                None => break,
            }
            best.iter()
                .cloned()
                .for_each(|answer| question.suggest(answer));
        }
        best.ok_or(PlayerFault::Late)
    }
}

/// The best move at a depth; `None` if there was no time to look at all of them.
fn best_move(game: &Game, depth: u32, question: &Question) -> Option<Answer> {
    let position = game.position();
    let mut best: Option<(i32, Answer)> = None;
    for mv in game.legal_moves() {
        let value = -value(&position.play_unchecked(&mv), depth - 1, question)?;
        if best.as_ref().is_none_or(|(other, _)| value > *other) {
            let mut answer = Answer::from(mv);
            answer.score = Some(value as f32);
            answer.depth = Some(depth);
            best = Some((value, answer));
        }
    }
    best.map(|(_, answer)| answer)
}

/// What a position is worth to the side to move; `None` if time is up.
fn value(position: &Position, depth: u32, question: &Question) -> Option<i32> {
    if question.is_over() {
        return None;
    }
    let legal = position.legal_moves();
    if legal.is_empty() {
        // To lose later is better.
        return Some(-WIN - depth as i32);
    }
    if depth == 0 {
        return Some(material(position));
    }
    let mut best = i32::MIN;
    for mv in &legal {
        best = best.max(-value(&position.play_unchecked(mv), depth - 1, question)?);
    }
    Some(best)
}

/// The pieces of the side to move, less those of the other.
fn material(position: &Position) -> i32 {
    let worth = |side: Side| {
        let kings = position.count_kind(side, Piece::KING) as i32;
        position.count(side) as i32 + kings * (KING - 1)
    };
    worth(position.turn()) - worth(!position.turn())
}
