//! A match between two evaluations: the new one must win to replace the old one.

use std::ops::ControlFlow;
use std::sync::Arc;

use kingme_rules::{Game, Side, Variant};

use crate::engine::{Engine, Options};
use crate::eval::Weights;
use crate::limit::Limit;
use crate::random::Random;
use crate::tables::Tables;

/// Games of one player against another.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Won by the first.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost by the first.
    pub losses: u32,
}

impl Tally {
    /// How many games were played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points of the first, from 0 to 1 a game.
    pub fn share(&self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games().max(1))
    }

    /// How much stronger the first is, in Elo.
    pub fn elo(&self) -> f64 {
        let share = self.share().clamp(0.001, 0.999);
        400.0 * (share / (1.0 - share)).log10()
    }

    /// Log-likelihood ratio of `high` Elo against `low`, by the spread of the results.
    pub fn likelihood_ratio(&self, low: f64, high: f64) -> f64 {
        let games = f64::from(self.games());
        let share = self.share();
        let square = (f64::from(self.wins) + f64::from(self.draws) / 4.0) / games.max(1.0);
        let spread = square - share * share;
        if spread <= 0.0 {
            return 0.0;
        }
        let expected = |elo: f64| 1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0));
        let (low, high) = (expected(low), expected(high));
        games * (high - low) * (2.0 * share - low - high) / (2.0 * spread)
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally {
            wins,
            draws,
            losses,
        } = self;
        write!(f, "+{wins} ={draws} -{losses} ({:+.0} Elo)", self.elo())
    }
}

/// A match between two sets of weights.
pub(crate) struct Match<'a> {
    pub variant: &'a Variant,
    pub players: [&'a Weights; 2],
    pub limit: Limit,
    pub seed: u64,
    /// Most pairs of games.
    pub pairs: u64,
    /// Endgame tables that both use.
    pub tables: Option<&'a Arc<Tables>>,
}

const OPENING_PLIES: usize = 6;
const LONGEST: usize = 300;

impl Match<'_> {
    /// Plays until it is clear which is better; asks `goes_on` after each pair.
    pub fn play(&self, goes_on: &mut dyn FnMut(&Tally) -> ControlFlow<()>) -> Tally {
        let mut engines = self.players.map(|weights| {
            let mut engine = Engine::new(Options {
                hash: 4,
                ..Options::default()
            });
            engine.set_weights(weights.clone());
            if let Some(tables) = self.tables {
                engine.use_tables(self.variant, Arc::clone(tables));
            }
            engine
        });
        let mut tally = Tally::default();
        for pair in 0..self.pairs {
            let opening = self.opening(pair);
            for first in Side::BOTH {
                match self.game(&opening, &mut engines, first) {
                    Some(true) => tally.wins += 1,
                    Some(false) => tally.losses += 1,
                    None => tally.draws += 1,
                }
            }
            // Enough to accept or to refuse with an error of five in a hundred.
            let clear = tally.likelihood_ratio(0.0, 20.0).abs() > 2.95 && pair >= 15;
            if clear || goes_on(&tally).is_break() {
                break;
            }
        }
        tally
    }

    fn opening(&self, pair: u64) -> Game {
        let mut random = Random::for_task(self.seed, pair);
        loop {
            let mut game = Game::new(self.variant);
            for _ in 0..OPENING_PLIES {
                if let Some(mv) = random.choose(&game.legal_moves()) {
                    game.play(mv).expect("a legal move");
                }
            }
            if game.outcome().is_none() {
                return game;
            }
        }
    }

    /// Whether the first player won; it has the side `first`.
    fn game(&self, opening: &Game, engines: &mut [Engine; 2], first: Side) -> Option<bool> {
        let mut game = opening.clone();
        for engine in engines.iter_mut() {
            engine.clear();
        }
        while game.outcome().is_none() && game.plies() < LONGEST {
            let engine = &mut engines[usize::from(game.turn() != first)];
            let choice = engine.search(&game, &self.limit, &mut |_| ControlFlow::Continue(()))?;
            game.play(&choice.mv).expect("the engine plays legal moves");
        }
        game.outcome()?.winner.map(|winner| winner == first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_reads_and_rates() {
        let even = Tally {
            wins: 3,
            draws: 4,
            losses: 3,
        };
        assert_eq!(even.to_string(), "+3 =4 -3 (+0 Elo)");
        let better = Tally {
            wins: 90,
            draws: 0,
            losses: 10,
        };
        assert!((better.elo() - 382.0).abs() < 1.0);
        assert!(better.likelihood_ratio(0.0, 20.0) > 2.95);
        assert!(even.likelihood_ratio(0.0, 20.0).abs() < 0.5);
    }

    #[test]
    fn the_same_player_twice_is_even() {
        let variant = Variant::named("english").unwrap();
        let weights = Weights::material(&variant);
        let tally = Match {
            variant: &variant,
            players: [&weights, &weights],
            limit: Limit::nodes(200),
            seed: 1,
            pairs: 3,
            tables: None,
        }
        .play(&mut |_| ControlFlow::Continue(()));
        assert_eq!(tally.wins, tally.losses);
    }
}
