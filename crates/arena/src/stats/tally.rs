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
    /// Half the width of the interval that has the true one in 95 of 100 cases; infinite where
    /// the results don't say.
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
        let low = elo_of(mean - 1.96 * error);
        let high = elo_of(mean + 1.96 * error);
        let error = if low.is_finite() && high.is_finite() {
            (high - low) / 2.0
        } else {
            f64::INFINITY
        };
        Some(Elo {
            difference: elo_of(mean),
            error,
        })
    }

    /// How likely it is that the player is the stronger one; `None` without games.
    pub fn likelihood_of_superiority(&self) -> Option<f64> {
        let (mean, error) = self.mean()?;
        Some(match (mean - 0.5) / error {
            z if z.is_nan() => 0.5,
            z => normal(z),
        })
    }
}

fn mean_of(scores: &[f64], counts: &[u64]) -> Option<(f64, f64)> {
    let total: u64 = counts.iter().sum();
    if total == 0 {
        return None;
    }
    let total = total as f64;
    let weighed = |value: &dyn Fn(f64) -> f64| {
        let sum: f64 = scores
            .iter()
            .zip(counts)
            .map(|(s, n)| value(*s) * *n as f64)
            .sum();
        sum / total
    };
    let mean = weighed(&|score| score);
    let variance = weighed(&|score| (score - mean).powi(2));
    Some((mean, (variance / total).sqrt()))
}

/// The difference in Elo that gives such a score.
fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
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
        // A score of 0.75 ± 0.0657 (95 %) is 134.4 to 258.5 Elo.
        close(elo.error, 62.05, 0.05);
    }

    #[test]
    fn even_scores_say_nothing() {
        let even = tally(10, 5, 10);
        close(even.elo().unwrap().difference, 0.0, 1e-9);
        close(even.likelihood_of_superiority().unwrap(), 0.5, 1e-6);
    }

    #[test]
    fn all_draws_are_certainly_even() {
        let elo = tally(0, 8, 0).elo().unwrap();
        close(elo.difference, 0.0, 1e-9);
        close(elo.error, 0.0, 1e-9);
        close(
            tally(0, 8, 0).likelihood_of_superiority().unwrap(),
            0.5,
            1e-9,
        );
    }

    #[test]
    fn nothing_but_wins_has_no_bound() {
        let elo = tally(5, 0, 0).elo().unwrap();
        assert_eq!((elo.difference, elo.error), (f64::INFINITY, f64::INFINITY));
        assert_eq!(tally(0, 0, 0).elo(), None);
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
        close(paired.elo().unwrap().error, 0.0, 1e-9);
    }
}
