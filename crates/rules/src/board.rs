//! Boards: which squares there are, where they lie and what they are called.

use std::fmt::Write;

use crate::variant::{BoardDefinition, Corner, Notation, SquareNames, Squares};

/// A playable square: its place in reading order, from the top left of the board as it is drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub(crate) u16); // Invariant: less than the number of squares of its board.

impl Square {
    /// Index into arrays, starting at 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The squares of a board with their places and names.
///
/// ```
/// let board = kingme_rules::Variant::named("international")?.board().clone();
/// let square = board.parse("28").unwrap();
/// assert_eq!(board.row_column(square), (5, 4));
/// assert_eq!(board.name(square), "28");
/// # Ok::<_, kingme_rules::UnknownVariant>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    columns: u8,
    rows: u8,
    kind: Squares,
    places: Vec<(u8, u8)>,
    grid: Vec<Option<Square>>,
    notation: Notation,
    numbers: Vec<u16>,
}

impl Board {
    /// The most columns and rows that a board may have.
    pub const LARGEST: u8 = 100;

    /// The most columns that can be named by letters.
    pub const LETTERS: u8 = 26;

    /// The board of a definition.
    pub(crate) fn new(definition: &BoardDefinition, notation: Notation) -> Board {
        let (columns, rows) = (definition.columns, definition.rows);
        let mut places = Vec::new();
        let mut grid = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let playable = is_played_on(definition.squares, row, column)
                    && !definition.holes.contains(&(row, column));
                grid.push(playable.then_some(Square(places.len() as u16)));
                if playable {
                    places.push((row, column));
                }
            }
        }
        let numbers = numbers(&places, notation.corner);
        Board {
            columns,
            rows,
            kind: definition.squares,
            places,
            grid,
            notation,
            numbers,
        }
    }

    /// Columns, counting squares that are not used.
    pub fn columns(&self) -> u8 {
        self.columns
    }

    /// Rows.
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// Which squares of the grid are used, holes apart.
    pub fn kind(&self) -> Squares {
        self.kind
    }

    /// Number of playable squares.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether the board has no playable square.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// All playable squares in reading order.
    pub fn squares(&self) -> impl DoubleEndedIterator<Item = Square> + use<> {
        (0..self.places.len() as u16).map(Square)
    }

    /// The square with this index, if the board has so many.
    pub fn square(&self, index: usize) -> Option<Square> {
        (index < self.places.len()).then_some(Square(index as u16))
    }

    /// The playable square at a row and a column, counted from 0 at the top left.
    pub fn at(&self, row: usize, column: usize) -> Option<Square> {
        let inside = row < usize::from(self.rows) && column < usize::from(self.columns);
        inside
            .then(|| self.grid[row * usize::from(self.columns) + column])
            .flatten()
    }

    /// Row and column of a square, counted from 0 at the top left.
    pub fn row_column(&self, square: Square) -> (usize, usize) {
        let (row, column) = self.places[square.index()];
        (usize::from(row), usize::from(column))
    }

    /// The square's number in the game's numbering, whatever its squares are called.
    pub fn number(&self, square: Square) -> u16 {
        self.numbers[square.index()]
    }

    /// The square with a number.
    pub fn numbered(&self, number: u16) -> Option<Square> {
        let index = self.numbers.iter().position(|&n| n == number)?;
        Some(Square(index as u16))
    }

    /// The square's name in the game's notation.
    pub fn name(&self, square: Square) -> String {
        let mut name = String::new();
        self.push_name(&mut name, square);
        name
    }

    /// Adds the square's number to a text. Thousands of moves are written in a second, and `write!`
    /// would take most of the time.
    pub fn push_number(&self, text: &mut String, square: Square) {
        let number = self.number(square);
        let digit = |value: u16| char::from(b'0' + (value % 10) as u8);
        for power in [10_000, 1_000, 100, 10] {
            if number >= power {
                text.push(digit(number / power));
            }
        }
        text.push(digit(number));
    }

    /// Adds the square's name in the game's notation to a text.
    pub fn push_name(&self, text: &mut String, square: Square) {
        let (row, column) = self.row_column(square);
        let written = match self.notation.squares {
            SquareNames::Numbers => {
                self.push_number(text, square);
                Ok(())
            }
            SquareNames::RowColumn => write!(text, "{row},{column}"),
            SquareNames::Letters => write!(text, "{}{}", self.file('a', column), self.rank(row)),
            SquareNames::Capitals => write!(text, "{}{}", self.file('A', column), self.rank(row)),
        };
        written.expect("a text takes everything");
    }

    /// The name in FEN, where a comma would separate squares.
    pub fn fen_name(&self, square: Square) -> String {
        match self.notation.squares {
            SquareNames::RowColumn => self.number(square).to_string(),
            _ => self.name(square),
        }
    }

    /// The letter of a column.
    pub fn file(&self, first: char, column: usize) -> char {
        let column = match self.notation.corner {
            Corner::BottomLeft | Corner::TopLeft => column,
            Corner::BottomRight | Corner::TopRight => usize::from(self.columns) - 1 - column,
        };
        char::from(first as u8 + column as u8)
    }

    /// The number of a row.
    pub fn rank(&self, row: usize) -> usize {
        match self.notation.corner {
            Corner::TopLeft | Corner::TopRight => row + 1,
            Corner::BottomLeft | Corner::BottomRight => usize::from(self.rows) - row,
        }
    }

    /// The square with a name, in any case and with leading zeros. Where squares have letters,
    /// plain numbers are taken as well: row by row from the top left.
    pub fn parse(&self, name: &str) -> Option<Square> {
        let name = name.trim();
        match self.notation.squares {
            SquareNames::Numbers => self.numbered(name.parse().ok()?),
            SquareNames::RowColumn => match name.split_once(',') {
                Some((row, column)) => {
                    let (row, column) = (
                        row.trim_matches(['(', ' ']),
                        column.trim_matches([')', ' ']),
                    );
                    self.at(row.parse().ok()?, column.parse().ok()?)
                }
                None => self.numbered(name.parse().ok()?),
            },
            SquareNames::Letters | SquareNames::Capitals => self.parse_letters(name),
        }
    }

    /// The square with a name such as `c3` in a game that numbers its squares; a1 is at the bottom
    /// left, as on a chess board.
    pub(crate) fn parse_as_letters(&self, name: &str) -> Option<Square> {
        if self.notation.squares != SquareNames::Numbers {
            return None;
        }
        let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
        let column = u32::from(letter.to_ascii_lowercase()) - u32::from('a');
        let rank: usize = name.get(1..)?.parse().ok()?;
        let row = usize::from(self.rows).checked_sub(rank)?;
        self.at(row, column as usize)
    }

    fn parse_letters(&self, name: &str) -> Option<Square> {
        let letter = name.chars().next()?.to_ascii_lowercase();
        if letter.is_ascii_digit() {
            let index: usize = name.parse().ok()?;
            return self.square(index.checked_sub(1)?);
        }
        let rank: usize = name.get(1..)?.parse().ok()?;
        let column = (0..usize::from(self.columns)).find(|&c| self.file('a', c) == letter)?;
        let row = (0..usize::from(self.rows)).find(|&row| self.rank(row) == rank)?;
        self.at(row, column)
    }
}

fn is_played_on(squares: Squares, row: u8, column: u8) -> bool {
    match squares {
        Squares::All => true,
        Squares::Even => (row + column).is_multiple_of(2),
        Squares::Odd => !(row + column).is_multiple_of(2),
    }
}

/// Numbers run along the rows, away from the corner.
fn numbers(places: &[(u8, u8)], corner: Corner) -> Vec<u16> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|&index| {
        let (row, column) = (i16::from(places[index].0), i16::from(places[index].1));
        match corner {
            Corner::TopLeft => (row, column),
            Corner::TopRight => (row, -column),
            Corner::BottomLeft => (-row, column),
            Corner::BottomRight => (-row, -column),
        }
    });
    let mut numbers = vec![0; places.len()];
    for (number, index) in (1..).zip(order) {
        numbers[index] = number;
    }
    numbers
}
