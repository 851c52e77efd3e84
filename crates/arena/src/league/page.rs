//! The page of a league: one file with everything in it.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{LeagueFile, LoggedGame};

const PAGE: &str = include_str!("page.html");

/// Writes the page around the data of a league.
pub(super) fn write(file: &LeagueFile, league: &Value, out: &mut dyn Write) -> io::Result<()> {
    let mut league = league.clone();
    league["board"] = board(file);
    // A `</script>` in a player's name must not end the script.
    let data = league.to_string().replace('<', "\\u003c");
    let name = file.name.replace('&', "&amp;").replace('<', "&lt;");
    out.write_all(
        PAGE.replace("{{name}}", &name)
            .replace("{{data}}", &data)
            .as_bytes(),
    )
}

/// The playable squares in their places.
fn board(file: &LeagueFile) -> Value {
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
/// then for each move the squares that change.
pub(super) fn steps(game: &LoggedGame) -> Value {
    let game = &game.record.game;
    let mark = |piece: rules::Piece| format!("{}{}", piece.side.letter(), piece.kind);
    let start: Vec<Value> = game
        .start()
        .pieces()
        .into_iter()
        .map(|(square, piece)| json!([square.index(), mark(piece)]))
        .collect();
    let moves: Vec<Value> = game
        .moves()
        .iter()
        .enumerate()
        .filter_map(|(ply, mv)| {
            let side = game.position_after(ply)?.turn();
            let piece = rules::Piece {
                side,
                kind: mv.becomes,
            };
            let taken: Vec<usize> = mv.captured.iter().map(|square| square.index()).collect();
            Some(json!([mv.from.index(), mv.to.index(), taken, mark(piece)]))
        })
        .collect();
    json!({ "start": start, "moves": moves })
}
