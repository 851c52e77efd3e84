//! A player that plays any legal move.

use kingme_rules::Game;

use crate::{OURS, Player, PlayerFault, Question};
use kingme_play::{Answer, Chance};

/// Plays any legal move.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    chance: Chance,
}

impl RandomPlayer {
    /// The same seed plays the same moves.
    pub fn new(seed: u64) -> RandomPlayer {
        RandomPlayer {
            chance: Chance::new(seed),
        }
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn version(&self) -> Option<String> {
        Some(OURS.to_owned())
    }

    fn seed(&mut self, seed: u64) {
        self.chance = Chance::new(seed);
    }

    fn choose(&mut self, game: &Game, _question: &Question) -> Result<Answer, PlayerFault> {
        let legal = game.legal_moves();
        let mv = self.chance.pick(&legal).ok_or(PlayerFault::Late)?;
        Ok(mv.clone().into())
    }
}
