//! How a game in play ended.

use std::fmt;
use std::str::FromStr;

use kingme_rules::{Outcome, Side, Variant};
use serde::{Deserialize, Serialize};

use crate::codec::winner;

/// Why a game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// By the rules of the game.
    Rules,
    /// A player gave up.
    Resigned,
    /// Both players wanted a draw.
    Agreed,
    /// A player was late.
    Time,
    /// A player was away for long, and the other claimed the win.
    Left,
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
    const ALL: [EndReason; 12] = [
        EndReason::Rules,
        EndReason::Resigned,
        EndReason::Agreed,
        EndReason::Time,
        EndReason::Left,
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
            EndReason::Agreed => "agreed",
            EndReason::Time => "time",
            EndReason::Left => "left",
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
        let mut all = EndReason::ALL.into_iter();
        all.find(|reason| reason.word() == word)
            .ok_or_else(|| format!("`{word}` is no reason for a game to end"))
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Who won; `None` for a draw, or if it was aborted.
    #[serde(with = "winner")]
    pub winner: Option<Side>,
    /// Why.
    pub reason: EndReason,
    /// Both in a sentence.
    pub words: String,
}

impl End {
    /// By the rules.
    pub fn by_rules(outcome: &Outcome, variant: &Variant) -> End {
        End {
            winner: outcome.winner,
            reason: EndReason::Rules,
            words: outcome.in_words(variant),
        }
    }

    /// A side gave up.
    pub fn resigned(side: Side, variant: &Variant) -> End {
        End::won_because(!side, EndReason::Resigned, "resigns", variant)
    }

    /// A side's time ran out.
    pub fn out_of_time(side: Side, variant: &Variant) -> End {
        End::won_because(!side, EndReason::Time, "has run out of time", variant)
    }

    /// A side went away.
    pub fn left(side: Side, variant: &Variant) -> End {
        End::won_because(!side, EndReason::Left, "has left the game", variant)
    }

    fn won_because(winner: Side, reason: EndReason, what: &str, variant: &Variant) -> End {
        let names = &variant.definition().sides.names;
        End {
            winner: Some(winner),
            reason,
            words: format!("{} wins: {} {what}.", names[winner], names[!winner]),
        }
    }

    /// Both wanted a draw.
    pub fn agreed() -> End {
        End {
            winner: None,
            reason: EndReason::Agreed,
            words: "Draw: both sides agreed.".to_owned(),
        }
    }

    /// A side loses by a fault of its own.
    pub fn lost(side: Side, reason: EndReason, why: &str, variant: &Variant) -> End {
        End {
            winner: Some(!side),
            reason,
            words: format!("{} loses: {why}.", variant.definition().sides.names[side]),
        }
    }

    /// The referee has decided.
    pub fn adjudicated(winner: Option<Side>, why: &str, variant: &Variant) -> End {
        let words = match winner {
            Some(side) => format!("{} wins: {why}.", variant.definition().sides.names[side]),
            None => format!("Draw: {why}."),
        };
        End {
            winner,
            reason: EndReason::Adjudicated,
            words,
        }
    }

    /// We stopped it.
    pub fn aborted(words: impl Into<String>) -> End {
        End {
            winner: None,
            reason: EndReason::Aborted,
            words: words.into(),
        }
    }

    /// What White scored: 1, ½ or 0.
    pub fn white_score(&self) -> f64 {
        match self.winner {
            Some(Side::White) => 1.0,
            Some(Side::Black) => 0.0,
            None => 0.5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_known_by_its_word() {
        for reason in EndReason::ALL {
            assert_eq!(reason.word().parse(), Ok(reason));
            let json = serde_json::to_string(&reason).unwrap();
            assert_eq!(json, format!("\"{}\"", reason.word()));
        }
        let unknown = "weather".parse::<EndReason>();
        let message = "`weather` is no reason for a game to end";
        assert_eq!(unknown, Err(message.to_owned()));
    }

    #[test]
    fn an_end_is_said_in_the_games_own_words() {
        let variant = Variant::named("checkers").unwrap();
        let resigned = End::resigned(Side::White, &variant);
        assert_eq!(resigned.words, "Black wins: Red resigns.");
        let drawn = End::adjudicated(None, "both players agree", &variant);
        assert_eq!(drawn.words, "Draw: both players agree.");
    }
}
