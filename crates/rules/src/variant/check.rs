//! What a single key can't show: keys that contradict each other.

use super::{
    CaptureBy, Criterion, Definition, Draws, Material, Notation, Obligation, Reach, SquareNames,
    Squares, Start,
};
use crate::layout::promotion_squares;
use crate::{Board, Setup, Side};

/// Every contradiction, as a key and a reason that names the other key.
pub(super) fn contradictions(definition: &Definition) -> Vec<(String, String)> {
    let mut found = Vec::new();
    name(definition, &mut found);
    board(definition, &mut found);
    sizes(definition, &mut found);
    start(definition, &mut found);
    kinds(definition, &mut found);
    capture(definition, &mut found);
    promotion(definition, &mut found);
    counters(definition, &mut found);
    if found.is_empty() {
        promoted_start(definition, &mut found);
    }
    found
}

type Found = Vec<(String, String)>;

fn note(found: &mut Found, key: &str, reason: impl Into<String>) {
    found.push((key.to_owned(), reason.into()));
}

fn name(definition: &Definition, found: &mut Found) {
    // Names become file names and words on a command line.
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let name = &definition.name;
    if name.is_empty() || !name.chars().all(plain) {
        let reason = format!("found \"{name}\", expected small letters, digits and hyphens");
        note(found, "name", reason);
    }
    let [white, black] = &definition.sides.names;
    if white == black {
        let reason = format!("\"{black}\" is the name of the other side (sides.white) as well");
        note(found, "sides.black", reason);
    }
}

fn board(definition: &Definition, found: &mut Found) {
    let board = &definition.board;
    let whole = super::BoardDefinition {
        holes: Vec::new(),
        ..board.clone()
    };
    let whole = Board::new(&whole, definition.notation);
    for &(row, column) in &board.holes {
        if whole.at(row.into(), column.into()).is_none() {
            let reason = format!("\"{row},{column}\" is not a square of the board");
            note(found, "board.holes", reason);
        }
    }
    for (index, hole) in board.holes.iter().enumerate() {
        if board.holes[..index].contains(hole) {
            let reason = format!("\"{},{}\" stands here twice", hole.0, hole.1);
            note(found, "board.holes", reason);
        }
    }
    let Notation { squares, .. } = definition.notation;
    if board.columns > squares.most_columns() {
        let reason = format!(
            "letters (notation.squares) name {} columns at most; say \"numbers\"",
            squares.most_columns()
        );
        note(found, "board.columns", reason);
    }
    if squares == SquareNames::RowColumn && definition.notation.game_type.is_some() {
        let reason = "PDN's GameType has no rows and columns (notation.squares); say 0";
        note(found, "notation.game_type", reason);
    }
}

fn sizes(definition: &Definition, found: &mut Found) {
    let board = &definition.board;
    let Some((from, to)) = board.sizes else {
        return;
    };
    if !board.holes.is_empty() {
        let reason = "a board with board.holes has one size; say []";
        note(found, "board.sizes", reason);
    }
    if Side::BOTH
        .iter()
        .any(|&side| !definition.promotion.named(side).is_empty())
    {
        let reason = "a game that lists its promotion squares has one size; say []";
        note(found, "board.sizes", reason);
    }
    if from % 2 == 1 || to % 2 == 1 {
        note(found, "board.sizes", "both ends must be even numbers");
    }
    match definition.start {
        Start::Drawn(_) => {
            let reason = "a board drawn in start.draw has one size; say []";
            note(found, "board.sizes", reason);
        }
        Start::Rows { gap, offset } if !leaves_rows(from.into(), gap, offset) => {
            let reason = format!(
                "{from} rows leave no equal rows of men beside {gap} empty ones (start.gap) and \
                 {offset} behind each side (start.offset)"
            );
            note(found, "board.sizes", reason);
        }
        Start::Rows { .. } => (),
    }
}

/// Whether there are rows for men, the same number on each side.
fn leaves_rows(rows: u16, gap: u8, offset: u8) -> bool {
    let taken = u16::from(gap) + 2 * u16::from(offset);
    taken + 2 <= rows && (rows - taken).is_multiple_of(2)
}

