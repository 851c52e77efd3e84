//! Playing the games of a league that its log does not have yet.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use super::queue::{Queue, Takes};
use super::{Entry, Finished, Job, LeagueError, LeagueFile, Log, Schedule};
use crate::cores::Cores;
use crate::record::{EndReason, GameRecord};
use crate::{Chance, Conditions, OpenError, Player, Stop, TimeControl, play};

/// So many games are played before the log is made shorter; nothing is in progress then.
const BATCH: usize = 5000;

/// Makes a player of the league; the seed is for those who play by chance.
pub type LeagueSeats<'a> = dyn Fn(&Entry, u64) -> Result<Box<dyn Player>, OpenError> + Sync + 'a;

/// Where the people of a league sit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum People {
    /// All at one terminal: one game at a time, whoever plays it.
    AtOneTerminal,
    /// Each at a screen of their own: everybody plays one game at a time, and no program waits for
    /// them.
    Apart,
}

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
    log: Log,
    seats: &LeagueSeats,
    people: People,
    stop: &Stop,
    on_event: &mut dyn FnMut(&LeagueEvent),
) -> Result<Summary, LeagueError> {
    let mut results = log.finished()?;
    on_event(&LeagueEvent::Resumed {
        finished: results.len() as u64,
        aborted: log.interrupted(),
    });
    let workers = workers(file, people);
    let hall = Hall {
        file,
        seats,
        log,
        idle: workers.iter().map(|_| Mutex::default()).collect(),
        cores: Cores::for_games(file.concurrency.min(workers.len()), file.cores),
        workers,
        failed: Mutex::new(None),
        stop,
        enough: Stop::new(),
    };
    let schedule = Schedule::new(file);
    loop {
        let mut jobs = schedule.open_jobs(&results);
        let complete = jobs.is_empty();
        if complete || stop.is_requested() || hall.enough.is_requested() {
            hall.log.close()?;
            return Ok(Summary { results, complete });
        }
        jobs.truncate(BATCH);
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
        hall.log.settle()?;
    }
}

/// A player who is not playing, with its number.
type Idle = (usize, Box<dyn Player>);

/// Where the games of a league are played.
struct Hall<'a> {
    file: &'a LeagueFile,
    seats: &'a LeagueSeats<'a>,
    log: Log,
    /// Which games are played at a time.
    workers: Vec<Takes>,
    /// For each of the games that are played at a time, the players of the last one. They stay
    /// where they are: they have the cores of that game.
    idle: Vec<Mutex<Vec<Idle>>>,
    cores: Cores,
    failed: Mutex<Option<LeagueError>>,
    stop: &'a Stop,
    /// Requested when something has failed, or somebody has left.
    enough: Stop,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which games are played at a time.
fn workers(file: &LeagueFile, people: People) -> Vec<Takes> {
    let persons = file.players.iter().filter(|entry| entry.is_person());
    match (people, persons.count()) {
        (_, 0) => vec![Takes::Any; file.concurrency],
        // Whoever plays at the terminal is not disturbed by other games.
        (People::AtOneTerminal, _) => vec![Takes::Any],
        (People::Apart, persons) => {
            let mut workers = vec![Takes::Programs; file.concurrency];
            workers.resize(file.concurrency + persons, Takes::People);
            workers
        }
    }
}

type Done = (Finished, GameRecord);

impl Hall<'_> {
    fn play(&self, jobs: Vec<Job>, on_game: &mut dyn FnMut(Finished, GameRecord)) {
        let queue = Queue::new(self.file, jobs);
        thread::scope(|scope| {
            let (sender, results) = mpsc::sync_channel(self.workers.len() * 2);
            for (slot, &takes) in self.workers.iter().enumerate() {
                let (sender, queue) = (sender.clone(), &queue);
                scope.spawn(move || {
                    self.cores.stay(slot);
                    self.worker(queue, slot, takes, &sender);
                });
            }
            drop(sender);
            for (finished, record) in results {
                on_game(finished, record);
            }
        });
    }

    /// Plays one game after the other, as long as there are any for it.
    fn worker(&self, queue: &Queue, slot: usize, takes: Takes, sender: &mpsc::SyncSender<Done>) {
        let is_over = || self.stop.is_requested() || self.enough.is_requested();
        while let Some(job) = queue.take(takes, &is_over) {
            let done = self.game(&job, slot);
            queue.leave(&job);
            match done {
                Ok(Some(done)) => {
                    if sender.send(done).is_err() {
                        return;
                    }
                }
                // Somebody has left, or we are to stop: what is left is for another day.
                Ok(None) => {
                    self.enough.request();
                    return;
                }
                Err(error) => {
                    lock(&self.failed).get_or_insert(error);
                    self.enough.request();
                    return;
                }
            }
        }
    }

    /// Plays a game; nothing comes out if it was stopped.
    fn game(&self, job: &Job, slot: usize) -> Result<Option<Done>, LeagueError> {
        let mut chance = Chance::fork(self.file.seed, job.game);
        let conditions = Conditions {
            time: job.players.map(|player| self.time_of(player)),
            policy: self.file.policy.clone(),
            seed: chance.number(),
        };
        let opening = self
            .file
            .openings
            .of_pair(&self.file.variant, job.pair / 2, self.file.seed);
        let mut white = self.sit_down(slot, job.players[0], chance.number())?;
        let mut black = self.sit_down(slot, job.players[1], chance.number())?;
        let name = |player: usize| self.file.players[player].name.as_str();
        white.meet(name(job.players[1]));
        black.meet(name(job.players[0]));
        let mut log = self.log.start(job, &opening)?;
        let mut failure = None;
        let record = play(
            opening,
            [white.as_mut(), black.as_mut()],
            &conditions,
            self.stop,
            &mut |_, ply| {
                log.ply(ply).map_err(|error| {
                    let words = error.to_string();
                    failure = Some(error);
                    words
                })
            },
        );
        self.stand_up(slot, job.players, [white, black]);
        if let Some(error) = failure {
            return Err(error);
        }
        let finished = log.end(&record.end)?;
        let counts = record.end.reason != EndReason::Aborted;
        Ok(counts.then_some((finished, record)))
    }

    fn time_of(&self, player: usize) -> TimeControl {
        if self.file.players[player].is_person() {
            self.file.people_time
        } else {
            self.file.time
        }
    }

    fn sit_down(
        &self,
        slot: usize,
        player: usize,
        seed: u64,
    ) -> Result<Box<dyn Player>, LeagueError> {
        let entry = &self.file.players[player];
        let mut idle = lock(&self.idle[slot]);
        let found = idle.iter().position(|(other, _)| *other == player);
        let idle = found.map(|index| idle.swap_remove(index).1);
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

    /// Keeps the players for the next game, which is mostly between the same two.
    fn stand_up(&self, slot: usize, players: [usize; 2], bodies: [Box<dyn Player>; 2]) {
        *lock(&self.idle[slot]) = players.into_iter().zip(bodies).collect();
    }
}
