//! What is kept of a game.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use kingme_rules::{Game, Side};

use crate::PlayerFault;

/// Why a game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EndReason {
    /// By the rules of the game.
    Rules,
    /// A player gave up.
    Resigned,
    /// A player was late.
    Time,
    /// A player's answer was illegal.
    Illegal,
    /// A player's process ended.
    Crash,
    /// A player did not react any more.
    Stall,
    /// A player broke its protocol.
    Protocol,
    /// A player used too much memory or disk, or said too much.
    Resources,
    /// The referee ended a game that was decided or too long.
    Adjudicated,
    /// We stopped it: it is played again and never counts.
    Aborted,
}

impl EndReason {
    const ALL: [EndReason; 10] = [
        EndReason::Rules,
        EndReason::Resigned,
        EndReason::Time,
        EndReason::Illegal,
        EndReason::Crash,
        EndReason::Stall,
        EndReason::Protocol,
        EndReason::Resources,
        EndReason::Adjudicated,
        EndReason::Aborted,
    ];

    /// One word, for tables and files.
    pub fn word(self) -> &'static str {
        match self {
            EndReason::Rules => "rules",
            EndReason::Resigned => "resigned",
            EndReason::Time => "time",
            EndReason::Illegal => "illegal",
            EndReason::Crash => "crash",
            EndReason::Stall => "stall",
            EndReason::Protocol => "protocol",
            EndReason::Resources => "resources",
            EndReason::Adjudicated => "adjudicated",
            EndReason::Aborted => "aborted",
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for EndReason {
    type Err = String;

    fn from_str(word: &str) -> Result<EndReason, String> {
        let reason = EndReason::ALL
            .into_iter()
            .find(|reason| reason.word() == word);
        reason.ok_or_else(|| format!("`{word}` is no reason for a game to end"))
    }
}

impl From<&PlayerFault> for EndReason {
    fn from(fault: &PlayerFault) -> EndReason {
        match fault {
            PlayerFault::Late => EndReason::Time,
            PlayerFault::Stalled => EndReason::Stall,
            PlayerFault::Crashed(_) => EndReason::Crash,
            PlayerFault::Protocol(_) => EndReason::Protocol,
            PlayerFault::Resources(_) => EndReason::Resources,
            PlayerFault::Interrupted => EndReason::Aborted,
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// Who won; `None` for a draw, or if it was aborted.
    pub winner: Option<Side>,
    /// Why.
    pub reason: EndReason,
    /// The same in words.
    pub words: String,
}

/// Who chose a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ChosenBy {
    /// The player.
    Player,
    /// The player's last suggestion, for want of an answer.
    Suggestion,
    /// The referee, by chance.
    Referee,
}

impl ChosenBy {
    /// One letter, for files.
    pub fn letter(self) -> &'static str {
        match self {
            ChosenBy::Player => "p",
            ChosenBy::Suggestion => "s",
            ChosenBy::Referee => "r",
        }
    }

    /// The one with this letter.
    pub fn from_letter(letter: &str) -> Option<ChosenBy> {
        [ChosenBy::Player, ChosenBy::Suggestion, ChosenBy::Referee]
            .into_iter()
            .find(|by| by.letter() == letter)
    }
}

/// One turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// Whose turn it was.
    pub side: Side,
    /// The move, in the game's notation; `None` if the turn was passed by the policy.
    pub text: Option<String>,
    /// Who chose it.
    pub by: ChosenBy,
    /// How long the player thought.
    pub time: Duration,
    /// What its clock shows now, if it has one.
    pub clock: Option<Duration>,
    /// How the player sees its own chances, in men.
    pub score: Option<f32>,
    /// How deep it looked.
    pub depth: Option<u32>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
    /// What went wrong.
    pub incident: Option<Incident>,
}

/// What went wrong in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// What kind it is.
    pub reason: EndReason,
    /// The same in words.
    pub words: String,
}

/// A whole game with all that was noted of it.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// What was played.
    pub game: Game,
    /// Its turns.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub end: GameEnd,
}

impl GameRecord {
    /// What White scored: 1, ½ or 0.
    pub fn white_score(&self) -> f64 {
        match self.end.winner {
            Some(Side::White) => 1.0,
            Some(Side::Black) => 0.0,
            None => 0.5,
        }
    }

    /// Every incident, with the side it happened to.
    pub fn incidents(&self) -> impl Iterator<Item = (Side, &Incident)> {
        self.plies
            .iter()
            .filter_map(|ply| ply.incident.as_ref().map(|incident| (ply.side, incident)))
    }
}
