//! How the values of keys are read and written: one codec per type of value.

mod lists;
mod plain;
mod tables;
mod words;

pub(super) use self::lists::{Compass, Holes, Kinds, Sizes, Texts};
pub(super) use self::plain::{Letters, Range, Suggested, Text, Yes, none_or, number};
pub(super) use self::tables::{Counters, Pieces, table};
pub(super) use self::words::{Either, KindOrNothing, any_of, one_of};

use super::fields::{Fields, Wrong};
use super::schema::{Key, Values};
use super::tree::{Content, Tree, Value};

/// A type of value that keys can have.
pub(super) trait Codec {
    /// What the program makes of it.
    type Value;

    /// What may be written.
    fn values(&self) -> Values;

    /// Reads the value of a key; what is wrong with it is noted.
    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<Self::Value>;

    /// What a file would say. `kinds` are the names of the pieces.
    fn write(&self, value: &Self::Value, kinds: &[String]) -> Value;
}

/// A table whose keys are all known: what [`table!`](super::definition) makes.
pub(super) trait Keyed: Sized {
    /// The keys in the order of the file.
    fn keys() -> Vec<Key>;
    /// Reads them all; `None` if there were faults.
    fn read(fields: &mut Fields<'_>) -> Option<Self>;
    /// What a file would say.
    fn write(&self, kinds: &[String]) -> Tree;
}

/// A type that is one of several words in a file.
pub(super) trait Choice: Copy + PartialEq + 'static {
    /// The words, what each means, and a sentence for people.
    const WORDS: &'static [(&'static str, Self, &'static str)];
}

fn wrong<T>(wanted: impl Into<String>) -> Result<T, Wrong> {
    let (item, wanted) = (None, wanted.into());
    Err(Wrong { item, wanted })
}

/// Reads every item of a list.
fn items<T>(
    content: &Content,
    wanted: &str,
    read: impl Fn(&Content) -> Option<T>,
) -> Result<Vec<T>, Wrong> {
    let Content::List(items) = content else {
        return wrong("a list in square brackets");
    };
    let read = |(at, item): (usize, &Value)| {
        read(&item.content).ok_or_else(|| Wrong {
            item: Some(at),
            wanted: wanted.to_owned(),
        })
    };
    items.iter().enumerate().map(read).collect()
}

fn as_text(content: &Content) -> Option<&str> {
    match content {
        Content::Text(text) => Some(text),
        _ => None,
    }
}

fn quoted<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
    format!("one of {}", quoted.join(", "))
}
