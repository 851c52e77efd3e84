//! Lists: directions, kinds of pieces, squares, rows, sizes.

use crate::Board;

use super::{Codec, as_text, items, quoted, wrong};
use crate::variant::Directions;
use crate::variant::fields::Fields;
use crate::variant::schema::Values;
use crate::variant::tree::{Content, Value};

/// A set of directions.
pub(in crate::variant) struct Compass;

impl Codec for Compass {
    type Value = Directions;

    fn values(&self) -> Values {
        Values::Directions
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<Directions> {
        let groups = Directions::GROUPS.iter().map(|(name, _)| *name);
        let wanted = quoted(Directions::NAMES.into_iter().chain(groups));
        let named = |content: &Content| Directions::named(as_text(content)?);
        let chosen = fields.read(key, |content| items(content, &wanted, named))?;
        Some(chosen.into_iter().fold(Directions::NONE, Directions::union))
    }

    fn write(&self, value: &Directions, _: &[String]) -> Value {
        Value::texts(value.names())
    }
}

/// Kinds of pieces, as indices.
pub(in crate::variant) struct Kinds;

impl Codec for Kinds {
    type Value = Vec<usize>;

    fn values(&self) -> Values {
        Values::Kinds
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<Vec<usize>> {
        let kinds = fields.kinds.clone();
        let wanted = quoted(kinds.iter().map(String::as_str));
        let index =
            |content: &Content| kinds.iter().position(|kind| as_text(content) == Some(kind));
        fields.read(key, |content| items(content, &wanted, index))
    }

    fn write(&self, value: &Vec<usize>, kinds: &[String]) -> Value {
        Value::texts(value.iter().map(|&kind| kinds[kind].as_str()))
    }
}

/// Missing squares, as rows and columns.
pub(in crate::variant) struct Holes;

impl Codec for Holes {
    type Value = Vec<(u8, u8)>;

    fn values(&self) -> Values {
        Values::Holes
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<Vec<(u8, u8)>> {
        let wanted = "a row and a column such as \"3,4\"";
        let place = |content: &Content| {
            let (row, column) = as_text(content)?.split_once(',')?;
            Some((row.trim().parse().ok()?, column.trim().parse().ok()?))
        };
        fields.read(key, |content| items(content, wanted, place))
    }

    fn write(&self, value: &Vec<(u8, u8)>, _: &[String]) -> Value {
        let holes = value.iter();
        Value::list(holes.map(|(row, column)| Value::text(&format!("{row},{column}"))))
    }
}

/// The smallest and the largest size of a board, or none.
pub(in crate::variant) struct Sizes;

impl Codec for Sizes {
    type Value = Option<(u8, u8)>;

    fn values(&self) -> Values {
        Values::Sizes
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<Option<(u8, u8)>> {
        fields.read(key, |content| {
            let integer = |content: &Content| match content {
                Content::Integer(integer) => Some(*integer),
                _ => None,
            };
            match items(content, "whole numbers", integer)?[..] {
                [] => Ok(None),
                [from, to] if 4 <= from && from <= to && to <= Board::LARGEST.into() => {
                    Ok(Some((from as u8, to as u8)))
                }
                _ => wrong(format!(
                    "[] or the smallest and the largest size, from 4 to {}",
                    Board::LARGEST
                )),
            }
        })
    }

    fn write(&self, value: &Option<(u8, u8)>, _: &[String]) -> Value {
        let sizes = value.iter().flat_map(|&(from, to)| [from, to]);
        Value::list(sizes.map(|size| Value::new(Content::Integer(size.into()))))
    }
}

/// A list of texts: rows of a drawn board, or names of squares.
pub(in crate::variant) struct Texts(pub Values);

impl Codec for Texts {
    type Value = Vec<String>;

    fn values(&self) -> Values {
        self.0.clone()
    }

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<Vec<String>> {
        let text = |content: &Content| as_text(content).map(str::to_owned);
        fields.read(key, |content| items(content, "texts in quotes", text))
    }

    fn write(&self, value: &Vec<String>, _: &[String]) -> Value {
        Value::texts(value.iter().map(String::as_str))
    }
}
