//! Pairings by the FIDE (Dutch) system, C.04.3 of the FIDE Handbook as of 2026.
//!
//! Players with the same points are a *bracket*, together with those who found no opponent above
//! it. Bracket by bracket, the rules want the pairing that is best by a list of criteria, of all
//! that let everybody below find an opponent, too. Each possible meeting has a weight, a number
//! with a digit for each criterion, and the pairing is the matching of the greatest weight among
//! all who are left. Of those that are equally good the first one in the order of the rules is
//! taken: small additions to the weights ask for it, one player at a time.

use std::collections::HashSet;

use kingme_rules::Side;

use super::Tournament;
use super::bracket;
use super::contender::{Contender, Wish};
use super::matching::Matcher;
use super::weight::Weight;
use super::worth::Worth;

/// A round: who meets whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    /// White's and Black's player of each meeting, in the order of the boards.
    pub meetings: Vec<[usize; 2]>,
    /// Who has nobody to meet.
    pub bye: Option<usize>,
}

impl Pairing {
    /// Whether the same players meet with the same colours, at whichever boards.
    pub fn has_the_same(&self, other: &Pairing) -> bool {
        let sorted = |pairing: &Pairing| {
            let mut meetings = pairing.meetings.clone();
            meetings.sort_unstable();
            meetings
        };
        self.bye == other.bye && sorted(self) == sorted(other)
    }
}

/// There is no pairing that the rules allow.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no pairing is left in which nobody meets twice and colours stay fair")]
pub struct NoPairing;

/// Pairs the next round.
///
/// # Errors
///
/// If that can't be done without breaking an absolute rule.
pub fn pair(tournament: &Tournament) -> Result<Pairing, NoPairing> {
    pair_by(tournament, Leniency::default())
}

/// Pairs the next round, come what may: where the rules know no way, colours may repeat, and if
/// that is not enough, who met long ago meets again.
pub fn pair_leniently(tournament: &Tournament) -> Pairing {
    let mut leniency = Leniency::default();
    loop {
        match pair_by(tournament, leniency) {
            Ok(pairing) => return pairing,
            Err(NoPairing) if leniency.any_colours => leniency.forgotten += 1,
            Err(NoPairing) => leniency.any_colours = true,
        }
        assert!(
            leniency.forgotten <= tournament.played,
            "who has met nobody can meet anybody"
        );
    }
}

/// Which absolute rules are let go.
#[derive(Copy, Clone, Debug, Default)]
struct Leniency {
    /// Colours may come three times in a row.
    any_colours: bool,
    /// The meetings and byes of so many rounds, the first ones, may come again.
    forgotten: usize,
}

fn pair_by(tournament: &Tournament, leniency: Leniency) -> Result<Pairing, NoPairing> {
    let mut field = Field::new(tournament, leniency);
    let mut is_bye_here = field.find_bye()?;
    let mut rest: Vec<usize> = (0..field.contenders.len()).collect();
    let mut floaters = 0;
    let mut pairs = Vec::new();
    while rest.len() > 1 {
        let worth = Worth::new(&field, &rest, floaters, is_bye_here);
        let paired = bracket::pair(&worth);
        pairs.extend(
            paired
                .pairs
                .iter()
                .map(|pair| pair.map(|place| rest[place])),
        );
        is_bye_here = paired.is_bye_next;
        floaters = paired.floaters;
        rest = paired.rest.into_iter().map(|place| rest[place]).collect();
    }
    Ok(field.published(tournament.first_colour, &pairs, rest.first()))
}

/// Everybody who is to be paired, and what is known of them.
pub(super) struct Field {
    /// Best first.
    pub contenders: Vec<Contender>,
    /// Who has met whom.
    met: HashSet<(usize, usize)>,
    /// With more half points than this a colour may come once more; in the last round only.
    top_halves: Option<u32>,
    any_colours: bool,
    /// How many rounds have been played.
    pub played: usize,
    /// The half points of whoever will have the bye.
    pub bye_halves: Option<u32>,
}

impl Field {
    fn new(tournament: &Tournament, leniency: Leniency) -> Field {
        let played = tournament.played;
        let opponents = |(player, entry): (usize, &super::Player)| {
            let rounds = entry.outcomes.iter().skip(leniency.forgotten);
            let met = rounds.filter_map(|outcome| outcome.opponent());
            met.map(|opponent| (player, opponent)).collect::<Vec<_>>()
        };
        let is_last = played + 1 >= tournament.rounds;
        Field {
            contenders: Contender::all(tournament, leniency.forgotten),
            met: tournament
                .players
                .iter()
                .enumerate()
                .flat_map(opponents)
                .collect(),
            top_halves: is_last.then_some(played as u32),
            any_colours: leniency.any_colours,
            played,
            bye_halves: None,
        }
    }

    fn is_odd(&self) -> bool {
        self.contenders.len() % 2 == 1
    }

