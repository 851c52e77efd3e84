//! Knockouts: who loses is out.

use std::collections::BTreeMap;

use super::{Finished, LeagueFile, Meeting, Round};

/// Tie-breaks of a meeting before the one listed first goes on.
const TIE_BREAKS: usize = 3;

/// A stage of a knockout: everybody who is left plays once, but for those who need not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    /// Who meets whom.
    pub meetings: Vec<StageMeeting>,
    /// Who goes on without playing.
    pub byes: Vec<usize>,
}

/// A meeting of a stage, with its tie-breaks.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct StageMeeting {
    /// The two, the one listed first in front.
    pub players: [usize; 2],
    /// Their points.
    pub points: [f64; 2],
    /// Who goes on, once that is known.
    pub winner: Option<usize>,
}

/// What comes next.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// Games that have been paired are not finished.
    Wait,
    /// A round is to be played.
    Play {
        meetings: Vec<Meeting>,
        byes: Vec<usize>,
    },
    /// Nobody is left but the winner.
    Over(usize),
}

/// The stages of a knockout up to now; the last one may be in progress.
pub fn stages(
    file: &LeagueFile,
    rounds: &[Round],
    finished: &BTreeMap<u64, Finished>,
) -> Vec<Stage> {
    walk(file, rounds, finished).0
}

/// What comes next in a knockout.
pub(super) fn next(
    file: &LeagueFile,
    rounds: &[Round],
    finished: &BTreeMap<u64, Finished>,
) -> Step {
    walk(file, rounds, finished).1
}

fn walk(
    file: &LeagueFile,
    rounds: &[Round],
    finished: &BTreeMap<u64, Finished>,
) -> (Vec<Stage>, Step) {
    let mut standing = entrants(file, rounds);
    let mut stages = Vec::new();
    let mut rounds = rounds.iter();
    while let Some(round) = rounds.next() {
        let mut stage = Stage::new(round);
        let stop = stage.play(file, round, &mut rounds, finished);
        standing.retain(|player| !stage.is_out(*player));
        stages.push(stage);
        if let Some(step) = stop {
            return (stages, step);
        }
    }
    let step = match standing[..] {
        [winner] => Step::Over(winner),
        _ => bracket(&standing, stages.len()),
    };
    (stages, step)
}

/// Who took part in the first round, or will.
fn entrants(file: &LeagueFile, rounds: &[Round]) -> Vec<usize> {
    let Some(first) = rounds.first() else {
        return file.active_players();
    };
    let pairs = first.meetings.iter().flat_map(|m| [m.0, m.1]);
    let mut all: Vec<usize> = pairs.chain(first.byes.iter().copied()).collect();
    all.sort_unstable();
    all
}

/// First against last, so that the favourites meet late; those without an opponent go on.
fn bracket(standing: &[usize], stage: usize) -> Step {
    let byes = standing.len().next_power_of_two() - standing.len();
    let playing = &standing[byes..];
    let pair = |index: usize| (playing[index], playing[playing.len() - 1 - index]);
    let meetings = (0..playing.len() / 2).map(pair);
    // The favourite is White in every other stage.
    let seated = meetings.map(|(a, b)| match stage % 2 {
        0 => Meeting(a, b),
        _ => Meeting(b, a),
    });
    Step::Play {
        meetings: seated.collect(),
        byes: standing[..byes].to_vec(),
    }
}

impl Stage {
    fn new(round: &Round) -> Stage {
        let meeting = |m: &Meeting| StageMeeting {
            players: [m.0.min(m.1), m.0.max(m.1)],
            points: [0.0; 2],
            winner: None,
        };
        Stage {
            meetings: round.meetings.iter().map(meeting).collect(),
            byes: round.byes.clone(),
        }
    }

