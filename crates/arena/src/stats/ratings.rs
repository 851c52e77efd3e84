//! Bradley-Terry ratings: the strengths that make all results together likeliest.

use super::factor::Triangle;

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
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Rating {
    /// In Elo; the mean of all players is 0.
    pub elo: f64,
    /// Half the width of the interval that has the true one in 95 of 100 cases.
    pub error: f64,
}

/// Everybody's strength.
#[derive(Clone, Debug, Default, PartialEq)]
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
    for _ in 0..100 {
        let slopes = Slopes::at(&strength, games);
        let step = slopes.step();
        // A full Newton step can overshoot where there are few games.
        let longest = step.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
        let scale = if longest > 2.0 { 2.0 / longest } else { 1.0 };
        for (value, step) in strength.iter_mut().zip(&step) {
            *value += scale * step;
        }
        if longest < 1e-10 {
            break;
        }
    }
    let mean = strength[..players].iter().sum::<f64>() / (players as f64).max(1.0);
    let errors = errors(&Slopes::at(&strength, games));
    let rating = |unknown: usize, mean: f64| Rating {
        elo: (strength[unknown] - mean) * ELO,
        error: errors[unknown],
    };
    Ratings {
        players: (0..players).map(|player| rating(player, mean)).collect(),
        first_move: rating(players, 0.0),
    }
}

/// Half the width of the 95 % interval of every unknown. Only differences between players mean
/// something, so a player's is that of the distance to the mean of all.
fn errors(slopes: &Slopes) -> Vec<f64> {
    let unknowns = slopes.gradient.len();
    let players = unknowns - 1;
    let share = 1.0 / (players as f64).max(1.0);
    let triangle = Triangle::of(unknowns, slopes.matrix());
    let mut mean = vec![share; unknowns];
    mean[players] = 0.0;
    // The covariance of every unknown with the mean, and the variance of the mean.
    let with_mean = triangle.solve(&mean);
    let of_mean: f64 = with_mean[..players].iter().sum::<f64>() * share;
    let mut variances = triangle.inverse_diagonal();
    for (variance, with_mean) in variances[..players].iter_mut().zip(&with_mean) {
        *variance += of_mean - 2.0 * with_mean;
    }
    let error = |variance: f64| 1.96 * variance.max(0.0).sqrt() * ELO;
    variances.into_iter().map(error).collect()
}

/// How the likelihood changes with the strengths: its gradient, and its curvature with the sign
/// turned.
struct Slopes<'a> {
    gradient: Vec<f64>,
    games: &'a [PairResult],
    /// How much the games of a pair say about the difference of the two.
    weights: Vec<f64>,
    /// How much each unknown is held in place by itself.
    own: Vec<f64>,
}

