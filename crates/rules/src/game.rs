//! Games: a start, moves, and when they are over.

use std::fmt;

use crate::moves::Move;
use crate::refusal::{IllegalMove, Refusal};
use crate::setup::{Piece, SetupError};
use crate::variant::{Counter, CounterResult, Material, Obligation, Progress, Stuck};
use crate::{Position, Side, Square, Variant};

/// A game being played: where it began, what was played, and how it stands.
///
/// ```
/// use kingme_rules::{Game, Variant};
///
/// let mut game = Game::new(&Variant::named("english")?);
/// game.play_text("11-15")?;
/// game.play_text("22-18")?;
/// let error = game.play_text("8-11").unwrap_err();
/// assert_eq!(error.to_string(), "8-11 is not possible: there is a capture with 15");
/// assert!(game.outcome().is_none());
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    plies: Vec<Ply>,
    turns: Vec<Turn>,
}

/// What a side did with its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It moved.
    Move(Move),
    /// It did nothing. No rule book knows this: a referee may take somebody's turn away.
    Pass,
}

impl Turn {
    /// The move, if it was one.
    pub fn as_move(&self) -> Option<&Move> {
        match self {
            Turn::Move(mv) => Some(mv),
            Turn::Pass => None,
        }
    }
}

/// A turn and what it leads to, worked out before it is taken: [`Game::step`], [`Game::take`].
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    turn: Turn,
    next: Ply,
}

impl Step {
    /// The turn.
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// How the game ends with it, if it does.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.next.outcome.as_ref()
    }
}

/// A position of a game with what the draw rules have counted so far.
#[derive(Clone, Debug, PartialEq)]
struct Ply {
    position: Position,
    counters: Vec<u16>,
    outcome: Option<Outcome>,
}

/// How a game ended by its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The side to move has no pieces.
    NoPieces(Side),
    /// The side to move has no legal move.
    NoMoves(Side),
    /// A side has made a king in a game that the first king wins.
    King(Side),
    /// The same position has come so many times.
    Repetition(u8),
    /// So many plies without progress.
    Counter(u16),
    /// The position has too many captures to list; practically this never happens.
    TooManyCaptures,
}

impl Outcome {
    /// The outcome as a sentence, with the names that a game gives its sides.
    pub fn in_words(&self, variant: &Variant) -> String {
        let names = &variant.definition().sides.names;
        let name = |side: Side| &names[side];
        let why = match &self.reason {
            Reason::NoPieces(side) => format!("{} has no pieces left", name(*side)),
            Reason::NoMoves(side) => format!("{} can't move", name(*side)),
            Reason::King(side) => format!("{} has made the first king", name(*side)),
            Reason::Repetition(times) => {
                format!("the same position for the {} time", ordinal(*times))
            }
            Reason::Counter(0) => "neither side can win with what is left".to_owned(),
            Reason::Counter(plies) => {
                format!("{plies} moves of both sides together without progress")
            }
            Reason::TooManyCaptures => "too many captures to list".to_owned(),
        };
        match self.winner {
            Some(side) => format!("{} wins: {why}.", name(side)),
            None => format!("Draw: {why}."),
        }
    }
}

fn ordinal(number: u8) -> String {
    match number {
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        5 => "fifth".to_owned(),
        _ => format!("{number}th"),
    }
}

impl Game {
    /// A game from the start.
    pub fn new(variant: &Variant) -> Game {
        Game::from_position(variant.start())
    }

    /// A game from a position.
    pub fn from_position(position: Position) -> Game {
        let counters = vec![0; position.variant().definition().draws.counters.len()];
        let outcome = judge(&position, &counters, 1);
        let start = Ply {
            position,
            counters,
            outcome,
        };
        Game {
            plies: vec![start],
            turns: Vec::new(),
        }
    }

    fn ply(&self) -> &Ply {
        self.plies.last().expect("a game has a start")
    }

