//! Texts, numbers, yes and no.

use std::marker::PhantomData;

use super::{Codec, as_text, wrong};
use crate::variant::Span;
use crate::variant::fields::Fields;
use crate::variant::schema::Values;
use crate::variant::tree::{Content, Value};

/// Any text that people read in one go.
pub(in crate::variant) struct Text;

/// The longest text of a key, in bytes.
const LONGEST: usize = 1_000;

impl Codec for Text {
    type Value = String;

    fn values(&self) -> Values {
        Values::Text
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<String> {
        fields.read(key, |content| match as_text(content) {
            Some(text) if text.len() > LONGEST => {
                wrong(format!("a text of at most {LONGEST} bytes"))
            }
            Some(text) => Ok(text.to_owned()),
            None => wrong("a text in quotes"),
        })
    }

    fn write(&self, value: &String, _: &[String]) -> Value {
        Value::text(value)
    }
}

/// Any text; forms offer these.
pub(in crate::variant) struct Suggested(pub &'static [&'static str]);

impl Codec for Suggested {
    type Value = String;

    fn values(&self) -> Values {
        Values::Suggested(self.0)
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<String> {
        Text.read(fields, key)
    }

    fn write(&self, value: &String, kinds: &[String]) -> Value {
        Text.write(value, kinds)
    }
}

/// Two different letters, White's first.
pub(in crate::variant) struct Letters;

impl Codec for Letters {
    type Value = [char; 2];

    fn values(&self) -> Values {
        Values::Letters
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<[char; 2]> {
        fields.read(key, |content| {
            let letters: Vec<char> = as_text(content).unwrap_or_default().chars().collect();
            match letters[..] {
                [white, black]
                    if white != black && letters.iter().all(char::is_ascii_alphabetic) =>
                {
                    Ok([white, black])
                }
                _ => wrong("two different letters, White's first"),
            }
        })
    }

    fn write(&self, value: &[char; 2], _: &[String]) -> Value {
        Value::text(&value.iter().collect::<String>())
    }
}

/// A whole number between two, both included.
pub(in crate::variant) struct Number<T> {
    from: u16,
    to: u16,
    as_type: PhantomData<T>,
}

pub(in crate::variant) const fn number<T>(from: u16, to: u16) -> Number<T> {
    let as_type = PhantomData;
    Number { from, to, as_type }
}

impl<T: TryFrom<u16> + Copy + Into<u16>> Codec for Number<T> {
    type Value = T;

    fn values(&self) -> Values {
        let (from, to) = (self.from, self.to);
        Values::Number { from, to }
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<T> {
        fields.read(key, |content| {
            let number = match content {
                Content::Integer(integer) => u16::try_from(*integer).ok(),
                _ => None,
            };
            let fits = number.filter(|number| (self.from..=self.to).contains(number));
            let fits = fits.and_then(|number| T::try_from(number).ok());
            let wanted = || format!("a whole number from {} to {}", self.from, self.to);
            fits.map_or_else(|| wrong(wanted()), Ok)
        })
    }

    fn write(&self, value: &T, _: &[String]) -> Value {
        let number: u16 = (*value).into();
        Value::new(Content::Integer(number.into()))
    }
}

/// As a number up to `most`, where 0 is none.
pub(in crate::variant) struct NoneOr<T>(pub Number<T>);

pub(in crate::variant) const fn none_or<T>(most: u16) -> NoneOr<T> {
    NoneOr(number(0, most))
}

impl<T: TryFrom<u16> + Copy + Into<u16>> Codec for NoneOr<T> {
    type Value = Option<T>;

    fn values(&self) -> Values {
        self.0.values()
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<Option<T>> {
        let number = self.0.read(fields, key)?;
        Some(Some(number).filter(|&number| number.into() > 0))
    }

    fn write(&self, value: &Option<T>, _: &[String]) -> Value {
        let number: u16 = value.map_or(0, Into::into);
        Value::new(Content::Integer(number.into()))
    }
}

/// Yes or no.
pub(in crate::variant) struct Yes;

impl Codec for Yes {
    type Value = bool;

    fn values(&self) -> Values {
        Values::Yes
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<bool> {
        fields.read(key, |content| match content {
            Content::Boolean(yes) => Ok(*yes),
            _ => wrong("true or false"),
        })
    }

    fn write(&self, value: &bool, _: &[String]) -> Value {
        Value::new(Content::Boolean(*value))
    }
}

/// A range of numbers; from 0 on is the same as no condition.
pub(in crate::variant) struct Range;

impl Codec for Range {
    type Value = Option<Span>;

    fn values(&self) -> Values {
        Values::Span
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<Option<Span>> {
        let span = fields.read(key, |content| {
            let span = as_text(content).and_then(Span::parse);
            span.map_or_else(|| wrong("a range such as \"3\", \"3-5\" or \"3+\""), Ok)
        })?;
        Some(Some(span).filter(|&span| span != Span::ANY))
    }

    fn write(&self, value: &Option<Span>, _: &[String]) -> Value {
        Value::text(&value.unwrap_or(Span::ANY).to_string())
    }
}
