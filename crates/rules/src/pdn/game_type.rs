//! The tag that says which game a file records: `[GameType "20,W,10,10,N2,0"]`.

use std::fmt;
use std::str::FromStr;

use crate::variant::Corner;
use crate::{Board, Side};

/// The contents of the tag `GameType`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct GameType {
    /// The number of the game: 20 is International.
    pub number: u16,
    /// Who starts.
    pub first: Side,
    /// Columns of the board.
    pub columns: u8,
    /// Rows of the board.
    pub rows: u8,
    /// How squares are named.
    pub naming: Naming,
    /// The corner of square 1 or a1, as the first player sees it.
    pub corner: Corner,
    /// Whether the bottom left square is not played on.
    pub inverted: bool,
}

/// How squares are named.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Naming {
    /// `a3-b4`.
    Algebraic,
    /// `32-28`.
    Numeric,
    /// `ab4`.
    San,
}

/// What is wrong with the text of a `GameType`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameTypeError {
    /// The first field is no number.
    #[error("`{0}` is not the number of a game, such as 20 for International")]
    Number(String),
    /// The number alone says nothing about the board.
    #[error("game type {0} has no standard board: write it in full, as in `20,W,10,10,N2,0`")]
    NoDefault(u16),
    /// Who starts.
    #[error("`{0}` is not who starts: W or B")]
    First(String),
    /// The size of the board.
    #[error("`{0}` is not a number of columns or rows from 1 to {max}", max = Board::LARGEST)]
    Size(String),
    /// How squares are named.
    #[error("`{0}` is not a notation: A, N or S and the corner 0 to 3, as in `N2`")]
    Notation(String),
    /// Whether the board is inverted.
    #[error("`{0}` is not 0 or 1 for the inverted board")]
    Inverted(String),
    /// Too few or too many fields.
    #[error("a game type has 1, 5 or 6 fields, not {0}")]
    Fields(usize),
}

const CORNERS: [Corner; 4] = [
    Corner::BottomLeft,
    Corner::BottomRight,
    Corner::TopLeft,
    Corner::TopRight,
];

/// What the number alone stands for.
const DEFAULTS: [(u16, &str); 14] = [
    (20, "W,10,10,N2,0"),
    (21, "B,8,8,N1,0"),
    (22, "W,8,8,N2,1"),
    (23, "B,8,8,N1,0"),
    (24, "W,8,8,N1,1"),
    (25, "W,8,8,A0,0"),
    (26, "W,8,8,A0,0"),
    (27, "W,12,12,N2,0"),
    (28, "W,8,8,N1,1"),
    (29, "W,8,8,A0,0"),
    (30, "W,8,8,A0,0"),
    (31, "B,8,8,N2,0"),
    (40, "W,10,10,N2,0"),
    (41, "W,10,8,A0,0"),
];

impl GameType {
    /// The board and notation of a game by its number alone.
    pub fn standard(number: u16) -> Option<GameType> {
        let (_, rest) = DEFAULTS.iter().find(|(known, _)| *known == number)?;
        let fields: Vec<&str> = rest.split(',').collect();
        full(number, &fields).ok()
    }
}

impl FromStr for GameType {
    type Err = GameTypeError;

    fn from_str(text: &str) -> Result<GameType, GameTypeError> {
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        let number = fields[0]
            .parse()
            .map_err(|_| GameTypeError::Number(fields[0].to_string()))?;
        match fields.len() {
            1 => GameType::standard(number).ok_or(GameTypeError::NoDefault(number)),
            5 | 6 => full(number, &fields[1..]),
            count => Err(GameTypeError::Fields(count)),
        }
    }
}

fn full(number: u16, fields: &[&str]) -> Result<GameType, GameTypeError> {
    let (naming, corner) = notation(fields[3])?;
    Ok(GameType {
        number,
        first: first(fields[0])?,
        columns: size(fields[1])?,
        rows: size(fields[2])?,
        naming,
        corner,
        inverted: fields.get(4).map_or(Ok(false), |field| inverted(field))?,
    })
}

fn first(field: &str) -> Result<Side, GameTypeError> {
    match field {
        "W" | "w" => Ok(Side::White),
        "B" | "b" => Ok(Side::Black),
        _ => Err(GameTypeError::First(field.to_string())),
    }
}

fn size(field: &str) -> Result<u8, GameTypeError> {
    let size = field
        .parse()
        .ok()
        .filter(|size| (1..=Board::LARGEST).contains(size));
    size.ok_or_else(|| GameTypeError::Size(field.to_string()))
}

fn notation(field: &str) -> Result<(Naming, Corner), GameTypeError> {
    let wrong = || GameTypeError::Notation(field.to_string());
    let (letter, digit) = field.split_at_checked(1).ok_or_else(wrong)?;
    let naming = match letter {
        "A" | "a" => Naming::Algebraic,
        "N" | "n" => Naming::Numeric,
        "S" | "s" => Naming::San,
        _ => return Err(wrong()),
    };
    let corner: usize = digit.parse().map_err(|_| wrong())?;
    Ok((naming, *CORNERS.get(corner).ok_or_else(wrong)?))
}

fn inverted(field: &str) -> Result<bool, GameTypeError> {
    match field {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(GameTypeError::Inverted(field.to_string())),
    }
}

impl fmt::Display for GameType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let naming = match self.naming {
            Naming::Algebraic => 'A',
            Naming::Numeric => 'N',
            Naming::San => 'S',
        };
        let corner = CORNERS
            .iter()
            .position(|corner| *corner == self.corner)
            .unwrap_or(0);
        let (number, first) = (self.number, self.first.letter());
        let inverted = u8::from(self.inverted);
        write!(
            f,
            "{number},{first},{},{},{naming}{corner},{inverted}",
            self.columns, self.rows
        )
    }
}
