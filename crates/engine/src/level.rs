//! Levels for people: weaker play that errs as people do, and variety in the opening.

use std::time::Duration;

use kingme_rules::Game;

use crate::engine::Options;
use crate::limit::Limit;
use crate::random::Random;
use crate::report::Line;

/// The highest level: full strength.
const FULL: u8 = 10;
/// With variety, so many plies of a game are varied.
const OPENING: usize = 8;
/// Moves that are so close in points are equal to somebody who wants variety.
const NEARLY_EQUAL: f64 = 12.0;

impl Options {
    /// Whether this level knows endgames by heart: the strongest does, the others are for people to
    /// beat.
    pub fn knows_endings(&self) -> bool {
        self.level >= FULL
    }

    /// How long this level thinks about a move if nobody says: weaker ones decide sooner.
    pub fn usual_time(&self) -> Duration {
        Duration::from_millis(150) * u32::from(self.level.clamp(1, FULL))
    }
}

/// How somebody plays who does not see everything.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Style {
    /// How far it looks.
    depth: Option<u32>,
    /// How far its judgement is off, in points.
    noise: f64,
    /// How often it does not notice a move.
    overlooks: f64,
    /// How many moves it weighs.
    pub lines: usize,
}

/// The levels from 1 to 9, meant to be 100 to 200 Elo apart; `docs/ENGINE.md` has the matches.
/// Whoever errs less needs fewer moves to choose from.
const LEVELS: [Style; 9] = [
    Style::level(1, 46.0, 0.145, 12),
    Style::level(2, 54.0, 0.178, 12),
    Style::level(2, 32.0, 0.103, 12),
    Style::level(3, 31.0, 0.097, 12),
    Style::level(4, 22.0, 0.062, 12),
    Style::level(5, 18.5, 0.047, 8),
    Style::level(6, 12.0, 0.021, 6),
    Style::level(7, 7.5, 0.007, 5),
    Style::level(9, 4.0, 0.0, 4),
];

impl Style {
    const fn level(depth: u32, noise: f64, overlooks: f64, lines: usize) -> Style {
        Style {
            depth: Some(depth),
            noise,
            overlooks,
            lines,
        }
    }

    /// The style of an engine's options; `None` for full strength.
    pub fn of(options: &Options, game: &Game) -> Option<Style> {
        let level = options.level.clamp(1, FULL);
        if level < FULL {
            return Some(LEVELS[usize::from(level) - 1]);
        }
        (options.variety && game.plies() < OPENING).then_some(Style {
            depth: None,
            noise: NEARLY_EQUAL / 2.0,
            overlooks: 0.0,
            lines: 4,
        })
    }

    /// The limit with the depth of the style.
    pub fn limit(&self, limit: &Limit) -> Limit {
        let depth = match (limit.depth, self.depth) {
            (Some(asked), Some(own)) => Some(asked.min(own)),
            (asked, own) => asked.or(own),
        };
        Limit { depth, ..*limit }
    }

    /// Brings the line that it plays to the front. The same seed and the same game give the same
    /// choice.
    pub fn choose(&self, game: &Game, lines: &mut [Line], seed: u64) {
        let mut random = Random::for_task(seed, game.position().hash());
        let opinions = lines.iter().enumerate().map(|(index, line)| {
            // A capture is hard to overlook, and the last resort can't be.
            let noticed = line.moves[0].is_capture() || random.unit() >= self.overlooks;
            // Three uniform numbers make a fair bell.
            let bell = (0..3).map(|_| random.unit() - 0.5).sum::<f64>() * 2.0;
            let judgement = f64::from(line.score.value()) + bell * self.noise;
            (noticed, judgement, index)
        });
        let best = opinions.max_by(|a, b| a.partial_cmp(b).expect("scores are numbers"));
        if let Some((_, _, index)) = best {
            lines[..=index].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    #[test]
    fn each_level_sees_more_than_the_one_below() {
        for pair in LEVELS.windows(2) {
            let (lower, higher) = (&pair[0], &pair[1]);
            let errs_less = higher.noise < lower.noise && higher.overlooks <= lower.overlooks;
            assert!(higher.depth > lower.depth || (higher.depth == lower.depth && errs_less));
        }
    }

    #[test]
    fn full_strength_has_no_style() {
        let game = Game::new(&kingme_rules::Variant::named("english").unwrap());
        assert_eq!(Style::of(&Options::default(), &game), None);
        let varied = Options {
            variety: true,
            ..Options::default()
        };
        assert!(Style::of(&varied, &game).is_some());
        let weak = Options {
            level: 0,
            ..Options::default()
        };
        assert_eq!(Style::of(&weak, &game).unwrap().depth, Some(1));
    }

    /// How often a style plays each of some moves, by their scores.
    fn choices(style: &Style, scores: &[i32]) -> Vec<usize> {
        let game = Game::new(&kingme_rules::Variant::named("english").unwrap());
        let moves = game.legal_moves();
        let mut counts = vec![0; scores.len()];
        for seed in 0..500 {
            let mut lines: Vec<Line> = scores
                .iter()
                .zip(&moves)
                .map(|(&score, mv)| Line {
                    score: Score::points(score),
                    moves: vec![mv.clone()],
                })
                .collect();
            style.choose(&game, &mut lines, seed);
            let chosen = moves.iter().position(|mv| *mv == lines[0].moves[0]);
            counts[chosen.unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn variety_chooses_among_nearly_equal_moves_only() {
        let game = Game::new(&kingme_rules::Variant::named("english").unwrap());
        let options = Options {
            variety: true,
            ..Options::default()
        };
        let style = Style::of(&options, &game).unwrap();
        let counts = choices(&style, &[20, 18, 10, -40]);
        assert!(counts[..3].iter().all(|&count| count > 20), "{counts:?}");
        assert!(counts[0] > counts[2], "{counts:?}");
        assert_eq!(counts[3], 0);
    }

    #[test]
    fn weaker_levels_err_more_often() {
        let game = Game::new(&kingme_rules::Variant::named("english").unwrap());
        let errors = |level| {
            let options = Options {
                level,
                ..Options::default()
            };
            let style = Style::of(&options, &game).unwrap();
            500 - choices(&style, &[0, -60, -120])[0]
        };
        assert!(errors(1) > errors(4) && errors(4) > errors(7) && errors(7) > errors(9));
    }
}
