//! Playing the games of a league that its log does not have yet.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use kingme_play::{Chance, End, EndReason, Event, Seat, Session, Stakes, Stop, Terms, TimeControl};
use kingme_rules::Side;

use super::log::GameLog;
use super::queue::{Queue, Takes};
use super::trial::Trial;
use super::{Entry, Finished, History, Job, LeagueError, LeagueFile, Log, Schedule, program_hash};
use crate::cores::Cores;
use crate::{Host, Recorder, play, referee};
use kingme_players::{OpenError, Player, PlayerSpec};

/// So many games are played before the log is made shorter; nothing is in progress then.
const BATCH: usize = 5000;

/// Makes a player of the league; the seed is for those who play by chance.
pub type LeagueSeats<'a> = dyn Fn(&Entry, u64) -> Result<Box<dyn Player>, OpenError> + Sync + 'a;

/// The people of a league, wherever they sit.
pub trait People: Sync {
    /// Whether all sit at one terminal: then one game is played at a time. Otherwise everybody plays
    /// one game at a time, and no program waits for them.
    fn are_together(&self) -> bool;

    /// A person who is asked for moves; `None` if people act by themselves, in [`People::host`].
    fn player(&self, name: &str) -> Option<Box<dyn Player>>;

    /// Where a game is played whose people act by themselves; waits for them, and gives nothing if
    /// `stop` is requested before they are there.
    ///
    /// # Errors
    ///
    /// Why it can't be played.
    fn host(&self, game: Hosted, stop: &Stop) -> Result<Option<Box<dyn Host>>, String>;
}

/// A game that is to have a host.
pub struct Hosted {
    /// Its number in the league.
    pub number: u64,
    /// The session; who acts by themselves sits on an open seat.
    pub session: Session,
    /// The players' names, White's and Black's.
    pub names: [String; 2],
    /// Has to hear of every event before it counts.
    pub on_event: Recorder,
}

/// For leagues without people.
#[derive(Copy, Clone, Debug)]
pub struct Nobody;

impl People for Nobody {
    fn are_together(&self) -> bool {
        false
    }

    fn player(&self, _name: &str) -> Option<Box<dyn Player>> {
        None
    }

    fn host(&self, _game: Hosted, _stop: &Stop) -> Result<Option<Box<dyn Host>>, String> {
        Err("there are no people here".to_owned())
    }
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
    /// The league's file has changed, and the league goes on by the new one.
    Changed {
        /// The new file.
        file: &'a LeagueFile,
        /// What has been decided up to now.
        history: &'a History,
        /// What changed, in words.
        changes: Vec<String>,
    },
    /// The league's file has changed, and can't be used: the league goes on by the old one.
    NotChanged {
        /// Why.
        why: String,
    },
    /// A game has ended and is in the log.
    Game {
        /// Its result.
        finished: &'a Finished,
        /// All of it.
        session: &'a Session,
        /// All results so far.
        results: &'a BTreeMap<u64, Finished>,
    },
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Summary {
    /// All results of the league.
    pub results: BTreeMap<u64, Finished>,
    /// What has been decided beside them.
    pub history: History,
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
    people: &dyn People,
    stop: &Stop,
    on_event: &mut dyn FnMut(&LeagueEvent),
) -> Result<Summary, LeagueError> {
    on_event(&LeagueEvent::Resumed {
        finished: log.finished()?.len() as u64,
        aborted: log.interrupted(),
    });
    let run = Run {
        file,
        log: &Arc::new(log),
        seats,
        people,
        stop,
    };
    let summary = run.play(&|| false, on_event)?;
    run.log.close()?;
    Ok(summary)
}

/// What a league is played with.
pub(super) struct Run<'a> {
    pub file: &'a LeagueFile,
    pub log: &'a Arc<Log>,
    pub seats: &'a LeagueSeats<'a>,
    pub people: &'a dyn People,
    pub stop: &'a Stop,
}