    /// Whether two may meet by the absolute criteria, C1 and C3.
    pub fn may_meet(&self, a: &Contender, b: &Contender) -> bool {
        if self.met.contains(&(a.player, b.player)) {
            return false;
        }
        let is_top = |contender: &Contender| {
            self.top_halves
                .is_some_and(|halves| contender.halves > halves)
        };
        let is_absolute = a.wish == Wish::Absolute && b.wish == Wish::Absolute;
        !(is_absolute && a.colour == b.colour) || self.any_colours || is_top(a) || is_top(b)
    }

    /// Whether a player may be the one without an opponent (C2, C5).
    pub fn may_have_bye(&self, contender: &Contender) -> bool {
        let is_low = self
            .bye_halves
            .is_none_or(|halves| contender.halves <= halves);
        self.is_odd() && contender.may_have_bye && is_low
    }

    /// Finds out whether there is a pairing at all, and how many points the one with the bye has:
    /// as few as can be. Returns whether that is the only one whom the first bracket leaves over.
    fn find_bye(&mut self) -> Result<bool, NoPairing> {
        let Some(top) = self.contenders.first().map(|contender| contender.halves) else {
            return Ok(false);
        };
        let mut matcher = Matcher::<2>::new(self.contenders.len());
        let everybody: Vec<usize> = (0..self.contenders.len()).collect();
        matcher.change(&everybody, |a, b| {
            (a < b).then(|| self.first_worth(a, b, top))
        });
        let mates = matcher.solve();
        let alone: Vec<usize> = everybody
            .into_iter()
            .filter(|&place| mates[place] == place)
            .collect();
        if alone.len() > 1
            || alone
                .iter()
                .any(|&place| !self.may_have_bye(&self.contenders[place]))
        {
            return Err(NoPairing);
        }
        self.bye_halves = alone.first().map(|&place| self.contenders[place].halves);
        let stays = |(place, contender): (usize, &Contender)| {
            contender.halves < top || self.contenders[mates[place]].halves == top
        };
        Ok(self.bye_halves == Some(top) && self.contenders.iter().enumerate().all(stays))
    }

    /// What a meeting is worth as long as nothing but the bye is looked for: all who must play do,
    /// then those with many points, then those of the first bracket among themselves.
    fn first_worth(&self, a: usize, b: usize, top: u32) -> Weight<2> {
        let (a, b) = (&self.contenders[a], &self.contenders[b]);
        let mut weight = Weight::ZERO;
        if self.may_meet(a, b) {
            weight.add_at(64, self.completeness(a, b));
            weight.add_at(32, u64::from(a.halves + b.halves));
            weight.add_at(0, u64::from(a.halves == top && b.halves == top));
        }
        weight
    }

    /// Of all matchings, those are complete in which this is greatest: everybody plays, but for one
    /// who may have the bye.
    pub fn completeness(&self, a: &Contender, b: &Contender) -> u64 {
        let must_play = |contender: &Contender| u64::from(!self.may_have_bye(contender));
        1 + must_play(a) + must_play(b)
    }

    /// The round as it is announced: with colours, the best at the first boards.
    fn published(&self, first: Side, pairs: &[[usize; 2]], bye: Option<&usize>) -> Pairing {
        let mut pairs: Vec<[&Contender; 2]> = pairs
            .iter()
            .map(|&[a, b]| [&self.contenders[a.min(b)], &self.contenders[a.max(b)]])
            .collect();
        pairs.sort_by_key(|[high, low]| {
            let points = (
                std::cmp::Reverse(high.halves),
                std::cmp::Reverse(low.halves),
            );
            (points, high.rank)
        });
        let seated = |&[high, low]: &[&Contender; 2]| match colour(high, low, first) {
            Side::White => [high.player, low.player],
            Side::Black => [low.player, high.player],
        };
        Pairing {
            meetings: pairs.iter().map(seated).collect(),
            bye: bye.map(|&place| self.contenders[place].player),
        }
    }
}

/// The colour of the higher of two players (C.04.3, E).
fn colour(high: &Contender, low: &Contender, first: Side) -> Side {
    let (wanted, other) = match (high.colour, low.colour) {
        (Some(wanted), None) => return wanted,
        (None, Some(other)) => return !other,
        // Who is higher has the first colour if its number is odd.
        (None, None) if high.rank.is_multiple_of(2) => return first,
        (None, None) => return !first,
        (Some(wanted), Some(other)) => (wanted, other),
    };
    if wanted != other {
        return wanted;
    }
    let strength = |contender: &Contender| {
        let imbalance = if contender.wish == Wish::Absolute {
            contender.imbalance
        } else {
            0
        };
        (contender.wish, imbalance)
    };
    match strength(high).cmp(&strength(low)) {
        std::cmp::Ordering::Greater => wanted,
        std::cmp::Ordering::Less => !wanted,
        std::cmp::Ordering::Equal => last_difference(high, low).unwrap_or(wanted),
    }
}

/// The colour that the lower one had when the two last had different ones.
fn last_difference(high: &Contender, low: &Contender) -> Option<Side> {
    let mut rounds = high.colours.iter().rev().zip(low.colours.iter().rev());
    rounds.find(|(high, low)| high != low).map(|(_, low)| *low)
}
