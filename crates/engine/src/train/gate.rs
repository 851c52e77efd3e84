//! A match between two evaluations: the new one must win to replace the old one.

use std::ops::ControlFlow;
use std::sync::Arc;

use kingme_rules::{Game, Move, Side, Variant};

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

    /// Counts the games of a pair.
    pub(crate) fn add(&mut self, pair: &[Game; 2]) {
        for (game, first) in pair.iter().zip(Side::BOTH) {
            match game.outcome().and_then(|outcome| outcome.winner) {
                Some(winner) if winner == first => self.wins += 1,
                Some(_) => self.losses += 1,
                None => self.draws += 1,
            }
        }
    }

    /// Whether there is enough to accept or to refuse, with an error of five in a hundred.
    pub(crate) fn is_clear(&self) -> bool {
        self.likelihood_ratio(0.0, 20.0).abs() > 2.95 && self.games() >= LEAST
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

/// Before so many games nothing is clear.
const LEAST: u32 = 32;
const OPENING_PLIES: usize = 6;
const LONGEST: usize = 300;

impl Match<'_> {
    /// Plays until it is clear which is better; asks `goes_on` after each pair.
    pub fn play(&self, goes_on: &mut dyn FnMut(&Tally) -> ControlFlow<()>) -> Tally {
        let mut engines = self.engines();
        let mut tally = Tally::default();
        for number in 0..self.pairs {
            tally.add(&self.pair(number, &mut engines));
            if tally.is_clear() || goes_on(&tally).is_break() {
                break;
            }
        }
        tally
    }

    /// An engine for each player.
    pub fn engines(&self) -> [Engine; 2] {
        self.players.map(|weights| {
            let mut engine = Engine::new(Options {
                hash: 4,
                ..Options::default()
            });
            engine.set_weights(weights.clone());
            if let Some(tables) = self.tables {
                engine.use_tables(self.variant, Arc::clone(tables));
            }
            engine
        })
    }

    /// Both games of an opening; the first player has White in the first.
    fn pair(&self, number: u64, engines: &mut [Engine; 2]) -> [Game; 2] {
        let opening = self.opening(number);
        Side::BOTH.map(|first| self.game(&opening, engines, first))
    }

    /// Plays a pair, and writes down its moves: for each game their count and then, for each, its
    /// place among the legal ones.
    pub fn write(&self, number: u64, engines: &mut [Engine; 2]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for game in self.pair(number, engines) {
            let moves: Vec<u16> = places(&game).skip(OPENING_PLIES).collect();
            bytes.extend((moves.len() as u16).to_le_bytes());
            bytes.extend(moves.iter().flat_map(|place| place.to_le_bytes()));
        }
        bytes
    }

    /// The games of a pair that was written down.
    ///
    /// # Errors
    ///
    /// What can't be right with them.
    pub fn read(&self, number: u64, bytes: &[u8]) -> Result<[Game; 2], String> {
        let mut places = bytes
            .chunks(2)
            .map(|pair| u16::from_le_bytes([pair[0], pair.get(1).copied().unwrap_or(u8::MAX)]));
        let opening = self.opening(number);
        let mut games = [opening.clone(), opening];
        for game in &mut games {
            let count = places.next().ok_or("a game is missing")?;
            for ply in 1..=count {
                let place = places.next().ok_or("moves are missing")?;
                let mv = legal(game, place).ok_or_else(|| format!("move {ply} is not legal"))?;
                game.play_unchecked(mv);
            }
            if !is_over(game) {
                return Err("a game is not over".to_owned());
            }
        }
        match places.next() {
            None => Ok(games),
            Some(_) => Err("there are more than two games".to_owned()),
        }
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

    /// A game in which the first player has the side `first`.
    fn game(&self, opening: &Game, engines: &mut [Engine; 2], first: Side) -> Game {
        let mut game = opening.clone();
        for engine in engines.iter_mut() {
            engine.clear();
        }
        while !is_over(&game) {
            let engine = &mut engines[usize::from(game.turn() != first)];
            let choice = engine.search(&game, &self.limit, &mut |_| ControlFlow::Continue(()));
            let choice = choice.expect("a game that goes on has a legal move");
            game.play(&choice.mv).expect("the engine plays legal moves");
        }
        game
    }
}

fn is_over(game: &Game) -> bool {
    game.outcome().is_some() || game.plies() >= LONGEST
}

/// A legal move by its place among all.
fn legal(game: &Game, place: u16) -> Option<Move> {
    let open = !is_over(game);
    let moves = open.then(|| game.legal_moves())?;
    moves.into_iter().nth(place.into())
}

/// The place of each move of a game among the legal ones.
fn places(game: &Game) -> impl Iterator<Item = u16> {
    game.history().map(|(position, turn)| {
        let mut legal = position.legal_moves().into_iter();
        let is_it = |mv: Move| turn.as_move().is_some_and(|played| mv.is_same_as(played));
        legal.position(is_it).expect("it was played") as u16
    })
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
