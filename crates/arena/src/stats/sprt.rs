//! Wald's sequential test, for mirrored pairs of games and normalised or logistic Elo.

use std::str::FromStr;

/// A test between two hypotheses about the difference of two players.
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
    /// How often it may accept what should be refused.
    pub alpha: f64,
    /// How often it may refuse what should be accepted.
    pub beta: f64,
    /// What Elo means.
    pub model: EloModel,
}

/// What a difference in Elo means to a test.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// So many standard deviations of a game's score: how many games a test takes does not depend
    /// on how many are drawn.
    #[default]
    Normalised,
    /// A mean score, as ratings have it.
    Logistic,
}

impl FromStr for EloModel {
    type Err = String;

    fn from_str(word: &str) -> Result<EloModel, String> {
        match word {
            "normalised" => Ok(EloModel::Normalised),
            "logistic" => Ok(EloModel::Logistic),
            _ => Err(format!("`{word}` is none of normalised and logistic")),
        }
    }
}

impl std::fmt::Display for EloModel {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            EloModel::Normalised => "normalised",
            EloModel::Logistic => "logistic",
        })
    }
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
                alpha: 0.05,
                beta: 0.05,
                model: EloModel::default(),
            }),
            _ => Err(SprtError(text.to_owned())),
        }
    }
}

/// Nobody wants to tell larger differences apart.
const MOST_ELO: f64 = 1000.0;

/// The scores of a pair, as a share.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Sprt {
    /// Where the log-likelihood ratio decides, for refusal and for acceptance.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// Whether it can be decided.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), String> {
        for (name, share) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(share > 0.0 && share < 0.5) {
                return Err(format!(
                    "{name} is the share of wrong decisions, more than 0 and less than 0.5, not {share}"
                ));
            }
        }
        if self.elo0.abs().max(self.elo1.abs()) > MOST_ELO {
            let (elo0, elo1) = (self.elo0, self.elo1);
            return Err(format!(
                "the differences are at most {MOST_ELO} Elo, not {elo0} and {elo1}"
            ));
        }
        Ok(())
    }

    /// How it stands, in words.
    pub fn in_words(&self, pairs: [u64; 5]) -> String {
        let verdict = match self.verdict(pairs) {
            Verdict::Accepted => format!("accepted: {} or better", self.elo1),
            Verdict::Refused => format!("refused: {} or worse", self.elo0),
            Verdict::Open => "not decided".to_owned(),
        };
        let (elo0, elo1, model) = (self.elo0, self.elo1, self.model);
        format!("SPRT {elo0}, {elo1} ({model}): {verdict}")
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
        let [low, high] = [self.elo0, self.elo1].map(|elo| self.likeliest(seen, elo));
        let ratio = |i: usize| seen[i] * (high[i] / low[i]).ln();
        total * (0..5).map(ratio).sum::<f64>()
    }
}

impl Sprt {
    /// The likeliest distribution, given what was seen, if the difference is so large.
    fn likeliest(&self, seen: [f64; 5], elo: f64) -> [f64; 5] {
        match self.model {
            // A pair has two games, so its score spreads less by the root of two.
            EloModel::Normalised => {
                let deviations = elo * std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2;
                likeliest(seen, deviations)
            }
            EloModel::Logistic => {
                let mean = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
                balanced(seen, SCORES.map(|score| score - mean))
            }
        }
    }
}

/// The likeliest distribution, given what was seen, whose mean is `t` of its own standard
/// deviations above one half.
fn likeliest(seen: [f64; 5], t: f64) -> [f64; 5] {
    // A large difference is beyond the reach of the first guess: it is approached step by step.
    let steps = (t.abs() / 0.5).ceil().max(1.0);
    let guesses = (1..=steps as u32).map(|step| t * f64::from(step) / steps);
    guesses.fold([0.2; 5], |guess, t| likeliest_near(guess, seen, t))
}

/// The same from a guess that is not far from it.
fn likeliest_near(mut guess: [f64; 5], seen: [f64; 5], t: f64) -> [f64; 5] {
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

    /// For many pairs the ratio is that of two normal distributions of the mean.
    #[test]
    fn the_logistic_model_is_about_the_mean() {
        let pairs = [300, 2000, 5000, 2200, 400];
        let test = Sprt {
            model: EloModel::Logistic,
            ..sprt("0,10")
        };
        let total: u64 = pairs.iter().sum();
        let share = |i: usize| pairs[i] as f64 / total as f64;
        let mean: f64 = (0..5).map(|i| share(i) * SCORES[i]).sum();
        let variance: f64 = (0..5).map(|i| share(i) * (SCORES[i] - mean).powi(2)).sum();
        let score = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let (s0, s1) = (score(0.0), score(10.0));
        let normal = total as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let exact = test.llr(pairs);
        assert!(
            (exact / normal - 1.0).abs() < 0.01,
            "{exact} is not {normal}"
        );
        assert!(
            (exact - sprt("0,10").llr(pairs)).abs() > 0.1,
            "the models differ"
        );
    }

    #[test]
    fn wrong_decisions_set_the_bounds() {
        let test = Sprt {
            alpha: 0.01,
            beta: 0.1,
            ..sprt("0,5")
        };
        let (low, high) = test.bounds();
        assert!((low - (0.1_f64 / 0.99).ln()).abs() < 1e-12);
        assert!((high - (0.9_f64 / 0.01).ln()).abs() < 1e-12);
        assert_eq!(test.check(), Ok(()));
        assert!(Sprt { beta: 0.5, ..test }.check().is_err());
        assert!(
            Sprt {
                alpha: f64::NAN,
                ..test
            }
            .check()
            .is_err()
        );
    }

    #[test]
    fn mirrored_results_mirror_the_ratio() {
        let forward = sprt("0,5").llr([3, 40, 100, 60, 9]);
        let backward = sprt("-5,0").llr([9, 60, 100, 40, 3]);
        assert!((forward + backward).abs() < 1e-6);
    }

    /// Where the first guess is too far from what is asked for, there is a ratio nevertheless.
    #[test]
    fn large_differences_can_be_tested() {
        for pairs in [[3, 40, 100, 60, 9], [0, 0, 5, 0, 0], [0, 1, 0, 0, 7]] {
            for elo in [250, 400, 900] {
                let [up, down] = [sprt(&format!("0,{elo}")), sprt(&format!("-{elo},0"))];
                assert!(up.llr(pairs).is_finite(), "{elo} {pairs:?}");
                assert!(down.llr(pairs).is_finite(), "-{elo} {pairs:?}");
            }
        }
        let even = [0, 5, 50, 5, 0];
        assert_eq!(sprt("0,900").verdict(even), Verdict::Refused);
        assert_eq!(sprt("0,300").verdict([0, 0, 0, 0, 40]), Verdict::Accepted);
        let too_large = sprt("0,5000").check().unwrap_err();
        assert_eq!(
            too_large,
            "the differences are at most 1000 Elo, not 0 and 5000"
        );
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
