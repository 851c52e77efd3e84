//! Events: all that can happen to a game in play. Their list is the game; everything else follows
//! from it.

use std::time::Duration;

use kingme_rules::{Move, Side, Step};
use serde::{Deserialize, Serialize};

use crate::codec::{micros, side};
use crate::{End, EndReason, PlayerId};

/// Something that has happened to a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// Somebody took an open seat.
    Joined {
        /// Which.
        #[serde(with = "side")]
        side: Side,
        /// Who.
        player: PlayerId,
        /// By what name.
        name: String,
    },
    /// The side to move has taken its turn.
    #[serde(rename = "moved")]
    Turn(Ply),
    /// Turns were taken back.
    TakenBack {
        /// How many.
        plies: usize,
    },
    /// A side asks the other for something.
    Offered {
        /// Who asks.
        #[serde(with = "side")]
        side: Side,
        /// For what.
        offer: Offer,
    },
    /// The other side said no.
    Declined,
    /// It is over, though not by its rules: those need no event of their own.
    Ended(End),
    /// The next game between the same two.
    Rematched {
        /// Its identifier.
        game: String,
    },
    /// Whoever drives the game was away: the time until now is nobody's.
    Resumed,
}

/// Something that needs the other side's consent.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// Call it a draw.
    Draw,
    /// Let me take my last move back.
    TakeBack,
    /// Another game, colours swapped.
    Rematch,
}

/// One turn with all that is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ply {
    /// The move with every square it lands on; `None` if the turn was passed.
    #[serde(with = "crate::codec::turn")]
    pub text: Option<String>,
    /// What the turn leads to, where it was worked out already: a file has only its text.
    #[serde(skip)]
    pub(crate) step: Option<Box<Step>>,
    /// Who chose it.
    #[serde(default, skip_serializing_if = "ChosenBy::is_player")]
    pub by: ChosenBy,
    /// How long the player thought; `None`: as long as its clock ran.
    #[serde(default, with = "micros", skip_serializing_if = "Option::is_none")]
    pub time: Option<Duration>,
    /// What its clock shows then, if it has one.
    #[serde(default, with = "micros", skip_serializing_if = "Option::is_none")]
    pub clock: Option<Duration>,
    /// How the player sees its own chances, in men.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f32>,
    /// How deep it looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How many positions it looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The moves it expected, its own first, in its own notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Box<str>>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incident: Option<Incident>,
}

impl Ply {
    /// A turn of which nothing else is known.
    pub(crate) fn new(step: Step, text: impl FnOnce(&Move) -> String) -> Ply {
        Ply {
            text: step.turn().as_move().map(text),
            step: Some(Box::new(step)),
            by: ChosenBy::Player,
            time: None,
            clock: None,
            score: None,
            depth: None,
            nodes: None,
            line: None,
            incident: None,
        }
    }

    /// The same turn, which was not the player's own choice.
    pub(crate) fn chosen_by(self, by: ChosenBy, incident: Incident) -> Ply {
        Ply {
            by,
            incident: Some(incident),
            ..self
        }
    }
}

/// Who chose a move.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChosenBy {
    /// The player.
    #[default]
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

    // By reference, as serde asks.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    fn is_player(&self) -> bool {
        *self == ChosenBy::Player
    }
}

/// What went wrong in a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    /// What kind it is.
    pub reason: EndReason,
    /// The same in words.
    pub words: String,
}

impl Incident {
    /// No answer in time.
    pub fn late() -> Incident {
        Incident {
            reason: EndReason::Time,
            words: "no answer in time".to_owned(),
        }
    }
}
