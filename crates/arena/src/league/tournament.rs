//! A Swiss league as a tournament: what its rounds and results mean to the rules of pairing.

use std::collections::BTreeMap;

use kingme_play::Chance;
use kingme_rules::Side;

use super::{Finished, LeagueFile, Meeting, Round};
use crate::swiss::{Outcome, Player, Tournament, pair_leniently};

/// A league as a tournament, after those of its rounds that are over. A meeting counts as a whole:
/// whoever has more points of its games has won it. White is who moves first in its first game.
pub fn tournament(
    file: &LeagueFile,
    rounds: &[Round],
    finished: &BTreeMap<u64, Finished>,
) -> Tournament {
    let is_over = |round: &&Round| round.is_over(file, finished);
    let over: Vec<&Round> = rounds.iter().take_while(is_over).collect();
    let mut players: Vec<Player> = file
        .players
        .iter()
        .map(|entry| Player {
            name: entry.name.clone(),
            rating: 0,
            outcomes: vec![Outcome::Absent; over.len()],
        })
        .collect();
    for (number, round) in over.iter().enumerate() {
        for &player in &round.byes {
            players[player].outcomes[number] = Outcome::Bye;
        }
        for (index, meeting) in round.meetings.iter().enumerate() {
            let outcomes = outcomes(file, round, index, finished);
            players[meeting.0].outcomes[number] = outcomes[0];
            players[meeting.1].outcomes[number] = outcomes[1];
        }
    }
    Tournament {
        name: file.name.clone(),
        players,
        rounds: file.swiss_rounds() as usize,
        played: over.len(),
        first_colour: first_colour(file),
    }
}

/// The next round.
pub(super) fn next_round(
    file: &LeagueFile,
    rounds: &[Round],
    finished: &BTreeMap<u64, Finished>,
) -> (Vec<Meeting>, Vec<usize>) {
    let mut tournament = tournament(file, rounds, finished);
    for (player, entry) in tournament.players.iter_mut().zip(&file.players) {
        if entry.withdrawn {
            player.outcomes.push(Outcome::Absent);
        }
    }
    let pairing = pair_leniently(&tournament);
    let seated = |[first, second]: [usize; 2]| {
        if white_moves_first(file) {
            Meeting(first, second)
        } else {
            Meeting(second, first)
        }
    };
    let meetings = pairing.meetings.into_iter().map(seated).collect();
    (meetings, pairing.bye.into_iter().collect())
}

fn white_moves_first(file: &LeagueFile) -> bool {
    file.variant.definition().sides.first == Side::White
}

/// The lot that decides who moves first on the first board.
fn first_colour(file: &LeagueFile) -> Side {
    if Chance::fork(file.seed, u64::MAX).number().is_multiple_of(2) {
        Side::White
    } else {
        Side::Black
    }
}

/// What a meeting was for its two players.
fn outcomes(
    file: &LeagueFile,
    round: &Round,
    index: usize,
    finished: &BTreeMap<u64, Finished>,
) -> [Outcome; 2] {
    let Meeting(a, b) = round.meetings[index];
    let score = round.score(index, finished);
    let colours = if white_moves_first(file) {
        [Side::White, Side::Black]
    } else {
        [Side::Black, Side::White]
    };
    if score.games < round.games {
        let is_here = |player: usize| !file.players[player].withdrawn;
        return [(b, colours[0], is_here(a)), (a, colours[1], is_here(b))].map(
            |(opponent, colour, is_won)| Outcome::Forfeit {
                opponent,
                colour,
                is_won,
            },
        );
    }
    let halves = match score.points[0] - score.points[1] {
        difference if difference > 1e-9 => 2,
        difference if difference < -1e-9 => 0,
        _ => 1,
    };
    [(b, colours[0], halves), (a, colours[1], 2 - halves)].map(|(opponent, colour, halves)| {
        Outcome::Played {
            opponent,
            colour,
            halves,
        }
    })
}
