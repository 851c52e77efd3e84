//! Tables within tables.

use std::marker::PhantomData;

use super::{Codec, Keyed};
use crate::variant::fields::Fields;
use crate::variant::schema::Values;
use crate::variant::tree::{Content, Value};
use crate::variant::{Counter, Kind};

/// A table of its own.
pub(in crate::variant) struct Sub<T>(pub PhantomData<T>);

pub(in crate::variant) const fn table<T>() -> Sub<T> {
    Sub(PhantomData)
}

impl<T: Keyed> Codec for Sub<T> {
    type Value = T;

    fn values(&self) -> Values {
        Values::Table(T::keys())
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<T> {
        fields.table(key, T::read)
    }

    fn write(&self, value: &T, kinds: &[String]) -> Value {
        Value::new(Content::Table(value.write(kinds)))
    }
}

/// The counters of the draw rules.
pub(in crate::variant) struct Counters;

impl Codec for Counters {
    type Value = Vec<Counter>;

    fn values(&self) -> Values {
        Values::Tables(Counter::keys())
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<Vec<Counter>> {
        fields.tables(key, Counter::read)
    }

    fn write(&self, value: &Vec<Counter>, kinds: &[String]) -> Value {
        let counters = value.iter().map(|counter| counter.write(kinds));
        Value::list(counters.map(|tree| Value::new(Content::Table(tree))))
    }
}

/// The kinds of pieces, a table each: man, king, then any others by name.
pub(in crate::variant) struct Pieces;

const MAX_KINDS: usize = 4;

impl Codec for Pieces {
    type Value = Vec<Kind>;

    fn values(&self) -> Values {
        Values::Pieces(Kind::keys())
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<Vec<Kind>> {
        fields.table(key, read_kinds)
    }

    fn write(&self, value: &Vec<Kind>, kinds: &[String]) -> Value {
        let tables = value.iter().map(|kind| {
            let table = Value::new(Content::Table(kind.write(kinds)));
            (kind.name.clone(), table)
        });
        Value::new(Content::Table(tables.collect()))
    }
}

fn read_kinds(fields: &mut Fields<'_>) -> Option<Vec<Kind>> {
    let mut names = vec!["man".to_owned(), "king".to_owned()];
    for key in fields.keys() {
        if !names.contains(&key) {
            names.push(key);
        }
    }
    if names.len() > MAX_KINDS {
        fields.fault_here(format!("{} kinds of pieces; four fit", names.len()));
        return None;
    }
    for name in &names {
        if !fields.has(name) {
            fields.fault(name, "this table is missing");
        }
    }
    fields.kinds.clone_from(&names);
    let mut read = fields.each_table(|_, table| Kind::read(table));
    names
        .iter()
        .map(|name| {
            let index = read.iter().position(|(key, _)| key == name)?;
            read.swap_remove(index).1
        })
        .collect()
}
