//! The page of a league: one file with everything in it.

use std::io::{self, Write};

use kingme_rules::{Piece, Position, Side, Turn};
use serde_json::{Value, json};

use super::{LeagueFile, LoggedGame, Written};

const PAGE: &str = include_str!("page.html");

/// The page before and after the data of a league.
pub(super) fn around(file: &LeagueFile) -> [String; 2] {
    let name = file.name.replace('&', "&amp;").replace('<', "&lt;");
    let (before, after) = PAGE.split_once("{{data}}").expect("the page has a place");
    [before, after].map(|part| part.replace("{{name}}", &name))
}

/// Writes JSON into a script: a `</script>` in a player's name must not end it.
pub(super) struct InScript<'a>(pub &'a mut dyn Write);

impl Write for InScript<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        // `<` comes in strings only, and is one byte in UTF-8.
        for (index, part) in text.split(|&byte| byte == b'<').enumerate() {
            if index > 0 {
                self.0.write_all(b"\\u003c")?;
            }
            self.0.write_all(part)?;
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The playable squares in their places.
pub(super) fn board(file: &LeagueFile) -> Value {
    let board = file.variant.board();
    let squares: Vec<[usize; 2]> = board
        .squares()
        .map(|square| {
            let (row, column) = board.row_column(square);
            [row, column]
        })
        .collect();
    json!({ "rows": board.rows(), "columns": board.columns(), "squares": squares })
}

/// A game as pieces that come and go, so that the page needs no rules: the pieces at the start,
/// then for each move the squares that change, and nothing for a turn that was passed.
pub(super) fn steps(game: &LoggedGame) -> Value {
    let start: Vec<Value> = game
        .session
        .game()
        .start()
        .pieces()
        .into_iter()
        .map(|(square, piece)| json!([square.index(), mark(piece)]))
        .collect();
    let moves: Vec<Value> = game.session.game().history().map(change).collect();
    json!({ "start": start, "moves": moves })
}

/// Adds to what went wrong in a game what the bot wrote meanwhile.
pub(super) fn add_written(
    file: &LeagueFile,
    game: &LoggedGame,
    written: &mut Written,
    value: &mut Value,
) {
    for incident in value["incidents"].as_array_mut().into_iter().flatten() {
        let is_white = incident["side"] == Side::White.letter().to_string();
        let side = if is_white { Side::White } else { Side::Black };
        let name = file.name_of(game.finished.players[side]);
        incident["written"] = json!(written.in_game(name, game.finished.game));
    }
}

fn change((position, turn): (&Position, &Turn)) -> Value {
    let Some(mv) = turn.as_move() else {
        return Value::Null;
    };
    let piece = Piece {
        side: position.turn(),
        kind: mv.becomes,
    };
    // A piece that is huffed itself never arrives.
    let arrives = mv.huffed != Some(mv.to);
    let others = mv.huffed.filter(|_| arrives);
    let taken: Vec<usize> = mv
        .captured
        .iter()
        .chain(&others)
        .map(|square| square.index())
        .collect();
    json!([
        mv.from.index(),
        mv.to.index(),
        taken,
        arrives.then(|| mark(piece))
    ])
}

fn mark(piece: Piece) -> String {
    format!("{}{}", piece.side.letter(), piece.kind)
}

#[cfg(test)]
mod tests {
    use kingme_rules::Variant;

    use super::*;

    #[test]
    fn pieces_that_are_huffed_leave_the_board() {
        let variant = Variant::named("malaysian").unwrap();
        let position = Position::from_fen(&variant, "W:W44,72:B1,38").unwrap();
        let shown = |text: &str| {
            let turn = Turn::Move(position.find_move(text).unwrap());
            change((&position, &turn))
        };
        assert_eq!(shown("44x33"), json!([43, 32, [37], "W0"]));
        assert_eq!(shown("72-66"), json!([71, 65, [43], "W0"]));
        assert_eq!(shown("44-37"), json!([43, 36, [], null]));
    }
}
