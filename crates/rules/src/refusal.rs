//! Why a move is refused, in words that help.

use std::collections::BTreeSet;

use crate::moves::Move;
use crate::variant::Criterion;
use crate::{Board, Position, Side, Square};

/// A move that is not legal here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text} is not possible: {refusal}")]
pub struct IllegalMove {
    /// The move as it was given.
    pub text: String,
    /// Why it is refused.
    pub refusal: Refusal,
}

/// Why a move is refused. Squares are given by name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nobody can move any more.
    #[error("the game is over")]
    GameOver,
    /// The start square is empty.
    #[error("there is no piece on {0}")]
    Empty(String),
    /// The start square has a piece of the other side.
    #[error("the piece on {square} is {owner}'s, and it is {turn}'s turn")]
    NotYours {
        /// Where.
        square: String,
        /// Whose it is.
        owner: String,
        /// Whose turn it is.
        turn: String,
    },
    /// Something else can capture, and must.
    #[error("there is a capture with {}", list(.0))]
    MustCapture(Vec<String>),
    /// The capture can go on, and must.
    #[error("the chain must go on from {0}")]
    MustGoOn(String),
    /// Another capture takes more.
    #[error("a longer capture exists ({pieces} pieces: {example})")]
    LongerCapture {
        /// How many it takes.
        pieces: usize,
        /// One such capture.
        example: String,
    },
    /// Another capture comes first by a rule of the game.
    #[error("{rule} comes first: {example}")]
    OtherCapture {
        /// The rule, as a noun.
        rule: &'static str,
        /// One such capture.
        example: String,
    },
    /// A piece has made too many quiet moves in a row.
    #[error(
        "the {kind} on {square} has made {limit} moves in a row; move another piece or capture"
    )]
    Tired {
        /// What it is.
        kind: String,
        /// Where.
        square: String,
        /// How many are allowed.
        limit: u8,
    },
    /// The piece has no move at all.
    #[error("the {kind} on {square} can't move")]
    Stuck {
        /// What it is.
        kind: String,
        /// Where.
        square: String,
    },
    /// The piece can move, but not there.
    #[error("the {kind} on {square} can't go there; it can go to {}", list(.targets))]
    Elsewhere {
        /// What it is.
        kind: String,
        /// Where.
        square: String,
        /// Where it can go.
        targets: Vec<String>,
    },
}

fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// The reason why a move over these squares is refused; it must not be legal.
pub(crate) fn refuse(position: &Position, text: &str, squares: &[Square]) -> IllegalMove {
    IllegalMove {
        text: text.to_owned(),
        refusal: reason(position, squares),
    }
}

fn reason(position: &Position, squares: &[Square]) -> Refusal {
    let board = position.variant().board();
    let legal = position.legal_moves();
    if legal.is_empty() {
        return Refusal::GameOver;
    }
    let from = squares[0];
    let name = board.name(from);
    let Some(piece) = position.piece(from) else {
        return Refusal::Empty(name);
    };
    if piece.side != position.turn() {
        return Refusal::NotYours {
            square: name,
            owner: side_name(position, piece.side),
            turn: side_name(position, position.turn()),
        };
    }
    let relaxed = position.under(position.variant().relaxed());
    let possible: Vec<Move> = relaxed
        .legal_moves()
        .into_iter()
        .filter(|mv| mv.from == from)
        .collect();
    let kind = position.variant().definition().kinds[piece.kind]
        .name
        .clone();
    if possible.is_empty() {
        return Refusal::Stuck { kind, square: name };
    }
    match possible.iter().find(|mv| fits(mv, squares)) {
        Some(wanted) => obligation(position, &legal, wanted),
        None => elsewhere(position, &legal, from, kind),
    }
}

/// Whether these squares can stand for a move.
pub(crate) fn fits(mv: &Move, squares: &[Square]) -> bool {
    let [from, between @ .., to] = squares else {
        return false;
    };
    if mv.from != *from || mv.to != *to {
        return false;
    }
    let mut path = mv.path.iter();
    let on_path = between.iter().all(|square| path.any(|hop| hop == square));
    on_path || *between == mv.captured
}

/// There is something to capture: each square once, in reading order.
fn must_capture(board: &Board, legal: &[Move]) -> Refusal {
    let captures = legal.iter().filter(|mv| mv.is_capture());
    let able: BTreeSet<Square> = captures.map(|mv| mv.from).collect();
    Refusal::MustCapture(able.into_iter().map(|at| board.name(at)).collect())
}

/// The move would be possible if nothing else were compulsory.
fn obligation(position: &Position, legal: &[Move], wanted: &Move) -> Refusal {
    let board = position.variant().board();
    if !wanted.is_capture() {
        if legal.iter().all(Move::is_capture) {
            return must_capture(board, legal);
        }
        let kind = &position.variant().definition().kinds[wanted.kind];
        return Refusal::Tired {
            kind: kind.name.clone(),
            square: board.name(wanted.from),
            limit: kind.quiet_limit.unwrap_or_default(),
        };
    }
    let goes_on = legal.iter().any(|mv| {
        mv.path.len() > wanted.path.len()
            && mv.path.starts_with(&wanted.path)
            && mv.from == wanted.from
    });
    if goes_on {
        return Refusal::MustGoOn(board.name(wanted.to));
    }
    let example = &legal[0];
    let text = position.move_text(example);
    if example.captured.len() > wanted.captured.len() {
        return Refusal::LongerCapture {
            pieces: example.captured.len(),
            example: text,
        };
    }
    match deciding_criterion(position, wanted, example) {
        Some(rule) => Refusal::OtherCapture {
            rule,
            example: text,
        },
        // Another landing square of the same jump goes on: the chain must take it.
        None => Refusal::MustGoOn(board.name(example.path[0])),
    }
}

/// The first criterion by which the legal capture beats the wanted one.
fn deciding_criterion(position: &Position, wanted: &Move, legal: &Move) -> Option<&'static str> {
    let kings = |mv: &Move| {
        let is_king = |&&square: &&Square| position.piece(square).is_some_and(|p| p.kind == 1);
        mv.captured.iter().filter(is_king).count()
    };
    let differs = |criterion: Criterion| match criterion {
        Criterion::MostPieces => legal.captured.len() > wanted.captured.len(),
        Criterion::ByKing => legal.kind == 1 && wanted.kind != 1,
        Criterion::MostKings => kings(legal) > kings(wanted),
        Criterion::KingsFirst | Criterion::MostValue => true,
    };
    let priority = &position.variant().definition().capture.priority;
    let criterion = priority.iter().copied().find(|&c| differs(c))?;
    Some(match criterion {
        Criterion::MostPieces => "a capture of more pieces",
        Criterion::ByKing => "a capture with a king",
        Criterion::MostKings => "a capture of more kings",
        Criterion::KingsFirst => "a capture that meets a king earlier",
        Criterion::MostValue => "a capture of higher value",
    })
}

fn elsewhere(position: &Position, legal: &[Move], from: Square, kind: String) -> Refusal {
    let board = position.variant().board();
    let mut targets: Vec<String> = legal
        .iter()
        .filter(|mv| mv.from == from)
        .map(|mv| board.name(mv.to))
        .collect();
    targets.dedup();
    if targets.is_empty() && legal.iter().any(Move::is_capture) {
        return must_capture(board, legal);
    }
    if targets.is_empty() {
        let square = board.name(from);
        return Refusal::Stuck { kind, square };
    }
    Refusal::Elsewhere {
        kind,
        square: board.name(from),
        targets,
    }
}

fn side_name(position: &Position, side: Side) -> String {
    position.variant().definition().sides.names[side].clone()
}
