//! Playing the games of a league that its log does not have yet.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use super::{Entry, Finished, Job, LeagueError, LeagueFile, Log, Schedule};
use crate::record::{EndReason, GameRecord};
use crate::{Chance, Conditions, OpenError, Player, PlayerSpec, Stop, play};

/// Makes a player of the league; the seed is for those who play by chance.
pub type LeagueSeats<'a> = dyn Fn(&Entry, u64) -> Result<Box<dyn Player>, OpenError> + Sync + 'a;

/// What happens in a league.
#[derive(Debug)]
pub enum LeagueEvent<'a> {
    /// Games that an interrupted run has left behind are played again.
    Resumed {
        /// How many games are finished.
        finished: u64,
        /// How many were left in the middle.
        aborted: u64,
    },
    /// A game has ended and is in the log.
    Game {
        /// Its result.
        finished: &'a Finished,
        /// All of it.
        record: &'a GameRecord,
        /// All results so far.
        results: &'a BTreeMap<u64, Finished>,
    },
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Summary {
    /// All results of the league.
    pub results: BTreeMap<u64, Finished>,
    /// Whether there is nothing left to play.
    pub complete: bool,
}

/// Plays until there is nothing left to play, or until `stop` is requested.
///
/// # Errors
///
/// If a player can't be had, or the log can't be written; what was played is in the log.
pub fn run(
    file: &LeagueFile,
    mut log: Log,
    seats: &LeagueSeats,
    stop: &Stop,
    on_event: &mut dyn FnMut(&LeagueEvent),
) -> Result<Summary, LeagueError> {
    let aborted = log.abort_unfinished()?;
    let mut results = log.finished()?;
    let finished = results.len() as u64;
    on_event(&LeagueEvent::Resumed { finished, aborted });
    let hall = Hall {
        file,
        seats,
        log: Mutex::new(log),
        idle: Mutex::new(HashMap::new()),
        failed: Mutex::new(None),
        stop,
        enough: Stop::new(),
    };
    let schedule = Schedule::new(file);
    loop {
        let jobs = schedule.open_jobs(&results);
        let complete = jobs.is_empty();
        if complete || stop.is_requested() {
            lock(&hall.log).sync()?;
            return Ok(Summary { results, complete });
        }
        hall.play(jobs, &mut |result, record| {
            results.insert(result.game, result);
            on_event(&LeagueEvent::Game {
                finished: &result,
                record: &record,
                results: &results,
            });
        });
        if let Some(error) = lock(&hall.failed).take() {
            return Err(error);
        }
    }
}

/// Where the games of a league are played.
struct Hall<'a> {
    file: &'a LeagueFile,
    seats: &'a LeagueSeats<'a>,
    log: Mutex<Log>,
    /// Players who are not playing, by number; a player may have several bodies.
    idle: Mutex<HashMap<usize, Vec<Box<dyn Player>>>>,
    failed: Mutex<Option<LeagueError>>,
    stop: &'a Stop,
    /// Requested when something has failed.
    enough: Stop,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hall<'_> {
    fn play(&self, jobs: Vec<Job>, on_game: &mut dyn FnMut(Finished, GameRecord)) {
        let queue = Mutex::new(VecDeque::from(jobs));
        thread::scope(|scope| {
            let (sender, results) = mpsc::sync_channel(self.concurrency() * 2);
            for _ in 0..self.concurrency() {
                let (sender, queue) = (sender.clone(), &queue);
                scope.spawn(move || self.worker(queue, &sender));
            }
            drop(sender);
            for (finished, record) in results {
                on_game(finished, record);
            }
        });
    }

    /// A person has one pair of eyes.
    fn concurrency(&self) -> usize {
        let is_person = |entry: &Entry| matches!(entry.plays, PlayerSpec::Human { .. });
        if self.file.players.iter().any(is_person) {
            1
        } else {
            self.file.concurrency
        }
    }

    fn worker(
        &self,
        queue: &Mutex<VecDeque<Job>>,
        sender: &mpsc::SyncSender<(Finished, GameRecord)>,
    ) {
        loop {
            let job = lock(queue).pop_front();
            let Some(job) =
                job.filter(|_| !self.stop.is_requested() && !self.enough.is_requested())
            else {
                return;
            };
            match self.game(&job) {
                Ok(Some(done)) => {
                    if sender.send(done).is_err() {
                        return;
                    }
                }
                Ok(None) => return,
                Err(error) => {
                    lock(&self.failed).get_or_insert(error);
                    self.enough.request();
                    return;
                }
            }
        }
    }

    /// Plays a game; nothing comes out if it was stopped.
    fn game(&self, job: &Job) -> Result<Option<(Finished, GameRecord)>, LeagueError> {
        let mut chance = Chance::fork(self.file.seed, job.game);
        let conditions = Conditions {
            time: self.file.time,
            policy: self.file.policy.clone(),
            seed: chance.number(),
        };
        let opening = self
            .file
            .openings
            .of_pair(&self.file.variant, job.pair / 2, self.file.seed);
        let mut white = self.sit_down(job.players[0], chance.number())?;
        let mut black = self.sit_down(job.players[1], chance.number())?;
        lock(&self.log).start(job, &opening)?;
        let mut failure = None;
        let record = play(
            opening,
            [white.as_mut(), black.as_mut()],
            &conditions,
            self.stop,
            &mut |_, ply| {
                lock(&self.log).ply(job.game, ply).map_err(|error| {
                    let words = error.to_string();
                    failure = Some(error);
                    words
                })
            },
        );
        self.stand_up(job.players, [white, black]);
        if let Some(error) = failure {
            return Err(error);
        }
        lock(&self.log).end(job.game, &record.end)?;
        if record.end.reason == EndReason::Aborted {
            return Ok(None);
        }
        let finished = Finished {
            game: job.game,
            round: job.round,
            players: job.players,
            white_score: record.white_score(),
            reason: record.end.reason,
            plies: record.plies.len() as u32,
        };
        Ok(Some((finished, record)))
    }

    fn sit_down(&self, player: usize, seed: u64) -> Result<Box<dyn Player>, LeagueError> {
        let entry = &self.file.players[player];
        let idle = lock(&self.idle).get_mut(&player).and_then(Vec::pop);
        let mut body = match idle {
            Some(body) => body,
            None => (self.seats)(entry, seed).map_err(|error| LeagueError::Player {
                name: entry.name.clone(),
                why: error.to_string(),
            })?,
        };
        body.seed(seed);
        Ok(body)
    }

    /// Keeps the players for their next game, but not too many of them.
    fn stand_up(&self, players: [usize; 2], bodies: [Box<dyn Player>; 2]) {
        let mut idle = lock(&self.idle);
        for (player, body) in players.into_iter().zip(bodies) {
            idle.entry(player).or_default().push(body);
        }
        let most = self.concurrency() * 2;
        while idle.values().map(Vec::len).sum::<usize>() > most {
            let other = idle
                .iter()
                .find(|(player, bodies)| !players.contains(player) && !bodies.is_empty());
            let Some((&other, _)) = other else { return };
            idle.get_mut(&other).and_then(Vec::pop);
        }
    }
}