fn start(definition: &Definition, found: &mut Found) {
    match &definition.start {
        Start::Rows { gap, offset } => rows(definition, *gap, *offset, found),
        Start::Drawn(rows) => drawn(definition, rows, found),
    }
}

fn rows(definition: &Definition, gap: u8, offset: u8, found: &mut Found) {
    let rows = definition.board.rows;
    if !leaves_rows(rows.into(), gap, offset) {
        let reason = format!(
            "{gap} empty rows in the middle and {offset} (start.offset) behind each side leave no \
             equal rows of men on {rows} rows (board.rows)"
        );
        note(found, "start.gap", reason);
        return;
    }
    let board = Board::new(&definition.board, definition.notation);
    let men = (rows - gap) / 2 - offset;
    let sides = [offset, rows - offset - men];
    let has_men = |first: u8| {
        board
            .squares()
            .any(|square| (first..first + men).contains(&(board.row_column(square).0 as u8)))
    };
    if !sides.into_iter().all(has_men) {
        let reason = "board.holes leaves a side without men";
        note(found, "start.gap", reason);
    }
}

fn drawn(definition: &Definition, rows: &[String], found: &mut Found) {
    let board = Board::new(&definition.board, definition.notation);
    if rows.len() != usize::from(board.rows()) {
        let reason = format!(
            "{} rows are drawn, board.rows says {}",
            rows.len(),
            board.rows()
        );
        note(found, "start.draw", reason);
    }
    let mut sides = [0; 2];
    for (row, text) in rows.iter().enumerate() {
        let width = text.chars().count();
        if width != usize::from(board.columns()) {
            let reason = format!(
                "row {} is {width} columns wide, board.columns says {}",
                row + 1,
                board.columns()
            );
            note(found, "start.draw", reason);
        }
        for (column, letter) in text.chars().enumerate() {
            let place = format!("\"{letter}\" in row {}, column {}", row + 1, column + 1);
            let playable = board.at(row, column).is_some();
            let piece = definition.piece_of(letter);
            if let Some((side, _)) = piece {
                sides[side] += 1;
            }
            match letter {
                '.' if playable => (),
                '_' | '#' if !playable => (),
                _ if piece.is_some() && playable => (),
                '.' => note(found, "start.draw", format!("{place} is not played on")),
                '_' | '#' => note(found, "start.draw", format!("{place} is a playable square")),
                _ if piece.is_some() => {
                    note(
                        found,
                        "start.draw",
                        format!("{place} is not a playable square"),
                    );
                }
                _ => note(found, "start.draw", format!("{place} is no piece's letter")),
            }
        }
    }
    if sides.contains(&0) {
        note(found, "start.draw", "each side needs a piece");
    }
}

fn kinds(definition: &Definition, found: &mut Found) {
    let mut letters = Vec::new();
    for (index, kind) in definition.kinds.iter().enumerate() {
        let key = |name: &str| format!("pieces.{}.{name}", kind.name);
        for letter in kind.letters {
            if letters.contains(&letter) {
                let reason = format!("the letter `{letter}` stands for another piece already");
                note(found, &key("letters"), reason);
            }
            letters.push(letter);
        }
        let one_capital = kind.fen.len() == 1 && kind.fen.chars().all(|c| c.is_ascii_uppercase());
        if (index == 0) != kind.fen.is_empty() || (index > 0 && !one_capital) {
            let reason = "men are written with \"\", every other kind with one capital letter";
            note(found, &key("fen"), reason);
        }
        let twice = definition.kinds[..index].iter().any(|k| k.fen == kind.fen);
        if twice {
            note(
                found,
                &key("fen"),
                "another kind is written like this already",
            );
        }
        if kind.becomes == Some(index) {
            note(
                found,
                &key("becomes"),
                "a piece can't become what it is; say \"nothing\"",
            );
        }
        if kind.reach == Reach::Anywhere && kind.capture_by == CaptureBy::Jump {
            let reason = format!("needs \"replacement\" in {}", key("capture_by"));
            note(found, &key("reach"), reason);
        }
        let orthogonal_step = !kind.moves.is_empty() && kind.moves.0 & 0b1111_0000 != 0;
        if orthogonal_step && definition.board.squares != Squares::All {
            let reason = "straight moves need board.squares = \"all\"; straight captures don't";
            note(found, &key("moves"), reason);
        }
    }
    if definition.end.king_wins && definition.kinds.iter().all(|kind| kind.becomes.is_none()) {
        let reason = "nothing is ever promoted: every pieces.*.becomes is \"nothing\"";
        note(found, "end.king_wins", reason);
    }
}

