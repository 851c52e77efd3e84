//! The test that ends a league: the first player against the others, pair by pair.

use std::collections::{BTreeMap, HashMap};

use super::{Finished, History, LeagueFile, Round};
use crate::stats::{Sprt, Verdict};

/// A test with the pairs of games that it has seen.
pub(super) struct Trial {
    sprt: Sprt,
    /// Once it is decided, it stays so: games that were in progress don't count.
    is_decided: bool,
    /// Pairs by the points of the first player: 0, ½, 1, 1½ and 2.
    pairs: [u64; 5],
    /// The points of games whose pair is not complete.
    open: HashMap<u64, f64>,
    /// The stretches of the league whose games count: those under the conditions of now, with the
    /// present version of the first player.
    first_era: u32,
}

impl Trial {
    /// The test of a league, with its results so far; `None` if it has none.
    pub fn new(
        file: &LeagueFile,
        history: &History,
        results: &BTreeMap<u64, Finished>,
    ) -> Option<Trial> {
        let now = |era: u32| (history.conditions_at(era), history.version_at(0, era).0);
        let eras = 0..=history.era();
        let mut trial = Trial {
            sprt: file.sprt?,
            is_decided: false,
            pairs: [0; 5],
            open: HashMap::new(),
            first_era: eras
                .into_iter()
                .find(|era| now(*era) == now(history.era()))?,
        };
        for game in results.values() {
            trial.add(&history.rounds, game);
        }
        Some(trial)
    }

    /// Counts a game.
    pub fn add(&mut self, rounds: &[Round], game: &Finished) {
        let score = match game.players {
            _ if game.era < self.first_era || self.is_decided => return,
            [0, _] => game.white_score,
            [_, 0] => 1.0 - game.white_score,
            _ => return,
        };
        let Some(round) = rounds.get(game.round.saturating_sub(1) as usize) else {
            return;
        };
        // Meetings have an even number of games.
        let pair = (game.game - round.first_game) / 2 * 2 + round.first_game;
        match self.open.remove(&pair) {
            Some(other) => {
                self.pairs[((score + other) * 2.0).round() as usize] += 1;
                self.is_decided = self.sprt.verdict(self.pairs) != Verdict::Open;
            }
            None => {
                self.open.insert(pair, score);
            }
        }
    }

    pub fn is_decided(&self) -> bool {
        self.is_decided
    }

    pub fn in_words(&self) -> String {
        let (low, high) = self.sprt.bounds();
        let llr = self.sprt.llr(self.pairs);
        let words = self.sprt.in_words(self.pairs);
        format!("{words}; LLR {llr:.2} ({low:.2}, {high:.2})")
    }
}
