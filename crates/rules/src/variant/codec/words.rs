//! One of several words, or some of them in an order.

use std::marker::PhantomData;

use super::{Choice, Codec, as_text, items, quoted, wrong};
use crate::variant::fields::Fields;
use crate::variant::schema::{Values, Word};
use crate::variant::tree::{Content, Value};

/// Yes or no, written as words with their meanings; yes comes first.
pub(in crate::variant) struct Either(pub Word, pub Word);

impl Codec for Either {
    type Value = bool;

    fn values(&self) -> Values {
        Values::One(vec![self.0, self.1])
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<bool> {
        let words = [self.0.word, self.1.word];
        fields.read(key, |content| {
            let found = words.iter().position(|word| as_text(content) == Some(word));
            found.map_or_else(|| wrong(quoted(words.into_iter())), |at| Ok(at == 0))
        })
    }

    fn write(&self, value: &bool, _: &[String]) -> Value {
        Value::text(if *value { self.0.word } else { self.1.word })
    }
}

fn words_of<T: Choice>() -> Vec<Word> {
    let words = T::WORDS.iter();
    words
        .map(|&(word, _, meaning)| Word { word, meaning })
        .collect()
}

fn choice_of<T: Choice>(content: &Content) -> Option<T> {
    let text = as_text(content)?;
    let found = T::WORDS.iter().find(|(word, ..)| *word == text);
    found.map(|&(_, meant, _)| meant)
}

fn word_of<T: Choice>(value: T) -> &'static str {
    let found = T::WORDS.iter().find(|(_, meant, _)| *meant == value);
    found.map_or("", |(word, ..)| word)
}

fn all_words<T: Choice>() -> String {
    quoted(T::WORDS.iter().map(|(word, ..)| *word))
}

/// One of several words.
pub(in crate::variant) struct One<T>(pub PhantomData<T>);

pub(in crate::variant) const fn one_of<T>() -> One<T> {
    One(PhantomData)
}

impl<T: Choice> Codec for One<T> {
    type Value = T;

    fn values(&self) -> Values {
        Values::One(words_of::<T>())
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<T> {
        fields.read(key, |content| {
            choice_of(content).map_or_else(|| wrong(all_words::<T>()), Ok)
        })
    }

    fn write(&self, value: &T, _: &[String]) -> Value {
        Value::text(word_of(*value))
    }
}

/// Any of several words, in an order.
pub(in crate::variant) struct Ordered<T>(pub PhantomData<T>);

pub(in crate::variant) const fn any_of<T>() -> Ordered<T> {
    Ordered(PhantomData)
}

impl<T: Choice> Codec for Ordered<T> {
    type Value = Vec<T>;

    fn values(&self) -> Values {
        Values::Ordered(words_of::<T>())
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<Vec<T>> {
        fields.read(key, |content| items(content, &all_words::<T>(), choice_of))
    }

    fn write(&self, value: &Vec<T>, _: &[String]) -> Value {
        Value::texts(value.iter().map(|&item| word_of(item)))
    }
}

/// One kind of piece or `nothing`.
pub(in crate::variant) struct KindOrNothing;

const NOTHING: &str = "nothing";

impl Codec for KindOrNothing {
    type Value = Option<usize>;

    fn values(&self) -> Values {
        Values::Kind
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<Option<usize>> {
        let kinds = fields.kinds.clone();
        fields.read(key, |content| match as_text(content) {
            Some(NOTHING) => Ok(None),
            text => match kinds.iter().position(|kind| text == Some(kind)) {
                Some(index) => Ok(Some(index)),
                None => wrong(quoted(
                    [NOTHING]
                        .into_iter()
                        .chain(kinds.iter().map(String::as_str)),
                )),
            },
        })
    }

    fn write(&self, value: &Option<usize>, kinds: &[String]) -> Value {
        Value::text(value.map_or(NOTHING, |kind| kinds[kind].as_str()))
    }
}