fn capture(definition: &Definition, found: &mut Found) {
    let capture = &definition.capture;
    if capture.obligation == Obligation::May && !capture.priority.is_empty() {
        let reason = "captures that need not be made (capture.obligation) have no order; say []";
        note(found, "capture.priority", reason);
    }
    let counts = [Criterion::MostPieces, Criterion::MostValue];
    if !capture.chain_must_go_on && counts.iter().any(|c| capture.priority.contains(c)) {
        let reason = "\"may\" lets a capture stop early, which capture.priority forbids";
        note(found, "capture.chain", reason);
    }
    for (index, criterion) in capture.priority.iter().enumerate() {
        if capture.priority[..index].contains(criterion) {
            note(found, "capture.priority", "a criterion stands here twice");
        }
    }
}

fn promotion(definition: &Definition, found: &mut Found) {
    let board = Board::new(&definition.board, definition.notation);
    for side in Side::BOTH {
        squares(
            &board,
            definition.promotion.named(side),
            promotion_key(side),
            found,
        );
    }
}

/// The key that lists where a side promotes.
fn promotion_key(side: Side) -> &'static str {
    match side {
        Side::White => "promotion.white",
        Side::Black => "promotion.black",
    }
}

/// Names that must be those of squares.
fn squares(board: &Board, names: &[String], key: &str, found: &mut Found) {
    for name in names {
        if board.parse(name).is_none() {
            let reason = format!("\"{name}\" is not a square of this board");
            note(found, key, reason);
        }
    }
}

/// Pieces that start where they would be something else already.
fn promoted_start(definition: &Definition, found: &mut Found) {
    let board = Board::new(&definition.board, definition.notation);
    let start = Setup::start(definition, &board);
    for side in Side::BOTH {
        let squares = promotion_squares(definition, &board, side);
        let stuck = start.pieces.iter().find(|(square, piece)| {
            let becomes = definition.kinds[piece.kind].becomes;
            piece.side == side && becomes.is_some() && squares.contains(square)
        });
        let key = match definition.promotion.named(side) {
            [] => "promotion.squares",
            _ => promotion_key(side),
        };
        if let Some((square, piece)) = stuck {
            let (kind, name) = (&definition.kinds[piece.kind].name, board.name(*square));
            let side = &definition.sides.names[side];
            let reason = format!("{side} has a {kind} on {name} at the start");
            note(found, key, reason);
        }
    }
}

fn counters(definition: &Definition, found: &mut Found) {
    if definition.draws.repetition == Some(1) {
        let reason = "1 would end every game at its start; say 0 for no such rule, or 2 and more";
        note(found, "draws.repetition", reason);
    }
    let (number, most) = (definition.draws.counters.len(), Draws::MOST_COUNTERS);
    if number > most {
        let reason = format!("{number} counters; a game has {most} at most");
        note(found, "draws.counters", reason);
    }
    let board = Board::new(&definition.board, definition.notation);
    for counter in &definition.draws.counters {
        let sides = [counter.one, counter.other];
        let always = counter.pieces.is_none() && sides == [Material::default(); 2];
        if counter.plies == 0 && always && counter.on.is_empty() {
            let reason =
                "0 would end every game at its start, as no pieces, one or other is asked for";
            note(found, "draws.counters.plies", reason);
        }
        if !counter.on.is_empty() && counter.one == Material::default() {
            let reason = "says where the pieces of `one` stand, which is not there";
            note(found, "draws.counters.on", reason);
        }
        squares(&board, &counter.on, "draws.counters.on", found);
    }
}
