//! The draw rules in words.

use super::Sentences;
use super::grammar::{counted, listed, ordinal, spanned};
use crate::variant::{Counter, CounterResult, Definition, Material, Progress};

pub(super) fn draws(definition: &Definition) -> Sentences {
    let keys = &definition.draws;
    let mut said = Vec::new();
    if let Some(times) = keys.repetition {
        said.push(format!(
            "The game is a draw when the same position, with the same side to move, comes up for \
             the {} time.",
            ordinal(times.into())
        ));
    }
    said.extend(keys.counters.iter().map(counter));
    if said.is_empty() {
        said.push("Nothing makes the game a draw by itself.".to_owned());
    }
    said
}

fn counter(counter: &Counter) -> String {
    let when = [when(counter), total(counter), condition(counter)].concat();
    match counter.result {
        CounterResult::Draw => format!("The game is a draw {when}."),
        CounterResult::MostPieces => format!(
            "The game stops {when}: the side with more pieces wins, equal numbers are a draw."
        ),
    }
}

fn when(counter: &Counter) -> String {
    let events: Vec<String> = counter
        .restart
        .iter()
        .map(|&event| progress(event))
        .collect();
    let without = match &events[..] {
        [] => String::new(),
        events => format!(" without {}", listed(events, "or")),
    };
    match counter.plies {
        0 => "at once".to_owned(),
        n if n % 2 == 0 => {
            let moves = counted(usize::from(n / 2), "move");
            format!("after {moves} by each side{without}")
        }
        n => format!(
            "after {} of both sides together{without}",
            counted(n.into(), "move")
        ),
    }
}

fn total(counter: &Counter) -> String {
    counter.pieces.map_or_else(String::new, |pieces| {
        format!(", with {} on the board in all", spanned(pieces, "piece"))
    })
}

fn progress(event: Progress) -> String {
    let event = match event {
        Progress::Capture => "a capture",
        Progress::Promotion => "a promotion",
        Progress::ManMove => "a man's move",
    };
    event.to_owned()
}

/// Such as ` while one side has one king and the other has three pieces`.
fn condition(counter: &Counter) -> String {
    let place = match &counter.on[..] {
        [] => String::new(),
        on => format!(", standing only on {},", listed(on, "or")),
    };
    let word = if counter.plies == 0 { "when" } else { "while" };
    match (material(counter.one), material(counter.other)) {
        (None, None) => String::new(),
        (Some(one), None) | (None, Some(one)) => {
            let place = place.trim_end_matches(',');
            format!(", {word} one side has {one}{place}")
        }
        (Some(one), Some(other)) if one == other && place.is_empty() => {
            format!(", {word} each side has {one}")
        }
        (Some(one), Some(other)) => {
            format!(", {word} one side has {one}{place} and the other has {other}")
        }
    }
}

fn material(material: Material) -> Option<String> {
    let counts = [(material.kings, "king"), (material.men, "man")];
    let kinds: Vec<String> = counts
        .into_iter()
        .filter_map(|(span, name)| span.map(|span| spanned(span, name)))
        .collect();
    let kinds = listed(&kinds, "and");
    match material.pieces.map(|span| spanned(span, "piece")) {
        Some(pieces) if kinds.is_empty() => Some(pieces),
        Some(pieces) => Some(format!("{pieces} with {kinds} among them")),
        None => (!kinds.is_empty()).then_some(kinds),
    }
}
