//! What the rules want to know of a player before a round is paired.

use kingme_rules::Side;

use super::{Outcome, Tournament};

/// How much a player should have a colour (C.04.3, A.6).
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wish {
    None,
    Mild,
    Strong,
    Absolute,
}

/// Which way a player went in a round.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Float {
    None,
    Up,
    Down,
}

/// A player as the pairing sees it.
#[derive(Clone, Debug)]
pub(super) struct Contender {
    /// The pairing number.
    pub player: usize,
    /// The place among all who take part, for ties and first colours.
    pub rank: usize,
    /// Half points.
    pub halves: u32,
    /// The colour it should have.
    pub colour: Option<Side>,
    pub wish: Wish,
    /// How much more often it had one colour than the other.
    pub imbalance: usize,
    /// The colour it had twice in a row.
    pub repeated: Option<Side>,
    /// The floats of the last round and of the one before.
    pub floats: [Float; 2],
    /// Whether it may have the bye (C.04.3, C2).
    pub may_have_bye: bool,
    /// How many meetings it has played.
    pub games: usize,
    /// The colours it had, in order.
    pub colours: Vec<Side>,
}

impl Contender {
    /// The contenders of all who are to be paired, best first; byes of so many first rounds don't count.
    pub fn all(tournament: &Tournament, forgotten: usize) -> Vec<Contender> {
        let takes_part = |player: &usize| {
            let outcomes = &tournament.players[*player].outcomes;
            tournament.is_here(*player) || outcomes.iter().any(|outcome| outcome.was_paired())
        };
        let everybody = (0..tournament.players.len()).filter(takes_part);
        let mut contenders: Vec<Contender> = everybody
            .enumerate()
            .filter(|(_, player)| tournament.is_here(*player))
            .map(|(rank, player)| Contender::new(tournament, player, rank, forgotten))
            .collect();
        contenders.sort_by_key(|contender| (std::cmp::Reverse(contender.halves), contender.rank));
        contenders
    }

    fn new(tournament: &Tournament, player: usize, rank: usize, forgotten: usize) -> Contender {
        let outcomes = &tournament.players[player].outcomes;
        let colours: Vec<Side> = outcomes
            .iter()
            .filter_map(|outcome| outcome.colour())
            .collect();
        let (colour, wish) = wish(&colours);
        Contender {
            player,
            rank,
            halves: tournament.halves(player),
            colour,
            wish,
            imbalance: balance(&colours).unsigned_abs(),
            repeated: repeated(&colours),
            floats: [1, 2].map(|back| float(tournament, player, back)),
            may_have_bye: outcomes.iter().skip(forgotten).all(may_have_bye_after),
            games: colours.len(),
            colours,
        }
    }

    /// Whether it went a way so many rounds ago.
    pub fn floated(&self, rounds_ago: usize, way: Float) -> bool {
        self.floats[rounds_ago - 1] == way
    }

    /// Whether the difference of colours is too large already.
    pub fn is_unbalanced(&self) -> bool {
        self.imbalance > 1
    }
}

/// Nobody gets a bye who had one, or as many points as a win without playing.
fn may_have_bye_after(outcome: &Outcome) -> bool {
    outcome.colour().is_some() || outcome.halves() < 2
}

/// How much more often White than Black.
fn balance(colours: &[Side]) -> isize {
    let count = |side: Side| colours.iter().filter(|colour| **colour == side).count() as isize;
    count(Side::White) - count(Side::Black)
}

fn repeated(colours: &[Side]) -> Option<Side> {
    match colours {
        [.., a, b] if a == b => Some(*a),
        _ => None,
    }
}

fn wish(colours: &[Side]) -> (Option<Side>, Wish) {
    let balance = balance(colours);
    let rarer = if balance > 0 {
        Side::Black
    } else {
        Side::White
    };
    match (balance.abs(), repeated(colours), colours.last()) {
        (2.., _, _) => (Some(rarer), Wish::Absolute),
        (_, Some(colour), _) => (Some(!colour), Wish::Absolute),
        (1, _, _) => (Some(rarer), Wish::Strong),
        (_, _, Some(&last)) => (Some(!last), Wish::Mild),
        _ => (None, Wish::None),
    }
}

/// Which way a player went so many rounds ago.
fn float(tournament: &Tournament, player: usize, rounds_ago: usize) -> Float {
    let Some(round) = tournament.played.checked_sub(rounds_ago) else {
        return Float::None;
    };
    let Some(&outcome) = tournament.players[player].outcomes.get(round) else {
        return Float::None;
    };
    let Some(opponent) = outcome.opponent() else {
        return if outcome.halves() > 0 {
            Float::Down
        } else {
            Float::None
        };
    };
    let [own, other] = [player, opponent].map(|who| tournament.players[who].halves_after(round));
    match own.cmp(&other) {
        std::cmp::Ordering::Greater => Float::Down,
        std::cmp::Ordering::Less => Float::Up,
        std::cmp::Ordering::Equal => Float::None,
    }
}
