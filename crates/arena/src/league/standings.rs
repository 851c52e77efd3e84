//! The table of a league: points, ratings, who beat whom.

use std::collections::BTreeMap;
use std::fmt;

use super::schedule::glicko;
use super::{Finished, Format, LeagueFile};
use crate::stats::{Glicko, PairResult, Rating, Ratings, bradley_terry};

/// The table of a league, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// A row for each player.
    pub rows: Vec<Row>,
    /// What it is worth to move first, in Elo.
    pub first_move: Rating,
    /// How many games were played.
    pub games: u64,
    is_ladder: bool,
}

/// A player's row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The player's number in the file.
    pub player: usize,
    /// Its name.
    pub name: String,
    /// A win is 1, a draw ½.
    pub points: f64,
    /// Games won, drawn and lost.
    pub results: [u32; 3],
    /// Strength by all games together.
    pub rating: Rating,
    /// Strength by the games in their order.
    pub glicko: Glicko,
    /// Points and games against each player, in the order of the rows.
    pub against: Vec<(f64, u32)>,
}

impl Standings {
    /// The table after these results.
    pub fn new(file: &LeagueFile, results: &BTreeMap<u64, Finished>) -> Standings {
        let count = file.players.len();
        let mut against = vec![vec![(0.0, 0); count]; count];
        let mut scores = vec![[0; 3]; count];
        for game in results.values() {
            let [white, black] = game.players;
            for (player, other, score) in [
                (white, black, game.white_score),
                (black, white, 1.0 - game.white_score),
            ] {
                against[player][other].0 += score;
                against[player][other].1 += 1;
                scores[player][2 - (score * 2.0) as usize] += 1;
            }
        }
        let ratings = ratings(file, results);
        let glicko = glicko(count, results.values());
        let points = |player: usize| {
            against[player]
                .iter()
                .map(|(points, _)| points)
                .sum::<f64>()
        };
        let is_ladder = file.format == Format::Ladder;
        let rank = |player: &usize| {
            let strength = if is_ladder {
                glicko[*player].rating
            } else {
                ratings.players[*player].elo
            };
            if is_ladder {
                (strength, 0.0)
            } else {
                (points(*player), strength)
            }
        };
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|a, b| {
            let ((a1, a2), (b1, b2)) = (rank(a), rank(b));
            b1.total_cmp(&a1).then(b2.total_cmp(&a2))
        });
        let row = |&player: &usize| Row {
            player,
            name: file.players[player].name.clone(),
            points: points(player),
            results: scores[player],
            rating: ratings.players[player],
            glicko: glicko[player],
            against: order.iter().map(|other| against[player][*other]).collect(),
        };
        Standings {
            rows: order.iter().map(row).collect(),
            first_move: ratings.first_move,
            games: results.len() as u64,
            is_ladder,
        }
    }
}

fn ratings(file: &LeagueFile, results: &BTreeMap<u64, Finished>) -> Ratings {
    let white_first = file.variant.definition().sides.first == kingme_rules::Side::White;
    let mut sums: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
    for game in results.values() {
        let [white, black] = game.players;
        let (key, score) = if white_first {
            ((white, black), game.white_score)
        } else {
            ((black, white), 1.0 - game.white_score)
        };
        let sum = sums.entry(key).or_default();
        *sum = (sum.0 + score, sum.1 + 1.0);
    }
    let pairs: Vec<PairResult> = sums
        .into_iter()
        .map(|((first, second), (points, games))| PairResult {
            first,
            second,
            points,
            games,
        })
        .collect();
    bradley_terry(file.players.len(), &pairs)
}

impl fmt::Display for Standings {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let width = self
            .rows
            .iter()
            .map(|row| row.name.chars().count())
            .max()
            .unwrap_or(0)
            .max(6);
        write!(f, "  # {:width$}  Points  Games", "Player")?;
        write!(
            f,
            "{}",
            if self.is_ladder {
                "  Glicko-2     "
            } else {
                "  Elo          "
            }
        )?;
        for (index, _) in self.rows.iter().enumerate() {
            write!(f, " {:>6}", index + 1)?;
        }
        writeln!(f)?;
        for (index, row) in self.rows.iter().enumerate() {
            let games: u32 = row.results.iter().sum();
            let strength = if self.is_ladder {
                format!(
                    "{:>6.0} ± {:<4.0}",
                    row.glicko.rating,
                    1.96 * row.glicko.deviation
                )
            } else {
                format!("{:>+6.0} ± {:<4.0}", row.rating.elo, row.rating.error)
            };
            write!(
                f,
                "{:>3} {:width$}  {:>6.1}  {games:>5}  {strength}",
                index + 1,
                row.name,
                row.points
            )?;
            for (other, (points, games)) in row.against.iter().enumerate() {
                match (other == index, games) {
                    (true, _) => write!(f, " {:>6}", "*")?,
                    (_, 0) => write!(f, " {:>6}", ".")?,
                    _ => write!(f, " {points:>6.1}")?,
                }
            }
            writeln!(f)?;
        }
        let first = self.first_move;
        writeln!(
            f,
            "{} games; moving first is worth {:+.0} ± {:.0} Elo",
            self.games, first.elo, first.error
        )
    }
}
