//! A league whose games others play, too.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use kingme_arena::league::{Elsewhere, Errand, LeagueError, LeagueFile, Played};

use crate::desk::{NewTask, Returned};
use crate::{Desk, Errands, OfficeError, Outcome, Work, pack, program, speed};

/// How often a desk is looked at for games that were played, and how often before it is asked
/// whether the league goes on at all.
const LOOK: (Duration, usize) = (Duration::from_millis(50), 20);
/// So many openings wait for whoever comes next, at least and at most.
const AHEAD: (i64, i64) = (8, 4096);
/// After so many failures of the same games the league stops.
const FAILURES: usize = 3;

/// Hears what is to be said to people.
pub type Say = Box<dyn Fn(&str) + Send + Sync>;

/// A league whose games are handed out at a desk.
pub struct Shared {
    desk: Desk,
    league: String,
    program: String,
    speed: f64,
    only: bool,
    /// Whether none of its games can be played elsewhere.
    at_home: AtomicBool,
    /// How many games to have ready: twice those of the last look that found many.
    pace: AtomicI64,
    terms: Mutex<Terms>,
    failures: Mutex<BTreeMap<String, usize>>,
    say: Say,
}

/// By which file and folder it is played.
#[derive(Debug, Default)]
struct Terms {
    bundle: String,
    key: String,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Shared({})", self.league)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn told(error: &OfficeError) -> LeagueError {
    LeagueError::Workers(error.to_string())
}

impl Shared {
    /// A league with this number; `only` if none of its games is to be played here.
    pub fn new(desk: Desk, league: u64, only: bool, say: Say) -> Shared {
        Shared {
            desk,
            league: format!("{league:016x}"),
            program: program(),
            speed: speed(),
            only,
            at_home: AtomicBool::new(false),
            pace: AtomicI64::new(0),
            terms: Mutex::default(),
            failures: Mutex::default(),
            say,
        }
    }

    fn hand_out(&self, tasks: &[Vec<Errand>]) -> Result<(), LeagueError> {
        let terms = lock(&self.terms);
        let work = tasks.iter().map(|games| {
            Work::Games(Errands {
                bundle: terms.bundle.clone(),
                speed: self.speed,
                games: games.clone(),
            })
        });
        let work: Vec<Work> = work.collect();
        let new = tasks.iter().zip(&work).map(|(games, work)| NewTask {
            league: &self.league,
            name: name_of(games),
            program: &self.program,
            terms: &terms.key,
            work,
        });
        self.desk
            .post(&new.collect::<Vec<_>>())
            .map_err(|error| told(&error))
    }

    /// The games of a task; those that are missing are handed out again.
    fn received(&self, returned: Returned, played: &mut Vec<Played>) -> Result<(), LeagueError> {
        // Nothing else was handed out under this number.
        let Work::Games(errands) = returned.work else {
            return Ok(());
        };
        let games = match returned.outcome {
            Outcome::Played(games) => games,
            Outcome::Kept(_) => Vec::new(),
            Outcome::Failed(why) => {
                let name = name_of(&errands.games);
                let mut failures = lock(&self.failures);
                let count = failures.entry(name.clone()).or_default();
                *count += 1;
                (self.say)(&format!("games {name} can't be played there: {why}"));
                if *count >= FAILURES {
                    return Err(LeagueError::Workers(why));
                }
                Vec::new()
            }
        };
        let is_missing = |errand: &&Errand| games.iter().all(|report| report.game != errand.game);
        let missing = errands.games.iter().filter(is_missing);
        let missing: Vec<Errand> = missing.cloned().collect();
        if !missing.is_empty() {
            self.hand_out(&[missing])?;
        }
        let asked = |game: u64| errands.games.iter().any(|errand| errand.game == game);
        let games = games.into_iter().filter(|report| asked(report.game));
        played.extend(games.map(|report| Played {
            game: report.game,
            plies: report.plies,
            end: report.end,
            versions: report.versions,
            worker: returned.worker.clone(),
            took: returned.took,
            speed: returned.speed,
        }));
        Ok(())
    }
}

fn name_of(games: &[Errand]) -> String {
    let numbers: Vec<String> = games.iter().map(|errand| errand.game.to_string()).collect();
    numbers.join(",")
}

impl Elsewhere for Shared {
    fn begin(&self, file: &LeagueFile) -> Result<(), LeagueError> {
        let at_home = match file.check_folder() {
            Err(error) if !self.only => {
                (self.say)(&format!("{error}: all games are played here"));
                true
            }
            checked => checked.map(|()| false)?,
        };
        self.at_home.store(at_home, Ordering::Relaxed);
        if at_home {
            return self.withdraw();
        }
        let folder = file.uses_files().then_some(&*file.folder);
        let packed = pack(folder, &file.text);
        let (bundle, packed) = packed.map_err(|error| LeagueError::File(error.to_string()))?;
        self.desk
            .keep(&bundle, &packed)
            .map_err(|error| told(&error))?;
        let key = format!("{bundle} {}", self.program);
        self.desk
            .withdraw(&self.league, Some(&key))
            .map_err(|error| told(&error))?;
        *lock(&self.terms) = Terms { bundle, key };
        Ok(())
    }

    fn plays_all(&self) -> bool {
        self.only
    }

    fn room(&self) -> Result<usize, LeagueError> {
        if self.at_home.load(Ordering::Relaxed) {
            return Ok(0);
        }
        let has_workers = self.desk.has_workers().map_err(|error| told(&error))?;
        if !self.only && !has_workers {
            return Ok(0);
        }
        let (free, taken) = self
            .desk
            .counts(&self.league)
            .map_err(|error| told(&error))?;
        // As many as somebody may take before the next look.
        let wanted = taken.max(self.pace.load(Ordering::Relaxed));
        Ok((wanted.clamp(AHEAD.0, AHEAD.1) - free).max(0) as usize)
    }

    fn post(&self, errands: &[Vec<Errand>]) -> Result<(), LeagueError> {
        self.hand_out(errands)
    }

    fn collect(&self) -> Result<Vec<Played>, LeagueError> {
        let mut played = Vec::new();
        for _ in 0..LOOK.1 {
            for returned in self
                .desk
                .collect(&self.league)
                .map_err(|error| told(&error))?
            {
                self.received(returned, &mut played)?;
            }
            if !played.is_empty() {
                break;
            }
            thread::sleep(LOOK.0);
        }
        let before = self.pace.load(Ordering::Relaxed);
        let pace = (2 * played.len() as i64).max(before / 2);
        self.pace.store(pace, Ordering::Relaxed);
        Ok(played)
    }

    fn refuse(&self, played: &Played, errand: &Errand, why: &str) -> Result<(), LeagueError> {
        let why = format!("game {} can't be right: {why}", played.game);
        (self.say)(&format!("a worker is refused: {why}"));
        self.desk
            .refuse(&played.worker, &why)
            .map_err(|error| told(&error))?;
        self.hand_out(&[vec![errand.clone()]])
    }

    fn take_back(&self) -> Result<Vec<u64>, LeagueError> {
        let tasks = self.desk.take_back(&self.league);
        let tasks = tasks.map_err(|error| told(&error))?;
        let games = tasks.into_iter().flat_map(|work| match work {
            Work::Games(errands) => errands.games,
            Work::Stretch(_) => Vec::new(),
        });
        Ok(games.map(|errand| errand.game).collect())
    }

    fn withdraw(&self) -> Result<(), LeagueError> {
        self.desk
            .withdraw(&self.league, None)
            .map_err(|error| told(&error))
    }
}