impl Run<'_> {
    /// Plays until there is nothing left to play, `stop` is requested or `is_enough`; what is in
    /// progress then is played to its end.
    pub fn play(
        &self,
        is_enough: &(dyn Fn() -> bool + Sync),
        on_event: &mut dyn FnMut(&LeagueEvent),
    ) -> Result<Summary, LeagueError> {
        let hall = Hall::new(self, is_enough);
        let mut results = self.log.finished()?;
        let mut schedule = Schedule::new(self.file, self.log.history());
        loop {
            let paired = schedule.plan(&results);
            // A round that does not begin now is paired when it does: others may have joined by then.
            if !hall.is_over() {
                self.log.pair(&paired)?;
            }
            let mut jobs = schedule.open_jobs(&results);
            if jobs.is_empty() && !paired.is_empty() {
                continue;
            }
            let history = self.log.history();
            let mut trial = Trial::new(self.file, &history, &results);
            let is_decided =
                hall.decided.is_requested() || trial.as_ref().is_some_and(Trial::is_decided);
            let complete = jobs.is_empty() || is_decided;
            if complete || hall.is_over() {
                hall.dismiss();
                return Ok(Summary {
                    results,
                    history,
                    complete,
                });
            }
            jobs.truncate(BATCH);
            hall.play(jobs, &mut |result, session| {
                results.insert(result.game, result);
                if let Some(trial) = &mut trial {
                    trial.add(&history.rounds, &result);
                    if trial.is_decided() {
                        hall.decided.request();
                    }
                }
                on_event(&LeagueEvent::Game {
                    finished: &result,
                    session: &session,
                    results: &results,
                });
            });
            if let Some(error) = lock(&hall.failed).take() {
                return Err(error);
            }
            self.log.settle()?;
        }
    }
}

/// Who sits on a side and is asked; `None` for whoever acts unasked.
type Sitting = Option<Box<dyn Player>>;

/// A player who is not playing, with its number.
type Idle = (usize, Box<dyn Player>);

/// Where the games of a league are played.
struct Hall<'a> {
    file: &'a LeagueFile,
    seats: &'a LeagueSeats<'a>,
    people: &'a dyn People,
    log: Arc<Log>,
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
    is_enough: &'a (dyn Fn() -> bool + Sync),
    /// Requested when a test has been decided.
    decided: Stop,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which games are played at a time.
fn workers(file: &LeagueFile, people: &dyn People) -> Vec<Takes> {
    let is_here = |entry: &&Entry| entry.is_person() && !entry.withdrawn;
    let persons = file.players.iter().filter(is_here);
    match (people.are_together(), persons.count()) {
        (_, 0) => vec![Takes::Any; file.concurrency],
        // Whoever plays at the terminal is not disturbed by other games.
        (true, _) => vec![Takes::Any],
        (false, persons) => {
            let mut workers = vec![Takes::Programs; file.concurrency];
            workers.resize(file.concurrency + persons, Takes::People);
            workers
        }
    }
}

type Done = (Finished, Session);

