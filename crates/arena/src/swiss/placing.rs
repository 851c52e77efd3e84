//! Who stands where in a Swiss tournament, with the tie-breaks of C.07 of the FIDE Handbook.

use super::{Outcome, Tournament};

/// A player's place. All values are exact: points are halves, sums of products quarters.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Placing {
    /// The player.
    pub player: usize,
    /// Half points.
    pub halves: u32,
    /// Buchholz: the sum of the opponents' half points. A round without an opponent counts as one
    /// against somebody who stood as oneself.
    pub buchholz: u32,
    /// Sonneborn-Berger in quarters of a point: the points of those who were beaten, and half of
    /// those of who were drawn with.
    pub sonneborn_berger: u32,
    /// Half points against those who are equal in all of that, if all of them have met.
    pub direct: Option<u32>,
}

impl Placing {
    /// What decides before the direct encounter.
    fn before_direct(&self) -> (u32, u32, u32) {
        (self.halves, self.buchholz, self.sonneborn_berger)
    }
}

/// Everybody, best first: by points, then Buchholz, Sonneborn-Berger, the direct encounter, and the
/// pairing number.
pub fn placings(tournament: &Tournament) -> Vec<Placing> {
    let mut rows: Vec<Placing> = (0..tournament.players.len())
        .map(|player| row(tournament, player))
        .collect();
    for index in 0..rows.len() {
        rows[index].direct = direct(tournament, &rows, rows[index]);
    }
    rows.sort_by_key(|row| {
        let direct = row.direct.unwrap_or(0);
        (std::cmp::Reverse((row.before_direct(), direct)), row.player)
    });
    rows
}

fn row(tournament: &Tournament, player: usize) -> Placing {
    let halves = tournament.halves(player);
    let rounds = tournament.players[player].outcomes.iter();
    let mut row = Placing {
        player,
        halves,
        buchholz: 0,
        sonneborn_berger: 0,
        direct: None,
    };
    for outcome in rounds.take(tournament.played) {
        let against = match outcome.opponent() {
            Some(opponent) => adjusted(tournament, opponent),
            // As if against oneself (C.07, 16.4).
            None => halves,
        };
        row.buchholz += against;
        row.sonneborn_berger += against * outcome.halves();
    }
    row
}

/// An opponent's half points as they count for others: a round that it did not want to play is
/// half a point (C.07, 16.3).
fn adjusted(tournament: &Tournament, player: usize) -> u32 {
    let rounds = &tournament.players[player].outcomes[..tournament.played];
    let after = |round: usize| rounds[round..].iter().any(|outcome| outcome.was_paired());
    let value = |(round, outcome): (usize, &Outcome)| match outcome {
        Outcome::Absent | Outcome::HalfPause | Outcome::FullPause if !after(round) => 1,
        outcome => outcome.halves(),
    };
    rounds.iter().enumerate().map(value).sum()
}

/// The half points of a player against its equals; none if some of them have not met.
fn direct(tournament: &Tournament, rows: &[Placing], row: Placing) -> Option<u32> {
    let equals: Vec<usize> = rows
        .iter()
        .filter(|other| other.before_direct() == row.before_direct())
        .map(|other| other.player)
        .collect();
    let score = |player: usize, opponent: usize| {
        let outcomes = tournament.players[player].outcomes.iter();
        let found = outcomes.filter(|outcome| outcome.opponent() == Some(opponent));
        found.map(|outcome| outcome.halves()).next_back()
    };
    let all_met = equals
        .iter()
        .all(|&a| equals.iter().all(|&b| a == b || score(a, b).is_some()));
    (equals.len() > 1 && all_met).then(|| {
        let others = equals.iter().filter(|&&other| other != row.player);
        others.filter_map(|&other| score(row.player, other)).sum()
    })
}