    /// The game's rules.
    pub fn variant(&self) -> &Variant {
        self.position().variant()
    }

    /// How it stands now.
    pub fn position(&self) -> &Position {
        &self.ply().position
    }

    /// Where it began.
    pub fn start(&self) -> &Position {
        &self.plies[0].position
    }

    /// The position after so many plies.
    pub fn position_after(&self, plies: usize) -> Option<&Position> {
        self.plies.get(plies).map(|ply| &ply.position)
    }

    /// How many turns were taken, those that were passed included.
    pub fn plies(&self) -> usize {
        self.turns.len()
    }

    /// What the sides did, turn by turn.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The turns, each with the position that it was taken in.
    pub fn history(&self) -> impl Iterator<Item = (&Position, &Turn)> {
        let positions = self.plies.iter().map(|ply| &ply.position);
        positions.zip(&self.turns)
    }

    /// What was played; turns that were passed are left out.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = &Move> {
        self.turns.iter().filter_map(Turn::as_move)
    }

    /// The last turn's move, unless that turn was passed.
    pub fn last_move(&self) -> Option<&Move> {
        self.turns.last()?.as_move()
    }

    /// What was played, in the game's notation.
    pub fn move_texts(&self) -> Vec<String> {
        let text = |(position, turn): (&Position, &Turn)| Some(position.move_text(turn.as_move()?));
        self.history().filter_map(text).collect()
    }

    /// Where the rules began to count, and the moves since then: at the start, or after the last
    /// turn that was passed.
    pub fn since_pass(&self) -> (&Position, impl Iterator<Item = &Move>) {
        let first = self.first_that_counts();
        let moves = self.turns[first..].iter().filter_map(Turn::as_move);
        (&self.plies[first].position, moves)
    }

    fn first_that_counts(&self) -> usize {
        let pass = self.turns.iter().rposition(|turn| *turn == Turn::Pass);
        pass.map_or(0, |at| at + 1)
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Side {
        self.position().turn()
    }

    /// The moves that can be played: none once the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.outcome().is_some() {
            Vec::new()
        } else {
            self.position().legal_moves()
        }
    }

    /// How the game ended, if it did.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.ply().outcome.as_ref()
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// If it is not legal, or the game is over; the game is as before.
    pub fn play(&mut self, mv: &Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove {
                text: self.position().squares_text(mv),
                refusal: Refusal::GameOver,
            });
        }
        let next = self.position().play(mv)?;
        self.take(self.counted(mv.clone(), next));
        Ok(())
    }

    /// Plays a move that is known to be legal, such as one that
    /// [`Position::find_move`] has just found, in a game that is not over.
    pub fn play_unchecked(&mut self, mv: Move) {
        self.take(self.step(mv));
    }

    /// The side to move does nothing. The draw rules count anew from here.
    ///
    /// # Errors
    ///
    /// If the other side can't be to move in this position; the game is as before.
    pub fn pass(&mut self) -> Result<(), SetupError> {
        self.take(self.step_by_passing()?);
        Ok(())
    }

    /// What a move leads to that is known to be legal, in a game that is not over.
    pub fn step(&self, mv: Move) -> Step {
        debug_assert!(self.outcome().is_none(), "the game is over");
        let next = self.position().play_unchecked(&mv);
        self.counted(mv, next)
    }

    /// What a passed turn leads to.
    ///
    /// # Errors
    ///
    /// If the other side can't be to move in this position.
    pub fn step_by_passing(&self) -> Result<Step, SetupError> {
        let position = self.position().passed()?;
        let counters = vec![0; self.ply().counters.len()];
        Ok(self.judged(Turn::Pass, position, counters))
    }

    /// Takes a step that was worked out for this game as it stands.
    pub fn take(&mut self, step: Step) {
        self.turns.push(step.turn);
        self.plies.push(step.next);
    }

    /// Plays a move given as text.
    ///
    /// # Errors
    ///
    /// If the text is no move, or the move is not legal; the game is as before.
    pub fn play_text(&mut self, text: &str) -> Result<Move, crate::MoveError> {
        if self.outcome().is_some() {
            return Err(crate::MoveError::Illegal(IllegalMove {
                text: text.trim().to_owned(),
                refusal: Refusal::GameOver,
            }));
        }
        let mv = self.position().find_move(text)?;
        self.play_unchecked(mv.clone());
        Ok(mv)
    }

    /// Takes the last turn back and returns it.
    pub fn undo(&mut self) -> Option<Turn> {
        let turn = self.turns.pop()?;
        self.plies.pop();
        Some(turn)
    }

    /// A move and its position, with what the draw rules count then.
    fn counted(&self, mv: Move, position: Position) -> Step {
        let rules = &position.variant().definition().draws.counters;
        let counters = rules
            .iter()
            .zip(&self.ply().counters)
            .map(|(rule, &count)| {
                let applies = holds(rule, self.position()) && holds(rule, &position);
                if applies && !restarts(rule, &mv) {
                    count.saturating_add(1)
                } else {
                    0
                }
            })
            .collect();
        self.judged(Turn::Move(mv), position, counters)
    }

    fn judged(&self, turn: Turn, position: Position, counters: Vec<u16>) -> Step {
        let before = if is_final(&turn) {
            0
        } else {
            self.times(&position)
        };
        let outcome = judge(&position, &counters, before.saturating_add(1));
        let next = Ply {
            position,
            counters,
            outcome,
        };
        Step { turn, next }
    }

    /// How often the position that stands now has come, this time included.
    pub fn repetitions(&self) -> u8 {
        self.times(self.position())
    }

    /// How often a position has come since something happened that can't be undone.
    fn times(&self, position: &Position) -> u8 {
        let since = self.turns.iter().rposition(is_final);
        let since = since.map_or(0, |at| at + 1);
        let same = |ply: &&Ply| ply.position.hash() == position.hash() && ply.position == *position;
        let times = self.plies[since..].iter().filter(same).count();
        u8::try_from(times).unwrap_or(u8::MAX)
    }

    /// How many plies are left before a counter of the draw rules ends the game, if one runs.
    pub fn plies_left(&self) -> Option<u16> {
        let rules = &self.variant().definition().draws.counters;
        rules
            .iter()
            .zip(&self.ply().counters)
            .filter(|(rule, _)| holds(rule, self.position()))
            .map(|(rule, count)| rule.plies.saturating_sub(*count))
            .min()
    }
}