impl<'a> Hall<'a> {
    fn new(run: &Run<'a>, is_enough: &'a (dyn Fn() -> bool + Sync)) -> Hall<'a> {
        let file = run.file;
        let workers = workers(file, run.people);
        Hall {
            file,
            seats: run.seats,
            people: run.people,
            log: Arc::clone(run.log),
            idle: workers.iter().map(|_| Mutex::default()).collect(),
            cores: Cores::for_games(file.concurrency.min(workers.len()), file.cores),
            workers,
            failed: Mutex::new(None),
            stop: run.stop,
            enough: Stop::new(),
            is_enough,
            decided: Stop::new(),
        }
    }

    /// Whether no more games are to begin.
    fn is_over(&self) -> bool {
        let stops = [self.stop, &self.enough, &self.decided];
        stops.iter().any(|stop| stop.is_requested()) || (self.is_enough)()
    }

    fn play(&self, jobs: Vec<Job>, on_game: &mut dyn FnMut(Finished, Session)) {
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
            for (finished, session) in results {
                on_game(finished, session);
            }
        });
    }

    /// Lets all players go. None of them has anything to do with the log that is closed next.
    fn dismiss(&self) {
        for idle in &self.idle {
            lock(idle).clear();
        }
    }

    /// Plays one game after the other, as long as there are any for it.
    fn worker(&self, queue: &Queue, slot: usize, takes: Takes, sender: &mpsc::SyncSender<Done>) {
        while let Some(job) = queue.take(takes, &|| self.is_over()) {
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
        let seed = chance.number();
        let seeds = [chance.number(), chance.number()];
        let opening = self
            .file
            .openings
            .of_pair(&self.file.variant, job.pair / 2, self.file.seed);
        let mut players = [
            self.sit_down(slot, job.players[0], seeds[0])?,
            self.sit_down(slot, job.players[1], seeds[1])?,
        ];
        let [white, black] = job.players.map(|player| &self.file.players[player].name);
        let begins = format!("game {}: {white} - {black}", job.game);
        for player in players.iter_mut().flatten() {
            player.note(&begins);
        }
        let log = Arc::new(Mutex::new(self.log.start(job, &opening)?));
        let session = Session::new(opening, self.seats_of(job, &players), self.terms(job));
        let played = self.referee(job, session, &mut players, seed, &log);
        self.identify(job.players, &players)?;
        self.stand_up(slot, job.players, players);
        let session = played?;
        let end = session.end().cloned();
        let end = end.unwrap_or_else(|| End::aborted("nobody knows how it ended"));
        let finished = lock(&log).end(&end)?;
        let counts = end.reason != EndReason::Aborted;
        Ok(counts.then_some((finished, session)))
    }

    /// Referees a game, here or where its people are.
    fn referee(
        &self,
        job: &Job,
        session: Session,
        players: &mut [Sitting; 2],
        seed: u64,
        log: &Arc<Mutex<GameLog>>,
    ) -> Result<Session, LeagueError> {
        let log = Arc::clone(log);
        let mut on_event =
            move |event: &Event| lock(&log).event(event).map_err(|error| error.to_string());
        let failed = |why| LeagueError::Game {
            number: job.game,
            why,
        };
        if let [Some(white), Some(black)] = players {
            let players: [&mut dyn Player; 2] = [&mut **white, &mut **black];
            return play(session, players, seed, self.stop, &mut on_event).map_err(failed);
        }
        let hosted = Hosted {
            number: job.game,
            session,
            names: job
                .players
                .map(|player| self.file.players[player].name.clone()),
            on_event: Box::new(on_event),
        };
        let unplayed = hosted.session.clone();
        let host = self.people.host(hosted, self.stop).map_err(failed)?;
        let Some(mut host) = host else {
            return Ok(unplayed);
        };
        let [white, black] = players;
        let asked = [white, black].map(|player| player.as_mut().map(|player| &mut **player as _));
        referee(host.as_mut(), asked, seed, self.stop).map_err(failed)?;
        let mut played = None;
        host.look(&mut |session| played = Some(session.clone()));
        played.ok_or_else(|| failed("it is gone".to_owned()))
    }

    fn terms(&self, job: &Job) -> Terms {
        Terms {
            time: job.players.map(|player| self.time_of(player)),
            policy: self.file.policy.clone(),
            stakes: Stakes::League,
        }
    }

    fn seats_of(&self, job: &Job, players: &[Sitting; 2]) -> [Seat; 2] {
        Side::BOTH.map(|side| match players[side] {
            Some(_) => Seat::Program {
                name: self.file.players[job.players[side]].name.clone(),
            },
            None => Seat::Open,
        })
    }

    fn time_of(&self, player: usize) -> TimeControl {
        self.file.time_of(&self.file.players[player])
    }

    /// The player of a seat; `None` if somebody acts there without being asked.
    fn sit_down(&self, slot: usize, player: usize, seed: u64) -> Result<Sitting, LeagueError> {
        let entry = &self.file.players[player];
        let mut idle = lock(&self.idle[slot]);
        let found = idle.iter().position(|(other, _)| *other == player);
        let idle = found.map(|index| idle.swap_remove(index).1);
        let mut body = match (idle, entry.person()) {
            (Some(body), _) => body,
            (None, Some(name)) => match self.people.player(name) {
                Some(body) => body,
                None => return Ok(None),
            },
            (None, None) => self.open(entry, seed)?,
        };
        body.seed(seed);
        Ok(Some(body))
    }

    fn open(&self, entry: &Entry, seed: u64) -> Result<Box<dyn Player>, LeagueError> {
        let failed = |why: String| LeagueError::Player {
            name: entry.name.clone(),
            why,
        };
        let mut body = (self.seats)(entry, seed).map_err(|error| failed(error.to_string()))?;
        // Other programs were tried before the first game.
        let is_tried_now = matches!(entry.plays, PlayerSpec::Dxp { .. });
        if is_tried_now && !self.file.allow_failing {
            let started = body.start(&self.file.variant, Side::White);
            started.map_err(|fault| failed(format!("it can't be started: {fault}")))?;
        }
        Ok(body)
    }

    /// Has the log know what the programs are.
    fn identify(&self, players: [usize; 2], bodies: &[Sitting; 2]) -> Result<(), LeagueError> {
        for (player, body) in players.into_iter().zip(bodies) {
            let version = body.as_ref().and_then(|body| body.version());
            let Some(version) = version else { continue };
            let plays = &self.file.players[player].plays;
            let hash = || program_hash(plays, &self.file.variant, &self.file.folder);
            self.log.identify(player, version, hash)?;
        }
        Ok(())
    }

    /// Keeps the players for the next game, which is mostly between the same two.
    fn stand_up(&self, slot: usize, players: [usize; 2], bodies: [Sitting; 2]) {
        let bodies = players.into_iter().zip(bodies);
        let idle = bodies.filter_map(|(player, body)| Some((player, body?)));
        *lock(&self.idle[slot]) = idle.collect();
    }
}
