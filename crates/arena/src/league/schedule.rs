//! Which games a league has, from its file, the rounds so far and their results.

use std::collections::{BTreeMap, HashMap};

use super::knockout::{self, Step};
use super::standings::ladder_ratings;
use super::{Finished, Format, History, LeagueFile, Meeting, Round, tournament};
use crate::stats::{Glicko, GlickoGame};

/// A game to be played: a plain value, so that anybody can play it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The game's number in the league, from 1. It is the same in every run.
    pub game: u64,
    /// The round, from 1.
    pub round: u32,
    /// White's and Black's player.
    pub players: [usize; 2],
    /// Games with the same number begin alike.
    pub pair: u64,
}

/// The rounds of a league: those that have been paired, and what comes next.
#[derive(Clone, Debug)]
pub struct Schedule<'a> {
    file: &'a LeagueFile,
    /// Also the versions of players: a ladder pairs by their ratings.
    history: History,
    /// Nothing more follows from this file, where no round depends on results.
    is_planned: bool,
}

impl LeagueFile {
    /// Who takes part now.
    pub(super) fn active_players(&self) -> Vec<usize> {
        let players = 0..self.players.len();
        players
            .filter(|&player| !self.players[player].withdrawn)
            .collect()
    }

    /// Whether a meeting is not played any more, since somebody has left.
    pub(super) fn is_off(&self, meeting: Meeting) -> bool {
        self.players[meeting.0].withdrawn || self.players[meeting.1].withdrawn
    }

    /// How many rounds a Swiss has: as many as it takes to find a winner, if nobody says otherwise.
    pub(super) fn swiss_rounds(&self) -> u32 {
        let enough = (self.players.len() as f64).log2().ceil() as u32;
        self.rounds.unwrap_or(enough.max(1))
    }
}

impl Round {
    /// Whether nothing of it is left to play.
    pub fn is_over(&self, file: &LeagueFile, finished: &BTreeMap<u64, Finished>) -> bool {
        let is_over = |(index, meeting): (usize, &Meeting)| {
            file.is_off(*meeting) || self.score(index, finished).games == self.games
        };
        self.meetings.iter().enumerate().all(is_over)
    }
}