/// Whether no position from before a turn can come again: a capture can't be undone.
fn is_final(turn: &Turn) -> bool {
    turn.as_move().is_none_or(Move::takes_off)
}

/// How a position stands by its rules, with what was counted and how often it has come.
fn judge(position: &Position, counters: &[u16], times: u8) -> Option<Outcome> {
    let definition = position.variant().definition();
    let us = position.turn();
    if definition.end.king_wins && position.count_kind(!us, Piece::KING) > 0 {
        return Some(Outcome {
            winner: Some(!us),
            reason: Reason::King(!us),
        });
    }
    // Only a huff can have taken the last piece of the side that has just moved.
    let huffs = definition.capture.obligation == Obligation::Huff;
    if huffs && position.count(!us) == 0 {
        return Some(stuck(position, !us));
    }
    if !position.can_move() {
        return Some(stuck(position, us));
    }
    if position.has_too_many_captures() {
        return Some(Outcome {
            winner: None,
            reason: Reason::TooManyCaptures,
        });
    }
    counted_out(position, counters).or_else(|| repeated(position, times))
}

fn counted_out(position: &Position, counters: &[u16]) -> Option<Outcome> {
    let rules = &position.variant().definition().draws.counters;
    let (rule, _) = rules
        .iter()
        .zip(counters)
        .find(|(rule, count)| **count >= rule.plies && stops(rule, position))?;
    Some(Outcome {
        winner: match rule.result {
            CounterResult::Draw => None,
            CounterResult::MostPieces => most_pieces(position),
            CounterResult::OneWins => only_one(rule, position),
        },
        reason: Reason::Counter(rule.plies),
    })
}

