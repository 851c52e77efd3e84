//! Values of keys, from the schema: random ones, and all that are next to one.

use kingme_rules::variant::{Directions, Values, Word, schema};

use crate::random_variants::Random;

/// A key with its tables, and a value as TOML.
pub type Change = (String, String);

/// Every key that says a rule, with its tables; those of the pieces for every kind.
pub fn keys(kinds: &[String]) -> Vec<(String, &'static Values)> {
    let mut keys = Vec::new();
    for table in schema() {
        let paths = match &*table.path {
            "" | "board" | "screen" | "draws.counters" => continue,
            "pieces.*" => kinds.iter().map(|kind| format!("pieces.{kind}")).collect(),
            path => vec![path.to_owned()],
        };
        for path in paths {
            let inner = table.keys.iter();
            keys.extend(inner.map(|key| (format!("{path}.{}", key.name), &key.values)));
        }
    }
    keys
}

/// Words that make games so wild that they should be rare.
const RARE: [&str; 2] = ["anywhere", "replacement"];

/// A random value; `None` for names, boards and the like.
pub fn random_value(random: &mut Random, values: &Values, kinds: &[String]) -> Option<String> {
    Some(match values {
        Values::Yes => random.percent(50).to_string(),
        Values::Number { from, to } => {
            let to = usize::from(*to).min(usize::from(*from) + 3);
            random.between((*from).into(), to).to_string()
        }
        Values::One(words) => {
            let word = random.pick(words).word;
            let again = RARE.contains(&word) && random.percent(70);
            let word = if again { random.pick(words).word } else { word };
            format!("{word:?}")
        }
        Values::Ordered(words) => {
            let mut words: Vec<&str> = words.iter().map(|word| word.word).collect();
            let mut chosen = Vec::new();
            while !words.is_empty() && random.percent(55) {
                chosen.push(words.swap_remove(random.below(words.len())));
            }
            list(chosen)
        }
        // Often a set with a name, else any set.
        Values::Directions if random.percent(60) => list([random.pick(&Directions::GROUPS).0]),
        Values::Directions => list(Directions::NAMES.into_iter().filter(|_| random.percent(40))),
        Values::Kinds => list(
            kinds
                .iter()
                .map(String::as_str)
                .filter(|_| random.percent(80)),
        ),
        Values::Kind if random.percent(10) => format!("{:?}", random.pick(kinds)),
        Values::Kind => format!("{:?}", random.pick(&["nothing", "king", "king"])),
        _ => return None,
    })
}

/// The values next to one: every other word, a direction or a kind more or less.
pub fn neighbours(values: &Values, now: &str, kinds: &[String]) -> Vec<String> {
    match values {
        Values::Yes => vec![(now == "false").to_string()],
        Values::Number { .. } => ["0", "2", "3"].map(str::to_owned).into(),
        Values::One(words) => words
            .iter()
            .map(|Word { word, .. }| format!("{word:?}"))
            .collect(),
        Values::Ordered(words) => orders(&items(now), words),
        Values::Directions => Directions::NAMES
            .map(|name| list(toggled(&items(now), name)))
            .into(),
        Values::Kinds => kinds
            .iter()
            .map(|kind| list(toggled(&items(now), kind)))
            .collect(),
        Values::Kind => kinds
            .iter()
            .map(String::as_str)
            .chain(["nothing"])
            .map(|kind| format!("{kind:?}"))
            .collect(),
        _ => Vec::new(),
    }
}

fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("{word:?}")).collect();
    format!("[{}]", words.join(", "))
}

/// The texts of a list.
fn items(list: &str) -> Vec<&str> {
    list.split('"').skip(1).step_by(2).collect()
}

fn toggled<'a>(words: &[&'a str], word: &'a str) -> Vec<&'a str> {
    let mut without: Vec<&str> = words
        .iter()
        .copied()
        .filter(|&other| other != word)
        .collect();
    if without.len() == words.len() {
        without.push(word);
    }
    without
}

/// The list with one word less, one more anywhere, or two neighbours swapped.
fn orders(now: &[&str], words: &[Word]) -> Vec<String> {
    let mut lists = Vec::new();
    for index in 0..now.len() {
        let mut less = now.to_vec();
        less.remove(index);
        lists.push(list(less));
        if index > 0 {
            let mut swapped = now.to_vec();
            swapped.swap(index - 1, index);
            lists.push(list(swapped));
        }
    }
    for word in words.iter().filter(|word| !now.contains(&word.word)) {
        for index in 0..=now.len() {
            let mut more = now.to_vec();
            more.insert(index, word.word);
            lists.push(list(more));
        }
    }
    lists
}
