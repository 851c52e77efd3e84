//! Positions as the protocol writes them: the side to move, then one letter per square in the
//! order of the numbers.

use kingme_rules::{Piece, Position, Setup, SetupError, Side, Variant};

/// The letter of an empty square.
const EMPTY: char = 'e';

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The first letter is not a side.
    #[error("a position starts with `W` or `B`, the side to move, not with `{0}`")]
    Side(String),
    /// The number of letters is not the number of squares.
    #[error("a position of `{game}` has {squares} squares after the side to move, not {letters}")]
    Length {
        /// The game.
        game: String,
        /// What it has.
        squares: usize,
        /// What was given.
        letters: usize,
    },
    /// A letter that stands for nothing.
    #[error("`{letter}` on square {square} is no piece; use {known}")]
    Letter {
        /// What was given.
        letter: char,
        /// Where.
        square: usize,
        /// What there is.
        known: String,
    },
    /// The pieces can't stand so.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// The letters of a game's kinds, White's first: `w b` for men, `W B` for kings, and the game's
/// own for others.
pub fn letters(variant: &Variant, kind: usize) -> [char; 2] {
    match kind {
        Piece::MAN => ['w', 'b'],
        Piece::KING => ['W', 'B'],
        other => variant.definition().kinds[other].letters,
    }
}

/// Writes a position.
///
/// ```
/// let start = kingme_rules::Variant::named("english")?.start();
/// assert_eq!(kingme_players::hub::write_position(&start), "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww");
/// # Ok::<_, kingme_rules::UnknownVariant>(())
/// ```
pub fn write_position(position: &Position) -> String {
    let mut text = String::new();
    append_position(&mut text, position);
    text
}

/// Adds a position to a line.
pub(super) fn append_position(text: &mut String, position: &Position) {
    let variant = position.variant();
    let board = variant.board();
    let mut squares = vec![EMPTY; board.len()];
    position.each_piece(&mut |square, piece| {
        let place = usize::from(board.number(square)) - 1;
        squares[place] = letters(variant, piece.kind)[piece.side];
    });
    text.push(position.turn().letter());
    text.extend(squares);
}

/// Reads a position of a game.
///
/// # Errors
///
/// What is wrong with the text.
pub fn read_position(variant: &Variant, text: &str) -> Result<Position, PositionError> {
    let mut chars = text.chars();
    let turn = match chars.next() {
        Some('W') => Side::White,
        Some('B') => Side::Black,
        other => return Err(PositionError::Side(other.into_iter().collect())),
    };
    let squares: Vec<char> = chars.collect();
    let board = variant.board();
    if squares.len() != board.len() {
        return Err(PositionError::Length {
            game: variant.name().to_owned(),
            squares: board.len(),
            letters: squares.len(),
        });
    }
    let mut setup = Setup::empty(turn);
    for (number, letter) in (1..).zip(squares) {
        let square = board
            .numbered(number)
            .expect("every number up to the last has a square");
        if let Some(piece) = piece(variant, letter, number.into())? {
            setup.pieces.push((square, piece));
        }
    }
    Ok(Position::new(variant, &setup)?)
}

fn piece(variant: &Variant, letter: char, square: usize) -> Result<Option<Piece>, PositionError> {
    if letter == EMPTY {
        return Ok(None);
    }
    let kinds = variant.definition().kinds.len();
    let all = (0..kinds).flat_map(|kind| Side::BOTH.map(|side| Piece { side, kind }));
    let found = all
        .clone()
        .find(|piece| letters(variant, piece.kind)[piece.side] == letter);
    found.map(Some).ok_or_else(|| {
        let mut known: Vec<String> = all
            .map(|piece| format!("`{}`", letters(variant, piece.kind)[piece.side]))
            .collect();
        known.push(format!("`{EMPTY}`"));
        PositionError::Letter {
            letter,
            square,
            known: known.join(" "),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Variant {
        Variant::named(name).unwrap()
    }

    #[test]
    fn every_start_is_read_as_it_is_written() {
        for name in Variant::names() {
            let start = named(name).start();
            let text = write_position(&start);
            assert_eq!(
                text.chars().count(),
                start.variant().board().len() + 1,
                "{name}"
            );
            assert_eq!(
                read_position(start.variant(), &text).as_ref(),
                Ok(&start),
                "{name}"
            );
        }
    }

    #[test]
    fn letters_tell_all_kinds_apart() {
        for name in Variant::names() {
            let variant = named(name);
            let mut seen = vec![EMPTY];
            for kind in 0..variant.definition().kinds.len() {
                for letter in letters(&variant, kind) {
                    assert!(!seen.contains(&letter), "{name} has `{letter}` twice");
                    seen.push(letter);
                }
            }
        }
    }

    #[test]
    fn kings_are_capitals() {
        let international = named("international");
        let text = "BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee";
        let position = read_position(&international, text).unwrap();
        assert_eq!(position.fen(), "B:WK4,K5,25,35,36:BK38,K48");
        assert_eq!(write_position(&position), text);
    }

    #[test]
    fn bad_positions_are_explained() {
        let check = |text: &str, message: &str| {
            let error = read_position(&named("english"), text).unwrap_err();
            assert_eq!(error.to_string(), message);
        };
        let start = "bbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
        check(
            "",
            "a position starts with `W` or `B`, the side to move, not with ``",
        );
        check(
            "xe",
            "a position starts with `W` or `B`, the side to move, not with `x`",
        );
        check(
            "We",
            "a position of `english` has 32 squares after the side to move, not 1",
        );
        let odd = format!("W{}", start.replacen('e', "x", 1));
        check(
            &odd,
            "`x` on square 13 is no piece; use `w` `b` `W` `B` `e`",
        );
        let crowned = format!("W{}", start.replacen('b', "w", 1));
        check(
            &crowned,
            "the White man on 1 stands on its promotion square",
        );
    }
}
