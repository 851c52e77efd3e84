//! Numbers, lists and directions as English has them.

use crate::variant::{Directions, Span};

/// A set of directions as an adverb: `diagonally forward or sideways`.
pub(super) fn directions(set: Directions) -> String {
    let names: Vec<&str> = set.names().collect();
    let has = |name: &str| names.contains(&name);
    if names.len() == 8 {
        return "straight or diagonally in any direction".to_owned();
    }
    let mut ways = Vec::new();
    let groups: [(&[&str], &str); 5] = [
        (
            &[
                "forward-left",
                "forward-right",
                "backward-left",
                "backward-right",
            ],
            "diagonally in any direction",
        ),
        (
            &["left", "right", "forward", "backward"],
            "straight in any direction",
        ),
        (&["forward-left", "forward-right"], "diagonally forward"),
        (&["backward-left", "backward-right"], "diagonally backward"),
        (&["left", "right"], "sideways"),
    ];
    let mut left: Vec<&str> = names.clone();
    for (group, words) in groups {
        if group.iter().all(|&name| has(name) && left.contains(&name)) {
            left.retain(|name| !group.contains(name));
            ways.push(words.to_owned());
        }
    }
    ways.extend(left.into_iter().map(single));
    listed(&ways, "or")
}

fn single(direction: &str) -> String {
    match direction.split_once('-') {
        Some((ahead, aside)) => format!("diagonally {ahead} to the {aside}"),
        None if matches!(direction, "left" | "right") => format!("to the {direction}"),
        None => format!("straight {direction}"),
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn listed(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

pub(super) fn counted(count: usize, name: &str) -> String {
    match count {
        0 => format!("no {}", plural(name)),
        1 => format!("one {name}"),
        n => format!("{} {}", number(n), plural(name)),
    }
}

pub(super) fn spanned(span: Span, name: &str) -> String {
    match (span.from, span.to) {
        (from, to) if from == to => counted(from.into(), name),
        (from, u16::MAX) => format!("at least {}", counted(from.into(), name)),
        (from, to) if from + 1 == to => {
            format!("{} or {}", number(from.into()), counted(to.into(), name))
        }
        (from, to) => format!("{} to {}", number(from.into()), counted(to.into(), name)),
    }
}

pub(super) fn plural(name: &str) -> String {
    match name.strip_suffix("man") {
        Some(stem) => format!("{stem}men"),
        None => format!("{name}s"),
    }
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// Small numbers as words, as books print them.
pub(super) fn number(n: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS
        .get(n)
        .map_or_else(|| n.to_string(), |&word| word.to_owned())
}

pub(super) fn ordinal(n: usize) -> String {
    match n {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        5 => "fifth".to_owned(),
        n => format!("{n}th"),
    }
}
