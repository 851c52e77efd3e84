//! Events as text: a turn as a line with tabs, and what serde does not know by itself.

use std::fmt::{Display, Write};
use std::str::{FromStr, Split};
use std::time::Duration;

use kingme_rules::Side;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{ChosenBy, EndReason, Incident, Ply};

/// A turn that was passed.
const PASS: &str = "-";

/// Writes a turn as a line: move or `-`, by, time, clock, score, depth, nodes, reason, words, line,
/// with tabs between them. What is not known is empty, and empty fields at the end are left out. Times
/// are microseconds.
pub fn write_ply(line: &mut String, ply: &Ply) {
    line.push_str(ply.text.as_deref().unwrap_or(PASS));
    line.push('\t');
    line.push_str(ply.by.letter());
    let rest = line.len();
    optional(line, ply.time.map(in_micros));
    optional(line, ply.clock.map(in_micros));
    optional(line, ply.score);
    optional(line, ply.depth);
    optional(line, ply.nodes);
    match &ply.incident {
        Some(incident) => {
            put(line, format_args!("\t{}\t", incident.reason));
            line.push_str(&escaped(&incident.words));
        }
        None => line.push_str("\t\t"),
    }
    optional(line, ply.line.as_deref().map(escaped));
    let end = line[rest..].trim_end_matches('\t').len();
    line.truncate(rest + end);
}

/// Reads a turn as [`write_ply`] has written it; `None` if the line is not one.
pub fn read_ply(line: &str) -> Option<Ply> {
    let mut fields = line.split('\t');
    Some(Ply {
        text: fields.next().map(text_of)?,
        step: None,
        by: ChosenBy::from_letter(fields.next()?)?,
        time: field(&mut fields)?.map(Duration::from_micros),
        clock: field(&mut fields)?.map(Duration::from_micros),
        score: field(&mut fields)?,
        depth: field(&mut fields)?,
        nodes: field(&mut fields)?,
        incident: {
            let reason = field::<EndReason>(&mut fields)?;
            let words = unescaped(fields.next().unwrap_or_default());
            reason.map(|reason| Incident { reason, words })
        },
        line: fields
            .next()
            .map(unescaped)
            .filter(|line| !line.is_empty())
            .map(String::into_boxed_str),
    })
}

fn text_of(field: &str) -> Option<String> {
    (field != PASS).then(|| field.to_owned())
}

fn put(line: &mut String, text: std::fmt::Arguments) {
    line.write_fmt(text).expect("a string takes everything");
}

fn optional(line: &mut String, value: Option<impl Display>) {
    match value {
        Some(value) => put(line, format_args!("\t{value}")),
        None => line.push('\t'),
    }
}

fn in_micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// The next field: `Some(None)` if it is empty or left out, `None` if it can't be read.
fn field<T: FromStr>(fields: &mut Split<char>) -> Option<Option<T>> {
    match fields.next() {
        None | Some("") => Some(None),
        Some(text) => text.parse().ok().map(Some),
    }
}

/// Words of others may have anything in them; in a line they have no tab and no line end.
pub fn escaped(words: &str) -> String {
    words
        .replace('\\', "\\\\")
        .replace('\t', "\\t")
        .replace('\n', "\\n")
}

/// What [`escaped`] was given.
pub fn unescaped(text: &str) -> String {
    let mut words = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        words.push(match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some(other) => other,
                None => return words,
            },
            (c, false) => c,
        });
    }
    words
}

fn side_of(word: &str) -> Option<Side> {
    let mut sides = Side::BOTH.into_iter();
    sides.find(|side| word_of(*side) == word)
}

