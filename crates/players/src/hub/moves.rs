//! Moves as the protocol writes them: `32-28`, and `28x19x23` with what is captured.

use kingme_rules::{Board, Move, Position, Square};

/// Why a text is not a move of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// Not the text of a move.
    #[error(
        "`{0}` is not a move: write `32-28`, or `28x19x23` with all captured squares at the end"
    )]
    Unreadable(String),
    /// A square that is not on the board.
    #[error("`{text}`: there is no square {square} on this board")]
    NoSquare {
        /// What was given.
        text: String,
        /// The square.
        square: u32,
    },
    /// The captured squares don't fit.
    #[error("`{text}` leaves open or mistakes what it captures; write {}", choices.join(" or "))]
    Captured {
        /// What was given.
        text: String,
        /// The captures with this start and end.
        choices: Vec<String>,
    },
    /// Not a legal move.
    #[error("`{text}` is not possible here; {}", example(.legal))]
    Illegal {
        /// What was given.
        text: String,
        /// What is possible.
        legal: Vec<String>,
    },
}

fn example(legal: &[String]) -> String {
    match legal {
        [] => "there is no move at all".to_owned(),
        [one] => format!("the only move is {one}"),
        several if several.len() <= 8 => format!("the moves are {}", several.join(" ")),
        several => format!(
            "the moves are {} and {} more",
            several[..8].join(" "),
            several.len() - 8
        ),
    }
}

/// Adds the text of a move to a line.
pub fn append_move(text: &mut String, board: &Board, mv: &Move) {
    append_squares(text, board, mv.from, mv.to, &mv.captured);
}

fn append_squares(text: &mut String, board: &Board, from: Square, to: Square, captured: &[Square]) {
    let separator = if captured.is_empty() { '-' } else { 'x' };
    board.push_number(text, from);
    for &square in std::iter::once(&to).chain(captured) {
        text.push(separator);
        board.push_number(text, square);
    }
}

/// The text of a move.
pub fn write_move(board: &Board, mv: &Move) -> String {
    let mut text = String::new();
    append_move(&mut text, board, mv);
    text
}

/// The texts of moves, with blanks between them.
pub fn write_moves<'a>(board: &Board, moves: impl IntoIterator<Item = &'a Move>) -> String {
    let mut text = String::new();
    for (index, mv) in moves.into_iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        append_move(&mut text, board, mv);
    }
    text
}

/// Adds the texts of all legal moves to a line, with blanks between them.
pub(super) fn append_legal(text: &mut String, position: &Position) {
    let board = position.variant().board();
    let mut is_first = true;
    position.each_move(&mut |from, to, captured| {
        if !std::mem::take(&mut is_first) {
            text.push(' ');
        }
        append_squares(text, board, from, to, captured);
    });
}

/// The legal move that a text means. Captured squares come in any order; where only one capture
/// has this start and end they may be left out.
///
/// # Errors
///
/// What is wrong with the text, or with the move.
pub fn read_move(position: &Position, text: &str) -> Result<Move, MoveTextError> {
    let squares = squares(position.variant().board(), text)?;
    match position.move_between(squares[0], squares[1], &squares[2..]) {
        Some(mv) => Ok(mv),
        // It may be written more shortly, or be wrong.
        None => read_move_among(position, &position.legal_moves(), text),
    }
}

/// As [`read_move`], for those who have the legal moves already.
///
/// # Errors
///
/// What is wrong with the text, or with the move.
pub fn read_move_among(
    position: &Position,
    legal: &[Move],
    text: &str,
) -> Result<Move, MoveTextError> {
    let board = position.variant().board();
    let squares = squares(board, text)?;
    let (from, to, captured) = (squares[0], squares[1], &squares[2..]);
    let near = || legal.iter().filter(|mv| mv.from == from && mv.to == to);
    let texts = |moves: &mut dyn Iterator<Item = &Move>| -> Vec<String> {
        moves.map(|mv| write_move(board, mv)).collect()
    };
    let exact = near().find(|mv| same_squares(&mv.captured, captured));
    let only = || {
        near()
            .next()
            .filter(|_| captured.is_empty() && near().count() == 1)
    };
    match exact.or_else(only) {
        Some(mv) => Ok(mv.clone()),
        None if near().next().is_some() => Err(MoveTextError::Captured {
            text: text.to_owned(),
            choices: texts(&mut near()),
        }),
        None => Err(MoveTextError::Illegal {
            text: text.to_owned(),
            legal: texts(&mut legal.iter()),
        }),
    }
}

