//! Positions as PDN's FEN: `W:W31,K46:B18`.

use crate::quote::quoted;
use crate::setup::{Piece, Setup, SetupError};
use crate::{Position, Side, Square, Variant};

/// Why a FEN was rejected. Every message quotes the offending text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The first field is not a side.
    #[error("FEN: expected the side to move, `W` or `B`, found `{0}`")]
    Turn(String),
    /// Nothing but the side to move. A side without pieces is written as an empty list.
    #[error("FEN: `{0}` lists no pieces; write both sides, as in `W:W31:B`")]
    NoLists(String),
    /// A piece list starts with something else.
    #[error("FEN: expected a list of pieces that starts with `W` or `B`, found `{0}`")]
    Side(String),
    /// Not a square of this board.
    #[error("FEN: `{0}` is not a square of this board")]
    Square(String),
    /// Not a range of squares.
    #[error("FEN: `{0}` is not a range of squares")]
    Range(String),
    /// Pieces that can't stand like this.
    #[error("FEN: {0}")]
    Setup(#[from] SetupError),
}

impl Position {
    /// Reads a FEN. Squares may be numbers even where the game writes letters.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn from_fen(variant: &Variant, text: &str) -> Result<Position, FenError> {
        Ok(Position::new(variant, &read(variant, text)?)?)
    }

    /// The position as a FEN.
    pub fn fen(&self) -> String {
        let setup = self.setup();
        let mut text = self.turn().letter().to_string();
        for side in Side::BOTH {
            text.push(':');
            text.push(side.letter());
            text.push_str(&self.piece_list(&setup, side));
        }
        if !setup.runs.is_empty() {
            let board = self.variant().board();
            let run =
                |&(square, count): &(Square, u8)| format!("{}={count}", board.fen_name(square));
            let runs: Vec<String> = setup.runs.iter().map(run).collect();
            text.push_str(":R");
            text.push_str(&runs.join(","));
        }
        text
    }

    fn piece_list(&self, setup: &Setup, side: Side) -> String {
        let board = self.variant().board();
        let mut pieces: Vec<(Square, Piece)> = setup.pieces.clone();
        pieces.retain(|(_, piece)| piece.side == side);
        pieces.sort_by_key(|(square, _)| board.number(*square));
        let names: Vec<String> = pieces
            .iter()
            .map(|(square, piece)| {
                let kind = &self.variant().definition().kinds[piece.kind];
                format!("{}{}", kind.fen, board.fen_name(*square))
            })
            .collect();
        names.join(",")
    }
}

fn read(variant: &Variant, text: &str) -> Result<Setup, FenError> {
    let text = text.trim().trim_matches('"').trim().trim_end_matches('.');
    let mut fields = text.split(':').map(str::trim);
    let turn = match fields.next().unwrap_or_default() {
        "W" | "w" => Side::White,
        "B" | "b" => Side::Black,
        "?" => variant.definition().sides.first,
        other => return Err(FenError::Turn(quoted(other))),
    };
    let mut setup = Setup::empty(turn);
    if !text.contains(':') {
        return Err(FenError::NoLists(quoted(text)));
    }
    for field in fields {
        match field.chars().next() {
            Some('W' | 'w') => read_pieces(variant, Side::White, &field[1..], &mut setup)?,
            Some('B' | 'b') => read_pieces(variant, Side::Black, &field[1..], &mut setup)?,
            Some('R') => read_runs(variant, &field[1..], &mut setup)?,
            // Move counters of other programs.
            Some('H' | 'F' | '+') | None => (),
            _ => return Err(FenError::Side(quoted(field))),
        }
    }
    Ok(setup)
}

fn read_pieces(
    variant: &Variant,
    side: Side,
    list: &str,
    setup: &mut Setup,
) -> Result<(), FenError> {
    for item in list
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
    {
        if is_ghost(variant, item) {
            continue;
        }
        let (kind, squares) = split_kind(variant, item);
        for square in read_range(variant, squares)? {
            setup.pieces.push((square, Piece { side, kind }));
        }
    }
    Ok(())
}

/// Whether this is a piece that is captured already in an unfinished move, as lidraughts writes
/// it: `G17`. Where squares have letters, `G1` may be a square, and a kind may be called so.
fn is_ghost(variant: &Variant, item: &str) -> bool {
    let Some(rest) = item.strip_prefix(['G', 'P']) else {
        return false;
    };
    let own_kind = |fen: &str| !fen.is_empty() && item.starts_with(fen);
    rest.starts_with(|c: char| c.is_ascii_digit())
        && variant.board().parse(item).is_none()
        && !variant
            .definition()
            .kinds
            .iter()
            .any(|kind| own_kind(&kind.fen))
}

/// The kind that an item begins with. A letter may be a column as well: `K4` is a square where
/// there is one of that name.
fn split_kind<'a>(variant: &Variant, item: &'a str) -> (usize, &'a str) {
    if variant.board().parse(item).is_some() {
        return (Piece::MAN, item);
    }
    let kinds = &variant.definition().kinds;
    let found = kinds.iter().enumerate().skip(1).find_map(|(kind, piece)| {
        let rest = item.strip_prefix(&piece.fen)?;
        (!rest.is_empty() && read_range(variant, rest).is_ok()).then_some((kind, rest))
    });
    found.unwrap_or((Piece::MAN, item))
}

fn read_range(variant: &Variant, text: &str) -> Result<Vec<Square>, FenError> {
    let board = variant.board();
    let parse = |name: &str| {
        board
            .parse(name)
            .ok_or_else(|| FenError::Square(quoted(name)))
    };
    let Some((from, to)) = text.split_once('-') else {
        return Ok(vec![parse(text)?]);
    };
    let (from, to) = (board.number(parse(from)?), board.number(parse(to)?));
    if from > to {
        return Err(FenError::Range(quoted(text)));
    }
    Ok((from..=to)
        .filter_map(|number| board.numbered(number))
        .collect())
}

fn read_runs(variant: &Variant, list: &str, setup: &mut Setup) -> Result<(), FenError> {
    for item in list.split(',') {
        let run = item.split_once('=').and_then(|(square, count)| {
            Some((variant.board().parse(square)?, count.trim().parse().ok()?))
        });
        setup
            .runs
            .push(run.ok_or_else(|| FenError::Square(quoted(item)))?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(variant: &str, fen: &str, expected: &str) {
        let variant = Variant::named(variant).unwrap();
        assert_eq!(Position::from_fen(&variant, fen).unwrap().fen(), expected);
    }

    #[test]
    fn a_captured_piece_is_left_out_and_a_square_is_not() {
        check("international", "W:W28,G17:B5", "W:W28:B5");
        check("stupid-checkers", "W:WG1:BF6", "W:WG1:BF6");
    }
}
