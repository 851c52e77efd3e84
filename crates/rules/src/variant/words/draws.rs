//! The draw rules in words.

use super::Sentences;
use super::texts::{Texts, filled};
use crate::variant::{Counter, CounterResult, Definition, Material, Progress};

impl Texts {
    pub(super) fn draws_of(&self, definition: &Definition) -> Sentences {
        let keys = &definition.draws;
        let mut said = Vec::new();
        if let Some(times) = keys.repetition {
            let times = self.ordinal(times.into());
            said.push(filled(self.repetition, &[("times", &times)]));
        }
        said.extend(keys.counters.iter().map(|counter| self.counter(counter)));
        if said.is_empty() {
            said.push(self.no_draws.to_owned());
        }
        said
    }

    fn counter(&self, counter: &Counter) -> String {
        let unless = if counter.unless_capture {
            self.unless_capture
        } else {
            ""
        };
        let when = [
            self.after(counter),
            self.total(counter),
            self.condition(counter),
            unless.to_owned(),
        ];
        let text = match counter.result {
            CounterResult::Draw => self.counter_draw,
            CounterResult::MostPieces => self.counter_stops,
            CounterResult::OneWins => self.counter_wins,
        };
        filled(text, &[("when", &when.concat())])
    }

    fn after(&self, counter: &Counter) -> String {
        let events = counter.restart.iter();
        let events: Vec<String> = events.map(|&event| self.progress(event)).collect();
        let without = match &events[..] {
            [] => String::new(),
            events => filled(self.without, &[("events", &self.any_of(events))]),
        };
        let after = |text, moves: u16| {
            let moves = self.counted(moves.into(), self.one_move);
            filled(text, &[("moves", &moves), ("without", &without)])
        };
        match counter.plies {
            0 => self.at_once.to_owned(),
            n if n % 2 == 0 => after(self.after_each, n / 2),
            n => after(self.after_both, n),
        }
    }

    fn progress(&self, event: Progress) -> String {
        let event = match event {
            Progress::Capture => self.a_capture,
            Progress::Promotion => self.a_promotion,
            Progress::ManMove => self.a_mans_move,
        };
        event.to_owned()
    }

    fn total(&self, counter: &Counter) -> String {
        counter.pieces.map_or_else(String::new, |pieces| {
            let pieces = self.spanned(pieces, self.one_piece);
            filled(self.in_all, &[("pieces", &pieces)])
        })
    }

    /// Such as `, while one side has one king and the other has three pieces`.
    fn condition(&self, counter: &Counter) -> String {
        let place = match &counter.on[..] {
            [] => String::new(),
            on => filled(self.standing, &[("squares", &self.any_of(on))]),
        };
        let when = if counter.plies == 0 {
            self.when
        } else {
            self.while_
        };
        match (self.material(counter.one), self.material(counter.other)) {
            (None, None) => String::new(),
            (Some(one), None) | (None, Some(one)) => {
                let gaps = [("when", when), ("one", &one), ("place", &place)];
                filled(self.one_side, &gaps)
            }
            (Some(one), Some(other)) if one == other && place.is_empty() => {
                filled(self.each_side, &[("when", when), ("one", &one)])
            }
            (Some(one), Some(other)) => {
                // What is said in between ends with a comma.
                let place = if place.is_empty() { place } else { place + "," };
                let gaps = [
                    ("when", when),
                    ("one", &one),
                    ("place", &place),
                    ("other", &other),
                ];
                filled(self.both_sides, &gaps)
            }
        }
    }

    fn material(&self, material: Material) -> Option<String> {
        let counts = [(material.kings, "king"), (material.men, "man")];
        let kinds: Vec<String> = counts
            .into_iter()
            .filter_map(|(span, name)| Some(self.spanned(span?, self.name(name))))
            .collect();
        let kinds = self.all_of(&kinds);
        let pieces = material
            .pieces
            .map(|span| self.spanned(span, self.one_piece));
        match pieces {
            Some(pieces) if kinds.is_empty() => Some(pieces),
            Some(pieces) => {
                let gaps = [("pieces", &*pieces), ("kinds", &kinds)];
                Some(filled(self.among, &gaps))
            }
            None => (!kinds.is_empty()).then_some(kinds),
        }
    }
}