fn same_squares(some: &[Square], others: &[Square]) -> bool {
    some.len() == others.len() && some.iter().all(|square| others.contains(square))
}

/// The squares of a text, two at least.
pub(super) fn squares(board: &Board, text: &str) -> Result<Vec<Square>, MoveTextError> {
    let unreadable = || MoveTextError::Unreadable(text.to_owned());
    let mut unknown = None;
    let mut squares = Vec::with_capacity(4);
    for word in text.split(['-', 'x']) {
        let number: u32 = word.parse().map_err(|_| unreadable())?;
        let found = u16::try_from(number).ok().and_then(|n| board.numbered(n));
        match found {
            Some(square) => squares.push(square),
            None => unknown = unknown.or(Some(number)),
        }
    }
    match unknown {
        _ if text.find(['-', 'x']).is_none() => Err(unreadable()),
        Some(square) => Err(MoveTextError::NoSquare {
            text: text.to_owned(),
            square,
        }),
        None => Ok(squares),
    }
}

#[cfg(test)]
mod tests {
    use kingme_rules::Variant;

    use super::*;
    use kingme_play::Chance;

    fn position(variant: &str, fen: &str) -> Position {
        Position::from_fen(&Variant::named(variant).unwrap(), fen).unwrap()
    }

    #[test]
    fn every_legal_move_is_read_as_it_is_written() {
        let mut chance = Chance::new(5);
        for name in Variant::names() {
            let mut position = Variant::named(name).unwrap().start();
            for _ in 0..60 {
                let legal = position.legal_moves();
                for mv in &legal {
                    let text = write_move(position.variant().board(), mv);
                    let read = read_move_among(&position, &legal, &text).unwrap();
                    let effect = |mv: &Move| position.play_unchecked(mv);
                    assert_eq!(
                        effect(&read),
                        effect(mv),
                        "{name}: {text} in {}",
                        position.fen()
                    );
                    let squares = squares(position.variant().board(), &text).unwrap();
                    let found = position.find_by_squares(&squares).unwrap();
                    assert_eq!(effect(&found), effect(mv), "{name}: {text}");
                }
                let Some(mv) = chance.pick(&legal) else { break };
                position = position.play_unchecked(mv);
            }
        }
    }

    #[test]
    fn captures_name_what_they_take() {
        let position = position("international", "W:W28:B23,13,K9");
        let texts = write_moves(position.variant().board(), &position.legal_moves());
        assert_eq!(texts, "28x8x23x13");
        for text in ["28x8x23x13", "28x8x13x23", "28x8", "28-8"] {
            assert!(read_move(&position, text).is_ok(), "{text}");
        }
    }

    #[test]
    fn bad_moves_are_explained() {
        let position = position("international", "W:WK46:B37,28,29,39,40");
        let check = |text: &str, message: &str| {
            assert_eq!(read_move(&position, text).unwrap_err().to_string(), message);
        };
        let form = "write `32-28`, or `28x19x23` with all captured squares at the end";
        check("", &format!("`` is not a move: {form}"));
        check("46", &format!("`46` is not a move: {form}"));
        check("46xa1", &format!("`46xa1` is not a move: {form}"));
        check("46x51", "`46x51`: there is no square 51 on this board");
        check(
            "46x99999999",
            "`46x99999999`: there is no square 99999999 on this board",
        );
        let quiet = self::position("english", "B:B5:W32");
        let error = read_move(&quiet, "5-10").unwrap_err().to_string();
        assert_eq!(error, "`5-10` is not possible here; the only move is 5-9");
        assert!(
            read_move(&position, "46-41")
                .unwrap_err()
                .to_string()
                .starts_with("`46-41` is not")
        );
    }

    #[test]
    fn captures_that_leave_their_victims_open_are_asked_back() {
        let position = position("english", "B:B7:W10,11,18,19");
        let error = read_move(&position, "7x23").unwrap_err();
        let MoveTextError::Captured { mut choices, .. } = error else {
            panic!("{error}")
        };
        choices.sort();
        assert_eq!(choices, ["7x23x10x18", "7x23x11x19"]);
        assert!(read_move(&position, "7x23x19x11").is_ok());
        assert!(read_move(&position, "7x23x10x11").is_err());
    }
}
