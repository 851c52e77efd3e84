//! What decides a game's endings beside the moves, and which games can have tables at all.

use kingme_rules::variant::{Counter, CounterResult, Material, Obligation, Span, Stuck};
use kingme_rules::{Piece, Variant};

use super::TableError;
use super::slice::{Force, Slice};
use super::verdict::Verdict;

/// The rules that end a game.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    stuck: Stuck,
    king_wins: bool,
    /// Counters of no moves: with such material the game is over at once.
    at_once: Vec<Counter>,
    /// Whether men become kings, so that kings occur.
    pub kings: bool,
    /// Whether a side that can capture must: then captures alone decide.
    pub obligatory: bool,
    huffs: bool,
}

impl Ends {
    /// The rules of a game.
    ///
    /// # Errors
    ///
    /// If tables can't be right for the game: which of its rules stands against it.
    pub fn new(variant: &Variant) -> Result<Ends, TableError> {
        if !variant.has_bits() {
            return Err(TableError::too_large(variant));
        }
        match obstacle(variant) {
            Some(reason) => Err(TableError::Unsupported {
                variant: variant.name().to_owned(),
                reason,
            }),
            None => Ok(Ends::of(variant)),
        }
    }

    /// The rules of a game, whether or not it can have tables.
    pub fn of(variant: &Variant) -> Ends {
        let definition = variant.definition();
        let at_once = definition
            .draws
            .counters
            .iter()
            .filter(|counter| counter.plies == 0);
        Ends {
            stuck: definition.end.stuck,
            king_wins: definition.end.king_wins,
            at_once: at_once.cloned().collect(),
            kings: definition.kinds[Piece::MAN].becomes.is_some(),
            obligatory: definition.capture.obligation == Obligation::Must,
            huffs: definition.capture.obligation == Obligation::Huff,
        }
    }

    /// The verdict for a side to move that cannot move, or has no piece.
    pub fn stuck(&self, slice: Slice) -> Verdict {
        match self.stuck {
            Stuck::Loses => Verdict::Loss,
            Stuck::Wins => Verdict::Win,
            Stuck::MostPieces => most_pieces(slice),
        }
    }

    /// The verdict of a slice in which the game was over before the side to move came to move.
    pub fn over(&self, slice: Slice) -> Option<Verdict> {
        if self.king_wins && slice.their.kings > 0 {
            return Some(Verdict::Loss);
        }
        let they_are_stuck = self.huffs && slice.their.pieces() == 0;
        they_are_stuck.then(|| !self.stuck(slice.mirror()))
    }

    /// The verdict of a slice whose material stops the game where the side to move could go on.
    pub fn stopped(&self, slice: Slice) -> Option<Verdict> {
        self.counted(slice, false)
    }

    /// The same where the side to move can't capture.
    pub fn stopped_quietly(&self, slice: Slice) -> Option<Verdict> {
        self.counted(slice, true)
    }

    fn counted(&self, slice: Slice, unless_capture: bool) -> Option<Verdict> {
        let mut counters = self.at_once.iter();
        let counter = counters
            .find(|counter| counter.unless_capture == unless_capture && holds(counter, slice))?;
        Some(match counter.result {
            CounterResult::Draw => Verdict::Draw,
            CounterResult::MostPieces => most_pieces(slice),
            CounterResult::OneWins => one_wins(counter, slice),
        })
    }
}

/// The verdict where the side that a counter speaks of wins.
fn one_wins(counter: &Counter, slice: Slice) -> Verdict {
    match [slice, slice.mirror()].map(|slice| is_one(counter, slice)) {
        [true, false] => Verdict::Win,
        [false, true] => Verdict::Loss,
        _ => Verdict::Draw,
    }
}

fn most_pieces(slice: Slice) -> Verdict {
    match slice.own.pieces().cmp(&slice.their.pieces()) {
        std::cmp::Ordering::Greater => Verdict::Win,
        std::cmp::Ordering::Equal => Verdict::Draw,
        std::cmp::Ordering::Less => Verdict::Loss,
    }
}

/// Why a game can't have tables.
fn obstacle(variant: &Variant) -> Option<String> {
    let definition = variant.definition();
    if let Some(kind) = definition.kinds.get(2) {
        return Some(format!(
            "tables know men and kings only, and it has a {}",
            kind.name
        ));
    }
    if definition
        .kinds
        .iter()
        .any(|kind| kind.quiet_limit.is_some_and(|limit| limit > 0))
    {
        return Some(
            "how often a piece has moved in a row (`quiet_limit`) is not to be seen on the board"
                .to_owned(),
        );
    }
    if definition.capture.obligation == Obligation::Huff {
        return Some("a piece that does not capture may be huffed".to_owned());
    }
    if definition.kinds[Piece::KING].becomes.is_some() {
        return Some("its kings become something else".to_owned());
    }
    let decides = |counter: &&Counter| counter.plies > 0 && counter.result != CounterResult::Draw;
    if let Some(counter) = definition.draws.counters.iter().find(decides) {
        return Some(format!(
            "after {} plies without progress the side with more pieces wins, and such a count is \
             not to be seen on the board",
            counter.plies
        ));
    }
    let placed = |counter: &&Counter| counter.plies == 0 && !counter.on.is_empty();
    definition
        .draws
        .counters
        .iter()
        .find(placed)
        .map(|counter| {
            format!(
                "it is over at once with pieces on {}",
                counter.on.join(", ")
            )
        })
}

/// Whether a counter's conditions hold, either way round.
fn holds(counter: &Counter, slice: Slice) -> bool {
    let total = slice.pieces() as u32;
    counter.pieces.is_none_or(|span| span.contains(total))
        && [slice, slice.mirror()]
            .iter()
            .any(|slice| is_one(counter, *slice))
}

/// Whether the side to move is the one that a counter speaks of.
fn is_one(counter: &Counter, slice: Slice) -> bool {
    has(slice.own, counter.one) && has(slice.their, counter.other)
}

fn has(force: Force, material: Material) -> bool {
    let fits =
        |span: Option<Span>, count: usize| span.is_none_or(|span| span.contains(count as u32));
    fits(material.pieces, force.pieces())
        && fits(material.men, force.men.into())
        && fits(material.kings, force.kings.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: &str) {
        let variant = Variant::named(name).unwrap();
        assert_eq!(Ends::new(&variant).unwrap_err().to_string(), expected);
    }

    #[test]
    fn games_without_tables_say_why() {
        check(
            "frogs",
            "`frogs` can't have endgame tables: tables know men and kings only, and it has a frog",
        );
        check(
            "frisian",
            "`frisian` can't have endgame tables: how often a piece has moved in a row \
             (`quiet_limit`) is not to be seen on the board",
        );
        check(
            "malaysian",
            "`malaysian` can't have endgame tables: a piece that does not capture may be huffed",
        );
        check(
            "league",
            "`league` can't have endgame tables: after 40 plies without progress the side with \
             more pieces wins, and such a count is not to be seen on the board",
        );
    }

    #[test]
    fn most_games_can_have_tables() {
        let without: Vec<&str> = Variant::names()
            .filter(|name| Ends::new(&Variant::named(name).unwrap()).is_err())
            .collect();
        assert_eq!(
            without,
            ["frisian", "frysk", "malaysian", "league", "frogs"]
        );
    }
}