fn repeated(position: &Position, times: u8) -> Option<Outcome> {
    let most = position.variant().definition().draws.repetition?;
    (times >= most).then_some(Outcome {
        winner: None,
        reason: Reason::Repetition(most),
    })
}

/// The outcome where a side has no move or no piece.
fn stuck(position: &Position, side: Side) -> Outcome {
    let reason = if position.count(side) == 0 {
        Reason::NoPieces(side)
    } else {
        Reason::NoMoves(side)
    };
    let winner = match position.variant().definition().end.stuck {
        Stuck::Loses => Some(!side),
        Stuck::Wins => Some(side),
        Stuck::MostPieces => most_pieces(position),
    };
    Outcome { winner, reason }
}

fn most_pieces(position: &Position) -> Option<Side> {
    let [white, black] = Side::BOTH.map(|side| position.count(side));
    match white.cmp(&black) {
        std::cmp::Ordering::Greater => Some(Side::White),
        std::cmp::Ordering::Less => Some(Side::Black),
        std::cmp::Ordering::Equal => None,
    }
}

fn restarts(rule: &Counter, mv: &Move) -> bool {
    rule.restart.iter().any(|progress| match progress {
        Progress::Capture => mv.takes_off(),
        Progress::Promotion => mv.is_promotion(),
        Progress::ManMove => mv.kind == Piece::MAN,
    })
}

/// Whether a counter that has run out stops the game here.
fn stops(rule: &Counter, position: &Position) -> bool {
    holds(rule, position) && !(rule.unless_capture && position.can_capture())
}

/// Whether a counter's conditions hold, either way round.
fn holds(rule: &Counter, position: &Position) -> bool {
    if let Some(span) = rule.pieces {
        let total = position.count(Side::White) + position.count(Side::Black);
        if !span.contains(total) {
            return false;
        }
    }
    Side::BOTH
        .into_iter()
        .any(|side| is_one(rule, position, side))
}

/// Whether a side is the one that a counter speaks of.
fn is_one(rule: &Counter, position: &Position, side: Side) -> bool {
    has(position, side, rule.one)
        && has(position, !side, rule.other)
        && (rule.on.is_empty() || stands_on(position, side, &rule.on))
}

/// The side that a counter speaks of, unless it may be either.
fn only_one(rule: &Counter, position: &Position) -> Option<Side> {
    match Side::BOTH.map(|side| is_one(rule, position, side)) {
        [true, false] => Some(Side::White),
        [false, true] => Some(Side::Black),
        _ => None,
    }
}

fn has(position: &Position, side: Side, material: Material) -> bool {
    let fits = |span: Option<crate::variant::Span>, count: &dyn Fn() -> u32| {
        span.is_none_or(|span| span.contains(count()))
    };
    fits(material.pieces, &|| position.count(side))
        && fits(material.men, &|| position.count_kind(side, Piece::MAN))
        && fits(material.kings, &|| position.count_kind(side, Piece::KING))
}

fn stands_on(position: &Position, side: Side, names: &[String]) -> bool {
    let board = position.variant().board();
    let allowed: Vec<Square> = names.iter().filter_map(|name| board.parse(name)).collect();
    position
        .pieces()
        .iter()
        .all(|(square, piece)| piece.side != side || allowed.contains(square))
}

impl fmt::Display for Game {
    /// The moves in one line, numbered.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, text) in self.move_texts().iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            if index % 2 == 0 {
                write!(f, "{}. ", index / 2 + 1)?;
            }
            f.write_str(text)?;
        }
        Ok(())
    }
}
