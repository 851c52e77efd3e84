//! Players: whatever answers a game with a move.

use std::sync::Mutex;
use std::time::Duration;

use kingme_rules::{Game, Move, Side};

use crate::{Clock, PlayerFault, Stop};

/// Somebody or something that answers a game with a move.
///
/// The referee asks, and never trusts: it checks every answer against the rules and against its
/// own clock. A player in turn may rely on this order of calls: [`new_game`](Player::new_game),
/// any number of [`choose`](Player::choose), [`end_game`](Player::end_game), and then perhaps
/// another game. A call may follow any fault; a player that has lost its process starts a new one.
pub trait Player: Send {
    /// The name to show.
    fn name(&self) -> String;

    /// A seed for the choices of the next game, for those that play by chance; it comes before
    /// [`new_game`](Player::new_game), so that a game can be played again as it was.
    fn seed(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Who plays the other side of the next game; it comes before
    /// [`new_game`](Player::new_game). Only for those who show it.
    fn meet(&mut self, opponent: &str) {
        let _ = opponent;
    }

    /// A game begins, from `game`'s position, and this player has a side in it.
    ///
    /// # Errors
    ///
    /// Why the player can't play it. It is asked for its moves nevertheless.
    fn new_game(&mut self, game: &Game, side: Side) -> Result<(), PlayerFault> {
        let _ = (game, side);
        Ok(())
    }

    /// Answers with a move for the side to move. Returns by the deadline of `turn.clock`, and
    /// soon after `turn.stop` is requested; hands the best answer so far to [`Turn::suggest`]
    /// whenever it has a better one, so that a late player is not left without a move.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    fn choose(&mut self, game: &Game, turn: &Turn) -> Result<Answer, PlayerFault>;

    /// The other side has moved; `game` has it as its last move. Only for those who show it.
    fn opponent_moved(&mut self, game: &Game) {
        let _ = game;
    }

    /// The game is over; `game` has all its moves, and `winner` is who won, if anybody did.
    fn end_game(&mut self, game: &Game, winner: Option<Side>) {
        let _ = (game, winner);
    }

    /// What keeps this player from harming the machine, if it is a program: one short phrase.
    fn isolation(&self) -> Option<String> {
        None
    }
}

/// What a player says it wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A move.
    Move(Move),
    /// A move as text, in the notation of the game, as
    /// [`Position::find_move`](kingme_rules::Position::find_move) reads it.
    Text(String),
    /// It gives the game up.
    Resign,
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
    /// How long it thought, where our side of a connection has measured it from the last byte of
    /// the question to the end of the answer. Otherwise the referee's own measure counts.
    pub time: Option<Duration>,
}

impl Answer {
    /// A bare answer.
    pub fn new(reply: Reply) -> Answer {
        Answer {
            reply,
            score: None,
            depth: None,
            nodes: None,
            time: None,
        }
    }
}

impl From<Move> for Answer {
    fn from(mv: Move) -> Answer {
        Answer::new(Reply::Move(mv))
    }
}

/// One question to a player: its clock, how it is interrupted, and its best answer so far.
#[derive(Debug)]
pub struct Turn {
    /// The clock.
    pub clock: Clock,
    /// Requested when the answer is not wanted any more.
    pub stop: Stop,
    so_far: Mutex<Option<Answer>>,
}

impl Turn {
    /// A question.
    pub fn new(clock: Clock, stop: Stop) -> Turn {
        Turn {
            clock,
            stop,
            so_far: Mutex::new(None),
        }
    }

    /// Notes the player's best answer so far; a later one replaces it.
    pub fn suggest(&self, answer: Answer) {
        *self.lock() = Some(answer);
    }

    /// Takes the best answer so far.
    pub fn take_suggestion(&self) -> Option<Answer> {
        self.lock().take()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Answer>> {
        self.so_far
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Whether the answer is not wanted any more: interrupted, or too late.
    pub fn is_over(&self) -> bool {
        self.stop.is_requested() || self.clock.time_left().is_some_and(|left| left.is_zero())
    }
}
