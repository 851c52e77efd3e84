//! A move to try.

use kingme_arena::{Clock, EngineOptions, Minimax, Player, PlayerSpec, Stop, Turn};
use kingme_rules::{Game, Move};

use crate::clocks::THINKING_TIME;
use crate::seat::{Decision, consult};

/// A move that the engine would play; `None` if the game is over.
pub fn hint(game: &Game, seed: u64) -> Option<Move> {
    if game.outcome().is_some() {
        return None;
    }
    let engine = PlayerSpec::Engine(EngineOptions::default());
    let mut player = engine
        .open(game.variant(), seed)
        .unwrap_or_else(|_| Box::new(Minimax::new(Minimax::DEPTH)) as Box<dyn Player>);
    let turn = Turn::new(Clock::for_move(THINKING_TIME), Stop::new());
    let _ = player.new_game(game, game.turn());
    match consult(
        &mut *player,
        game,
        &turn,
        &mut kingme_arena::Chance::new(seed),
    ) {
        Decision::Play { mv, note: None, .. } => Some(mv),
        _ => None,
    }
}