impl<'a> Schedule<'a> {
    /// The schedule of a league whose first rounds have been paired.
    pub fn new(file: &'a LeagueFile, history: History) -> Schedule<'a> {
        Schedule {
            file,
            history,
            is_planned: false,
        }
    }

    /// The rounds that have been paired.
    pub fn rounds(&self) -> &[Round] {
        &self.history.rounds
    }

    /// Pairs what can be paired now, and returns it: the next round, or all rounds where none
    /// depends on the results of another. Nothing while games are left to play, or at the end.
    pub fn plan(&mut self, finished: &BTreeMap<u64, Finished>) -> Vec<Round> {
        let before = self.history.rounds.len();
        match self.file.format {
            Format::RoundRobin | Format::Gauntlet if self.is_planned => {}
            Format::RoundRobin => self.plan_round_robin(),
            Format::Gauntlet => self.plan_gauntlet(),
            Format::Swiss | Format::Knockout | Format::Ladder => {
                let last = self.history.rounds.last();
                if last.is_none_or(|round| round.is_over(self.file, finished)) {
                    self.plan_next(finished);
                }
            }
        }
        self.is_planned = true;
        self.history.rounds[before..].to_vec()
    }

    /// All games that can be played now and have not been, in order.
    pub fn open_jobs(&self, finished: &BTreeMap<u64, Finished>) -> Vec<Job> {
        // Where rounds depend on results, all but the last are over.
        let rounds = match self.file.format {
            Format::RoundRobin | Format::Gauntlet => &self.history.rounds[..],
            _ => &self.history.rounds[self.history.rounds.len().saturating_sub(1)..],
        };
        let jobs = rounds.iter().flat_map(|round| {
            let meetings = round.meetings.iter().enumerate();
            let open = meetings.filter(|(_, meeting)| !self.file.is_off(**meeting));
            open.flat_map(|(index, _)| round.jobs_of(index))
        });
        jobs.filter(|job| !finished.contains_key(&job.game))
            .collect()
    }

    /// How many games the league has, if that is known beforehand.
    pub fn games(&self) -> Option<u64> {
        let players = self.file.active_players().len() as u64;
        let games = u64::from(self.file.games);
        let rounds = u64::from(self.file.rounds.unwrap_or(1));
        let planned = || self.history.rounds.last().map(|round| round.end() - 1);
        match self.file.format {
            Format::RoundRobin => planned().or(Some(players * (players - 1) / 2 * games * rounds)),
            Format::Gauntlet => planned().or(Some((players - 1) * games * rounds)),
            Format::Swiss => {
                let swiss = self.file.swiss_rounds();
                let left = u64::from(swiss).saturating_sub(self.history.rounds.len() as u64);
                Some(planned().unwrap_or(0) + left * (players / 2) * games)
            }
            Format::Ladder => {
                let left = self.history.rounds.len()..self.file.rounds? as usize;
                let meetings = left.map(|round| ladder_meetings(players as usize, round));
                let games = meetings.sum::<usize>() as u64 * games;
                Some(planned().unwrap_or(0) + games)
            }
            Format::Knockout => None,
        }
    }

    fn push(&mut self, meetings: Vec<Meeting>, byes: Vec<usize>) {
        self.history.rounds.push(Round {
            number: self.history.rounds.len() as u32 + 1,
            first_game: self.history.rounds.last().map_or(1, Round::end),
            games: self.file.games,
            meetings,
            byes,
        });
    }

    fn plan_next(&mut self, finished: &BTreeMap<u64, Finished>) {
        let next = match self.file.format {
            Format::Swiss => self.next_swiss(finished),
            Format::Knockout => match knockout::next(self.file, &self.history.rounds, finished) {
                Step::Play { meetings, byes } => Some((meetings, byes)),
                Step::Wait | Step::Over(_) => None,
            },
            _ => ladder_round(self.file, &self.history, finished).map(|round| (round, Vec::new())),
        };
        if let Some((meetings, byes)) = next {
            self.push(meetings, byes);
        }
    }

    fn next_swiss(&self, finished: &BTreeMap<u64, Finished>) -> Option<(Vec<Meeting>, Vec<usize>)> {
        let is_over = self.history.rounds.len() >= self.file.swiss_rounds() as usize;
        let is_alone = self.file.active_players().len() < 2;
        (!is_over && !is_alone)
            .then(|| tournament::next_round(self.file, &self.history.rounds, finished))
    }

    /// How often two have met, or will.
    fn counts(&self) -> HashMap<(usize, usize), u32> {
        let mut counts = HashMap::new();
        for meeting in self.history.rounds.iter().flat_map(|round| &round.meetings) {
            *counts.entry(pair_of(*meeting)).or_default() += 1;
        }
        counts
    }

    /// Everybody meets everybody by Berger's tables, once a cycle; what has been paired before
    /// counts, so that who joins later catches up.
    fn plan_round_robin(&mut self) {
        let players = self.file.active_players();
        let mut counts = self.counts();
        for cycle in 0..self.file.rounds.unwrap_or(1) {
            for (meetings, bye) in berger(&players) {
                let missing = missing(meetings, cycle, &mut counts);
                if !missing.is_empty() {
                    self.push(missing, bye.into_iter().collect());
                }
            }
        }
    }

    fn plan_gauntlet(&mut self) {
        let players = self.file.active_players();
        // Without the first player there is nothing to run through.
        let Some((&0, others)) = players.split_first() else {
            return;
        };
        let mut counts = self.counts();
        for cycle in 0..self.file.rounds.unwrap_or(1) {
            let meetings = others.iter().map(|&other| Meeting(0, other)).collect();
            let missing = missing(meetings, cycle, &mut counts);
            if !missing.is_empty() {
                self.push(missing, Vec::new());
            }
        }
    }
}

/// Those of a cycle's meetings that have not been paired, with colours swapped every other time.
fn missing(
    meetings: Vec<Meeting>,
    cycle: u32,
    counts: &mut HashMap<(usize, usize), u32>,
) -> Vec<Meeting> {
    let mut missing = Vec::new();
    for meeting in meetings {
        let count = counts.entry(pair_of(meeting)).or_default();
        if *count <= cycle {
            *count += 1;
            missing.push(match cycle % 2 {
                0 => meeting,
                _ => Meeting(meeting.1, meeting.0),
            });
        }
    }
    missing
}

fn pair_of(meeting: Meeting) -> (usize, usize) {
    (meeting.0.min(meeting.1), meeting.0.max(meeting.1))
}

/// Berger's tables: in the first round the first meets the last, the second the last but one, and
/// so on; each next one moves everybody but the last by half, and the last one's colour alternates.
/// Nobody has one colour more than once more often than the other.
fn berger(players: &[usize]) -> Vec<(Vec<Meeting>, Option<usize>)> {
    let even = players.len() + players.len() % 2;
    let circle = even.saturating_sub(1);
    let table = (0..circle).map(|round| {
        let moved = |place: usize| (place + round * (even / 2)) % circle;
        let last = match round % 2 {
            0 => (moved(0), circle),
            _ => (circle, moved(0)),
        };
        let others = (1..even / 2).map(|place| (moved(place), moved(circle - place)));
        let mut bye = None;
        let mut meetings = Vec::new();
        for (a, b) in std::iter::once(last).chain(others) {
            match (players.get(a), players.get(b)) {
                (Some(&a), Some(&b)) => meetings.push(Meeting(a, b)),
                // With an odd number of players one of them pauses.
                (one, other) => bye = one.or(other).copied(),
            }
        }
        (meetings, bye)
    });
    table.collect()
}

/// How many meetings a round of a ladder has.
fn ladder_meetings(players: usize, round: usize) -> usize {
    (players - ladder_shift(players, round)) / 2
}

/// How many leaders pause in a round of a ladder.
fn ladder_shift(players: usize, round: usize) -> usize {
    if players > 2 { round % 2 } else { 0 }
}

/// The next round of a ladder: neighbours by rating meet; every other round the pairs shift by one.
pub(super) fn ladder_round(
    file: &LeagueFile,
    history: &History,
    finished: &BTreeMap<u64, Finished>,
) -> Option<Vec<Meeting>> {
    let number = history.rounds.len();
    let mut order = file.active_players();
    if file.rounds.is_some_and(|rounds| number >= rounds as usize) || order.len() < 2 {
        return None;
    }
    let before = history.rounds.last().map_or(0, |round| round.end() - 1);
    let games = finished.range(..=before).map(|(_, game)| game);
    let ratings = ladder_ratings(file, history, games);
    order.sort_by(|a, b| ratings[*b].rating.total_cmp(&ratings[*a].rating));
    let mut meetings = neighbours(&order[ladder_shift(order.len(), number)..]);
    if number % 2 == 1 {
        meetings = meetings.iter().map(|m| Meeting(m.1, m.0)).collect();
    }
    Some(meetings)
}

pub(super) fn neighbours(order: &[usize]) -> Vec<Meeting> {
    order
        .chunks_exact(2)
        .map(|pair| Meeting(pair[0], pair[1]))
        .collect()
}

/// Glicko-2 ratings after these games, applied in their order.
pub(super) fn glicko<'a>(players: usize, games: impl Iterator<Item = &'a Finished>) -> Vec<Glicko> {
    let mut ratings = vec![Glicko::default(); players];
    for game in games {
        let [white, black] = game.players;
        let before = [ratings[white], ratings[black]];
        let after = |own: usize, score: f64| {
            let opponent = before[1 - own];
            before[own].after(&[GlickoGame { opponent, score }])
        };
        ratings[white] = after(0, game.white_score);
        ratings[black] = after(1, 1.0 - game.white_score);
    }
    ratings
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Change, What};
    use super::*;
    use kingme_play::EndReason;

    fn file(players: usize, settings: &str) -> LeagueFile {
        let mut text = format!("name = \"x\"\nvariant = \"league\"\ndepth = 1\n{settings}\n");
        let player = |number| format!("[[player]]\nname = \"p{number}\"\nplays = \"random\"\n");
        text.extend((0..players).map(player));
        LeagueFile::read(&text, Path::new(".")).unwrap()
    }

    fn finished(job: &Job, white_score: f64) -> Finished {
        Finished {
            game: job.game,
            round: job.round,
            players: job.players,
            white_score,
            reason: EndReason::Rules,
            plies: 1,
            era: 0,
        }
    }

    /// Plays all games, and returns them.
    fn play_all(file: &LeagueFile, score: impl Fn(&Job) -> f64) -> Vec<Job> {
        let mut schedule = Schedule::new(file, History::default());
        let mut results = BTreeMap::new();
        let mut all = Vec::new();
        loop {
            let is_paired = !schedule.plan(&results).is_empty();
            let jobs = schedule.open_jobs(&results);
            if jobs.is_empty() && !is_paired {
                return all;
            }
            for job in jobs {
                results.insert(job.game, finished(&job, score(&job)));
                all.push(job);
            }
        }
    }

    /// A league of which nothing is known but its rounds.
    fn paired(rounds: &[Round]) -> History {
        History {
            changes: Vec::new(),
            rounds: rounds.to_vec(),
        }
    }

    fn favourite(job: &Job) -> f64 {
        f64::from(job.players[0] < job.players[1])
    }

    fn met(jobs: &[Job]) -> BTreeMap<(usize, usize), usize> {
        let mut met = BTreeMap::new();
        for job in jobs {
            let [a, b] = job.players;
            *met.entry((a.min(b), a.max(b))).or_default() += 1;
        }
        met
    }

    #[test]
    fn everybody_meets_everybody_as_often_with_both_colours() {
        for players in [2, 3, 4, 7, 8] {
            let file = file(players, "format = \"round-robin\"\nrounds = 2");
            let jobs = play_all(&file, favourite);
            let met = met(&jobs);
            assert_eq!(met.len(), players * (players - 1) / 2);
            assert!(met.values().all(|&games| games == 4), "{met:?}");
            assert_eq!(
                jobs.len() as u64,
                Schedule::new(&file, History::default()).games().unwrap()
            );
            let white = |player: usize| jobs.iter().filter(|job| job.players[0] == player).count();
            assert!((0..players).all(|player| white(player) == 2 * (players - 1)));
        }
    }

    #[test]
    fn pairs_begin_alike() {
        let jobs = play_all(&file(3, "format = \"round-robin\""), favourite);
        for pair in jobs.chunks(2) {
            assert_eq!(pair[0].pair, pair[1].pair);
            assert_eq!(pair[0].players[0], pair[1].players[1]);
        }
    }

    /// Berger's table for four, as the FIDE Handbook has it (C.05, annex 1).
    #[test]
    fn round_robins_follow_the_tables() {
        let rounds = berger(&[0, 1, 2, 3]);
        let pairs: Vec<Vec<(usize, usize)>> = rounds
            .iter()
            .map(|(meetings, _)| meetings.iter().map(|m| (m.0 + 1, m.1 + 1)).collect())
            .collect();
        assert_eq!(
            pairs,
            [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]
        );
        let six: Vec<Meeting> = berger(&[0, 1, 2, 3, 4, 5])[4].0.clone();
        assert_eq!(six, [Meeting(2, 5), Meeting(3, 1), Meeting(4, 0)]);
    }

    #[test]
    fn with_one_game_a_meeting_colours_differ_by_one_at_most() {
        for players in 2..=13 {
            for cycles in 1..=3 {
                let text = format!("format = \"round-robin\"\ngames = 1\nrounds = {cycles}");
                let jobs = play_all(&file(players, &text), favourite);
                for player in 0..players {
                    let with =
                        |seat: usize| jobs.iter().filter(|j| j.players[seat] == player).count();
                    let difference = with(0).abs_diff(with(1));
                    assert!(difference <= 1, "{players} players: {difference}");
                }
            }
        }
    }

    #[test]
    fn who_joins_a_round_robin_meets_everybody_and_who_leaves_nobody() {
        let first = file(4, "format = \"round-robin\"\ngames = 1");
        let mut schedule = Schedule::new(&first, History::default());
        schedule.plan(&BTreeMap::new());
        let mut results = BTreeMap::new();
        for job in schedule.open_jobs(&BTreeMap::new()).iter().take(3) {
            results.insert(job.game, finished(job, 1.0));
        }
        let mut later = file(5, "format = \"round-robin\"\ngames = 1");
        later.players[0].withdrawn = true;
        let mut schedule = Schedule::new(&later, paired(schedule.rounds()));
        assert!(!schedule.plan(&results).is_empty());
        let mut again = Schedule::new(&later, paired(schedule.rounds()));
        assert!(again.plan(&results).is_empty(), "once is enough");
        let jobs = schedule.open_jobs(&results);
        assert!(jobs.iter().all(|job| !job.players.contains(&0)));
        let newcomer = jobs.iter().filter(|job| job.players.contains(&4));
        assert_eq!(newcomer.count(), 3);
        let numbers: std::collections::HashSet<u64> = jobs.iter().map(|job| job.game).collect();
        assert_eq!(numbers.len(), jobs.len(), "every game has its number");
    }

    #[test]
    fn a_swiss_is_paired_by_the_rules_of_colours() {
        for (players, games) in [(72, 1), (9, 1), (16, 2)] {
            let text = format!("format = \"swiss\"\ngames = {games}\nrounds = 7");
            let jobs = play_all(&file(players, &text), |job| {
                [1.0, 0.5, 0.0][(job.game * 7 + job.players[0] as u64) as usize % 3]
            });
            // Games of a meeting alternate; its first one is what counts.
            let first = |job: &&Job| job.pair == job.game && (job.game - 1).is_multiple_of(games);
            for player in 0..players {
                let own: Vec<bool> = jobs
                    .iter()
                    .filter(first)
                    .filter(|job| job.players.contains(&player))
                    .map(|job| job.players[0] == player)
                    .collect();
                let white = own.iter().filter(|white| **white).count();
                assert!(
                    white.abs_diff(own.len() - white) <= 2,
                    "player {player}: {own:?}"
                );
                // In the last round only, and only for the best, a colour may come a third time.
                let before = &own[..own.len() - 1];
                assert!(
                    before.windows(3).all(|w| w[0] != w[1] || w[1] != w[2]),
                    "{own:?}"
                );
            }
            assert!(met(&jobs).values().all(|&count| count as u64 == games));
        }
    }

    #[test]
    fn who_leaves_a_swiss_is_not_paired_and_loses_what_is_open() {
        let mut league = file(5, "format = \"swiss\"\ngames = 1\nrounds = 3");
        let mut schedule = Schedule::new(&league, History::default());
        schedule.plan(&BTreeMap::new());
        let first = schedule.open_jobs(&BTreeMap::new());
        let mut results = BTreeMap::new();
        results.insert(first[1].game, finished(&first[1], 0.5));
        let [gone, winner] = first[0].players;
        let rounds = schedule.rounds().to_vec();
        league.players[gone].withdrawn = true;
        let mut schedule = Schedule::new(&league, paired(&rounds));
        assert_eq!(
            schedule.plan(&results).len(),
            1,
            "nothing is left of the first round"
        );
        let jobs = schedule.open_jobs(&results);
        assert_eq!(jobs.len(), 2, "four are left");
        assert!(jobs.iter().all(|job| !job.players.contains(&gone)));
        let tournament = super::super::tournament(&league, schedule.rounds(), &results);
        assert_eq!(tournament.halves(winner), 2);
        assert_eq!(tournament.halves(gone), 0);
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_the_others() {
        let met = met(&play_all(&file(4, "format = \"gauntlet\""), favourite));
        assert_eq!(
            met.keys().copied().collect::<Vec<_>>(),
            [(0, 1), (0, 2), (0, 3)]
        );
    }

    #[test]
    fn in_a_swiss_nobody_meets_twice_and_the_best_two_meet() {
        let file = file(8, "format = \"swiss\"");
        let jobs = play_all(&file, favourite);
        assert_eq!(jobs.len(), 4 * 3 * 2);
        let met = met(&jobs);
        assert!(met.values().all(|&games| games == 2));
        assert_eq!(jobs.iter().map(|job| job.round).max(), Some(3));
    }

    #[test]
    fn in_a_swiss_of_odd_players_everybody_pauses_once_at_most() {
        let jobs = play_all(&file(5, "format = \"swiss\"\nrounds = 5"), favourite);
        let games = |player| {
            jobs.iter()
                .filter(|job| job.players.contains(&player))
                .count()
        };
        assert!((0..5).all(|player| games(player) == 8));
    }

    #[test]
    fn a_knockout_leaves_one() {
        for players in [2, 3, 5, 8] {
            let jobs = play_all(&file(players, "format = \"knockout\""), favourite);
            assert_eq!(
                met(&jobs).len(),
                players - 1,
                "everybody but one loses once"
            );
            assert!(jobs.last().unwrap().players.contains(&0));
        }
    }

    #[test]
    fn ties_in_a_knockout_are_played_again_a_few_times() {
        let jobs = play_all(&file(2, "format = \"knockout\""), |_| 0.5);
        assert_eq!(jobs.len(), 2 + 3 * 2);
    }

    #[test]
    fn a_ladder_goes_on_for_its_rounds() {
        let file = file(5, "format = \"ladder\"\nrounds = 6");
        let jobs = play_all(&file, favourite);
        assert_eq!(
            jobs.len() as u64,
            Schedule::new(&file, History::default()).games().unwrap()
        );
        assert_eq!(jobs.iter().map(|job| job.round).max(), Some(6));
    }

    /// A ladder pairs by the ratings that it shows: those of the present versions.
    #[test]
    fn a_new_version_climbs_the_ladder_anew() {
        let file = file(4, "format = \"ladder\"\ngames = 1");
        let mut schedule = Schedule::new(&file, History::default());
        let mut results = BTreeMap::new();
        for _ in 0..2 {
            schedule.plan(&results);
            for job in schedule.open_jobs(&results) {
                results.insert(job.game, finished(&job, favourite(&job)));
            }
        }
        let mut history = paired(schedule.rounds());
        let first = ladder_round(&file, &history, &results).unwrap();
        assert_eq!(
            first[0],
            Meeting(0, 1),
            "who has won everything leads: {first:?}"
        );
        let at = std::time::SystemTime::UNIX_EPOCH;
        let join = |entry: &super::super::Entry| What::joined(entry);
        let version = What::Version {
            player: 0,
            plays: "minimax".to_owned(),
        };
        let joined = file.players.iter().map(|entry| (0, join(entry)));
        let changes = joined.chain([(1, version)]);
        history.changes = changes
            .map(|(era, what)| Change { at, era, what })
            .collect();
        let anew = ladder_round(&file, &history, &results).unwrap();
        assert_ne!(anew[0].0, 0, "nobody knows the new version: {anew:?}");
    }
}