fn word_of(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// A side as `white` or `black`.
pub mod side {
    use super::{Deserialize, Deserializer, Serialize, Serializer, Side, de, side_of, word_of};

    // By reference, as serde asks.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub fn serialize<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
        word_of(*side).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Side, D::Error> {
        let word = String::deserialize(deserializer)?;
        side_of(&word).ok_or_else(|| de::Error::custom(format!("`{word}` is no side")))
    }
}

/// Who won as `white`, `black` or nothing.
pub mod winner {
    use super::{Deserialize, Deserializer, Serialize, Serializer, Side, de, side_of, word_of};

    #[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)]
    pub fn serialize<S: Serializer>(
        winner: &Option<Side>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        winner.map(word_of).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Side>, D::Error> {
        let Some(word) = Option::<String>::deserialize(deserializer)? else {
            return Ok(None);
        };
        let side = side_of(&word);
        let wrong = || de::Error::custom(format!("`{word}` is no side"));
        side.ok_or_else(wrong).map(Some)
    }
}

/// The text of a turn; `-` if it was passed.
pub mod turn {
    use super::{Deserialize, Deserializer, PASS, Serialize, Serializer, text_of};

    #[allow(clippy::ref_option)]
    pub fn serialize<S: Serializer>(
        text: &Option<String>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        text.as_deref().unwrap_or(PASS).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<String>, D::Error> {
        String::deserialize(deserializer).map(|text| text_of(&text))
    }
}

/// A time in microseconds.
pub mod micros {
    use super::{Deserialize, Deserializer, Duration, Serialize, Serializer, in_micros};

    #[allow(clippy::ref_option)]
    pub fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(in_micros).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let micros = Option::<u64>::deserialize(deserializer)?;
        Ok(micros.map(Duration::from_micros))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{End, Event, Offer};

    fn bare() -> Ply {
        Ply {
            text: Some("11-15".to_owned()),
            step: None,
            by: ChosenBy::Player,
            time: Some(Duration::from_micros(17)),
            clock: None,
            score: None,
            depth: None,
            nodes: None,
            line: None,
            incident: None,
        }
    }

    fn foresighted() -> Ply {
        Ply {
            line: Some("11-15 22-18\t?".into()),
            ..bare()
        }
    }

    fn full() -> Ply {
        Ply {
            by: ChosenBy::Suggestion,
            clock: Some(Duration::from_millis(1500)),
            score: Some(-0.25),
            depth: Some(9),
            nodes: Some(123_456_789_012),
            incident: Some(Incident {
                reason: EndReason::Time,
                words: "too\tlate\n\\".to_owned(),
            }),
            ..bare()
        }
    }

    fn passed() -> Ply {
        Ply {
            text: None,
            by: ChosenBy::Referee,
            time: None,
            ..full()
        }
    }

    #[test]
    fn turns_are_read_as_they_are_written() {
        for ply in [bare(), full(), passed(), foresighted()] {
            let mut line = String::new();
            write_ply(&mut line, &ply);
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(read_ply(&line), Some(ply), "{line}");
        }
    }

    /// Nothing is not a line, however it is written.
    #[test]
    fn an_empty_line_is_none() {
        for rest in ["", "\t", "\t\\"] {
            let ply = read_ply(&format!("11-15\tp\t17\t\t\t\t\t\t{rest}")).unwrap();
            assert_eq!(ply.line, None, "{rest:?}");
        }
    }

    /// What is stored stays readable: these are the forms of today.
    #[test]
    fn lines_and_json_have_their_forms() {
        let line = |ply: &Ply| {
            let mut line = String::new();
            write_ply(&mut line, ply);
            line
        };
        assert_eq!(line(&bare()), "11-15\tp\t17");
        assert_eq!(
            line(&full()),
            "11-15\ts\t17\t1500000\t-0.25\t9\t123456789012\ttime\ttoo\\tlate\\n\\\\"
        );
        assert_eq!(
            line(&foresighted()),
            "11-15\tp\t17\t\t\t\t\t\t\t11-15 22-18\\t?"
        );
        let json = |event: &Event| serde_json::to_string(event).unwrap();
        let white = Side::White;
        for (event, form) in [
            (
                Event::Turn(bare()),
                r#"{"type":"moved","text":"11-15","time":17}"#,
            ),
            (Event::Declined, r#"{"type":"declined"}"#),
            (
                Event::Ended(End::agreed()),
                r#"{"type":"ended","winner":null,"reason":"agreed","words":"Draw: both sides agreed."}"#,
            ),
            (
                Event::Offered {
                    side: white,
                    offer: Offer::TakeBack,
                },
                r#"{"type":"offered","side":"white","offer":"take_back"}"#,
            ),
            (
                Event::Joined {
                    side: white,
                    player: 3,
                    name: "Ada".to_owned(),
                },
                r#"{"type":"joined","side":"white","player":3,"name":"Ada"}"#,
            ),
            (
                Event::TakenBack { plies: 2 },
                r#"{"type":"taken_back","plies":2}"#,
            ),
        ] {
            assert_eq!(json(&event), form);
        }
        for ply in [bare(), full(), passed()] {
            let event = Event::Turn(ply);
            let again: Event = serde_json::from_str(&json(&event)).unwrap();
            assert_eq!(again, event);
        }
    }

    #[test]
    fn half_a_line_is_none() {
        for line in [
            "",
            "11-16",
            "11-16\tq",
            "11-16\tp\tsoon",
            "11-16\tp\t1\t\tx",
        ] {
            assert_eq!(read_ply(line), None, "{line:?}");
        }
    }
}
