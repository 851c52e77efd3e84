//! Moves as text: written in one way, read in many.

use crate::moves::Move;
use crate::quote::quoted;
use crate::refusal::{IllegalMove, fits, refuse};
use crate::variant::SquareNames;
use crate::{Position, Square};

/// Why a text is not a move of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Not the text of a move.
    #[error("`{text}` is not a move; write it like {example}")]
    Unreadable {
        /// What was given.
        text: String,
        /// What a move looks like here.
        example: String,
    },
    /// A square that is not on the board.
    #[error("`{text}`: there is no square {square} on this board")]
    NoSquare {
        /// What was given.
        text: String,
        /// The square.
        square: String,
    },
    /// Several moves fit.
    #[error("`{text}` can mean {}", choices.join(" or "))]
    Ambiguous {
        /// What was given.
        text: String,
        /// The moves, written in full.
        choices: Vec<String>,
    },
    /// A move that is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

impl Position {
    /// The move in the game's own notation: `32-28`, `c3xe5`, `2,1;3,2`. Squares between the ends
    /// are written only where they are needed to tell two moves apart.
    pub fn move_text(&self, mv: &Move) -> String {
        // A single hop is told by its ends.
        if mv.path.len() == 1 {
            return self.squares_text(mv);
        }
        self.text_among(mv, &self.legal_moves())
    }

    /// The texts of several legal moves, as [`Position::move_text`] writes them.
    pub fn move_texts(&self, moves: &[Move]) -> Vec<String> {
        let several = moves.iter().any(|mv| mv.path.len() > 1);
        let legal = if several {
            self.legal_moves()
        } else {
            Vec::new()
        };
        moves.iter().map(|mv| self.text_among(mv, &legal)).collect()
    }

    fn text_among(&self, mv: &Move, legal: &[Move]) -> String {
        let twin = |other: &Move| other.from == mv.from && other.to == mv.to && other != mv;
        if self.names() == SquareNames::RowColumn || legal.iter().any(twin) {
            self.squares_text(mv)
        } else {
            self.join(mv, [mv.from, mv.to])
        }
    }

    /// The move with every square it lands on.
    pub fn squares_text(&self, mv: &Move) -> String {
        self.join(mv, std::iter::once(mv.from).chain(mv.path.iter().copied()))
    }

    fn names(&self) -> SquareNames {
        self.variant().definition().notation.squares
    }

    fn join(&self, mv: &Move, squares: impl IntoIterator<Item = Square>) -> String {
        self.joined(mv.is_capture(), squares)
    }

    fn joined(&self, is_capture: bool, squares: impl IntoIterator<Item = Square>) -> String {
        let separator = match self.names() {
            SquareNames::RowColumn => ";",
            _ if is_capture => "x",
            _ => "-",
        };
        let board = self.variant().board();
        // Most moves are no longer than this.
        let mut text = String::with_capacity(8);
        for square in squares {
            if !text.is_empty() {
                text.push_str(separator);
            }
            board.push_name(&mut text, square);
        }
        text
    }

    /// The legal move that a text means. The text may use any separators, leave out or list the
    /// squares on the way, or list the captured ones.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, or why the move is refused.
    pub fn find_move(&self, text: &str) -> Result<Move, MoveError> {
        let squares = self.read_squares(text)?;
        let mut found: Vec<Move> = self
            .legal_moves()
            .into_iter()
            .filter(|mv| fits(mv, &squares))
            .collect();
        if found.len() > 1 {
            // Written out in full, a move beats those that merely pass the same squares.
            let exact: Vec<Move> = found
                .iter()
                .filter(|mv| mv.squares() == squares)
                .cloned()
                .collect();
            if exact.len() == 1 {
                found = exact;
            }
        }
        match found.len() {
            0 => Err(refuse(self, &quoted(text), &squares).into()),
            1 => Ok(found.swap_remove(0)),
            _ => Err(MoveError::Ambiguous {
                text: quoted(text),
                choices: found.iter().map(|mv| self.squares_text(mv)).collect(),
            }),
        }
    }

    /// The legal move from the first of some squares to the second that takes the others, in any
    /// order; they may be left out where there is no other such move.
    ///
    /// # Errors
    ///
    /// Why the move is refused.
    pub fn find_by_squares(&self, squares: &[Square]) -> Result<Move, MoveError> {
        let found = match squares {
            [from, to, captured @ ..] => self.move_between(*from, *to, captured),
            _ => None,
        };
        match found {
            Some(mv) => Ok(mv),
            None => self.find_move(&self.joined(squares.len() > 2, squares.iter().copied())),
        }
    }

    /// The squares that a text names, two at least.
    pub(crate) fn read_squares(&self, text: &str) -> Result<Vec<Square>, MoveError> {
        let names = square_names(text, self.names());
        if names.len() < 2 {
            return Err(MoveError::Unreadable {
                text: quoted(text),
                example: self.example(),
            });
        }
        let board = self.variant().board();
        names
            .into_iter()
            .map(|name| {
                board.parse(&name).ok_or_else(|| MoveError::NoSquare {
                    text: quoted(text),
                    square: quoted(&name),
                })
            })
            .collect()
    }

    fn example(&self) -> String {
        let legal = self.legal_moves();
        legal
            .first()
            .map_or_else(|| "from-to".to_owned(), |mv| self.move_text(mv))
    }
}

/// Splits a text into what may be names of squares: runs of digits, each with the letter before
/// it, or pairs of numbers.
fn square_names(text: &str, names: SquareNames) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut letter = None;
    let mut in_number = false;
    for c in text.chars() {
        if c.is_ascii_digit() {
            if !in_number {
                let start: String = letter.take().into_iter().collect();
                words.push(start);
            }
            words.last_mut().expect("a word was pushed").push(c);
            in_number = true;
        } else {
            in_number = false;
            // In `c3xe5` the x separates, in `x1-y2` it would be a column.
            letter = c.is_ascii_alphabetic().then_some(c);
        }
    }
    match names {
        // In `32x28` the x separates; the letter of `c3` is none of ours, and not to be lost.
        SquareNames::Numbers => words
            .into_iter()
            .map(|word| word.trim_start_matches(['x', 'X']).to_owned())
            .collect(),
        SquareNames::Letters | SquareNames::Capitals => words
            .into_iter()
            .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
            .collect(),
        SquareNames::RowColumn => {
            let numbers: Vec<&str> = words
                .iter()
                .map(|word| word.trim_start_matches(|c: char| !c.is_ascii_digit()))
                .collect();
            numbers
                .chunks_exact(2)
                .map(|pair| format!("{},{}", pair[0], pair[1]))
                .collect()
        }
    }
}
