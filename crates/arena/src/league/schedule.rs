//! Which games a league has, from its file and the results so far.

use std::collections::{BTreeMap, HashSet};

use super::{Finished, Format, LeagueFile};
use crate::stats::{Glicko, GlickoGame};
use kingme_play::Chance;

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

/// Two players who meet in a round.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Meeting(pub usize, pub usize);

/// The games of a league, round by round.
#[derive(Clone, Debug)]
pub struct Schedule<'a> {
    file: &'a LeagueFile,
}

/// Tie-breaks of a knockout before the one listed first goes on.
const TIE_BREAKS: usize = 3;

impl<'a> Schedule<'a> {
    /// The schedule of a league.
    pub fn new(file: &'a LeagueFile) -> Schedule<'a> {
        Schedule { file }
    }

    /// All games that can be played now and have not been, in order. None: the league is over.
    pub fn open_jobs(&self, finished: &BTreeMap<u64, Finished>) -> Vec<Job> {
        if self.file.format == Format::Ladder {
            return self.open_ladder_jobs(finished);
        }
        let mut jobs = Vec::new();
        let mut next_game = 1;
        let mut rounds: Vec<Vec<Meeting>> = Vec::new();
        loop {
            let number = rounds.len();
            if self.needs_results() && !jobs.is_empty() {
                return jobs;
            }
            let Some(meetings) = self.round(&rounds, finished) else {
                return jobs;
            };
            for meeting in &meetings {
                for job in self.games_of(*meeting, number, next_game) {
                    next_game = job.game + 1;
                    if !finished.contains_key(&job.game) {
                        jobs.push(job);
                    }
                }
            }
            rounds.push(meetings);
        }
    }

    /// The open games of a ladder, which may have gone on for thousands of rounds: only the first
    /// round that is not finished is worked out.
    fn open_ladder_jobs(&self, finished: &BTreeMap<u64, Finished>) -> Vec<Job> {
        let in_order = finished.keys().zip(1..).take_while(|(a, b)| **a == *b);
        let done = in_order.count() as u64;
        let (mut round, mut first) = (0, 1);
        while first + self.ladder_round_games(round) <= done + 1 {
            first += self.ladder_round_games(round);
            round += 1;
        }
        let mut jobs = Vec::new();
        for meeting in self.ladder(round, finished).unwrap_or_default() {
            for job in self.games_of(meeting, round, first) {
                first = job.game + 1;
                if !finished.contains_key(&job.game) {
                    jobs.push(job);
                }
            }
        }
        jobs
    }

    /// How many games the league has, if that is known beforehand.
    pub fn games(&self) -> Option<u64> {
        let players = self.file.players.len() as u64;
        let games = u64::from(self.file.games);
        let rounds = u64::from(self.file.rounds.unwrap_or(1));
        match self.file.format {
            Format::RoundRobin => Some(players * (players - 1) / 2 * games * rounds),
            Format::Gauntlet => Some((players - 1) * games * rounds),
            Format::Swiss => Some(players / 2 * games * u64::from(self.swiss_rounds())),
            Format::Ladder => self
                .file
                .rounds
                .map(|rounds| self.ladder_games(rounds as usize)),
            Format::Knockout => None,
        }
    }

    /// Whether a round depends on the results of those before it.
    fn needs_results(&self) -> bool {
        !matches!(self.file.format, Format::RoundRobin | Format::Gauntlet)
    }

    fn swiss_rounds(&self) -> u32 {
        let enough = (self.file.players.len() as f64).log2().ceil() as u32;
        self.file.rounds.unwrap_or(enough.max(1))
    }

    /// The games of a meeting: pairs from the same opening with colours swapped.
    fn games_of(
        &self,
        meeting: Meeting,
        round: usize,
        first: u64,
    ) -> impl Iterator<Item = Job> + use<> {
        let Meeting(a, b) = meeting;
        let games = u64::from(self.file.games);
        (0..games).map(move |index| Job {
            game: first + index,
            round: round as u32 + 1,
            // Who begins alternates with the rounds where a meeting has an odd number of games.
            players: if (index + round as u64).is_multiple_of(2) {
                [a, b]
            } else {
                [b, a]
            },
            pair: first + index - index % 2,
        })
    }

    /// The meetings of the next round, when all games of those before are finished.
    fn round(
        &self,
        rounds: &[Vec<Meeting>],
        finished: &BTreeMap<u64, Finished>,
    ) -> Option<Vec<Meeting>> {
        let number = rounds.len();
        match self.file.format {
            Format::RoundRobin => self.round_robin(number),
            Format::Gauntlet => self.gauntlet(number),
            Format::Swiss => self.swiss(rounds, finished),
            Format::Knockout => self.knockout(rounds, finished),
            Format::Ladder => self.ladder(number, finished),
        }
    }

    /// The circle method: the first stays, the others go round.
    fn round_robin(&self, number: usize) -> Option<Vec<Meeting>> {
        let players = self.file.players.len();
        let even = players + players % 2;
        let cycles = self.file.rounds.unwrap_or(1) as usize;
        if number >= cycles * (even - 1) {
            return None;
        }
        let turn = number % (even - 1);
        let seat = |index: usize| {
            if index == 0 {
                0
            } else {
                1 + (index - 1 + turn) % (even - 1)
            }
        };
        let meetings = (0..even / 2).map(|index| (seat(index), seat(even - 1 - index)));
        // With an odd number of players one of them pauses.
        let real = meetings.filter(|(a, b)| *a < players && *b < players);
        Some(real.map(|(a, b)| Meeting(a, b)).collect())
    }

    fn gauntlet(&self, number: usize) -> Option<Vec<Meeting>> {
        let rounds = self.file.rounds.unwrap_or(1) as usize;
        let others = 1..self.file.players.len();
        (number < rounds).then(|| others.map(|other| Meeting(0, other)).collect())
    }

    /// Players with nearly equal points meet, nobody twice if it can be helped.
    fn swiss(
        &self,
        rounds: &[Vec<Meeting>],
        finished: &BTreeMap<u64, Finished>,
    ) -> Option<Vec<Meeting>> {
        if rounds.len() >= self.swiss_rounds() as usize {
            return None;
        }
        let met: HashSet<Meeting> = rounds
            .iter()
            .flatten()
            .flat_map(|&Meeting(a, b)| [Meeting(a, b), Meeting(b, a)])
            .collect();
        let mut order = self.by_points(rounds, finished);
        if order.len() % 2 == 1 {
            // The lowest who has not paused yet pauses.
            let played = |player: usize, round: &Vec<Meeting>| {
                round.iter().any(|m| m.0 == player || m.1 == player)
            };
            let pauses = |player: &usize| {
                rounds
                    .iter()
                    .filter(|round| !played(*player, round))
                    .count()
            };
            let fewest = order.iter().map(pauses).min().unwrap_or(0);
            let index = order.iter().rposition(|player| pauses(player) == fewest)?;
            order.remove(index);
        }
        Some(pair_up(&order, &met, &mut 10_000).unwrap_or_else(|| neighbours(&order)))
    }

    fn by_points(&self, rounds: &[Vec<Meeting>], finished: &BTreeMap<u64, Finished>) -> Vec<usize> {
        let players = self.file.players.len();
        let mut points = vec![0.0; players];
        // Only what came before this round counts, or a resumed league would go another way.
        let before = finished
            .values()
            .filter(|game| game.round as usize <= rounds.len());
        for game in before {
            points[game.players[0]] += game.white_score;
            points[game.players[1]] += 1.0 - game.white_score;
        }
        // A pause counts as a won meeting.
        for round in rounds {
            for (player, points) in points.iter_mut().enumerate() {
                if !round.iter().any(|m| m.0 == player || m.1 == player) {
                    *points += f64::from(self.file.games);
                }
            }
        }
        let mut order: Vec<usize> = (0..players).collect();
        if rounds.is_empty() {
            Chance::fork(self.file.seed, u64::MAX).shuffle(&mut order);
        }
        order.sort_by(|a, b| points[*b].total_cmp(&points[*a]));
        order
    }

    /// Winners meet winners; a tie is played again, and then the one listed first goes on.
    fn knockout(
        &self,
        rounds: &[Vec<Meeting>],
        finished: &BTreeMap<u64, Finished>,
    ) -> Option<Vec<Meeting>> {
        let mut standing: Vec<usize> = (0..self.file.players.len()).collect();
        let mut index = 0;
        let mut first_game = 1;
        while index < rounds.len() {
            let meetings = rounds[index].clone();
            let mut points = self.points_of(&meetings, &mut first_game, finished);
            index += 1;
            for _ in 0..TIE_BREAKS {
                let ties: Vec<Meeting> = tied(&points);
                if ties.is_empty() {
                    break;
                }
                if index == rounds.len() {
                    return Some(ties);
                }
                let more = self.points_of(&ties, &mut first_game, finished);
                index += 1;
                for (meeting, [a, b]) in more {
                    let sum = points.entry((meeting.0, meeting.1)).or_default();
                    *sum = [sum[0] + a, sum[1] + b];
                }
            }
            let loser = |&Meeting(a, b): &Meeting| {
                let [x, y] = points[&(a, b)];
                if x >= y { b } else { a }
            };
            let losers: HashSet<usize> = meetings.iter().map(loser).collect();
            standing.retain(|player| !losers.contains(player));
        }
        (standing.len() > 1).then(|| bracket(&standing))
    }

    /// The points of each meeting of a round, whose games begin with a number.
    fn points_of(
        &self,
        meetings: &[Meeting],
        first_game: &mut u64,
        finished: &BTreeMap<u64, Finished>,
    ) -> Points {
        let mut points = Points::new();
        for meeting in meetings {
            let sum = points.entry((meeting.0, meeting.1)).or_default();
            for game in *first_game..*first_game + u64::from(self.file.games) {
                let Some(game) = finished.get(&game) else {
                    continue;
                };
                let score = if game.players[0] == meeting.0 {
                    game.white_score
                } else {
                    1.0 - game.white_score
                };
                *sum = [sum[0] + score, sum[1] + 1.0 - score];
            }
            *first_game += u64::from(self.file.games);
        }
        points
    }

    /// Neighbours by rating meet; every other round the pairs shift by one.
    fn ladder(&self, number: usize, finished: &BTreeMap<u64, Finished>) -> Option<Vec<Meeting>> {
        if self
            .file
            .rounds
            .is_some_and(|rounds| number >= rounds as usize)
        {
            return None;
        }
        let players = self.file.players.len();
        let before = self.ladder_games(number);
        let ratings = glicko(players, finished.range(..=before).map(|(_, game)| game));
        let mut order: Vec<usize> = (0..players).collect();
        order.sort_by(|a, b| ratings[*b].rating.total_cmp(&ratings[*a].rating));
        Some(neighbours(&order[self.ladder_shift(number)..]))
    }

    /// How many leaders pause in a round of a ladder.
    fn ladder_shift(&self, round: usize) -> usize {
        if self.file.players.len() > 2 {
            round % 2
        } else {
            0
        }
    }

    /// How many games so many rounds of a ladder have.
    fn ladder_games(&self, rounds: usize) -> u64 {
        (0..rounds)
            .map(|round| self.ladder_round_games(round))
            .sum()
    }

    /// How many games a round of a ladder has.
    fn ladder_round_games(&self, round: usize) -> u64 {
        let meetings = (self.file.players.len() - self.ladder_shift(round)) / 2;
        meetings as u64 * u64::from(self.file.games)
    }
}

type Points = BTreeMap<(usize, usize), [f64; 2]>;

fn tied(points: &Points) -> Vec<Meeting> {
    let ties = points.iter().filter(|(_, [a, b])| (a - b).abs() < 1e-9);
    ties.map(|((a, b), _)| Meeting(*a, *b)).collect()
}

/// First against last, so that the favourites meet late; those without an opponent go on.
fn bracket(standing: &[usize]) -> Vec<Meeting> {
    let full = standing.len().next_power_of_two();
    let byes = full - standing.len();
    let playing = &standing[byes..];
    let half = playing.len() / 2;
    (0..half)
        .map(|index| Meeting(playing[index], playing[playing.len() - 1 - index]))
        .collect()
}

fn neighbours(order: &[usize]) -> Vec<Meeting> {
    order
        .chunks_exact(2)
        .map(|pair| Meeting(pair[0], pair[1]))
        .collect()
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

    use super::*;
    use kingme_play::EndReason;

    fn file(players: usize, settings: &str) -> LeagueFile {
        let mut text = format!("name = \"x\"\nvariant = \"league\"\ndepth = 1\n{settings}\n");
        let player = |number| format!("[[player]]\nname = \"p{number}\"\nplays = \"random\"\n");
        text.extend((0..players).map(player));
        LeagueFile::read(&text, Path::new(".")).unwrap()
    }

    /// Plays all games, the player listed first winning, and returns them.
    fn play_all(file: &LeagueFile, score: impl Fn(&Job) -> f64) -> Vec<Job> {
        let schedule = Schedule::new(file);
        let mut finished = BTreeMap::new();
        let mut all = Vec::new();
        loop {
            let jobs = schedule.open_jobs(&finished);
            if jobs.is_empty() {
                return all;
            }
            for job in jobs {
                finished.insert(
                    job.game,
                    Finished {
                        game: job.game,
                        round: job.round,
                        players: job.players,
                        white_score: score(&job),
                        reason: EndReason::Rules,
                        plies: 1,
                    },
                );
                all.push(job);
            }
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
            assert_eq!(jobs.len() as u64, Schedule::new(&file).games().unwrap());
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
        assert_eq!(jobs.len() as u64, Schedule::new(&file).games().unwrap());
        assert_eq!(jobs.iter().map(|job| job.round).max(), Some(6));
    }
}
