//! What is said to people: an English sentence, and a key by which pages say it in other languages.

use std::collections::BTreeMap;
use std::fmt;

use kingme_play::{End, EndReason};
use kingme_rules::{Game, Outcome, Refusal, Side, Variant};
use serde::Serialize;
use utoipa::ToSchema;

use kingme_rules::Reason;

/// A sentence, or the part of one, with the key of its translations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    text: String,
    key: Option<&'static str>,
    values: BTreeMap<&'static str, Value>,
}

/// A sentence for pages that speak another language: a key, and what to fill in.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SaidJson {
    /// The key of the text.
    pub key: &'static str,
    /// What stands in its gaps, by name.
    pub values: BTreeMap<&'static str, Value>,
}

/// What fills a gap: a word or a number, or several of which one is meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Value {
    /// One.
    One(String),
    /// One of these.
    AnyOf(Vec<String>),
}

impl Said {
    /// A sentence that has translations.
    pub fn new(key: &'static str, text: impl Into<String>) -> Said {
        Said {
            text: text.into(),
            key: Some(key),
            values: BTreeMap::new(),
        }
    }

    /// What stands in a gap of the translations.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &(impl ToString + ?Sized)) -> Said {
        self.values.insert(name, Value::One(value.to_string()));
        self
    }

    fn with_any(mut self, name: &'static str, values: &[String]) -> Said {
        self.values.insert(name, Value::AnyOf(values.to_vec()));
        self
    }

    /// For pages; `None` if there are no translations.
    pub fn json(&self) -> Option<SaidJson> {
        let values = self.values.clone();
        self.key.map(|key| SaidJson { key, values })
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<&str> for Said {
    fn from(text: &str) -> Said {
        Said::from(text.to_owned())
    }
}

impl From<String> for Said {
    fn from(text: String) -> Said {
        Said {
            text,
            key: None,
            values: BTreeMap::new(),
        }
    }
}

impl From<&Refusal> for Said {
    fn from(refusal: &Refusal) -> Said {
        let said = |key| Said::new(key, refusal.to_string());
        match refusal {
            Refusal::GameOver => said("game_over"),
            Refusal::Empty(square) => said("empty").with("square", square),
            Refusal::NotYours {
                square,
                owner,
                turn,
            } => said("not_yours")
                .with("square", square)
                .with("owner", owner)
                .with("turn", turn),
            Refusal::MustCapture(squares) => said("must_capture").with_any("squares", squares),
            Refusal::MustGoOn(square) => said("must_go_on").with("square", square),
            Refusal::LongerCapture { pieces, example } => said("longer_capture")
                .with("pieces", pieces)
                .with("example", example),
            Refusal::OtherCapture { rule, example } => said("other_capture")
                .with("rule", rule)
                .with("example", example),
            Refusal::Tired {
                kind,
                square,
                limit,
            } => said("tired")
                .with("kind", kind)
                .with("square", square)
                .with("limit", limit),
            Refusal::Stuck { kind, square } => {
                said("stuck").with("kind", kind).with("square", square)
            }
            Refusal::Elsewhere {
                kind,
                square,
                targets,
            } => said("elsewhere")
                .with("kind", kind)
                .with("square", square)
                .with_any("targets", targets),
        }
    }
}

/// Why a game ended by its rules, without who won.
pub fn why(outcome: &Outcome, variant: &Variant) -> Said {
    let name = |side: Side| variant.definition().sides.names[side].clone();
    let said = |key| Said::new(key, outcome.in_words(variant));
    match outcome.reason {
        Reason::NoPieces(side) => said("no_pieces").with("side", &name(side)),
        Reason::NoMoves(side) => said("no_moves").with("side", &name(side)),
        Reason::King(side) => said("first_king").with("side", &name(side)),
        Reason::Repetition(times) => said("repetition").with("times", &times),
        Reason::Counter(0) => said("nobody_can_win"),
        Reason::Counter(plies) => said("no_progress").with("plies", &plies),
        Reason::TooManyCaptures => said("too_many_captures"),
    }
}

/// How a game in play ended, without who won.
pub fn end(end: &End, game: &Game) -> Said {
    let said = |key| Said::new(key, end.words.as_str());
    let names = &game.variant().definition().sides.names;
    let loser = end.winner.map(|side| names[!side].clone());
    let loser = loser.unwrap_or_default();
    match (end.reason, game.outcome()) {
        (EndReason::Rules, Some(outcome)) => why(outcome, game.variant()),
        (EndReason::Resigned, _) => said("resigned").with("side", &loser),
        (EndReason::Time, _) => said("out_of_time").with("side", &loser),
        (EndReason::Left, _) => said("left").with("side", &loser),
        (EndReason::Agreed, _) => said("agreed"),
        (EndReason::Aborted, _) => said("stopped"),
        _ => said("decided"),
    }
}

impl From<&kingme_play::Refusal> for Said {
    fn from(refusal: &kingme_play::Refusal) -> Said {
        use kingme_play::Refusal as R;
        let said = |key| Said::new(key, refusal.to_string());
        match refusal {
            R::NotPlayer => said("only_players"),
            R::Over => said("game_over"),
            R::NotHere => said("not_here"),
            R::NotTurn(turn) => said("not_turn").with("turn", turn),
            R::Late => said("late"),
            R::Move(kingme_rules::MoveError::Illegal(illegal)) => (&illegal.refusal).into(),
            R::Move(error) => error.to_string().into(),
            R::NothingToTakeBack => said("nothing_to_take_back"),
            R::RatedStays => said("rated_stays"),
            R::NotInLeague => said("not_in_league"),
            R::StillHere => said("still_here"),
            R::NoHurry => said("no_hurry"),
            R::NotOver => said("not_over"),
            R::NextBegun => said("next_begun"),
            R::NothingOffered => said("nothing_offered"),
            R::OtherAccepts => said("other_accepts"),
            R::SeatTaken => said("seat_taken"),
            R::YouPlay => said("you_play"),
        }
    }
}

#[cfg(test)]
mod tests {
    /// Every key that this file gives a sentence.
    fn keys() -> impl Iterator<Item = &'static str> {
        let code = include_str!("said.rs").split("#[cfg(test)]").next();
        let calls = code.unwrap_or_default().split("said(\"").skip(1);
        calls.filter_map(|rest| rest.split('"').next())
    }

    #[test]
    fn every_sentence_has_its_text_in_every_language() {
        let texts = [
            include_str!("../web/texts/en.js"),
            include_str!("../web/texts/nl.js"),
        ];
        assert!(keys().count() > 30);
        let is_missing = |key: &&str| {
            let entry = format!("  said_{key}: ");
            texts.iter().any(|text| !text.contains(&entry))
        };
        let missing: Vec<&str> = keys().filter(is_missing).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
