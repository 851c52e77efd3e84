//! Glicko-2 for ladders: ratings that follow the games one by one.
//!
//! After Glickman, "Example of the Glicko-2 system" (2022). Each game is a rating period of its
//! own, applied in the order of the log, so that the same log gives the same ratings.

/// A player's standing.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Glicko {
    /// On the usual scale around 1500.
    pub rating: f64,
    /// How uncertain that is: one standard deviation.
    pub deviation: f64,
    /// How much the player's strength is expected to change.
    pub volatility: f64,
}

/// A result against somebody.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct GlickoGame {
    /// How the opponent stood before the game.
    pub opponent: Glicko,
    /// 1, ½ or 0.
    pub score: f64,
}

impl Default for Glicko {
    fn default() -> Glicko {
        Glicko {
            rating: 1500.0,
            deviation: 350.0,
            volatility: 0.06,
        }
    }
}

const SCALE: f64 = 173.7178;
/// How quickly volatility itself may change.
const TAU: f64 = 0.5;

impl Glicko {
    /// The standing after a period with these games.
    #[must_use]
    pub fn after(self, games: &[GlickoGame]) -> Glicko {
        let mu = (self.rating - 1500.0) / SCALE;
        let phi = self.deviation / SCALE;
        let mut information = 0.0;
        let mut surprise = 0.0;
        for game in games {
            let weight = g(game.opponent.deviation / SCALE);
            let expected =
                1.0 / (1.0 + (-weight * (mu - (game.opponent.rating - 1500.0) / SCALE)).exp());
            information += weight * weight * expected * (1.0 - expected);
            surprise += weight * (game.score - expected);
        }
        if games.is_empty() {
            let deviation = (phi * phi + self.volatility.powi(2)).sqrt() * SCALE;
            return Glicko { deviation, ..self };
        }
        let variance = 1.0 / information;
        let volatility = new_volatility(self.volatility, phi, variance, variance * surprise);
        let before = phi * phi + volatility * volatility;
        let new_phi = 1.0 / (1.0 / before + 1.0 / variance).sqrt();
        Glicko {
            rating: (mu + new_phi * new_phi * surprise) * SCALE + 1500.0,
            deviation: new_phi * SCALE,
            volatility,
        }
    }
}

fn g(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * phi * phi / std::f64::consts::PI.powi(2)).sqrt()
}

/// Step 5 of the paper: the volatility that explains the surprise best.
fn new_volatility(volatility: f64, phi: f64, variance: f64, delta: f64) -> f64 {
    let start = volatility.powi(2).ln();
    let f = |x: f64| {
        let e = x.exp();
        let spread = phi * phi + variance + e;
        e * (delta * delta - spread) / (2.0 * spread * spread) - (x - start) / (TAU * TAU)
    };
    let mut a = start;
    let mut b = if delta * delta > phi * phi + variance {
        (delta * delta - phi * phi - variance).ln()
    } else {
        let below = (1..100)
            .map(|k| start - f64::from(k) * TAU)
            .find(|&x| f(x) >= 0.0);
        below.unwrap_or(start - TAU)
    };
    let (mut fa, mut fb) = (f(a), f(b));
    for _ in 0..100 {
        if (b - a).abs() <= 1e-9 {
            break;
        }
        let c = a + (a - b) * fa / (fb - fa);
        let fc = f(c);
        if fc * fb <= 0.0 {
            (a, fa) = (b, fb);
        } else {
            fa /= 2.0;
        }
        (b, fb) = (c, fc);
    }
    (a / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_paper() {
        let opponent = |rating: f64, deviation: f64| Glicko {
            rating,
            deviation,
            volatility: 0.06,
        };
        let games = [
            (opponent(1400.0, 30.0), 1.0),
            (opponent(1550.0, 100.0), 0.0),
            (opponent(1700.0, 300.0), 0.0),
        ]
        .map(|(opponent, score)| GlickoGame { opponent, score });
        let after = opponent(1500.0, 200.0).after(&games);
        assert!((after.rating - 1464.06).abs() < 0.02, "{}", after.rating);
        assert!(
            (after.deviation - 151.52).abs() < 0.02,
            "{}",
            after.deviation
        );
        assert!(
            (after.volatility - 0.05999).abs() < 0.00001,
            "{}",
            after.volatility
        );
    }

    #[test]
    fn a_pause_makes_a_rating_less_certain() {
        let before = Glicko {
            deviation: 50.0,
            ..Glicko::default()
        };
        let after = before.after(&[]);
        assert!(after.deviation > 50.0);
        assert!((after.rating - 1500.0).abs() < 1e-9);
    }
}
