//! The score of a match, counted by games and by mirrored pairs.

/// A player's results against another.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs of games from the same opening with colours swapped, by the points they gave:
    /// 0, ½, 1, 1½ and 2.
    pub pairs: [u64; 5],
}

/// A difference in playing strength.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Elo {
    /// The likeliest.
    pub difference: f64,
    /// Half the width of the interval that has the true one in 95 of 100 cases.
    pub error: f64,
}

impl Tally {
    /// Counts a game by its score: 1, ½ or 0.
    pub fn add_game(&mut self, score: f64) {
        match score {
            1.0 => self.wins += 1,
            0.5 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// Counts a pair, whose games have been counted, by its score from 0 to 2.
    pub fn add_pair(&mut self, score: f64) {
        self.pairs[(score * 2.0).round().clamp(0.0, 4.0) as usize] += 1;
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: a win is 1, a draw ½.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The share of games that were drawn.
    pub fn draw_rate(&self) -> f64 {
        self.draws as f64 / (self.games() as f64).max(1.0)
    }

    /// The mean score of a game and the standard error of that mean. Pairs, where there are any,
    /// give the error: the two games of a pair are not independent.
    fn mean(&self) -> Option<(f64, f64)> {
        let pairs: u64 = self.pairs.iter().sum();
        if pairs > 0 {
            return mean_of(&[0.0, 0.25, 0.5, 0.75, 1.0], &self.pairs);
        }
        mean_of(&[0.0, 0.5, 1.0], &[self.losses, self.draws, self.wins])
    }

    /// The difference in strength that the results speak for; `None` without games.
    pub fn elo(&self) -> Option<Elo> {
        let (mean, error) = self.mean()?;
        // How steep Elo is at that score.
        let slope = 400.0 / std::f64::consts::LN_10 / (mean * (1.0 - mean));
        Some(Elo {
            difference: elo_of(mean),
            error: 1.96 * error * slope,
        })
    }

    /// How likely it is that the player is the stronger one; `None` without games.
    pub fn likelihood_of_superiority(&self) -> Option<f64> {
        let (mean, error) = self.mean()?;
        Some(normal((mean - 0.5) / error))
    }
}

/// The mean of scores and its standard error. A few results that are all alike do not mean that
/// there are no others: the error is taken as if there had been one more, half a loss and half a
/// win, and so is a mean that would be 0 or 1.
fn mean_of(scores: &[f64], counts: &[u64]) -> Option<(f64, f64)> {
    let seen: u64 = counts.iter().sum();
    if seen == 0 {
        return None;
    }
    let (seen, total) = (seen as f64, seen as f64 + 1.0);
    let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
        let parts = scores.iter().zip(counts);
        parts
            .map(|(score, count)| value(*score) * *count as f64)
            .sum()
    };
    let points = sum(&|score| score);
    let mean = if points > 0.0 && points < seen {
        points / seen
    } else {
        (points + 0.5) / total
    };
    let imagined = f64::midpoint(mean.powi(2), (1.0 - mean).powi(2));
    let variance = (sum(&|score| (score - mean).powi(2)) + imagined) / total;
    Some((mean, (variance / total).sqrt()))
}

/// The difference in Elo that gives such a score, between 0 and 1.
fn elo_of(score: f64) -> f64 {
    // An even score is 0, and not -0.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// The normal distribution's share below `z`.
fn normal(z: f64) -> f64 {
    // Abramowitz and Stegun 7.1.26, good to seven digits.
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = [
        1.061_405_429,
        -1.453_152_027,
        1.421_413_741,
        -0.284_496_736,
        0.254_829_592,
    ];
    let polynomial = series.iter().fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = polynomial * (-x * x).exp() / 2.0;
    if z > 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally {
            wins,
            draws,
            losses,
            pairs: [0; 5],
        }
    }

    fn close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    #[test]
    fn three_quarters_are_191_elo() {
        let elo = tally(60, 30, 10).elo().unwrap();
        close(elo.difference, 190.85, 0.01);
        // A score of 0.75 ± 0.0660 (95 %), where a point is 926.5 Elo.
        close(elo.error, 61.15, 0.05);
    }

    #[test]
    fn even_scores_say_nothing() {
        let even = tally(10, 5, 10);
        close(even.elo().unwrap().difference, 0.0, 1e-9);
        close(even.likelihood_of_superiority().unwrap(), 0.5, 1e-6);
    }

    #[test]
    fn results_that_are_all_alike_leave_a_doubt() {
        let draws = tally(0, 8, 0);
        let elo = draws.elo().unwrap();
        assert_eq!(
            format!("{:+.1} ± {:.1}", elo.difference, elo.error),
            "+0.0 ± 75.7"
        );
        close(draws.likelihood_of_superiority().unwrap(), 0.5, 1e-6);
        let wins = tally(5, 0, 0).elo().unwrap();
        assert_eq!(
            format!("{:+.1} ± {:.1}", wins.difference, wins.error),
            "+416.6 ± 502.9"
        );
        let one = tally(0, 0, 1).elo().unwrap();
        assert!(one.difference < -100.0 && one.error > 400.0, "{one:?}");
        let mut pairs = tally(3, 3, 0);
        pairs.pairs = [0, 0, 0, 3, 0];
        let elo = pairs.elo().unwrap();
        close(elo.difference, 190.85, 0.01);
        assert!(elo.error > 200.0, "{elo:?}");
        assert_eq!(tally(0, 0, 0).elo(), None);
    }

    /// Matches of few pairs by chance: the interval has the true difference about as often as it
    /// says.
    #[test]
    fn errors_are_honest_with_few_games() {
        for (pairs, win, draw) in [(3, 0.4, 0.3), (5, 0.6, 0.2), (10, 0.3, 0.6), (30, 0.7, 0.1)] {
            let truth = elo_of(win + draw / 2.0);
            let mut held = 0;
            for seed in 0..2000 {
                let mut chance = kingme_play::Chance::fork(11, seed);
                let mut tally = tally(0, 0, 0);
                let mut game = || match (chance.number() % 1_000_000) as f64 / 1e6 {
                    x if x < win => 1.0,
                    x if x < win + draw => 0.5,
                    _ => 0.0,
                };
                for _ in 0..pairs {
                    tally.add_pair(game() + game());
                }
                let elo = tally.elo().unwrap();
                held += u32::from((elo.difference - truth).abs() <= elo.error);
            }
            assert!(held >= 1850, "{pairs} pairs: {held} of 2000");
            assert!(pairs < 30 || held < 1980, "{pairs} pairs: {held} of 2000");
        }
    }

    #[test]
    fn superiority_of_62_against_38() {
        // z = 0.12 / (0.4854 / 10) = 2.472
        close(
            tally(62, 0, 38).likelihood_of_superiority().unwrap(),
            0.9933,
            0.0002,
        );
    }

    #[test]
    fn pairs_that_cancel_out_narrow_the_error() {
        let mut paired = tally(50, 0, 50);
        paired.pairs = [0, 0, 50, 0, 0];
        let games = tally(50, 0, 50).elo().unwrap().error;
        assert!(paired.elo().unwrap().error < games / 4.0);
    }
}
