//! The table of keys in docs/VARIANTS.md is what the schema says.

use kingme_rules::variant::{Key, Values, Word, schema};

const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/VARIANTS.md");

/// `UPDATE=1 cargo test -p kingme --test variants_guide` writes the table anew.
#[test]
fn the_guide_has_the_schemas_table() {
    let guide = std::fs::read_to_string(GUIDE).unwrap();
    let start = guide
        .find("| key |")
        .expect("the guide has a table of keys");
    let end = start + guide[start..].find("\n\n").unwrap() + 1;
    let table = table();
    if std::env::var_os("UPDATE").is_some() {
        let text = [&guide[..start], &table, &guide[end..]].concat();
        std::fs::write(GUIDE, text).unwrap();
        return;
    }
    assert_eq!(&guide[start..end], table, "see UPDATE in this test");
}

fn table() -> String {
    let mut lines = vec![
        "| key | values | without it | meaning |".to_owned(),
        "|---|---|---|---|".to_owned(),
        "| `extends` | a game's name | | Take what is not said here from that game. |".to_owned(),
    ];
    for table in schema() {
        match &*table.path {
            "" => (),
            "pieces.*" => lines.push(
                "| **[pieces.man]**, **[pieces.king]**, two more of your own | | | |".to_owned(),
            ),
            "draws.counters" => lines.push("| **[[draws.counters]]** | | | |".to_owned()),
            path => lines.push(format!("| **[{path}]** | | | |")),
        }
        lines.extend(table.keys.iter().map(row));
    }
    lines.join("\n") + "\n"
}

fn row(key: &Key) -> String {
    let default = key
        .default
        .map_or_else(String::new, |default| format!("`{default}`"));
    let (values, meanings) = (values(&key.values), meanings(&key.values));
    let (name, sentence) = (&key.name, &key.sentence);
    format!("| `{name}` | {values} | {default} | {sentence}{meanings} |")
}

fn values(values: &Values) -> String {
    let quoted = |words: &mut dyn Iterator<Item = &'static str>| {
        let words: Vec<String> = words.map(|word| format!("`\"{word}\"`")).collect();
        words.join(", ")
    };
    match values {
        Values::Text => "a text".to_owned(),
        Values::Suggested(words) => format!("a text: {}", quoted(&mut words.iter().copied())),
        Values::Letters => "two letters: `\"wb\"`".to_owned(),
        Values::Number { from, to } => format!("{from} to {to}"),
        Values::Yes => "`true`, `false`".to_owned(),
        Values::One(words) => quoted(&mut words.iter().map(|word| word.word)),
        Values::Ordered(words) => {
            format!(
                "list of {}",
                quoted(&mut words.iter().map(|word| word.word))
            )
        }
        Values::Directions => "list of directions".to_owned(),
        Values::Kinds => "list of kinds: `[\"man\", \"king\"]`".to_owned(),
        Values::Kind => "a kind, or `\"nothing\"`".to_owned(),
        Values::Holes => "list of rows and columns: `[\"3,4\"]`".to_owned(),
        Values::Sizes => "`[]`, or `[4, 100]`".to_owned(),
        Values::Drawing => "`[]`, or list of rows".to_owned(),
        Values::Squares => "list of squares: `[\"a1\", \"h8\"]`".to_owned(),
        Values::Span => "`\"3\"`, `\"3-5\"`, `\"3+\"`".to_owned(),
        Values::Table(_) | Values::Tables(_) | Values::Pieces(_) => "tables".to_owned(),
    }
}

/// What the words of a key mean, where their names don't say it.
fn meanings(values: &Values) -> String {
    let (Values::One(words) | Values::Ordered(words)) = values else {
        return String::new();
    };
    let told = |word: &&Word| !word.meaning.is_empty();
    let meanings: Vec<String> = words
        .iter()
        .filter(told)
        .map(|word| format!(" *{}*: {}", word.word, word.meaning.trim()))
        .collect();
    meanings.concat()
}
