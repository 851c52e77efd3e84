//! The rounds of a league as they were paired. They are in its log, so that they stay as they are
//! whatever becomes of the players, the rules or this program.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Finished, Job};

/// Two players who meet in a round: White and Black of their first game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Meeting(pub usize, pub usize);

/// A round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Its number, from 1.
    pub number: u32,
    /// The number of its first game.
    pub first_game: u64,
    /// Games in a meeting.
    pub games: u32,
    /// Who meets whom.
    pub meetings: Vec<Meeting>,
    /// Who takes part and meets nobody.
    pub byes: Vec<usize>,
}

/// How a meeting stands.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct MeetingScore {
    /// The points of the two, in the order of the meeting.
    pub points: [f64; 2],
    /// How many games have been played.
    pub games: u32,
}

impl Round {
    /// The number of the first game after it.
    pub fn end(&self) -> u64 {
        self.first_game + self.meetings.len() as u64 * u64::from(self.games)
    }

    /// The games of one of its meetings: the same opening twice, with colours swapped.
    pub fn jobs_of(&self, index: usize) -> impl Iterator<Item = Job> + use<> {
        let Meeting(a, b) = self.meetings[index];
        let first = self.first_game + index as u64 * u64::from(self.games);
        let round = self.number;
        (0..u64::from(self.games)).map(move |index| Job {
            game: first + index,
            round,
            players: if index % 2 == 0 { [a, b] } else { [b, a] },
            pair: first + index - index % 2,
        })
    }

    /// How one of its meetings stands.
    pub fn score(&self, index: usize, finished: &BTreeMap<u64, Finished>) -> MeetingScore {
        let mut score = MeetingScore::default();
        for job in self.jobs_of(index) {
            let Some(game) = finished.get(&job.game) else {
                continue;
            };
            let first = if game.players[0] == self.meetings[index].0 {
                game.white_score
            } else {
                1.0 - game.white_score
            };
            score.points[0] += first;
            score.points[1] += 1.0 - first;
            score.games += 1;
        }
        score
    }

    /// As a line: number, first game, games, meetings as `3-7`, byes.
    pub(super) fn write(&self) -> String {
        let mut text = format!("{}\t{}\t{}\t", self.number, self.first_game, self.games);
        for (index, Meeting(a, b)) in self.meetings.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(text, "{space}{a}-{b}").expect("a string takes it");
        }
        text.push('\t');
        let byes: Vec<String> = self.byes.iter().map(usize::to_string).collect();
        text + &byes.join(" ")
    }

    /// The round of a line; `None` if it is none.
    pub(super) fn read(line: &str) -> Option<Round> {
        let mut fields = line.split('\t');
        let mut next = || fields.next();
        let meeting = |word: &str| {
            let (a, b) = word.split_once('-')?;
            Some(Meeting(a.parse().ok()?, b.parse().ok()?))
        };
        Some(Round {
            number: next()?.parse().ok()?,
            first_game: next()?.parse().ok()?,
            games: next()?.parse().ok()?,
            meetings: next()?
                .split_whitespace()
                .map(meeting)
                .collect::<Option<_>>()?,
            byes: next()?
                .split_whitespace()
                .map(|word| word.parse().ok())
                .collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_read_as_they_are_written() {
        for (meetings, byes) in [
            (vec![Meeting(0, 12), Meeting(7, 3)], vec![5]),
            (vec![], vec![]),
        ] {
            let round = Round {
                number: 3,
                first_game: 17,
                games: 2,
                meetings,
                byes,
            };
            assert_eq!(Round::read(&round.write()), Some(round));
        }
        for line in ["", "1\t2\t3", "1\t2\t3\t4\t", "x\t2\t3\t0-1\t"] {
            assert_eq!(Round::read(line), None, "{line:?}");
        }
    }
}
