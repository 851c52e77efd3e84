//! The keys and values of a variant file, with the lines they stand on.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Fault;

/// A value with the line it stands on.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub line: Option<usize>,
    pub content: Content,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Text(String),
    Integer(i64),
    Boolean(bool),
    List(Vec<Value>),
    Table(Tree),
    Other(&'static str),
}

/// A table of a file: keys with their values.
pub(super) type Tree = BTreeMap<String, Value>;

/// Parses a file into a tree.
pub(super) fn parse(text: &str) -> Result<Tree, Fault> {
    let lines = Lines::of(text);
    let table = DeTable::parse(text).map_err(|error| Fault {
        line: error.span().map(|span| lines.at(span.start)),
        key: String::new(),
        reason: format!("not valid TOML: {}", error.message().replace('\n', ", ")),
    })?;
    Ok(tree(table.get_ref(), &lines))
}

/// The tree of `child` with what it does not say taken from `parent`, as if it stood in it.
pub(super) fn merge(mut parent: Tree, child: Tree) -> Tree {
    strip_lines(&mut parent);
    for (key, value) in child {
        match (parent.remove(&key), value) {
            (
                Some(Value {
                    content: Content::Table(old),
                    ..
                }),
                Value {
                    content: Content::Table(new),
                    line,
                },
            ) => {
                let content = Content::Table(merge(old, new));
                parent.insert(key, Value { line, content });
            }
            (_, value) => {
                parent.insert(key, value);
            }
        }
    }
    parent
}

fn strip_lines(tree: &mut Tree) {
    for value in tree.values_mut() {
        value.line = None;
        if let Content::Table(inner) = &mut value.content {
            strip_lines(inner);
        }
    }
}

/// Where the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Lines {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Lines(ends.map(|(at, _)| at + 1).collect())
    }

    /// The line of a byte, counted from 1.
    fn at(&self, offset: usize) -> usize {
        self.0.partition_point(|&begin| begin <= offset) + 1
    }
}

fn tree(table: &DeTable<'_>, lines: &Lines) -> Tree {
    table
        .iter()
        .map(|(key, value)| {
            let mut value = read_value(value, lines);
            // A table's own span may start elsewhere; its key is where people look.
            value.line = Some(lines.at(key.span().start));
            (key.get_ref().to_string(), value)
        })
        .collect()
}

fn read_value(value: &Spanned<DeValue<'_>>, lines: &Lines) -> Value {
    let content = match value.get_ref() {
        DeValue::String(string) => Content::Text(string.to_string()),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).map_or(
            Content::Other("a number that is too large"),
            Content::Integer,
        ),
        DeValue::Boolean(boolean) => Content::Boolean(*boolean),
        DeValue::Array(array) => {
            Content::List(array.iter().map(|item| read_value(item, lines)).collect())
        }
        DeValue::Table(table) => Content::Table(tree(table, lines)),
        DeValue::Float(_) => Content::Other("a number with a point"),
        DeValue::Datetime(_) => Content::Other("a date"),
    };
    Value {
        line: Some(lines.at(value.span().start)),
        content,
    }
}

/// A text that has been taken out of a tree.
pub(super) struct TakenText {
    pub line: Option<usize>,
    pub text: String,
}

/// Takes a text out of a tree, if it is there.
pub(super) fn take_text(tree: &mut Tree, key: &str) -> Result<Option<TakenText>, Fault> {
    let Some(value) = tree.remove(key) else {
        return Ok(None);
    };
    match value.content {
        Content::Text(text) => Ok(Some(TakenText {
            line: value.line,
            text,
        })),
        _ => Err(Fault {
            line: value.line,
            key: key.to_owned(),
            reason: format!("found {}, expected a text in quotes", value.described()),
        }),
    }
}

impl Value {
    /// A value that stands in no file.
    pub fn new(content: Content) -> Value {
        let line = None;
        Value { line, content }
    }

    pub fn text(text: &str) -> Value {
        Value::new(Content::Text(text.to_owned()))
    }

    pub fn list(items: impl IntoIterator<Item = Value>) -> Value {
        Value::new(Content::List(items.into_iter().collect()))
    }

    pub fn texts<'a>(items: impl IntoIterator<Item = &'a str>) -> Value {
        Value::list(items.into_iter().map(Value::text))
    }

    /// What stands after the `=` of a line, such as `["man"]`.
    pub fn parse(text: &str) -> Result<Value, Fault> {
        let mut tree = parse(&format!("value = {text}"))?;
        strip_lines(&mut tree);
        let nothing = || Value::new(Content::Other("nothing"));
        Ok(tree.into_values().next().unwrap_or_else(nothing))
    }

    /// As TOML writes it.
    pub fn described(&self) -> String {
        match &self.content {
            Content::Text(text) => format!("\"{text}\""),
            Content::Integer(integer) => integer.to_string(),
            Content::Boolean(boolean) => boolean.to_string(),
            Content::List(items) => {
                let items: Vec<String> = items.iter().map(Value::described).collect();
                format!("[{}]", items.join(", "))
            }
            Content::Table(tree) => {
                let keys: Vec<String> = tree
                    .iter()
                    .map(|(key, value)| format!("{key} = {}", value.described()))
                    .collect();
                format!("{{ {} }}", keys.join(", "))
            }
            Content::Other(what) => (*what).to_owned(),
        }
    }
}

/// The value at a path such as `pieces.king.range` or `draws.counters.0.plies`.
pub(super) fn get<'a>(tree: &'a Tree, path: &str) -> Option<&'a Value> {
    let mut steps = path.split('.');
    let first = tree.get(steps.next()?);
    steps.try_fold(first?, |value, step| match &value.content {
        Content::Table(inner) => inner.get(step),
        Content::List(items) => items.get(step.parse::<usize>().ok()?),
        _ => None,
    })
}

/// Puts a value at a path such as `pieces.king.range`; tables that are missing are made.
pub(super) fn put(tree: &mut Tree, path: &str, value: Value) {
    let Some((first, rest)) = path.split_once('.') else {
        tree.insert(path.to_owned(), value);
        return;
    };
    let table = tree
        .entry(first.to_owned())
        .or_insert_with(|| Value::new(Content::Table(Tree::new())));
    if let Content::Table(inner) = &mut table.content {
        put(inner, rest, value);
    }
}