impl<'a> Slopes<'a> {
    fn at(strength: &[f64], games: &'a [PairResult]) -> Slopes<'a> {
        let advantage = strength.len() - 1;
        let expected = strength.iter().map(|&value| expectation(value));
        let own: Vec<f64> = expected.clone().map(|e| PRIOR * e * (1.0 - e)).collect();
        let mut gradient: Vec<f64> = expected.map(|e| PRIOR * (0.5 - e)).collect();
        let mut weights = Vec::with_capacity(games.len());
        for game in games {
            let difference = strength[game.first] + strength[advantage] - strength[game.second];
            let expected = expectation(difference);
            let surprise = game.points - game.games * expected;
            gradient[game.first] += surprise;
            gradient[advantage] += surprise;
            gradient[game.second] -= surprise;
            weights.push(game.games * expected * (1.0 - expected));
        }
        Slopes {
            gradient,
            games,
            weights,
            own,
        }
    }

    /// The curvature times a vector.
    fn times(&self, x: &[f64]) -> Vec<f64> {
        let advantage = x.len() - 1;
        let mut product: Vec<f64> = self.own.iter().zip(x).map(|(own, x)| own * x).collect();
        for (game, weight) in self.games.iter().zip(&self.weights) {
            let force = weight * (x[game.first] + x[advantage] - x[game.second]);
            product[game.first] += force;
            product[advantage] += force;
            product[game.second] -= force;
        }
        product
    }

    /// The curvature cell by cell.
    fn matrix(&self) -> Vec<f64> {
        let size = self.own.len();
        let mut cells = vec![0.0; size * size];
        for (index, own) in self.own.iter().enumerate() {
            cells[index * size + index] = *own;
        }
        for (game, weight) in self.games.iter().zip(&self.weights) {
            let parts = [(game.first, 1.0), (size - 1, 1.0), (game.second, -1.0)];
            for (a, sign) in parts {
                for (b, other) in parts {
                    cells[a * size + b] += sign * other * weight;
                }
            }
        }
        cells
    }

    fn diagonal(&self) -> Vec<f64> {
        let mut diagonal = self.own.clone();
        let advantage = diagonal.len() - 1;
        for (game, weight) in self.games.iter().zip(&self.weights) {
            for unknown in [game.first, game.second, advantage] {
                diagonal[unknown] += weight;
            }
        }
        diagonal
    }

    /// Newton's step, by conjugate gradients: a pass over the games for each of a few rounds, where
    /// solving the equations outright would take the cube of the players.
    fn step(&self) -> Vec<f64> {
        let diagonal = self.diagonal();
        let scaled =
            |rest: &[f64]| -> Vec<f64> { rest.iter().zip(&diagonal).map(|(r, d)| r / d).collect() };
        let mut step = vec![0.0; diagonal.len()];
        let mut rest = self.gradient.clone();
        let mut direction = scaled(&rest);
        let mut size = product(&rest, &direction);
        let enough = size * 1e-24;
        for _ in 0..4 * diagonal.len() + 50 {
            if size <= enough {
                break;
            }
            let pushed = self.times(&direction);
            let length = size / product(&direction, &pushed);
            add(&mut step, length, &direction);
            add(&mut rest, -length, &pushed);
            let next = scaled(&rest);
            let next_size = product(&rest, &next);
            let keep = next_size / size;
            for (direction, next) in direction.iter_mut().zip(next) {
                *direction = next + keep * *direction;
            }
            size = next_size;
        }
        step
    }
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += factor * what;
    }
}

fn expectation(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
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

    /// What a matrix inverted cell by cell says, for players who met at random.
    #[test]
    fn errors_are_those_of_the_whole_inverse() {
        let players = 40;
        let mut chance = kingme_play::Chance::fork(1, 2);
        let mut number = |below: u64| (chance.number() % below) as usize;
        let games: Vec<PairResult> = (0..200)
            .map(|_| (number(40), number(40), number(7)))
            .filter(|(first, second, _)| first != second)
            .map(|(first, second, half)| game(first, second, half as f64 / 2.0, 3.0))
            .collect();
        let ratings = bradley_terry(players, &games);
        let mean = ratings.players.iter().map(|rating| rating.elo).sum::<f64>();
        assert!(mean.abs() < 1e-6, "{mean}");
        let mut strength: Vec<f64> = ratings.players.iter().map(|r| r.elo / ELO).collect();
        strength.push(ratings.first_move.elo / ELO);
        // The likeliest strengths have no slope but the one of their mean, which is free here.
        let slopes = Slopes::at(&strength, &games);
        let triangle = Triangle::of(players + 1, slopes.matrix());
        for player in [0, 7, 39] {
            let mut weights = vec![-1.0 / players as f64; players + 1];
            weights[players] = 0.0;
            weights[player] += 1.0;
            let variance = product(&triangle.solve(&weights), &weights);
            let error = 1.96 * variance.sqrt() * ELO;
            let found = ratings.players[player].error;
            assert!((found / error - 1.0).abs() < 0.01, "{found} is not {error}");
        }
    }

    #[test]
    fn the_likeliest_strengths_have_no_slope() {
        let games = [
            game(0, 1, 3.0, 4.0),
            game(1, 2, 1.5, 2.0),
            game(2, 0, 0.0, 3.0),
        ];
        let before = [0.3, -0.2, 0.1, 0.05];
        let step = Slopes::at(&before, &games).step();
        let slopes = Slopes::at(&before, &games);
        let back = slopes.times(&step);
        for (a, b) in back.iter().zip(&slopes.gradient) {
            assert!((a - b).abs() < 1e-9, "{a} is not {b}");
        }
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
