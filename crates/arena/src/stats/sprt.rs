//! Wald's sequential test, for mirrored pairs of games and normalised Elo.

use std::str::FromStr;

/// A test between two hypotheses about the difference of two players, in normalised Elo.
///
/// ```
/// use kingme_arena::stats::Sprt;
///
/// let sprt: Sprt = "0.5,2.5".parse()?;
/// let llr = sprt.llr([39, 8843, 26675, 9240, 44]);
/// assert!((llr - 2.94168).abs() < 0.00001);
/// # Ok::<_, kingme_arena::stats::SprtError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Sprt {
    /// No better than this: the change is refused.
    pub elo0: f64,
    /// As good as this: the change is accepted.
    pub elo1: f64,
    /// How often a wrong decision of either kind may be made.
    pub error: f64,
}

/// What a test says.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The lower hypothesis holds.
    Refused,
    /// The upper hypothesis holds.
    Accepted,
    /// More games are needed.
    Open,
}

/// A text that names no test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no test; give two differences in Elo, the lower one first, as in `0,5`")]
pub struct SprtError(String);

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let read = |word: &str| {
            word.trim()
                .parse::<f64>()
                .ok()
                .filter(|elo| elo.is_finite())
        };
        let bounds = text
            .split_once(',')
            .and_then(|(low, high)| Some((read(low)?, read(high)?)));
        match bounds {
            Some((elo0, elo1)) if elo0 < elo1 => Ok(Sprt {
                elo0,
                elo1,
                error: 0.05,
            }),
            _ => Err(SprtError(text.to_owned())),
        }
    }
}

/// The scores of a pair, as a share.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Sprt {
    /// Where the log-likelihood ratio decides, for refusal and for acceptance.
    pub fn bounds(&self) -> (f64, f64) {
        let bound = ((1.0 - self.error) / self.error).ln();
        (-bound, bound)
    }

    /// What the pairs say, counted by their points 0, ½, 1, 1½ and 2.
    pub fn verdict(&self, pairs: [u64; 5]) -> Verdict {
        let (low, high) = self.bounds();
        match self.llr(pairs) {
            llr if llr <= low => Verdict::Refused,
            llr if llr >= high => Verdict::Accepted,
            _ => Verdict::Open,
        }
    }

    /// The log-likelihood ratio of the two hypotheses.
    pub fn llr(&self, pairs: [u64; 5]) -> f64 {
        if pairs.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        // What has not been seen yet is rare, not impossible.
        let counts = pairs.map(|count| (count as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        // A pair has two games, so its score spreads less by the root of two.
        let deviations =
            |elo: f64| elo * std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2;
        let [low, high] = [self.elo0, self.elo1].map(|elo| likeliest(seen, deviations(elo)));
        let ratio = |i: usize| seen[i] * (high[i] / low[i]).ln();
        total * (0..5).map(ratio).sum::<f64>()
    }
}

/// The likeliest distribution, given what was seen, whose mean is `t` of its own standard
/// deviations above one half.
fn likeliest(seen: [f64; 5], t: f64) -> [f64; 5] {
    let mut guess = [0.2; 5];
    // Each round fixes the mean and the deviation of the last guess; it settles in a few.
    for _ in 0..100 {
        let mean: f64 = (0..5).map(|i| guess[i] * SCORES[i]).sum();
        let variance: f64 = (0..5).map(|i| guess[i] * (SCORES[i] - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let pull = SCORES.map(|score| {
            let distance = (mean - score) / deviation;
            score - 0.5 - t * deviation * (1.0 + distance * distance) / 2.0
        });
        let next = balanced(seen, pull);
        let change = (0..5)
            .map(|i| (next[i] - guess[i]).abs())
            .fold(0.0, f64::max);
        guess = next;
        if change < 1e-12 {
            break;
        }
    }
    guess
}

/// The likeliest distribution under which the values have mean 0.
fn balanced(seen: [f64; 5], values: [f64; 5]) -> [f64; 5] {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Lagrange: seen / (1 + x·value), where the mean falls as x grows between these two.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let x = f64::midpoint(low, high);
        let mean: f64 = (0..5)
            .map(|i| seen[i] * values[i] / (1.0 + x * values[i]))
            .sum();
        if mean > 0.0 { low = x } else { high = x }
    }
    let x = f64::midpoint(low, high);
    std::array::from_fn(|i| seen[i] / (1.0 + x * values[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    #[test]
    fn the_published_example() {
        let pairs = [39, 8843, 26675, 9240, 44];
        assert!((sprt("0.5,2.5").llr(pairs) - 2.94168).abs() < 1e-5);
        // The bound is ln 19 = 2.94444.
        assert_eq!(sprt("0.5,2.5").verdict(pairs), Verdict::Open);
    }

    #[test]
    fn mirrored_results_mirror_the_ratio() {
        let forward = sprt("0,5").llr([3, 40, 100, 60, 9]);
        let backward = sprt("-5,0").llr([9, 60, 100, 40, 3]);
        assert!((forward + backward).abs() < 1e-6);
    }

    #[test]
    fn clear_results_decide() {
        assert_eq!(sprt("0,20").verdict([0, 5, 50, 200, 40]), Verdict::Accepted);
        assert_eq!(sprt("0,20").verdict([40, 200, 50, 5, 0]), Verdict::Refused);
        assert_eq!(sprt("0,20").verdict([0; 5]), Verdict::Open);
    }

    #[test]
    fn bad_tests_are_refused() {
        for text in ["", "5", "5,0", "0,0", "a,b", "0,inf", "0;5"] {
            let message = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(
                message.starts_with(&format!("`{text}` names no test")),
                "{message}"
            );
        }
    }
}
