//! Rows copied from one data base into another, of whatever kinds they are.

use crate::{Cell, Connection, Result, Row, Value};

/// A table that both data bases have.
#[derive(Copy, Clone, Debug)]
pub struct Table {
    /// What it is called.
    pub name: &'static str,
    /// Its columns.
    pub columns: &'static [&'static str],
    /// How many of them, from the first on, tell rows apart.
    pub keys: usize,
}

/// One of the two data bases of a copy, and what the tables' names begin with there.
#[derive(Debug)]
pub struct Side<'a> {
    /// The way there.
    pub data: &'a mut Connection,
    /// Nothing, or the name of a schema and a dot.
    pub schema: &'a str,
}

/// So many rows are read and written at a time.
pub const ROWS: usize = 500;

/// Copies all rows of a table into one that is empty; how many there are.
///
/// # Errors
///
/// If a data base says so.
pub fn copy_table(from: &mut Side<'_>, to: &mut Side<'_>, table: &Table) -> Result<u64> {
    let mut copied = 0;
    let mut last: Option<Row> = None;
    let names = [from.schema, to.schema].map(|schema| format!("{schema}{}", table.name));
    loop {
        let rows = read(from.data, &names[0], table, last.as_ref())?;
        write(to.data, &names[1], table, &rows)?;
        copied += rows.len() as u64;
        if rows.len() < ROWS {
            return Ok(copied);
        }
        last = rows.into_iter().next_back();
    }
}

/// The next rows after one.
fn read(from: &mut Connection, name: &str, table: &Table, last: Option<&Row>) -> Result<Vec<Row>> {
    let columns = table.columns.join(", ");
    let keys = table.columns[..table.keys].join(", ");
    let order = format!("ORDER BY {keys} LIMIT {ROWS}");
    let Some(last) = last else {
        return from.query(&format!("SELECT {columns} FROM {name} {order}"), &[]);
    };
    let after: Vec<String> = (1..=table.keys).map(|key| format!("?{key}")).collect();
    let after = after.join(", ");
    let sql = format!("SELECT {columns} FROM {name} WHERE ({keys}) > ({after}) {order}");
    let values: Vec<Value> = last.cells()[..table.keys].iter().map(Cell::value).collect();
    from.query(&sql, &values)
}

fn write(to: &mut Connection, name: &str, table: &Table, rows: &[Row]) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let width = table.columns.len();
    let row = |row: usize| {
        let values = (1..=width).map(|column| format!("?{}", row * width + column));
        format!("({})", values.collect::<Vec<_>>().join(", "))
    };
    let places: Vec<String> = (0..rows.len()).map(row).collect();
    let sql = format!(
        "INSERT INTO {name} ({}) VALUES {}",
        table.columns.join(", "),
        places.join(", ")
    );
    let values: Vec<Value> = rows.iter().flat_map(Row::cells).map(Cell::value).collect();
    to.change(&sql, &values).map(drop)
}
