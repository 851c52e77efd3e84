//! A move to try.

use std::time::{Duration, Instant};

use kingme_engine::Limit;
use kingme_play::Stop;
use kingme_players::{EngineOptions, Minimax, Player, PlayerSpec, Question};
use kingme_rules::{Game, Move};

/// How long is thought about a hint.
const THINKING_TIME: Duration = Duration::from_secs(1);

/// A move that the engine would play; `None` if the game is over.
pub fn hint(game: &Game, seed: u64) -> Option<Move> {
    if game.outcome().is_some() {
        return None;
    }
    let engine = PlayerSpec::Engine(EngineOptions::default());
    let mut player = engine
        .open(game.variant(), seed)
        .unwrap_or_else(|_| Box::new(Minimax::new(Minimax::DEPTH)) as Box<dyn Player>);
    player.new_game(game, game.turn()).ok()?;
    let question = Question::new(Limit::move_time(THINKING_TIME), Stop::new())
        .until(Some(Instant::now() + THINKING_TIME));
    let answer = player.choose(game, &question).ok();
    let answer = answer.or_else(|| question.suggestion())?;
    answer.reply.find(game.position()).ok()
}
