//! Bradley-Terry ratings: the strengths that make all results together likeliest.

/// Games between two players, summed up, with a side each.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct PairResult {
    /// The player who moved first.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// The points of the first: 1, ½ or 0 a game.
    pub points: f64,
    /// How many games.
    pub games: f64,
}

/// A player's strength.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Rating {
    /// In Elo; the mean of all players is 0.
    pub elo: f64,
    /// Half the width of the interval that has the true one in 95 of 100 cases.
    pub error: f64,
}

/// Everybody's strength.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// In the order of the players.
    pub players: Vec<Rating>,
    /// What it is worth to move first, in Elo.
    pub first_move: Rating,
}

/// Elo in a natural unit of odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Everybody is taken to have drawn so many games with an average player: without that, a player
/// who has won all games would be infinitely strong.
const PRIOR: f64 = 1.0;

/// The ratings of so many players by all their games. The order of the games does not matter.
///
/// ```
/// use kingme_arena::stats::{PairResult, bradley_terry};
///
/// let games = [PairResult { first: 0, second: 1, points: 75.0, games: 100.0 }];
/// let ratings = bradley_terry(2, &games);
/// assert!(ratings.players[0].elo > ratings.players[1].elo);
/// ```
pub fn bradley_terry(players: usize, games: &[PairResult]) -> Ratings {
    // The last unknown is the advantage of the first move.
    let unknowns = players + 1;
    let mut strength = vec![0.0; unknowns];
    let mut hessian = vec![vec![0.0; unknowns]; unknowns];
    for _ in 0..50 {
        let gradient;
        (gradient, hessian) = slopes(&strength, games);
        let step = solve(hessian.clone(), gradient);
        // A full Newton step can overshoot where there are few games.
        let longest = step.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
        let scale = if longest > 2.0 { 2.0 / longest } else { 1.0 };
        strength
            .iter_mut()
            .zip(&step)
            .for_each(|(value, step)| *value += scale * step);
        if longest < 1e-12 {
            break;
        }
    }
    let mean = strength[..players].iter().sum::<f64>() / (players as f64).max(1.0);
    let advantage = players;
    Ratings {
        players: (0..players)
            .map(|player| {
                // Only differences mean something: the error is that of the distance to the mean.
                let mut distance = vec![-1.0 / players as f64; unknowns];
                distance[advantage] = 0.0;
                distance[player] += 1.0;
                Rating {
                    elo: (strength[player] - mean) * ELO,
                    error: error_of(&hessian, &distance),
                }
            })
            .collect(),
        first_move: {
            let mut alone = vec![0.0; unknowns];
            alone[advantage] = 1.0;
            Rating {
                elo: strength[advantage] * ELO,
                error: error_of(&hessian, &alone),
            }
        },
    }
}

/// Half the width of the 95 % interval of a sum of strengths with these weights.
fn error_of(hessian: &[Vec<f64>], weights: &[f64]) -> f64 {
    let spread = solve(hessian.to_vec(), weights.to_vec());
    let variance: f64 = spread
        .iter()
        .zip(weights)
        .map(|(spread, weight)| spread * weight)
        .sum();
    1.96 * variance.max(0.0).sqrt() * ELO
}

/// How the likelihood changes with the strengths: its gradient, and its curvature with the sign
/// turned.
fn slopes(strength: &[f64], games: &[PairResult]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let unknowns = strength.len();
    let advantage = unknowns - 1;
    let mut gradient = vec![0.0; unknowns];
    let mut hessian = vec![vec![0.0; unknowns]; unknowns];
    for game in games {
        let expected =
            expectation(strength[game.first] + strength[advantage] - strength[game.second]);
        let surprise = game.points - game.games * expected;
        let weight = game.games * expected * (1.0 - expected);
        let part = [(game.first, 1.0), (advantage, 1.0), (game.second, -1.0)];
        for (a, sign) in part {
            gradient[a] += sign * surprise;
            for (b, other) in part {
                hessian[a][b] += sign * other * weight;
            }
        }
    }
    for unknown in 0..unknowns {
        let expected = expectation(strength[unknown]);
        gradient[unknown] += PRIOR * (0.5 - expected);
        hessian[unknown][unknown] += PRIOR * expected * (1.0 - expected);
    }
    (gradient, hessian)
}

fn expectation(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Solves a system of linear equations with a positive definite matrix.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for column in 0..size {
        let pivot_row = matrix[column].clone();
        let pivot_right = right[column];
        for row in column + 1..size {
            let factor = matrix[row][column] / pivot_row[column];
            if factor != 0.0 {
                for (cell, above) in matrix[row].iter_mut().zip(&pivot_row).skip(column) {
                    *cell -= factor * above;
                }
                right[row] -= factor * pivot_right;
            }
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size)
            .map(|column| matrix[row][column] * right[column])
            .sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(first: usize, second: usize, points: f64, games: f64) -> PairResult {
        PairResult {
            first,
            second,
            points,
            games,
        }
    }

    #[test]
    fn a_score_of_three_quarters_is_191_elo() {
        let ratings = bradley_terry(
            2,
            &[game(0, 1, 7500.0, 10_000.0), game(1, 0, 2500.0, 10_000.0)],
        );
        let difference = ratings.players[0].elo - ratings.players[1].elo;
        assert!((difference - 190.85).abs() < 0.1, "{difference}");
        assert!(ratings.first_move.elo.abs() < 0.1);
    }

    #[test]
    fn the_first_move_is_told_from_strength() {
        let ratings = bradley_terry(2, &[game(0, 1, 640.0, 1000.0), game(1, 0, 640.0, 1000.0)]);
        assert!((ratings.players[0].elo - ratings.players[1].elo).abs() < 1e-6);
        assert!(
            (ratings.first_move.elo - 100.0).abs() < 1.0,
            "{}",
            ratings.first_move.elo
        );
    }

    #[test]
    fn strengths_add_up_over_third_players() {
        // 0 beats 1 as 1 beats 2, and 0 never meets 2.
        let games = [
            game(0, 1, 6400.0, 10_000.0),
            game(1, 0, 3600.0, 10_000.0),
            game(1, 2, 6400.0, 10_000.0),
            game(2, 1, 3600.0, 10_000.0),
        ];
        let players = bradley_terry(3, &games).players;
        assert!((players[0].elo - players[2].elo - 199.9).abs() < 1.0);
        assert!(players[1].elo.abs() < 0.1);
    }

    #[test]
    fn errors_shrink_with_the_root_of_the_games() {
        let error =
            |games: f64| bradley_terry(2, &[game(0, 1, games / 2.0, games)]).players[0].error;
        let ratio = error(400.0) / error(6400.0);
        assert!(ratio > 1.0, "{ratio}");
    }

    #[test]
    fn winning_everything_is_still_finite() {
        let players = bradley_terry(2, &[game(0, 1, 10.0, 10.0)]).players;
        assert!(players[0].elo.is_finite() && players[0].elo > 100.0);
    }

    #[test]
    fn nobody_and_nothing_are_fine() {
        assert!(bradley_terry(0, &[]).players.is_empty());
        assert!(
            bradley_terry(3, &[])
                .players
                .iter()
                .all(|rating| rating.elo.abs() < 1e-9)
        );
    }
}
