//! The keys of a variant file as a table that programs can read: the form of an editor, the table in
//! the guide and the random games of the tests are made from it.

use std::sync::LazyLock;

use super::Definition;
use super::codec::{Codec, Keyed};

/// A section of a variant file: what TOML calls a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Where it stands: nothing for the keys outside all sections, `board`, `pieces.*` for each kind
    /// of piece, `draws.counters` for each counter.
    pub path: String,
    /// Its keys in the order of the file; those of a table within a counter have its name before
    /// them, such as `one.kings`.
    pub keys: Vec<Key>,
}

/// A key of a variant file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name.
    pub name: String,
    /// What may be written.
    pub values: Values,
    /// What holds where the file and the games it extends don't say it, as TOML; `None` where it
    /// must be said.
    pub default: Option<&'static str>,
    /// What it means, as a sentence.
    pub sentence: String,
}

/// What may be written for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Any text.
    Text,
    /// Any text; forms offer these.
    Suggested(&'static [&'static str]),
    /// Two letters, White's first.
    Letters,
    /// A whole number.
    Number {
        /// The smallest.
        from: u16,
        /// The largest.
        to: u16,
    },
    /// True or false.
    Yes,
    /// One of these words.
    One(Vec<Word>),
    /// A list of any of these words; the order matters.
    Ordered(Vec<Word>),
    /// A list of directions.
    Directions,
    /// A list of kinds of pieces.
    Kinds,
    /// A kind of piece, or `nothing`.
    Kind,
    /// Squares as rows and columns.
    Holes,
    /// Nothing, or the smallest and the largest size of the board.
    Sizes,
    /// Nothing, or a drawn board.
    Drawing,
    /// Names of squares.
    Squares,
    /// A range of numbers.
    Span,
    /// A table of its own.
    Table(Vec<Key>),
    /// A list of sections.
    Tables(Vec<Key>),
    /// A table for each kind of piece.
    Pieces(Vec<Key>),
}

/// A word that may be written, and what it means.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub word: &'static str,
    /// What it means, as a sentence.
    pub meaning: &'static str,
}

impl Key {
    pub(super) fn new<T>(
        name: &str,
        codec: &impl Codec<Value = T>,
        default: Option<&'static str>,
        sentence: &str,
    ) -> Key {
        Key {
            name: name.to_owned(),
            values: codec.values(),
            default,
            sentence: sentence.trim().to_owned(),
        }
    }
}

/// Every table of a variant file, in the order of the file.
pub fn schema() -> &'static [Section] {
    static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| {
        let mut sections = Vec::new();
        list(String::new(), Definition::keys(), &mut sections);
        sections
    });
    &SECTIONS
}

/// Lists a table, then those within it.
fn list(path: String, keys: Vec<Key>, sections: &mut Vec<Section>) {
    let at = sections.len();
    let keys_of = |name: &str| match &*path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    };
    let mut own = Vec::new();
    for key in keys {
        let inner = keys_of(&key.name);
        match key.values {
            Values::Table(keys) => list(inner, keys, sections),
            Values::Pieces(keys) => list(format!("{inner}.*"), keys, sections),
            Values::Tables(keys) => {
                list(inner, keys.into_iter().flat_map(dotted).collect(), sections);
            }
            _ => own.push(key),
        }
    }
    sections.insert(at, Section { path, keys: own });
}

/// The keys of a table within a counter, or a key that is none.
fn dotted(key: Key) -> Vec<Key> {
    let Values::Table(keys) = key.values else {
        return vec![key];
    };
    let keys = keys.into_iter().map(|inner| Key {
        name: format!("{}.{}", key.name, inner.name),
        sentence: format!("{}: {}", key.sentence.trim_end_matches('.'), inner.sentence),
        ..inner
    });
    keys.collect()
}
