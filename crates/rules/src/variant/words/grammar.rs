//! Numbers, lists and directions as a language has them.

use super::texts::{Texts, filled};
use crate::variant::{Directions, Span};

impl Texts {
    /// What a side or a kind of piece is called.
    pub fn name<'a>(&self, name: &'a str) -> &'a str {
        let known = self.grammar.names.iter().find(|(own, _)| *own == name);
        known.map_or(name, |(_, name)| name)
    }

    /// Several of what is called so.
    pub fn plural(&self, name: &str) -> String {
        let mut ends = self.grammar.plurals.iter();
        let changed = |(one, many): &(&str, &str)| Some(name.strip_suffix(one)?.to_owned() + many);
        ends.find_map(changed).unwrap_or_default()
    }

    /// Small numbers as words, as books print them.
    pub fn number(&self, n: usize) -> String {
        let word = self.grammar.numbers.get(n);
        word.map_or_else(|| n.to_string(), |&word| word.to_owned())
    }

    pub fn ordinal(&self, n: usize) -> String {
        let word = n.checked_sub(1).and_then(|n| self.grammar.ordinals.get(n));
        let other = || filled(self.ordinal, &[("number", &n.to_string())]);
        word.map_or_else(other, |&word| word.to_owned())
    }

    pub fn counted(&self, count: usize, name: &str) -> String {
        let what = if count == 1 {
            name.to_owned()
        } else {
            self.plural(name)
        };
        format!("{} {what}", self.number(count))
    }

    pub fn spanned(&self, span: Span, name: &str) -> String {
        let between = |text, from: u16, to: u16| {
            let (from, to) = (self.number(from.into()), self.counted(to.into(), name));
            filled(text, &[("from", &from), ("to", &to)])
        };
        match (span.from, span.to) {
            (from, to) if from == to => self.counted(from.into(), name),
            (from, u16::MAX) => filled(
                self.at_least,
                &[("count", &self.counted(from.into(), name))],
            ),
            (from, to) if from + 1 == to => between(self.from_or_to, from, to),
            (from, to) => between(self.from_to, from, to),
        }
    }

    /// `a`, `a and b`, `a, b and c`.
    pub fn all_of(&self, items: &[String]) -> String {
        listed(items, self.and)
    }

    /// `a`, `a or b`, `a, b or c`.
    pub fn any_of(&self, items: &[String]) -> String {
        listed(items, self.or)
    }

    /// A set of directions as an adverb: `diagonally forward or sideways`.
    pub fn directions(&self, set: Directions) -> String {
        let mut left: Vec<&str> = set.names().collect();
        if left.len() == 8 {
            return self.everywhere.to_owned();
        }
        let mut ways = Vec::new();
        for (group, words) in self.groups() {
            if group.iter().all(|name| left.contains(name)) {
                left.retain(|name| !group.contains(name));
                ways.push(words.to_owned());
            }
        }
        ways.extend(left.into_iter().map(|direction| self.direction(direction)));
        self.any_of(&ways)
    }

    /// Directions that have a word together; larger groups first.
    fn groups(&self) -> [(&'static [&'static str], &'static str); 5] {
        [
            (
                &[
                    "forward-left",
                    "forward-right",
                    "backward-left",
                    "backward-right",
                ],
                self.diagonally,
            ),
            (&["left", "right", "forward", "backward"], self.straight),
            (&["forward-left", "forward-right"], self.diagonally_forward),
            (
                &["backward-left", "backward-right"],
                self.diagonally_backward,
            ),
            (&["left", "right"], self.sideways),
        ]
    }

    fn direction(&self, direction: &str) -> String {
        let word = |name: &str| match name {
            "forward" => self.forward,
            "backward" => self.backward,
            "left" => self.left,
            _ => self.right,
        };
        match direction.split_once('-') {
            Some((ahead, aside)) => {
                let gaps = [("ahead", word(ahead)), ("aside", word(aside))];
                filled(self.diagonally_to, &gaps)
            }
            None if matches!(direction, "left" | "right") => {
                filled(self.to_side, &[("aside", word(direction))])
            }
            None => filled(self.straight_to, &[("ahead", word(direction))]),
        }
    }
}

fn listed(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
