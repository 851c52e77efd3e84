//! Variant files as plain keys and values, and the keys that there are, for the editor's forms.

use kingme_rules::variant::{self, Directions, Key, Values, Word};
use serde::Serialize;
use serde_json::Value;
use toml::Table;
use utoipa::ToSchema;

/// Every key that a variant file may have.
#[derive(Debug, Serialize, ToSchema)]
pub struct SchemaJson {
    /// The tables in the order of a file.
    tables: Vec<TableJson>,
    /// Names for several directions at once.
    groups: Vec<GroupJson>,
}

/// A table of a variant file.
#[derive(Debug, Serialize, ToSchema)]
struct TableJson {
    /// Empty for the keys outside all tables; `pieces.*` stands for each kind of piece,
    /// `draws.counters` for each counter.
    path: &'static str,
    keys: Vec<KeyJson>,
}

/// A key of a variant file.
#[derive(Debug, Serialize, ToSchema)]
struct KeyJson {
    key: &'static str,
    /// How it is filled in: `text`, `letters`, `number`, `yes`, `one` or `ordered` (of the words in
    /// `of`), `directions`, `kinds`, `kind`, `cells`, `sizes`, `drawing`, `squares` or `span`.
    #[serde(rename = "as")]
    form: &'static str,
    /// The smallest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<u16>,
    /// The largest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<u16>,
    /// The words to choose from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    of: Vec<&'static str>,
    /// What holds if nothing is said, as TOML; a key without it must be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<&'static str>,
    /// What it means.
    sentence: &'static str,
}

/// A name for several directions.
#[derive(Debug, Serialize, ToSchema)]
struct GroupJson {
    name: &'static str,
    directions: Vec<&'static str>,
}

/// Every key that a variant file may have.
pub fn schema() -> SchemaJson {
    let tables = variant::schema().iter().map(|table| TableJson {
        path: &table.path,
        keys: table.keys.iter().map(key_json).collect(),
    });
    let groups = Directions::GROUPS.iter().map(|(name, set)| GroupJson {
        name,
        directions: set.names().collect(),
    });
    SchemaJson {
        tables: tables.collect(),
        groups: groups.collect(),
    }
}

fn key_json(key: &'static Key) -> KeyJson {
    let words = |words: &[Word]| words.iter().map(|word| word.word).collect();
    let (from, to) = match key.values {
        Values::Number { from, to } => (Some(from), Some(to)),
        _ => (None, None),
    };
    KeyJson {
        key: &key.name,
        form: form(&key.values),
        from,
        to,
        of: match &key.values {
            Values::One(of) | Values::Ordered(of) => words(of),
            Values::Suggested(of) => of.to_vec(),
            _ => Vec::new(),
        },
        default: key.default,
        sentence: &key.sentence,
    }
}

fn form(values: &Values) -> &'static str {
    match values {
        Values::Text => "text",
        Values::Letters => "letters",
        Values::Number { .. } => "number",
        Values::Yes => "yes",
        Values::One(_) | Values::Suggested(_) => "one",
        Values::Ordered(_) => "ordered",
        Values::Directions => "directions",
        Values::Kinds => "kinds",
        Values::Kind => "kind",
        Values::Holes => "cells",
        Values::Sizes => "sizes",
        Values::Drawing => "drawing",
        Values::Squares => "squares",
        Values::Span => "span",
        // The schema lists these as tables of their own.
        Values::Table(_) | Values::Tables(_) | Values::Pieces(_) => "table",
    }
}

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
    // PDN's number is not inherited.
    let notation = keys.get_mut("notation").and_then(toml::Value::as_table_mut);
    notation?.insert("game_type".to_owned(), toml::Value::Integer(0));
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

    /// A new key is a line of the schema and its words in each language of the pages.
    #[test]
    fn every_key_and_every_word_has_its_text_in_every_language() {
        let texts = [
            include_str!("../web/texts/en.js"),
            include_str!("../web/texts/nl.js"),
        ];
        let mut wanted: Vec<String> = Vec::new();
        for table in schema().tables {
            let short = match table.path {
                "" => "top",
                "pieces.*" => "piece",
                "draws.counters" => "counter",
                path => path,
            };
            let in_form = table
                .keys
                .iter()
                .filter(|key| !["cells", "drawing"].contains(&key.form));
            for key in in_form {
                wanted.push(format!("key_{short}_{}", key.key.replace('.', "_")));
                let words = key.of.iter().map(|word| word.replace('-', "_"));
                wanted.extend(words.map(|word| format!("opt_{word}")));
            }
        }
        for text in texts {
            for key in &wanted {
                let plain = text.contains(&format!("  {key}: "));
                assert!(plain || text.contains(&format!("'{key}': ")), "{key}");
            }
        }
    }

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
