//! How logs of version 2 were paired: they don't have their rounds, which follow from their
//! results. It stays as it was, so that such a league goes on where it stopped.

use std::collections::{BTreeMap, HashSet};

use kingme_play::Chance;

use super::knockout::{self, Step};
use super::{Finished, Format, History, LeagueFile, Meeting, Round};

/// The rounds of a league that was begun by an earlier version: all of a round robin or gauntlet,
/// of others those with a game that has ended.
pub(super) fn old_rounds(file: &LeagueFile, finished: &BTreeMap<u64, Finished>) -> Vec<Round> {
    let last = finished.values().map(|game| game.round).max().unwrap_or(0);
    let everything = matches!(file.format, Format::RoundRobin | Format::Gauntlet);
    let mut rounds: Vec<Round> = Vec::new();
    while everything || (rounds.len() as u32) < last {
        let Some(meetings) = next(file, &rounds, finished) else {
            break;
        };
        rounds.push(as_played(file, &rounds, meetings));
    }
    rounds
}

/// Who began alternated with the rounds.
fn as_played(file: &LeagueFile, before: &[Round], meetings: Vec<Meeting>) -> Round {
    // The ladder sees to that itself.
    let is_turned = before.len() % 2 == 1 && file.format != Format::Ladder;
    let turn = |meeting: Meeting| match meeting {
        Meeting(a, b) if is_turned => Meeting(b, a),
        meeting => meeting,
    };
    let mut pauses = vec![true; file.players.len()];
    for meeting in &meetings {
        pauses[meeting.0] = false;
        pauses[meeting.1] = false;
    }
    let byes = match file.format {
        Format::Gauntlet | Format::Ladder => Vec::new(),
        _ => (0..pauses.len()).filter(|&player| pauses[player]).collect(),
    };
    Round {
        number: before.len() as u32 + 1,
        first_game: before.last().map_or(1, Round::end),
        games: file.games,
        byes,
        meetings: meetings.into_iter().map(turn).collect(),
    }
}

fn next(
    file: &LeagueFile,
    rounds: &[Round],
    finished: &BTreeMap<u64, Finished>,
) -> Option<Vec<Meeting>> {
    match file.format {
        Format::RoundRobin => circle(file, rounds.len()),
        Format::Gauntlet => {
            let others = 1..file.players.len();
            let cycles = file.rounds.unwrap_or(1) as usize;
            (rounds.len() < cycles).then(|| others.map(|other| Meeting(0, other)).collect())
        }
        Format::Swiss => swiss(file, rounds, finished),
        Format::Knockout => match knockout::next(file, rounds, finished) {
            Step::Play { mut meetings, .. } => {
                // The tie-breaks of those who were drawn came in the order of the players.
                meetings.sort_by_key(|m| (m.0.min(m.1), m.0.max(m.1)));
                Some(
                    meetings
                        .iter()
                        .map(|m| Meeting(m.0.min(m.1), m.0.max(m.1)))
                        .collect(),
                )
            }
            Step::Wait | Step::Over(_) => None,
        },
        Format::Ladder => {
            let history = History {
                changes: Vec::new(),
                rounds: rounds.to_vec(),
            };
            super::schedule::ladder_round(file, &history, finished)
        }
    }
}

/// The circle method: the first stays, the others go round.
fn circle(file: &LeagueFile, number: usize) -> Option<Vec<Meeting>> {
    let players = file.players.len();
    let even = players + players % 2;
    let cycles = file.rounds.unwrap_or(1) as usize;
    if number >= cycles * (even - 1) {
        return None;
    }
    let turn = number % (even - 1);
    let seat = |index: usize| match index {
        0 => 0,
        _ => 1 + (index - 1 + turn) % (even - 1),
    };
    let meetings = (0..even / 2).map(|index| (seat(index), seat(even - 1 - index)));
    // With an odd number of players one of them pauses.
    let real = meetings.filter(|(a, b)| *a < players && *b < players);
    Some(real.map(|(a, b)| Meeting(a, b)).collect())
}

/// Players with nearly equal points meet, nobody twice if it can be helped.
fn swiss(
    file: &LeagueFile,
    rounds: &[Round],
    finished: &BTreeMap<u64, Finished>,
) -> Option<Vec<Meeting>> {
    let all = rounds.iter().flat_map(|round| &round.meetings);
    let met: HashSet<Meeting> = all
        .flat_map(|&Meeting(a, b)| [Meeting(a, b), Meeting(b, a)])
        .collect();
    let mut order = by_points(file, rounds, finished);
    if order.len() % 2 == 1 {
        // The lowest who has not paused yet pauses.
        let pauses = |player: &usize| {
            rounds
                .iter()
                .filter(|round| round.byes.contains(player))
                .count()
        };
        let fewest = order.iter().map(pauses).min().unwrap_or(0);
        let index = order.iter().rposition(|player| pauses(player) == fewest)?;
        order.remove(index);
    }
    Some(pair_up(&order, &met, &mut 10_000).unwrap_or_else(|| super::schedule::neighbours(&order)))
}

fn by_points(
    file: &LeagueFile,
    rounds: &[Round],
    finished: &BTreeMap<u64, Finished>,
) -> Vec<usize> {
    let players = file.players.len();
    let mut points = vec![0.0; players];
    let before = finished
        .values()
        .filter(|game| game.round as usize <= rounds.len());
    for game in before {
        points[game.players[0]] += game.white_score;
        points[game.players[1]] += 1.0 - game.white_score;
    }
    for player in rounds.iter().flat_map(|round| &round.byes) {
        points[*player] += f64::from(file.games);
    }
    let mut order: Vec<usize> = (0..players).collect();
    if rounds.is_empty() {
        Chance::fork(file.seed, u64::MAX).shuffle(&mut order);
    }
    order.sort_by(|a, b| points[*b].total_cmp(&points[*a]));
    order
}

/// Pairs each with the next one it has not met, taking back what leaves somebody over. Gives up
/// after so many steps.
fn pair_up(order: &[usize], met: &HashSet<Meeting>, steps: &mut u32) -> Option<Vec<Meeting>> {
    let Some((&first, rest)) = order.split_first() else {
        return Some(Vec::new());
    };
    rest.iter().enumerate().find_map(|(index, &other)| {
        *steps = steps.checked_sub(1)?;
        if met.contains(&Meeting(first, other)) {
            return None;
        }
        let mut left = rest.to_vec();
        left.remove(index);
        let mut meetings = pair_up(&left, met, steps)?;
        meetings.insert(0, Meeting(first, other));
        Some(meetings)
    })
}
