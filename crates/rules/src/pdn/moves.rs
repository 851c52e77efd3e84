//! Finding the moves that a line of text means.

use super::MoveNode;
use super::replay::{ReplayError, ReplayFault};
use super::word;
use crate::variant::SquareNames;
use crate::{Board, Move, Position, Square};

/// How many moves are tried at most beyond those of the line itself.
const MOST_TRIES: usize = 10_000;

/// The moves of a line as far as they are legal, and where they lead.
#[derive(Clone)]
pub(super) struct Line {
    pub moves: Vec<Move>,
    pub position: Position,
}

impl Line {
    fn play(&mut self, mv: Move) {
        self.position = self.position.play_unchecked(&mv);
        self.moves.push(mv);
    }
}

/// A place where a text fits several moves.
struct Choice {
    ply: usize,
    position: Position,
    /// The readings that are left, the best last.
    others: Vec<Move>,
}

/// Plays moves from a position. Where a text fits several moves, later ones decide: the first
/// reading that makes the whole line legal is taken, or else the one that leads farthest.
pub(super) fn play_line(start: &Position, nodes: &[MoveNode]) -> (Line, Option<ReplayError>) {
    let mut line = Line {
        moves: Vec::with_capacity(nodes.len()),
        position: start.clone(),
    };
    let mut best = Farthest {
        line: line.clone(),
        common: 0,
    };
    let mut choices: Vec<Choice> = Vec::new();
    for _ in 0..nodes.len() + MOST_TRIES {
        let Some(node) = nodes.get(line.moves.len()) else {
            return (line, None);
        };
        let mut readings = readings(&line.position, &node.text);
        readings.reverse();
        if let Some(mv) = readings.pop() {
            if !readings.is_empty() {
                let (ply, position) = (line.moves.len(), line.position.clone());
                choices.push(Choice {
                    ply,
                    position,
                    others: readings,
                });
            }
            line.play(mv);
        } else {
            best.note(&line);
            let Some(ply) = go_back(&mut line, &mut choices) else {
                break;
            };
            best.common = best.common.min(ply);
        }
    }
    best.note(&line);
    let error = nodes
        .get(best.line.moves.len())
        .map(|node| refusal(&best.line, node));
    (best.line, error)
}

/// Takes the next reading of the last choice that has one; its ply.
fn go_back(line: &mut Line, choices: &mut Vec<Choice>) -> Option<usize> {
    loop {
        let choice = choices.last_mut()?;
        if let Some(mv) = choice.others.pop() {
            line.moves.truncate(choice.ply);
            line.position = choice.position.clone();
            line.play(mv);
            return Some(choice.ply);
        }
        choices.pop();
    }
}

/// The longest line so far.
struct Farthest {
    line: Line,
    /// How many of its first moves are those of the line being tried: they need not be copied.
    common: usize,
}

impl Farthest {
    fn note(&mut self, line: &Line) {
        if line.moves.len() > self.line.moves.len() {
            self.line.moves.truncate(self.common);
            self.line
                .moves
                .extend_from_slice(&line.moves[self.common..]);
            self.line.position = line.position.clone();
            self.common = line.moves.len();
        }
    }
}

fn refusal(line: &Line, node: &MoveNode) -> ReplayError {
    let position = &line.position;
    let sides = &position.variant().definition().sides;
    let fault = match position.find_move(&node.text) {
        Ok(_) => ReplayFault::Unclear(node.text.clone()),
        Err(error) => ReplayFault::Move {
            number: line.moves.len() / 2 + 1,
            side: sides.names[position.turn()].clone(),
            error,
        },
    };
    ReplayError { at: node.at, fault }
}

/// The legal moves that a text can mean, the likeliest first.
fn readings(position: &Position, text: &str) -> Vec<Move> {
    let board = position.variant().board();
    let names = word::squares(text);
    let [first, rest @ ..] = names.as_slice() else {
        return Vec::new();
    };
    let Some(rest) = rest
        .iter()
        .map(|name| named(board, name))
        .collect::<Option<Vec<Square>>>()
    else {
        return Vec::new();
    };
    let Some((&to, between)) = rest.split_last() else {
        return Vec::new();
    };
    let from = named(board, first);
    let starts = |mv: &Move| match from {
        Some(from) => mv.from == from,
        None => is_file(position, first, mv.from),
    };
    let mut found = position.legal_moves();
    found.retain(|mv| mv.to == to && starts(mv));
    if found.len() > 1 && !between.is_empty() {
        found.sort_by_key(|mv| strangeness(board, mv, between));
        if strangeness(board, &found[0], between) < STRANGEST {
            found.retain(|mv| strangeness(board, mv, between) < STRANGEST);
        }
    }
    found
}

/// The square of a name. Some sites write `c3-d4` in games of numbers.
fn named(board: &Board, name: &str) -> Option<Square> {
    board.parse(name).or_else(|| board.parse_as_letters(name))
}

/// Whether a text is the letter of a square's file, as in `ab4`.
fn is_file(position: &Position, text: &str, square: Square) -> bool {
    position.variant().definition().notation.squares == SquareNames::Letters
        && text.len() == 1
        && position.variant().board().name(square).starts_with(text)
}

const STRANGEST: u8 = 3;

/// How far the squares between the ends are from the standard way to write a capture.
fn strangeness(board: &Board, mv: &Move, between: &[Square]) -> u8 {
    let landings = &mv.path[..mv.path.len() - 1];
    if between == landings {
        0
    } else if is_subsequence(between, &trace(board, mv)) {
        1 // Turning squares, those behind the captured pieces, or these themselves.
    } else if between.iter().all(|square| mv.captured.contains(square)) {
        2
    } else {
        STRANGEST
    }
}

fn is_subsequence(squares: &[Square], of: &[Square]) -> bool {
    let mut rest = of.iter();
    squares
        .iter()
        .all(|square| rest.any(|other| other == square))
}

/// All squares that a piece passes, in order.
fn trace(board: &Board, mv: &Move) -> Vec<Square> {
    let mut squares = Vec::new();
    let mut from = mv.from;
    for &to in &mv.path {
        squares.extend(between(board, from, to));
        squares.push(to);
        from = to;
    }
    squares
}

/// The squares between two on a straight line; none if the line is not straight.
fn between(board: &Board, from: Square, to: Square) -> Vec<Square> {
    let signed = |square| {
        let (row, column) = board.row_column(square);
        (row as isize, column as isize)
    };
    let ((row, column), (to_row, to_column)) = (signed(from), signed(to));
    let (rows, columns) = (to_row - row, to_column - column);
    let length = rows.abs().max(columns.abs());
    if rows != 0 && columns != 0 && rows.abs() != columns.abs() {
        return Vec::new();
    }
    let at = |step: isize| {
        let (row, column) = (row + step * rows.signum(), column + step * columns.signum());
        board.at(row as usize, column as usize)
    };
    (1..length).filter_map(at).collect()
}
