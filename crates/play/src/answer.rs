//! What a player says it wants to do.

use std::time::Duration;

use kingme_rules::{Move, MoveError, Position, Square};

/// What a player says it wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A move.
    Move(Move),
    /// A move as text, in the notation of the game, as
    /// [`Position::find_move`](kingme_rules::Position::find_move) reads it.
    Text(String),
    /// A move by its squares, as [`Position::find_by_squares`] reads them: protocols write it so.
    Squares(Vec<Square>),
    /// It gives the game up.
    Resign,
}

impl Reply {
    /// The move that it means in a position, if that is legal.
    ///
    /// # Errors
    ///
    /// Why it is not.
    pub fn find(&self, position: &Position) -> Result<Move, MoveError> {
        match self {
            Reply::Move(mv) => {
                position.check_move(mv)?;
                Ok(mv.clone())
            }
            Reply::Text(text) => position.find_move(text),
            Reply::Squares(squares) => position.find_by_squares(squares),
            Reply::Resign => position.find_move(""),
        }
    }
}

/// An answer, with what the player says about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What to do.
    pub reply: Reply,
    /// How the player sees its own chances, in men; ±100 and beyond is a forced end.
    pub score: Option<f32>,
    /// How deep it looked.
    pub depth: Option<u32>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
    /// The moves it expects, its own first, in its own notation.
    pub line: Option<Box<str>>,
    /// How long it thought, where our side of a connection has measured it from the last byte of
    /// the question to the end of the answer. Otherwise the clock of the game counts.
    pub time: Option<Duration>,
    /// What went wrong meanwhile, in the player's own words: on record with its move, and why an
    /// answer that is no legal move is none.
    pub remark: Option<Box<str>>,
}

impl Answer {
    /// A bare answer.
    pub fn new(reply: Reply) -> Answer {
        Answer {
            reply,
            score: None,
            depth: None,
            nodes: None,
            line: None,
            time: None,
            remark: None,
        }
    }
}

impl From<Move> for Answer {
    fn from(mv: Move) -> Answer {
        Answer::new(Reply::Move(mv))
    }
}
