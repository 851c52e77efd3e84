//! Reading the tables of a variant file, noting every fault on the way.

use std::collections::BTreeMap;
use std::fmt;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One thing that is wrong with a variant file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line in the file, counted from 1; `None` where a key is missing altogether.
    pub line: Option<usize>,
    /// The key, with its tables: `pieces.king.range`.
    pub key: String,
    /// What is wrong, and what would be right.
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.reason)
    }
}

/// A value with the line it stands on.
#[derive(Clone, Debug)]
pub(super) struct Value {
    line: Option<usize>,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
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
    let table = DeTable::parse(text).map_err(|error| Fault {
        line: error.span().map(|span| line_of(text, span.start)),
        key: String::new(),
        reason: format!("not valid TOML: {}", error.message().replace('\n', ", ")),
    })?;
    Ok(tree(table.get_ref(), text))
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

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count()
        + 1
}

fn tree(table: &DeTable<'_>, text: &str) -> Tree {
    table
        .iter()
        .map(|(key, value)| {
            let mut value = read_value(value, text);
            // A table's own span may start elsewhere; its key is where people look.
            value.line = Some(line_of(text, key.span().start));
            (key.get_ref().to_string(), value)
        })
        .collect()
}

fn read_value(value: &Spanned<DeValue<'_>>, text: &str) -> Value {
    let content = match value.get_ref() {
        DeValue::String(string) => Content::Text(string.to_string()),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).map_or(
            Content::Other("a number that is too large"),
            Content::Integer,
        ),
        DeValue::Boolean(boolean) => Content::Boolean(*boolean),
        DeValue::Array(array) => {
            Content::List(array.iter().map(|item| read_value(item, text)).collect())
        }
        DeValue::Table(table) => Content::Table(tree(table, text)),
        DeValue::Float(_) => Content::Other("a number with a point"),
        DeValue::Datetime(_) => Content::Other("a date"),
    };
    Value {
        line: Some(line_of(text, value.span().start)),
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
    fn described(&self) -> String {
        match &self.content {
            Content::Text(text) => format!("\"{text}\""),
            Content::Integer(integer) => integer.to_string(),
            Content::Boolean(boolean) => boolean.to_string(),
            Content::List(_) => "a list".to_owned(),
            Content::Table(_) => "a table".to_owned(),
            Content::Other(what) => (*what).to_owned(),
        }
    }
}

/// A table that is being read. Keys that nobody asked for are faults, see [`Fields::finish`].
pub(super) struct Fields<'a> {
    path: String,
    line: Option<usize>,
    tree: Tree,
    asked: Vec<&'static str>,
    faults: &'a mut Vec<Fault>,
}

