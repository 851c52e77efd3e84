//! How a game ends, in a form that is quick to ask at every node.

use kingme_rules::variant::{
    Counter, CounterResult, Draws, Material, Progress, Range, Span, Stuck,
};
use kingme_rules::{BitMove, BitPosition, Bits, Ruleset, Side, Variant, movegen};

use crate::score::Score;

/// Counters of the draw rules that a search keeps: as many as a game may have.
const COUNTERS: usize = Draws::MOST_COUNTERS;

/// How a game ends.
pub(crate) struct Facts<B> {
    stuck: Stuck,
    counters: Vec<Count<B>>,
    /// Kinds whose moves can't be taken back, as bits.
    forward_only: u8,
    /// With more pieces than this no counter ends the game without a move being made.
    at_once: u32,
}

/// A counter of the draw rules.
struct Count<B> {
    rule: Counter,
    on: B,
    /// What starts it again, as bits of [`progress`].
    restart: u8,
    /// With more pieces on the board it does not run.
    pieces: u32,
}

/// What the draw rules have counted on the way to a position.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Past {
    /// Plies since something happened that can't be taken back.
    pub reversible: u16,
    counts: [u16; COUNTERS],
}

impl<B: Bits> Facts<B> {
    pub fn new<R: Ruleset<Bits = B>>(rules: R, variant: &Variant) -> Facts<B> {
        let definition = variant.definition();
        let board = variant.board();
        let counters: Vec<Count<B>> = definition
            .draws
            .counters
            .iter()
            .take(COUNTERS)
            .map(|rule| Count {
                on: rule
                    .on
                    .iter()
                    .filter_map(|name| board.parse(name))
                    .fold(B::EMPTY, |set, square| {
                        set | B::bit(rules.layout().bit(square))
                    }),
                restart: rule.restart.iter().fold(0, |set, kind| set | bit(*kind)),
                pieces: most_pieces(rule),
                rule: rule.clone(),
            })
            .collect();
        let forward = |kind: &kingme_rules::variant::Kind| {
            kind.range != Range::Anywhere && kind.moves.steps().all(|(forward, _)| forward > 0)
        };
        Facts {
            stuck: definition.end.stuck,
            forward_only: definition
                .kinds
                .iter()
                .enumerate()
                .filter(|(_, kind)| forward(kind))
                .fold(0, |kinds, (index, _)| kinds | 1 << index),
            at_once: counters
                .iter()
                .filter(|count| count.rule.plies == 0)
                .map(|count| count.pieces)
                .max()
                .unwrap_or(0),
            counters,
        }
    }

    /// The past of the position after a move.
    #[inline(always)]
    pub fn after<R: Ruleset<Bits = B>>(
        &self,
        rules: R,
        past: &Past,
        [before, after]: [&BitPosition<B>; 2],
        mv: &BitMove<B>,
    ) -> Past {
        let mut next = Past::default();
        let for_good = mv.takes_off() || mv.is_promotion() || self.forward_only >> mv.kind & 1 == 1;
        if !for_good {
            next.reversible = past.reversible + 1;
        }
        let made = progress(mv);
        for (index, count) in self.counters.iter().enumerate() {
            let runs = count.restart & made == 0
                && count.holds(rules, before)
                && count.holds(rules, after);
            if runs {
                next.counts[index] = past.counts[index].saturating_add(1);
            }
        }
        next
    }

    /// The result for the side to move if a counter of the draw rules has run out.
    #[inline(always)]
    pub fn counted_out<R: Ruleset<Bits = B>>(
        &self,
        rules: R,
        past: &Past,
        position: &BitPosition<B>,
        ply: usize,
    ) -> Option<Score> {
        for (index, count) in self.counters.iter().enumerate() {
            let goes_on = || count.rule.unless_capture && movegen::can_capture(rules, position);
            if past.counts[index] >= count.rule.plies && count.holds(rules, position) && !goes_on()
            {
                return Some(match count.rule.result {
                    CounterResult::Draw => Score::DRAW,
                    CounterResult::MostPieces => majority(position, ply),
                    CounterResult::OneWins => count.one_wins(rules, position, ply),
                });
            }
        }
        None
    }

    /// Whether a counter may end the game in a position whose past is not known.
    #[inline(always)]
    pub fn may_end_at_once(&self, position: &BitPosition<B>) -> bool {
        self.at_once > 0 && position.occupied().count() <= self.at_once
    }

