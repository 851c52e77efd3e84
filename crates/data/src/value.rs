//! What goes into a data base, and what comes out of it.

use crate::{DataError, Result};

/// A value that goes into a statement.
#[derive(Copy, Clone, Debug)]
pub enum Value<'a> {
    /// None.
    Null,
    /// A whole number.
    Int(i64),
    /// Any other number.
    Real(f64),
    /// Text.
    Text(&'a str),
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Value::Int(number)
    }
}

impl From<u32> for Value<'_> {
    fn from(number: u32) -> Self {
        Value::Int(number.into())
    }
}

impl From<bool> for Value<'_> {
    /// There is no other kind of truth in our tables than 1 and 0.
    fn from(truth: bool) -> Self {
        Value::Int(truth.into())
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Value::Real(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Value::Text(text)
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

/// The values of a statement: `values![id, name]`.
#[macro_export]
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::Value::from($value)),*] };
}

/// A value that comes out of a data base.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// None.
    Null,
    /// A whole number.
    Int(i64),
    /// Any other number.
    Real(f64),
    /// Text.
    Text(String),
}

impl Cell {
    /// The same, to go into a statement.
    pub fn value(&self) -> Value<'_> {
        match self {
            Cell::Null => Value::Null,
            Cell::Int(number) => Value::Int(*number),
            Cell::Real(number) => Value::Real(*number),
            Cell::Text(text) => Value::Text(text),
        }
    }
}

/// A row of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Row(pub(crate) Vec<Cell>);

impl Row {
    /// The value of a column, counted from 0.
    ///
    /// # Errors
    ///
    /// If it is of another kind.
    pub fn get<T: FromCell>(&self, column: usize) -> Result<T> {
        let cell = self.0.get(column).unwrap_or(&Cell::Null);
        T::from_cell(cell).ok_or_else(|| {
            let kind = std::any::type_name::<T>();
            DataError::Unreadable(format!("{cell:?} in column {column} is no {kind}"))
        })
    }

    /// All its values.
    pub fn cells(&self) -> &[Cell] {
        &self.0
    }
}

/// What a value can be read as.
pub trait FromCell: Sized {
    /// The value, if it is of this kind.
    fn from_cell(cell: &Cell) -> Option<Self>;
}

impl FromCell for i64 {
    fn from_cell(cell: &Cell) -> Option<i64> {
        match cell {
            Cell::Int(number) => Some(*number),
            _ => None,
        }
    }
}

impl FromCell for u32 {
    fn from_cell(cell: &Cell) -> Option<u32> {
        i64::from_cell(cell)?.try_into().ok()
    }
}

impl FromCell for f64 {
    fn from_cell(cell: &Cell) -> Option<f64> {
        match cell {
            Cell::Real(number) => Some(*number),
            Cell::Int(number) => Some(*number as f64),
            _ => None,
        }
    }
}

impl FromCell for String {
    fn from_cell(cell: &Cell) -> Option<String> {
        match cell {
            Cell::Text(text) => Some(text.clone()),
            _ => None,
        }
    }
}

impl<T: FromCell> FromCell for Option<T> {
    fn from_cell(cell: &Cell) -> Option<Option<T>> {
        match cell {
            Cell::Null => Some(None),
            cell => T::from_cell(cell).map(Some),
        }
    }
}
