//! Positions that people write down: a FEN, a PDN file, or a drawn board of any size.

use kingme_rules::variant::Start;
use kingme_rules::{
    Board, FenError, Piece, Position, Setup, SetupError, Side, Square, Variant, VariantError, pdn,
};

/// Why a text is no position.
#[derive(Debug, thiserror::Error)]
pub enum SetUpError {
    /// A FEN that is wrong.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A PDN text that is wrong.
    #[error("{0}")]
    Pdn(String),
    /// Nothing is drawn.
    #[error("the set-up is empty; write a FEN such as `{0}`, or draw a board")]
    Empty(String),
    /// The drawn rows have different lengths.
    #[error("row {row} of the drawn board has {found} squares, and the first row has {expected}")]
    Ragged {
        /// Counted from 1.
        row: usize,
        /// How many squares it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A letter that is no piece of the game.
    #[error("`{letter}` in row {row} of the drawn board is no piece of this game; it has {known}")]
    Letter {
        /// The letter.
        letter: char,
        /// Counted from 1.
        row: usize,
        /// The letters it has.
        known: String,
    },
    /// A side that the game does not have.
    #[error("`{0}` is no side of this game")]
    Side(String),
    /// No board has this size.
    #[error("a board has 2 to {most} columns and rows; {columns} by {rows} are drawn", most = Board::LARGEST)]
    Size {
        /// Columns.
        columns: usize,
        /// Rows.
        rows: usize,
    },
    /// The game can't be played on such a board.
    #[error("the game can't be played on this board: {0}")]
    Board(#[from] VariantError),
    /// Pieces that can't stand like this.
    #[error("{0}")]
    Pieces(#[from] SetupError),
}

/// The position that a text describes: a FEN, the end of a PDN game, or a board drawn with the
/// game's letters, such as a game prints it or as variant files have it. A last line such as
/// `b to move` says whose turn it is. A drawn board may have a size of its own.
///
/// ```
/// use kingme_rules::Variant;
///
/// let game = Variant::named("stupid-checkers")?;
/// let position = kingme_terminal::set_up(&game, "r...\n....\n....\n...b\n")?;
/// assert_eq!(position.fen(), "W:WA1:BD4");
/// assert_eq!(position.variant().board().len(), 16);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// What is wrong with the text.
pub fn set_up(variant: &Variant, text: &str) -> Result<Position, SetUpError> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(SetUpError::Empty(variant.start().fen()));
    }
    if trimmed.starts_with('[') {
        return from_pdn(variant, trimmed);
    }
    if trimmed.contains(':') {
        return Ok(Position::from_fen(variant, trimmed)?);
    }
    from_drawing(variant, text)
}

fn from_pdn(variant: &Variant, text: &str) -> Result<Position, SetUpError> {
    let game = pdn::Reader::new(text.as_bytes()).next();
    let game = game.ok_or_else(|| SetUpError::Pdn("the PDN text has no game".to_owned()))?;
    let game = game.map_err(|error| SetUpError::Pdn(error.to_string()))?;
    let replay = pdn::replay(&game, Some(variant));
    match replay.errors.first() {
        Some(error) => Err(SetUpError::Pdn(error.to_string())),
        None => Ok(replay.position),
    }
}

fn from_drawing(variant: &Variant, text: &str) -> Result<Position, SetUpError> {
    let mut turn = variant.definition().sides.first;
    let mut rows: Vec<Vec<char>> = Vec::new();
    for line in text.lines() {
        if let Some(side) = line.trim().strip_suffix("to move") {
            turn = side_called(variant, side.trim())?;
        } else if let Some(cells) = cells(line) {
            rows.push(cells);
        }
    }
    let expected = rows.first().map_or(0, Vec::len);
    if expected == 0 {
        return Err(SetUpError::Empty(variant.start().fen()));
    }
    for (row, cells) in rows.iter().enumerate() {
        check_row(variant, row + 1, cells, expected)?;
    }
    let variant = on_board(variant, (expected, rows.len()))?;
    let setup = Setup {
        turn,
        pieces: pieces(&variant, &rows),
        runs: Vec::new(),
    };
    Ok(Position::new(&variant, &setup)?)
}

fn pieces(variant: &Variant, rows: &[Vec<char>]) -> Vec<(Square, Piece)> {
    let board = variant.board();
    let kinds = &variant.definition().kinds;
    let piece_of = |letter: char| {
        Side::BOTH.into_iter().find_map(|side| {
            let kind = kinds.iter().position(|kind| kind.letters[side] == letter)?;
            Some(Piece { side, kind })
        })
    };
    let on = |square: Square| {
        let (row, column) = board.row_column(square);
        Some((square, piece_of(rows[row][column])?))
    };
    board.squares().filter_map(on).collect()
}

/// The squares of a line: of a row of boxes those between bars, else all its characters. Lines
/// without squares, such as rules and letters above a grid, are none.
fn cells(line: &str) -> Option<Vec<char>> {
    if line.trim().is_empty() || line.contains("+-") {
        return None;
    }
    if let Some((_, boxes)) = line.split_once('|') {
        let cells = boxes.trim_end().trim_end_matches('|').split('|');
        return Some(
            cells
                .map(|cell| cell.trim().chars().next().unwrap_or('.'))
                .collect(),
        );
    }
    // A line of single letters with blanks between is the header of a grid.
    let is_header = line.starts_with(' ') && line.split_whitespace().all(|word| word.len() == 1);
    (!is_header).then(|| line.trim().chars().collect())
}

fn check_row(
    variant: &Variant,
    row: usize,
    cells: &[char],
    expected: usize,
) -> Result<(), SetUpError> {
    if cells.len() != expected {
        return Err(SetUpError::Ragged {
            row,
            found: cells.len(),
            expected,
        });
    }
    let kinds = &variant.definition().kinds;
    let known: String = kinds.iter().flat_map(|kind| kind.letters).collect();
    match cells
        .iter()
        .find(|&&cell| !".#_".contains(cell) && !known.contains(cell))
    {
        Some(&letter) => Err(SetUpError::Letter { letter, row, known }),
        None => Ok(()),
    }
}

fn side_called(variant: &Variant, name: &str) -> Result<Side, SetUpError> {
    let sides = &variant.definition().sides;
    let is_called = |side: &Side| {
        sides.names[*side].eq_ignore_ascii_case(name) || sides.letters[*side].to_string() == name
    };
    let found = Side::BOTH.into_iter().find(is_called);
    found.ok_or_else(|| SetUpError::Side(name.to_owned()))
}

/// The same game on a board of so many columns and rows.
///
/// # Errors
///
/// If the game can't be played on it.
pub fn on_board(variant: &Variant, (columns, rows): (usize, usize)) -> Result<Variant, SetUpError> {
    let mut definition = variant.definition().clone();
    let board = &mut definition.board;
    if (usize::from(board.columns), usize::from(board.rows)) == (columns, rows) {
        return Ok(variant.clone());
    }
    let possible = 2..=usize::from(Board::LARGEST);
    if !possible.contains(&columns) || !possible.contains(&rows) {
        return Err(SetUpError::Size { columns, rows });
    }
    board.columns = columns as u8;
    board.rows = rows as u8;
    board.sizes = None;
    board.holes.clear();
    definition.start = Start::Rows {
        gap: rows as u8 - 2,
        offset: 0,
    };
    // Counters that name squares of the usual board don't apply to another one.
    definition
        .draws
        .counters
        .retain(|counter| counter.on.is_empty());
    Ok(Variant::from_definition(definition)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(variant: &str, text: &str, fen: &str) -> Position {
        let variant = Variant::named(variant).unwrap();
        let position = set_up(&variant, text).unwrap();
        assert_eq!(position.fen(), fen);
        position
    }

    fn check_error(variant: &str, text: &str, message: &str) {
        let variant = Variant::named(variant).unwrap();
        assert_eq!(set_up(&variant, text).unwrap_err().to_string(), message);
    }

    #[test]
    fn a_fen_or_a_pdn_game() {
        check("english", " B:W30:B1 \n", "B:W30:B1");
        let pdn = "[FEN \"B:W30:B1\"]\n1. 1-5 *\n";
        check("english", pdn, "W:W30:B5");
    }

    #[test]
    fn a_board_as_the_game_prints_it() {
        let variant = Variant::named("pown-chess").unwrap();
        let printed = variant.start().text_board(Side::Black);
        assert_eq!(
            set_up(&variant, &printed).unwrap().fen(),
            variant.start().fen()
        );
        let position = check(
            "pown-chess",
            &format!("{printed}b to move\n"),
            &variant.start().fen().replacen('W', "B", 1),
        );
        assert_eq!(position.turn(), Side::Black);
    }

    #[test]
    fn a_small_board() {
        let position = check("pown-chess", "w.\n..\n.b\n", "W:WA1:BB3");
        assert_eq!(
            (
                position.variant().board().columns(),
                position.variant().board().rows()
            ),
            (2, 3)
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        check_error(
            "stupid-checkers",
            "r..\n..b.\n",
            "row 2 of the drawn board has 4 squares, and the first row has 3",
        );
        check_error(
            "pown-chess",
            "w..\n..x\n..b\n",
            "`x` in row 2 of the drawn board is no piece of this game; it has wbWB",
        );
        check_error(
            "pown-chess",
            "wwb\n",
            "a board has 2 to 100 columns and rows; 3 by 1 are drawn",
        );
        check_error(
            "pown-chess",
            "w.\n.b\nred to move\n",
            "`red` is no side of this game",
        );
        check_error(
            "english",
            "B:W99:B1",
            "FEN: `99` is not a square of this board",
        );
        let empty = "the set-up is empty; write a FEN such as `B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12`, or draw a board";
        check_error("english", " \n", empty);
    }
}