    /// The result for the side to move when it has no move.
    pub fn stuck<R: Ruleset<Bits = B>>(
        &self,
        rules: R,
        position: &BitPosition<B>,
        ply: usize,
    ) -> Score {
        let them = !position.turn();
        if rules.keys().king_wins() && !position.pieces(rules, them, 1).is_empty() {
            return Score::loss_in(ply);
        }
        // The other side may have lost its last piece for a capture that it did not make.
        let they_are_stuck = rules.keys().huffs() && position.side(them).is_empty();
        match self.stuck {
            Stuck::MostPieces => majority(position, ply),
            Stuck::Loses if they_are_stuck => Score::win_in(ply),
            Stuck::Wins if they_are_stuck => Score::loss_in(ply),
            Stuck::Loses => Score::loss_in(ply),
            Stuck::Wins => Score::win_in(ply),
        }
    }
}

impl<B: Bits> Count<B> {
    #[inline(always)]
    fn holds<R: Ruleset<Bits = B>>(&self, rules: R, position: &BitPosition<B>) -> bool {
        // Most counters are for few pieces: one look is enough elsewhere.
        let total = position.occupied().count();
        total <= self.pieces && self.holds_exactly(rules, position, total)
    }

    fn holds_exactly<R: Ruleset<Bits = B>>(
        &self,
        rules: R,
        position: &BitPosition<B>,
        total: u32,
    ) -> bool {
        let rule = &self.rule;
        if rule.pieces.is_some_and(|span| !span.contains(total)) {
            return false;
        }
        Side::BOTH
            .into_iter()
            .any(|side| self.is_one(rules, position, side))
    }

    /// Whether a side is the one that the counter speaks of.
    fn is_one<R: Ruleset<Bits = B>>(
        &self,
        rules: R,
        position: &BitPosition<B>,
        side: Side,
    ) -> bool {
        has(rules, position, side, self.rule.one)
            && has(rules, position, !side, self.rule.other)
            && (self.rule.on.is_empty() || !position.side(side).meets(!self.on))
    }

    /// The result for the side to move where the side that the counter speaks of wins.
    fn one_wins<R: Ruleset<Bits = B>>(
        &self,
        rules: R,
        position: &BitPosition<B>,
        ply: usize,
    ) -> Score {
        let us = position.turn();
        match [us, !us].map(|side| self.is_one(rules, position, side)) {
            [true, false] => Score::win_in(ply),
            [false, true] => Score::loss_in(ply),
            _ => Score::DRAW,
        }
    }
}

fn has<R: Ruleset>(
    rules: R,
    position: &BitPosition<R::Bits>,
    side: Side,
    material: Material,
) -> bool {
    let fits =
        |span: Option<Span>, set: R::Bits| span.is_none_or(|span| span.contains(set.count()));
    fits(material.pieces, position.side(side))
        && fits(material.men, position.pieces(rules, side, 0))
        && fits(material.kings, position.pieces(rules, side, 1))
}

fn bit(progress: Progress) -> u8 {
    match progress {
        Progress::Capture => 1,
        Progress::Promotion => 2,
        Progress::ManMove => 4,
    }
}

/// The progress that a move makes, as bits.
#[inline(always)]
fn progress<B: Bits>(mv: &BitMove<B>) -> u8 {
    u8::from(mv.takes_off()) | u8::from(mv.is_promotion()) << 1 | u8::from(mv.kind == 0) << 2
}

/// The largest number of pieces with which a counter's conditions can hold.
fn most_pieces(rule: &Counter) -> u32 {
    let side = |material: Material| {
        let sum = match (material.men, material.kings) {
            (Some(men), Some(kings)) => u32::from(men.to).saturating_add(u32::from(kings.to)),
            _ => u32::MAX,
        };
        sum.min(material.pieces.map_or(u32::MAX, |span| span.to.into()))
    };
    let total = rule.pieces.map_or(u32::MAX, |span| span.to.into());
    side(rule.one).saturating_add(side(rule.other)).min(total)
}

fn majority<B: Bits>(position: &BitPosition<B>, ply: usize) -> Score {
    let us = position.side(position.turn()).count();
    let them = position.side(!position.turn()).count();
    match us.cmp(&them) {
        std::cmp::Ordering::Greater => Score::win_in(ply),
        std::cmp::Ordering::Less => Score::loss_in(ply),
        std::cmp::Ordering::Equal => Score::DRAW,
    }
}