    /// Counts its first round and as many tie-breaks as there are; returns what has to be done
    /// before it is decided.
    fn play<'r>(
        &mut self,
        file: &LeagueFile,
        first: &'r Round,
        rounds: &mut impl Iterator<Item = &'r Round>,
        finished: &BTreeMap<u64, Finished>,
    ) -> Option<Step> {
        let mut round = first;
        for tie_breaks in 0.. {
            let is_complete = self.count(file, round, finished);
            self.decide(file, round, tie_breaks == TIE_BREAKS, finished);
            if !is_complete {
                return Some(Step::Wait);
            }
            let ties = self.ties(round);
            if ties.is_empty() {
                break;
            }
            match rounds.next() {
                Some(next) => round = next,
                None => {
                    return Some(Step::Play {
                        meetings: ties,
                        byes: Vec::new(),
                    });
                }
            }
        }
        None
    }

    /// Adds the points of a round; whether all of its meetings are over.
    fn count(
        &mut self,
        file: &LeagueFile,
        round: &Round,
        finished: &BTreeMap<u64, Finished>,
    ) -> bool {
        let mut is_complete = true;
        for (index, meeting) in round.meetings.iter().enumerate() {
            let score = round.score(index, finished);
            is_complete &= score.games == round.games || file.is_off(*meeting);
            let Some(own) = self.find(*meeting) else {
                continue;
            };
            let turned = usize::from(own.players[0] != meeting.0);
            own.points[turned] += score.points[0];
            own.points[1 - turned] += score.points[1];
        }
        is_complete
    }

    fn find(&mut self, meeting: Meeting) -> Option<&mut StageMeeting> {
        let players = [meeting.0.min(meeting.1), meeting.0.max(meeting.1)];
        self.meetings.iter_mut().find(|own| own.players == players)
    }

    /// Says who has won the meetings of a round that are over.
    fn decide(
        &mut self,
        file: &LeagueFile,
        round: &Round,
        is_last: bool,
        finished: &BTreeMap<u64, Finished>,
    ) {
        for (index, meeting) in round.meetings.iter().enumerate() {
            let is_over = round.score(index, finished).games == round.games;
            let Some(own) = self.find(*meeting) else {
                continue;
            };
            let [a, b] = own.players;
            let left = own.players.map(|player| file.players[player].withdrawn);
            own.winner = match (own.points[0] - own.points[1], left) {
                (difference, _) if is_over && difference > 1e-9 => Some(a),
                (difference, _) if is_over && difference < -1e-9 => Some(b),
                (_, [true, false]) => Some(b),
                (_, [_, true]) => Some(a),
                _ if is_over && is_last => Some(a),
                _ => None,
            };
        }
    }

    /// The meetings of a round that are drawn, with colours swapped.
    fn ties(&self, round: &Round) -> Vec<Meeting> {
        let is_open = |meeting: &&Meeting| {
            let players = [meeting.0.min(meeting.1), meeting.0.max(meeting.1)];
            let own = self.meetings.iter().find(|own| own.players == players);
            own.is_some_and(|own| own.winner.is_none())
        };
        let open = round.meetings.iter().filter(is_open);
        open.map(|&Meeting(a, b)| Meeting(b, a)).collect()
    }

    fn is_out(&self, player: usize) -> bool {
        let lost = |meeting: &StageMeeting| {
            meeting.players.contains(&player)
                && meeting.winner.is_some_and(|winner| winner != player)
        };
        self.meetings.iter().any(lost)
    }

    /// What a stage is called, by how many are left in it.
    pub fn name(&self) -> String {
        match 2 * self.meetings.len() + self.byes.len() {
            2 => "Final".to_owned(),
            3 | 4 => "Semi-finals".to_owned(),
            5..=8 => "Quarter-finals".to_owned(),
            players => format!("Round of {}", players.next_power_of_two()),
        }
    }
}

/// How far everybody has come: the number of the stage in which a player lost, one more for those
/// who are still in it, and one more for the winner.
pub(super) fn reached(
    file: &LeagueFile,
    rounds: &[Round],
    finished: &BTreeMap<u64, Finished>,
) -> (Vec<usize>, Option<usize>) {
    let (stages, step) = walk(file, rounds, finished);
    let out = |player: usize| stages.iter().position(|stage| stage.is_out(player));
    let entrants = entrants(file, rounds);
    let mut reached: Vec<usize> = (0..file.players.len())
        .map(|player| match out(player) {
            Some(stage) => stage + 1,
            None if entrants.contains(&player) => stages.len() + 1,
            None => 0,
        })
        .collect();
    let winner = match step {
        Step::Over(winner) => Some(winner),
        _ => None,
    };
    if let Some(winner) = winner {
        reached[winner] += 1;
    }
    (reached, winner)
}
