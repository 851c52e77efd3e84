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

/// The order of the openings of a file.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum BookOrder {
    /// As they stand there.
    #[default]
    File,
    /// By chance, all of them before any comes again.
    Random,
}

impl std::str::FromStr for BookOrder {
    type Err = String;

    fn from_str(word: &str) -> Result<BookOrder, String> {
        match word {
            "file" => Ok(BookOrder::File),
            "random" => Ok(BookOrder::Random),
            _ => Err(format!("`{word}` is none of file and random")),
        }
    }
}

impl std::fmt::Display for BookOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            BookOrder::File => "file",
            BookOrder::Random => "random",
        })
    }
}

/// Which part of each opening of a file is played, and in which order.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct BookCut {
    /// The order.
    pub order: BookOrder,
    /// Games begin from the position after so many plies, without those before it.
    pub from: u32,
    /// And go on by the book up to this ply, counted from its start.
    pub plies: Option<u32>,
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
    /// A game ends before the part that is to be played.
    #[error("game {number}: it has {plies} plies, and games are to begin after {from}")]
    Short {
        /// Which game, from 1.
        number: usize,
        /// How long it is.
        plies: usize,
        /// Where games are to begin.
        from: u32,
    },
    /// The part ends before it begins.
    #[error("openings can't begin after {from} plies and be cut after {plies}")]
    Cut {
        /// Where games are to begin.
        from: u32,
        /// Where they are cut.
        plies: u32,
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

    /// The same openings, in another order and cut to a part of them; the seed is for chance.
    ///
    /// # Errors
    ///
    /// If one of them is too short, or the part is none.
    pub fn cut(self, cut: BookCut, seed: u64) -> Result<Openings, OpeningsError> {
        let Openings::Games(games) = self else {
            return Ok(self);
        };
        if let Some(plies) = cut.plies
            && plies < cut.from
        {
            return Err(OpeningsError::Cut {
                from: cut.from,
                plies,
            });
        }
        let cut_games = games.iter().enumerate().map(|(index, game)| {
            cut_game(game, cut).ok_or(OpeningsError::Short {
                number: index + 1,
                plies: game.plies(),
                from: cut.from,
            })
        });
        let mut games = cut_games.collect::<Result<Vec<Game>, OpeningsError>>()?;
        if cut.order == BookOrder::Random {
            Chance::fork(seed, u64::MAX).shuffle(&mut games);
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

/// A part of a game: the position after some plies, and the turns up to another.
fn cut_game(game: &Game, cut: BookCut) -> Option<Game> {
    let from = cut.from as usize;
    let end = cut.plies.map_or(game.plies(), |plies| plies as usize);
    if from > game.plies() {
        return None;
    }
    let start = match game.history().nth(from) {
        Some((position, _)) => position.clone(),
        None => game.position().clone(),
    };
    let mut part = match from {
        0 => Game::from_position(game.start().clone()),
        _ => Game::from_position(start),
    };
    let turns = game.turns().iter().take(end).skip(from);
    for mv in turns.filter_map(kingme_rules::Turn::as_move) {
        part.play(mv).ok()?;
    }
    Some(part)
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

    const BOOK: &str = "[Event \"x\"]\n1. 11-15 22-18 2. 15x22 25x18 *\n\n[Event \"y\"]\n1. 9-13 24-20 *\n\n[Event \"z\"]\n1. 12-16 24-20 *\n";

    fn book(cut: BookCut, seed: u64) -> Result<Openings, OpeningsError> {
        Openings::read(BOOK, &english()).unwrap().cut(cut, seed)
    }

    #[test]
    fn openings_are_cut_at_a_ply_and_begin_at_one() {
        let cut = BookCut {
            from: 1,
            plies: Some(2),
            ..BookCut::default()
        };
        let openings = book(cut, 0).unwrap();
        let first = openings.of_pair(&english(), 0, 0);
        assert_eq!(first.move_texts(), ["22-18"]);
        let mut start = Game::new(&english());
        start.play_text("11-15").unwrap();
        assert_eq!(first.start().fen(), start.position().fen());
        let all = book(BookCut::default(), 0).unwrap();
        assert_eq!(all.of_pair(&english(), 0, 0).plies(), 4);
        let late = BookCut {
            from: 3,
            ..BookCut::default()
        };
        assert_eq!(
            book(late, 0).unwrap_err().to_string(),
            "game 2: it has 2 plies, and games are to begin after 3"
        );
        let none = BookCut {
            plies: Some(0),
            ..cut
        };
        assert_eq!(
            book(none, 0).unwrap_err().to_string(),
            "openings can't begin after 1 plies and be cut after 0"
        );
    }

    #[test]
    fn by_chance_every_opening_comes_before_any_comes_again() {
        let random = BookCut {
            order: BookOrder::Random,
            ..BookCut::default()
        };
        let order = |seed: u64| -> Vec<String> {
            let openings = book(random, seed).unwrap();
            let first = |pair| {
                openings
                    .of_pair(&english(), pair, seed)
                    .move_texts()
                    .remove(0)
            };
            (0..3).map(first).collect()
        };
        let orders: std::collections::BTreeSet<Vec<String>> = (0..40).map(order).collect();
        assert_eq!(orders.len(), 6, "every order comes");
        for mut order in orders {
            order.sort();
            assert_eq!(order, ["11-15", "12-16", "9-13"]);
        }
        assert_eq!(order(5), order(5));
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
