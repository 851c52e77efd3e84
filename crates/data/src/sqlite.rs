//! `SQLite` with our values and rows.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Params, ToSql, params_from_iter};

use crate::{Cell, DataError, Result, Row, Value};

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = match *self {
            Value::Null => ValueRef::Null,
            Value::Int(number) => ValueRef::Integer(number),
            Value::Real(number) => ValueRef::Real(number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
        };
        Ok(ToSqlOutput::Borrowed(value))
    }
}

fn params<'a>(values: &'a [Value<'a>]) -> impl Params + 'a {
    params_from_iter(values)
}

pub(crate) fn change(connection: &Connection, sql: &str, values: &[Value<'_>]) -> Result<u64> {
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.execute(params(values))? as u64)
}

pub(crate) fn query(connection: &Connection, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
    let mut statement = connection.prepare_cached(sql)?;
    let columns = statement.column_count();
    let mut found = statement.query(params(values))?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let cells = (0..columns).map(|column| cell(row.get_ref(column)?));
        rows.push(Row(cells.collect::<Result<_>>()?));
    }
    Ok(rows)
}

fn cell(value: ValueRef<'_>) -> Result<Cell> {
    Ok(match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Int(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(text) => {
            let text = std::str::from_utf8(text);
            let unreadable = |error: std::str::Utf8Error| DataError::Unreadable(error.to_string());
            Cell::Text(text.map_err(unreadable)?.to_owned())
        }
        ValueRef::Blob(_) => return Err(DataError::Unreadable("bytes without a kind".to_owned())),
    })
}
