//! Reading the tables of a variant file, noting every fault on the way.

use std::fmt;

use super::tree::{Content, Tree, Value};
use crate::quote::quoted;

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

/// What is wrong with a value, or with one item of a list.
pub(super) struct Wrong {
    /// Which item of a list.
    pub item: Option<usize>,
    /// What would be right.
    pub wanted: String,
}

/// A table that is being read. Keys that nobody asked for are faults, see [`Fields::finish`].
pub(super) struct Fields<'a> {
    /// Names of the kinds of pieces, once they are known.
    pub kinds: Vec<String>,
    path: String,
    line: Option<usize>,
    tree: Tree,
    asked: Vec<&'static str>,
    faults: &'a mut Vec<Fault>,
}

impl<'a> Fields<'a> {
    pub fn new(tree: Tree, faults: &'a mut Vec<Fault>) -> Fields<'a> {
        Fields {
            kinds: Vec::new(),
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

    /// The name of this table.
    pub fn name(&self) -> String {
        self.path.rsplit('.').next().unwrap_or_default().to_owned()
    }

    /// Notes a fault of the whole table.
    pub fn fault_here(&mut self, reason: String) {
        let (line, key) = (self.line, self.path.clone());
        self.faults.push(Fault { line, key, reason });
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

    /// Says a key that the file does not say.
    pub fn fill(&mut self, key: &'static str, value: &str) {
        if !self.has(key)
            && let Ok(value) = Value::parse(value)
        {
            self.tree.insert(key.to_owned(), value);
        }
    }

    /// Reads a key; `read` says what would be right where its value is wrong.
    pub fn read<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&Content) -> Result<T, Wrong>,
    ) -> Option<T> {
        let value = self.require(key)?;
        match read(&value.content) {
            Ok(read) => Some(read),
            Err(Wrong { item, wanted }) => {
                let found = match &value.content {
                    Content::List(items) => item.and_then(|at| items.get(at)),
                    _ => None,
                };
                let found = found.unwrap_or(&value);
                let described = quoted(&found.described());
                let reason = format!("found {described}, expected {wanted}");
                self.fault_at(key, found.line, reason);
                None
            }
        }
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
            kinds: self.kinds.clone(),
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
        let value = self.require(key)?;
        let Content::List(items) = value.content else {
            return self.wrong(key, &value, "a list in square brackets");
        };
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
        for key in unknown.iter().take(MOST_UNKNOWN) {
            let hint = crate::nearest::nearest(key, self.asked.iter().copied())
                .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            let named = quoted(key);
            self.fault(key, format!("unknown key `{named}`{hint}"));
        }
        if unknown.len() > MOST_UNKNOWN {
            let more = unknown.len() - MOST_UNKNOWN;
            self.fault_here(format!("{more} more unknown keys"));
        }
    }
}

/// So many unknown keys of a table are named.
const MOST_UNKNOWN: usize = 20;