impl<'a> Fields<'a> {
    pub fn new(tree: Tree, faults: &'a mut Vec<Fault>) -> Fields<'a> {
        Fields {
            path: String::new(),
            line: None,
            tree,
            asked: Vec::new(),
            faults,
        }
    }

    fn full_key(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// Notes a fault at a key.
    pub fn fault(&mut self, key: &str, reason: impl Into<String>) {
        let line = self.tree.get(key).map_or(self.line, |value| value.line);
        let key = self.full_key(key);
        self.faults.push(Fault {
            line,
            key,
            reason: reason.into(),
        });
    }

    /// Notes a fault at a key written with its tables; the line is the nearest one known.
    pub fn fault_path(&mut self, path: &str, reason: String) {
        let mut line = None;
        let mut tree = Some(&self.tree);
        for key in path.split('.') {
            let Some(value) = tree.and_then(|tree| tree.get(key)) else {
                break;
            };
            line = value.line.or(line);
            tree = match &value.content {
                Content::Table(inner) => Some(inner),
                _ => None,
            };
        }
        let key = path.to_owned();
        self.faults.push(Fault { line, key, reason });
    }

    /// Notes a fault at a value that has been taken out already.
    fn fault_at(&mut self, key: &str, line: Option<usize>, reason: String) {
        let key = self.full_key(key);
        self.faults.push(Fault { line, key, reason });
    }

    fn get(&mut self, key: &'static str) -> Option<Value> {
        self.asked.push(key);
        self.tree.get(key).cloned()
    }

    fn require(&mut self, key: &'static str) -> Option<Value> {
        let value = self.get(key);
        if value.is_none() {
            self.fault(key, "this key is missing");
        }
        value
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.tree.contains_key(key)
    }

    pub fn text(&mut self, key: &'static str) -> Option<String> {
        let value = self.require(key)?;
        match value.content {
            Content::Text(text) => Some(text),
            _ => self.wrong(key, &value, "a text in quotes"),
        }
    }

    pub fn boolean(&mut self, key: &'static str) -> Option<bool> {
        let value = self.require(key)?;
        match value.content {
            Content::Boolean(boolean) => Some(boolean),
            _ => self.wrong(key, &value, "true or false"),
        }
    }

    pub fn integer(&mut self, key: &'static str, from: u16, to: u16) -> Option<u16> {
        let value = self.require(key)?;
        let wanted = format!("a whole number from {from} to {to}");
        let Content::Integer(integer) = value.content else {
            return self.wrong(key, &value, &wanted);
        };
        match u16::try_from(integer) {
            Ok(number) if (from..=to).contains(&number) => Some(number),
            _ => self.wrong(key, &value, &wanted),
        }
    }

    /// One of several words.
    pub fn choice<T: Copy>(&mut self, key: &'static str, words: &[(&str, T)]) -> Option<T> {
        let value = self.require(key)?;
        self.word(key, &value, words)
    }

    /// A list of words.
    pub fn choices<T: Copy>(&mut self, key: &'static str, words: &[(&str, T)]) -> Option<Vec<T>> {
        let items = self.list(key)?;
        items
            .iter()
            .map(|item| self.word(key, item, words))
            .collect()
    }

    fn word<T: Copy>(&mut self, key: &str, value: &Value, words: &[(&str, T)]) -> Option<T> {
        if let Content::Text(text) = &value.content
            && let Some((_, found)) = words.iter().find(|(word, _)| word == text)
        {
            return Some(*found);
        }
        let known: Vec<String> = words
            .iter()
            .map(|(word, _)| format!("\"{word}\""))
            .collect();
        self.wrong(key, value, &format!("one of {}", known.join(", ")))
    }

    fn list(&mut self, key: &'static str) -> Option<Vec<Value>> {
        let value = self.require(key)?;
        match value.content {
            Content::List(list) => Some(list),
            _ => self.wrong(key, &value, "a list in square brackets"),
        }
    }

    /// A list of texts.
    pub fn texts(&mut self, key: &'static str) -> Option<Vec<String>> {
        let items = self.list(key)?;
        items
            .iter()
            .map(|item| match &item.content {
                Content::Text(text) => Some(text.clone()),
                _ => self.wrong(key, item, "texts in quotes"),
            })
            .collect()
    }

    /// A list of texts, each read by `read`; its error becomes a fault.
    pub fn parsed<T>(
        &mut self,
        key: &'static str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Option<Vec<T>> {
        let items = self.list(key)?;
        items
            .iter()
            .map(|item| match &item.content {
                Content::Text(text) => match read(text) {
                    Ok(value) => Some(value),
                    Err(reason) => {
                        self.fault_at(key, item.line, reason);
                        None
                    }
                },
                _ => self.wrong(key, item, "texts in quotes"),
            })
            .collect()
    }

    /// A list of whole numbers.
    pub fn integers(&mut self, key: &'static str) -> Option<Vec<i64>> {
        let items = self.list(key)?;
        items
            .iter()
            .map(|item| match item.content {
                Content::Integer(integer) => Some(integer),
                _ => self.wrong(key, item, "whole numbers"),
            })
            .collect()
    }

    fn wrong<T>(&mut self, key: &str, found: &Value, wanted: &str) -> Option<T> {
        let reason = format!("found {}, expected {wanted}", found.described());
        self.fault_at(key, found.line, reason);
        None
    }

    /// Reads a table within this one; a missing one is read as empty, so that its keys are missed.
    pub fn table<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut Fields<'_>) -> Option<T>,
    ) -> Option<T> {
        let value = self.get(key);
        self.subtable(key, value, read)
    }

    fn subtable<T>(
        &mut self,
        key: &str,
        value: Option<Value>,
        read: impl FnOnce(&mut Fields<'_>) -> Option<T>,
    ) -> Option<T> {
        let line = value.as_ref().and_then(|value| value.line);
        let tree = match value {
            None => Tree::new(),
            Some(Value {
                content: Content::Table(tree),
                ..
            }) => tree,
            Some(other) => return self.wrong(key, &other, "a table"),
        };
        let mut fields = Fields {
            path: self.full_key(key),
            line,
            tree,
            asked: Vec::new(),
            faults: self.faults,
        };
        let read = read(&mut fields);
        fields.finish();
        read
    }

    /// Reads a list of tables.
    pub fn tables<T>(
        &mut self,
        key: &'static str,
        mut read: impl FnMut(&mut Fields<'_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let items = self.list(key)?;
        items
            .into_iter()
            .map(|item| self.subtable(key, Some(item), &mut read))
            .collect()
    }

    /// Reads every table of this one, whatever its key.
    pub fn each_table<T>(
        &mut self,
        mut read: impl FnMut(&str, &mut Fields<'_>) -> Option<T>,
    ) -> Vec<(String, Option<T>)> {
        let tree = std::mem::take(&mut self.tree);
        tree.into_iter()
            .map(|(key, value)| {
                let read = self.subtable(&key, Some(value), |fields| read(&key, fields));
                (key, read)
            })
            .collect()
    }

    /// The keys of this table.
    pub fn keys(&self) -> Vec<String> {
        self.tree.keys().cloned().collect()
    }

    /// Notes the keys that nobody asked for.
    pub fn finish(&mut self) {
        let unknown: Vec<String> = self
            .tree
            .keys()
            .filter(|key| !self.asked.contains(&key.as_str()))
            .cloned()
            .collect();
        for key in unknown {
            let known: Vec<&str> = self.asked.clone();
            let hint = crate::nearest::nearest(&key, known.iter().copied())
                .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            self.fault(&key, format!("unknown key `{key}`{hint}"));
        }
    }
}
