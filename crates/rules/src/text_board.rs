//! Positions as text, for terminals, lessons and logs.

use crate::variant::{SquareNames, TextBoard};
use crate::{Position, Side, Square};

impl Position {
    /// The board as lines of text, in the way the game draws it (`screen.text_board`), with
    /// `bottom` sitting at the bottom.
    ///
    /// ```
    /// use kingme_rules::{Side, Variant};
    ///
    /// let position = Variant::named("league")?.sized(4)?.start();
    /// let board = "    0  1  2  3 \n 0  _  w  _  w \n 1  0  _  0  _ \n 2  _  0  _  0 \n 3  b  _  b  _ \n";
    /// assert_eq!(position.text_board(Side::Black), board);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn text_board(&self, bottom: Side) -> String {
        let board = TextCells::new(self, bottom);
        let lines = match self.variant().definition().screen.text_board {
            TextBoard::Plain => plain(&board),
            TextBoard::Grid => grid(&board),
            TextBoard::Console => console(&board),
        };
        lines.into_iter().map(|line| line + "\n").collect()
    }

    /// The letter of the piece on a square, as drawn boards write it.
    pub fn letter(&self, square: Square) -> Option<char> {
        let piece = self.piece(square)?;
        Some(self.variant().definition().kinds[piece.kind].letters[piece.side])
    }
}

/// A board as its viewer sees it: rows and columns from the top left.
struct TextCells<'a> {
    position: &'a Position,
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl TextCells<'_> {
    fn new(position: &Position, bottom: Side) -> TextCells<'_> {
        let board = position.variant().board();
        let mut rows: Vec<usize> = (0..board.rows().into()).collect();
        let mut columns: Vec<usize> = (0..board.columns().into()).collect();
        if position.variant().definition().sides.top == bottom {
            rows.reverse();
            columns.reverse();
        }
        TextCells {
            position,
            rows,
            columns,
        }
    }

    /// The letter at a place, `empty` on a free square and `unused` where nobody plays.
    fn letter(&self, row: usize, column: usize, empty: char, unused: char) -> char {
        match self.position.variant().board().at(row, column) {
            Some(square) => self.position.letter(square).unwrap_or(empty),
            None => unused,
        }
    }

    /// The letters of a row.
    fn row(&self, row: usize, empty: char, unused: char) -> impl Iterator<Item = String> {
        self.columns
            .iter()
            .map(move |&column| self.letter(row, column, empty, unused).to_string())
    }

    fn names(&self) -> SquareNames {
        self.position.variant().definition().notation.squares
    }

    /// What stands at the left of a row. Numbered squares: the number of its first one.
    fn left(&self, row: usize) -> String {
        let board = self.position.variant().board();
        match self.names() {
            SquareNames::Numbers => self.numbers(row).next().unwrap_or_default(),
            SquareNames::RowColumn => row.to_string(),
            SquareNames::Letters | SquareNames::Capitals => board.rank(row).to_string(),
        }
    }

    /// What stands at the right of a row. Numbered squares: the number of its last one.
    fn right(&self, row: usize) -> String {
        match self.names() {
            SquareNames::Numbers => self.numbers(row).last().unwrap_or_default(),
            _ => self.left(row),
        }
    }

    fn numbers(&self, row: usize) -> impl Iterator<Item = String> {
        let board = self.position.variant().board();
        let squares = self
            .columns
            .iter()
            .filter_map(move |&column| board.at(row, column));
        squares.map(|square| board.number(square).to_string())
    }

    /// What stands above or below a column; numbered squares need nothing there.
    fn column(&self, column: usize) -> Option<String> {
        let board = self.position.variant().board();
        match self.names() {
            SquareNames::Numbers => None,
            SquareNames::RowColumn => Some(column.to_string()),
            SquareNames::Letters => Some(board.file('a', column).to_string()),
            SquareNames::Capitals => Some(board.file('A', column).to_string()),
        }
    }
}

/// Compact, with the names of squares at the edges.
fn plain(board: &TextCells) -> Vec<String> {
    let widest = |labels: Vec<String>| labels.iter().map(String::len).max().unwrap_or(0);
    let left = widest(board.rows.iter().map(|&row| board.left(row)).collect());
    let right = widest(board.rows.iter().map(|&row| board.right(row)).collect());
    let line = |&row: &usize| {
        let cells: Vec<String> = board.row(row, '.', ' ').collect();
        let (from, to) = (board.left(row), board.right(row));
        format!("{from:>left$}  {}  {to:>right$}", cells.join(" "))
    };
    let mut lines: Vec<String> = board.rows.iter().map(line).collect();
    let columns: Option<Vec<String>> = board.columns.iter().map(|&c| board.column(c)).collect();
    if let Some(columns) = columns {
        // Two digits touch their neighbours, but still stand in their column.
        let cells = join(columns.iter(), |column| format!("{column:<2}"));
        lines.push(format!("{:left$}  {}", "", cells.trim_end()));
    }
    lines
}

/// Boxes, as the worksheets Stupid Checkers and Pown Chess draw them.
fn grid(board: &TextCells) -> Vec<String> {
    let header = join(board.columns.iter(), |&column| {
        format!("{:^4}", board.column(column).unwrap_or_default())
    });
    let rule = format!("   +{}", "---+".repeat(board.columns.len()));
    let mut lines = vec![format!("    {header}")];
    for &row in &board.rows {
        let cells = join(board.row(row, ' ', ' '), |cell| format!(" {cell} |"));
        lines.push(rule.clone());
        lines.push(format!("{:<3}|{cells}", board.left(row)));
    }
    lines.push(rule);
    lines
}

/// Cells centred in three columns, as the console of the `league` game draws them.
fn console(board: &TextCells) -> Vec<String> {
    let cell = |text: &str| format!("{text:^3}");
    let numbers = join(board.columns.iter(), |column| cell(&column.to_string()));
    let mut lines = vec![format!("   {numbers}")];
    lines.extend(board.rows.iter().map(|&row| {
        let cells = join(board.row(row, '0', '_'), |text| cell(&text));
        cell(&row.to_string()) + &cells
    }));
    lines
}

fn join<T>(items: impl Iterator<Item = T>, cell: impl Fn(T) -> String) -> String {
    items.map(cell).collect::<Vec<_>>().concat()
}
