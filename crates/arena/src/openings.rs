//! Where the games of a match begin.

use kingme_rules::pdn;
use kingme_rules::{Game, Position, Variant};

use kingme_play::Chance;

/// Where the games of a match begin. Both games of a pair begin alike.
#[derive(Clone, Debug, Default)]
pub enum Openings {
    /// At the start of the game.
    #[default]
    Start,
    /// With one of these, in turn.
    Games(Vec<Game>),
    /// After so many random plies.
    Random {
        /// How many.
        plies: u32,
    },
}

/// What is wrong with a file of openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// There is nothing in it.
    #[error("there are no openings in it")]
    Empty,
    /// A line is no position.
    #[error("line {line}: {why}")]
    Fen {
        /// Which line.
        line: usize,
        /// Why.
        why: String,
    },
    /// A game can't be read or played.
    #[error("game {number}: {why}")]
    Pdn {
        /// Which game, from 1.
        number: usize,
        /// Why.
        why: String,
    },
}

impl Openings {
    /// Reads openings from the text of a file: PDN games, or one FEN a line.
    ///
    /// # Errors
    ///
    /// What is wrong, and where.
    pub fn read(text: &str, variant: &Variant) -> Result<Openings, OpeningsError> {
        let first = text.lines().map(str::trim).find(|line| is_said(line));
        let games = match first {
            None => return Err(OpeningsError::Empty),
            Some(line) if is_fen(line) => read_fens(text, variant)?,
            Some(_) => read_pdn(text, variant)?,
        };
        if games.is_empty() {
            return Err(OpeningsError::Empty);
        }
        Ok(Openings::Games(games))
    }

    /// The opening of a pair of games.
    pub fn of_pair(&self, variant: &Variant, pair: u64, seed: u64) -> Game {
        match self {
            Openings::Start => Game::new(variant),
            Openings::Games(games) => games[(pair % games.len() as u64) as usize].clone(),
            Openings::Random { plies } => random(variant, *plies, &mut Chance::fork(seed, pair)),
        }
    }
}

/// A FEN begins with a side and a colon; a PDN file with a tag, a comment or a number.
fn is_fen(line: &str) -> bool {
    let mut chars = line.trim_start_matches('"').chars();
    matches!(
        (chars.next(), chars.next()),
        (Some('W' | 'B' | 'w' | 'b'), Some(':'))
    )
}

/// Whether a line is neither empty nor a comment.
fn is_said(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

fn read_fens(text: &str, variant: &Variant) -> Result<Vec<Game>, OpeningsError> {
    let lines = text.lines().enumerate();
    lines
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| is_said(line))
        .map(|(line, fen)| {
            let error = |why| OpeningsError::Fen { line, why };
            let position =
                Position::from_fen(variant, fen).map_err(|fault| error(fault.to_string()))?;
            unfinished(Game::from_position(position)).map_err(error)
        })
        .collect()
}

fn read_pdn(text: &str, variant: &Variant) -> Result<Vec<Game>, OpeningsError> {
    let games = pdn::Reader::new(text.as_bytes()).enumerate();
    games
        .map(|(index, game)| {
            let error = |why| OpeningsError::Pdn {
                number: index + 1,
                why,
            };
            let game = game.map_err(|fault| error(fault.to_string()))?;
            let replay = pdn::replay(&game, Some(variant));
            match replay.errors.first() {
                Some(fault) => Err(error(fault.to_string())),
                None => unfinished(replay.game).map_err(error),
            }
        })
        .collect()
}

fn unfinished(game: Game) -> Result<Game, String> {
    match game.outcome() {
        None => Ok(game),
        Some(outcome) => {
            let words = outcome.in_words(game.variant());
            Err(format!("the game is over there: {words}"))
        }
    }
}

/// A game after random moves that has not ended; fewer moves if every try ends.
fn random(variant: &Variant, plies: u32, chance: &mut Chance) -> Game {
    for tries in 0.. {
        // Short games may never last so long: ask for less then.
        let plies = plies.saturating_sub(tries / 20);
        let mut game = Game::new(variant);
        for _ in 0..plies {
            let legal = game.legal_moves();
            let Some(mv) = chance.pick(&legal) else { break };
            game.play(mv).expect("it is in the list of legal moves");
        }
        if game.outcome().is_none() || plies == 0 {
            return game;
        }
    }
    unreachable!("without plies the loop ends")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english() -> Variant {
        Variant::named("english").unwrap()
    }

    fn check_error(text: &str, message: &str) {
        assert_eq!(
            Openings::read(text, &english()).unwrap_err().to_string(),
            message
        );
    }

    #[test]
    fn random_openings_follow_the_seed_and_the_pair() {
        let openings = Openings::Random { plies: 6 };
        let moves = |pair, seed| openings.of_pair(&english(), pair, seed).move_texts();
        assert_eq!(moves(3, 7), moves(3, 7));
        assert_ne!(moves(3, 7), moves(4, 7));
        assert_ne!(moves(3, 7), moves(3, 8));
        assert_eq!(moves(0, 0).len(), 6);
    }

    #[test]
    fn random_openings_never_end_the_game() {
        let pown = Variant::named("pown-chess").unwrap();
        let openings = Openings::Random { plies: 200 };
        assert!(openings.of_pair(&pown, 0, 1).outcome().is_none());
    }

    #[test]
    fn a_file_of_positions() {
        let text = "# two\nB:W32:B1\n\nW:W32:B1\n";
        let openings = Openings::read(text, &english()).unwrap();
        let fen = |pair| openings.of_pair(&english(), pair, 0).position().fen();
        assert_eq!(fen(0), fen(2));
        assert_ne!(fen(0), fen(1));
    }

    #[test]
    fn a_file_of_games() {
        let text = "[Event \"x\"]\n1. 11-15 22-18 *\n\n[Event \"y\"]\n1. 9-13 *\n";
        let openings = Openings::read(text, &english()).unwrap();
        assert_eq!(openings.of_pair(&english(), 1, 0).move_texts(), ["9-13"]);
    }

    #[test]
    fn bad_files_are_explained() {
        check_error("", "there are no openings in it");
        check_error(
            "B:W32:B1\nB:W99:B1\n",
            "line 2: FEN: `99` is not a square of this board",
        );
        check_error(
            "[Event \"x\"]\n1. 12-22 *\n",
            "game 1: line 2, column 4: move 1 of Black: 12-22 is not possible: \
             the man on 12 can't go there; it can go to 16",
        );
        check_error(
            "B:W32:B",
            "line 1: the game is over there: White wins: Black has no pieces left.",
        );
    }
}
