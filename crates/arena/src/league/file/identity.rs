//! Which league a file is of, and under which conditions it is played.

use super::keys::explain;
use super::raw::Raw;
use super::{LeagueError, Result};

/// The keys that say how games are played: when one of them changes, results before and after it
/// are told apart.
const CONDITIONS: [&str; 19] = [
    "time",
    "nodes",
    "depth",
    "people_time",
    "openings",
    "openings_order",
    "openings_from",
    "openings_cut",
    "random_plies",
    "forfeit",
    "on_late",
    "on_illegal",
    "grace",
    "clock",
    "max_plies",
    "adjudicate_win",
    "adjudicate_draw",
    "adjudicate_tables",
    "ponder",
];

/// How games are played, by the text of a file.
pub(in crate::league) fn conditions(text: &str) -> Result<Vec<(String, String)>> {
    let table: toml::Table =
        toml::from_str(text).map_err(|error| LeagueError::File(explain(text, &error)))?;
    let value = |key: &str| table.get(key).map(value_text).unwrap_or_default();
    Ok(CONDITIONS
        .iter()
        .map(|key| ((*key).to_owned(), value(key)))
        .collect())
}

pub(super) fn value_text(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(is_so) => is_so.to_string(),
        other => format!("a {}", other.type_str()),
    }
}

/// Which league it is, as text: its name, game, format, games in a meeting and seed. Who plays, how
/// often and under which conditions may change. Logs have this text, those of version 2 with the
/// players after it, so it stays as it is.
pub(super) fn identity(raw: &Raw) -> String {
    let size = match raw.size {
        Some(size) => format!("Some({size})"),
        None => "None".to_owned(),
    };
    format!(
        "{}\n{} {size}\n{} {} {}\n",
        raw.name,
        raw.variant,
        raw.format.in_logs(),
        raw.games,
        raw.seed,
    )
}
