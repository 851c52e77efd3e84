//! Playing the games of a league that its log does not have yet.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use kingme_play::{End, EndReason, Event, Session, Stop};
use kingme_rules::Game;

use super::elsewhere::{Elsewhere, Errand, Played};
use super::floor::Floor;
use super::lines::write_opening;
use super::queue::{Queue, Takes};
use super::trial::Trial;
use super::{Entry, Finished, History, Job, LeagueError, LeagueFile, Log, Schedule, program_hash};
use crate::cores::Cores;
use crate::{Host, Recorder};
use kingme_players::{OpenError, Player};

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
        /// What White's and Black's program said they are.
        versions: &'a [Option<String>; 2],
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
        elsewhere: None,
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
    pub elsewhere: Option<&'a dyn Elsewhere>,
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
            let is_over = hall.is_over();
            if !is_over {
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
            if complete || is_over {
                hall.floor.dismiss();
                return Ok(Summary {
                    results,
                    history,
                    complete,
                });
            }
            jobs.truncate(BATCH);
            hall.play(jobs, &mut |done| {
                let result = done.finished;
                results.insert(result.game, result);
                if let Some(trial) = &mut trial {
                    trial.add(&history.rounds, &result);
                    if trial.is_decided() {
                        hall.decided.request();
                    }
                }
                on_event(&LeagueEvent::Game {
                    finished: &result,
                    session: &done.session,
                    versions: &done.versions,
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

/// Where the games of a league are played.
struct Hall<'a> {
    floor: Floor<'a>,
    /// Other machines that play, too.
    elsewhere: Option<&'a dyn Elsewhere>,
    log: Arc<Log>,
    /// Which games are played at a time.
    workers: Vec<Takes>,
    cores: Cores,
    failed: Mutex<Option<LeagueError>>,
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

/// A game that has ended.
struct Done {
    finished: Finished,
    session: Session,
    versions: [Option<String>; 2],
}

impl<'a> Hall<'a> {
    fn new(run: &Run<'a>, is_enough: &'a (dyn Fn() -> bool + Sync)) -> Hall<'a> {
        let file = run.file;
        let mut workers = workers(file, run.people);
        if run.elsewhere.is_some_and(Elsewhere::plays_all) {
            workers.retain(|takes| *takes == Takes::People);
        }
        Hall {
            floor: Floor::new(file, run.seats, run.people, workers.len(), run.stop),
            elsewhere: run.elsewhere,
            log: Arc::clone(run.log),
            cores: Cores::for_games(file.concurrency.min(workers.len()), file.cores),
            workers,
            failed: Mutex::new(None),
            enough: Stop::new(),
            is_enough,
            decided: Stop::new(),
        }
    }

    /// Whether no more games are to begin.
    fn is_over(&self) -> bool {
        let stops = [self.floor.stop, &self.enough, &self.decided];
        stops.iter().any(|stop| stop.is_requested()) || (self.is_enough)()
    }

    fn play(&self, jobs: Vec<Job>, on_game: &mut dyn FnMut(Done)) {
        let queue = Queue::new(self.floor.file, jobs);
        thread::scope(|scope| {
            let (sender, results) = mpsc::sync_channel(self.workers.len() * 2);
            if let Some(elsewhere) = self.elsewhere {
                let (sender, queue) = (sender.clone(), &queue);
                scope.spawn(move || {
                    if let Err(error) = self.hand_out(elsewhere, queue, &sender) {
                        self.fail(error);
                    }
                });
            }
            for (slot, &takes) in self.workers.iter().enumerate() {
                let (sender, queue) = (sender.clone(), &queue);
                scope.spawn(move || {
                    self.cores.stay(slot);
                    self.worker(queue, slot, takes, &sender);
                });
            }
            drop(sender);
            for done in results {
                on_game(done);
            }
        });
    }

    /// Nothing more is played: the league says why.
    fn fail(&self, error: LeagueError) {
        lock(&self.failed).get_or_insert(error);
        self.enough.request();
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
                Err(error) => return self.fail(error),
            }
        }
    }

    /// Plays a game; nothing comes out if it was stopped.
    fn game(&self, job: &Job, slot: usize) -> Result<Option<Done>, LeagueError> {
        let seated = self.floor.seat(job, slot)?;
        let opening = self.opening(job);
        let log = Arc::new(Mutex::new(self.log.start(job, &opening)?));
        let notes = Arc::clone(&log);
        let on_event =
            move |event: &Event| lock(&notes).event(event).map_err(|error| error.to_string());
        let played = self.floor.play(job, seated, opening, on_event)?;
        self.identify(job, &played.versions)?;
        let session = played.session;
        let end = session.end().cloned();
        let end = end.unwrap_or_else(|| End::aborted("nobody knows how it ended"));
        let finished = lock(&log).end(&end)?;
        let counts = end.reason != EndReason::Aborted;
        Ok(counts.then_some(Done {
            finished,
            session,
            versions: played.versions,
        }))
    }

    fn opening(&self, job: &Job) -> Game {
        let file = self.floor.file;
        let openings = &file.openings;
        openings.of_pair(&file.variant, job.pair / 2, file.seed)
    }

    /// Has the log know what the programs are.
    fn identify(&self, job: &Job, versions: &[Option<String>; 2]) -> Result<(), LeagueError> {
        let file = self.floor.file;
        for (player, version) in job.players.into_iter().zip(versions) {
            let Some(version) = version else { continue };
            let plays = &file.players[player].plays;
            let hash = || program_hash(plays, &file.variant, &file.folder);
            self.log.identify(player, version.clone(), hash)?;
        }
        Ok(())
    }

    /// Has other machines play games of the queue, until there are none, or it is over.
    fn hand_out(
        &self,
        elsewhere: &dyn Elsewhere,
        queue: &Queue,
        sender: &mpsc::SyncSender<Done>,
    ) -> Result<(), LeagueError> {
        let mut out = BTreeMap::new();
        while !self.is_over() {
            let mut errands = Vec::new();
            for _ in 0..elsewhere.room()? {
                let jobs = queue.take_opening();
                if jobs.is_empty() {
                    break;
                }
                errands.push(jobs.iter().map(|job| self.errand(job)).collect());
                out.extend(jobs.into_iter().map(|job| (job.game, job)));
            }
            elsewhere.post(&errands)?;
            if out.is_empty() {
                return Ok(());
            }
            let played = elsewhere.collect()?;
            // Who has nothing left to play here plays what nobody has begun there.
            if played.is_empty() && errands.is_empty() && !elsewhere.plays_all() {
                for game in elsewhere.take_back()? {
                    out.remove(&game);
                }
            }
            for played in played {
                let Some(job) = out.get(&played.game) else {
                    continue;
                };
                match self.accept(job, &played) {
                    Ok(done) => {
                        out.remove(&played.game);
                        if sender.send(done?).is_err() {
                            return Ok(());
                        }
                    }
                    Err(why) => elsewhere.refuse(&played, &self.errand(job), &why)?,
                }
            }
        }
        elsewhere.withdraw()
    }

    fn errand(&self, job: &Job) -> Errand {
        Errand {
            game: job.game,
            round: job.round,
            pair: job.pair,
            names: job
                .players
                .map(|player| self.floor.file.players[player].name.clone()),
            opening: write_opening(&self.opening(job)),
        }
    }

    /// Brings a game into the log that was played elsewhere, or says what can't be right with it.
    fn accept(&self, job: &Job, played: &Played) -> Result<Result<Done, LeagueError>, String> {
        let opening = self.opening(job);
        let seats = self.floor.seats_of(job, [true; 2]);
        let session = Session::new(opening.clone(), seats, self.floor.terms(job));
        let session = played.check(session)?;
        Ok(self.write_down(job, &opening, session, played))
    }

    fn write_down(
        &self,
        job: &Job,
        opening: &Game,
        session: Session,
        played: &Played,
    ) -> Result<Done, LeagueError> {
        let mut log = self.log.start(job, opening)?;
        for (_, ply) in session.plies() {
            log.ply(ply)?;
        }
        self.identify(job, &played.versions)?;
        let finished = log.end(&played.end)?;
        Ok(Done {
            finished,
            session,
            versions: played.versions.clone(),
        })
    }
}
