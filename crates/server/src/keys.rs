//! Variant files as plain keys and values, for the editor's forms.

use kingme_rules::variant;
use serde_json::Value;
use toml::Table;

/// Every key of a game that comes with the program, those of the games it extends included.
pub fn of_shipped(name: &str) -> Option<Value> {
    let (_, text) = variant::shipped().find(|(shipped, _)| *shipped == name)?;
    of_text(text)
}

/// Every key of a file. The file must have been read as a variant before: then no game in it
/// extends itself.
pub fn of_text(text: &str) -> Option<Value> {
    serde_json::to_value(whole(text)?).ok()
}

fn whole(text: &str) -> Option<Table> {
    let mut own: Table = text.parse().ok()?;
    let Some(parent) = own.remove("extends") else {
        return Some(own);
    };
    let (_, text) = variant::shipped().find(|(name, _)| Some(*name) == parent.as_str())?;
    let mut keys = whole(text)?;
    merge(&mut keys, own);
    Some(keys)
}

/// Tables are merged key by key; everything else is replaced as a whole.
fn merge(into: &mut Table, own: Table) {
    for (key, value) in own {
        match (into.get_mut(&key), value) {
            (Some(toml::Value::Table(into)), toml::Value::Table(own)) => merge(into, own),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingme_rules::Variant;

    /// The keys as a file that extends nothing must be the same game.
    #[test]
    fn the_keys_of_every_game_are_the_whole_game() {
        for name in Variant::names() {
            let (_, text) = variant::shipped()
                .find(|(shipped, _)| *shipped == name)
                .unwrap();
            let whole = toml_text(&whole(text).unwrap());
            let again =
                Variant::from_toml(&whole).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(
                again.definition(),
                Variant::named(name).unwrap().definition(),
                "{name}"
            );
        }
    }

    /// Keys as a file, tables in line.
    fn toml_text(keys: &Table) -> String {
        fn text(value: &toml::Value) -> String {
            match value {
                toml::Value::Array(items) => {
                    format!(
                        "[{}]",
                        items.iter().map(text).collect::<Vec<_>>().join(", ")
                    )
                }
                toml::Value::Table(keys) => {
                    let pairs = keys
                        .iter()
                        .map(|(key, item)| format!("{key} = {}", text(item)));
                    format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
                }
                toml::Value::String(words) => format!("{words:?}"),
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Boolean(yes) => yes.to_string(),
                other => panic!("{other:?} is no value of a variant"),
            }
        }
        let lines = keys
            .iter()
            .map(|(key, item)| format!("{key} = {}", text(item)));
        lines.collect::<Vec<_>>().join("\n")
    }
}
