//! A training whose games others play, too.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use kingme_arena::sha256;
use kingme_engine::train::{Assignment, Batch, Elsewhere};
use kingme_play::Chance;

use crate::desk::{NewTask, Returned, chance, json, name_nobody_has};
use crate::shared::Say;
use crate::stretch::File;
use crate::{Desk, OfficeError, Outcome, Stretch, Work, program};

/// How often a desk is looked at for games that were played, and how often before it is asked how
/// many more are wanted.
const LOOK: (Duration, usize) = (Duration::from_millis(50), 20);
/// So many ranges of numbers wait for whoever comes next, at least and at most.
const AHEAD: (i64, i64) = (8, 4096);
/// Of so many ranges that a worker brings later, one has a number that is played again.
const DOUBTED: usize = 8;
/// After so long the files of a training are kept anew, so that they are not forgotten.
const KEPT: Duration = Duration::from_hours(1);

/// The game that is trained, as its file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainedGame {
    /// The text of the file.
    pub text: String,
    /// So many squares a side, if its board is not as the file says.
    pub size: Option<u32>,
}

/// A training whose games are handed out at a desk.
pub struct SharedTraining {
    desk: Desk,
    folder: PathBuf,
    game: TrainedGame,
    program: String,
    only: bool,
    say: Say,
    state: Mutex<State>,
}

struct State {
    /// What the training is called at the desk.
    name: String,
    /// What is played now, and under which terms it was handed out.
    now: Option<(Stretch, String)>,
    /// The game and the weights, and when they were kept at the desk.
    files: Vec<File>,
    kept: Instant,
    /// Whose first games were played again.
    known: BTreeSet<String>,
    /// Chooses what is played again: nobody can know it before.
    chance: Chance,
}

fn told(error: &OfficeError) -> io::Error {
    io::Error::other(format!("the workers: {error}"))
}

impl SharedTraining {
    /// A training that is kept in a folder; `only` if none of its games is to be played here.
    pub fn new(
        desk: Desk,
        folder: PathBuf,
        game: TrainedGame,
        only: bool,
        say: Say,
    ) -> SharedTraining {
        SharedTraining {
            desk,
            folder,
            game,
            program: program(),
            only,
            say,
            state: Mutex::new(State {
                name: String::new(),
                now: None,
                files: Vec::new(),
                kept: Instant::now(),
                known: BTreeSet::new(),
                chance: chance(),
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn name(&self) -> String {
        self.state().name.clone()
    }

    /// What the training is called at the desk: what is handed out is found again by a later run.
    fn find_name(&self) -> io::Result<String> {
        let path = self.folder.join("desk");
        match fs::read_to_string(&path) {
            Ok(name) => Ok(name.trim().to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let name = format!("training {}", name_nobody_has());
                fs::write(&path, format!("{name}\n"))?;
                Ok(name)
            }
            Err(error) => Err(error),
        }
    }

    fn keep_files(&self, state: &mut State) -> io::Result<()> {
        for (hash, file) in &state.files {
            self.desk.keep(hash, file).map_err(|error| told(&error))?;
        }
        state.kept = Instant::now();
        Ok(())
    }

    fn hand_out(&self, ranges: &[Range<u64>]) -> io::Result<()> {
        let mut state = self.state();
        if state.kept.elapsed() > KEPT {
            self.keep_files(&mut state)?;
        }
        let Some((stretch, terms)) = &state.now else {
            return Ok(());
        };
        let work = ranges.iter().cloned().map(|numbers| stretch.with(numbers));
        let work: Vec<Work> = work.map(Work::Stretch).collect();
        let tasks = ranges.iter().zip(&work).map(|(numbers, work)| NewTask {
            league: &state.name,
            name: format!("{}-{}", numbers.start, numbers.end),
            program: &self.program,
            terms,
            work,
        });
        let tasks: Vec<NewTask> = tasks.collect();
        self.desk.post(&tasks).map_err(|error| told(&error))
    }

    /// What somebody has brought; what can't be used is handed out again.
    fn received(&self, returned: Returned) -> io::Result<Option<Batch>> {
        let Work::Stretch(stretch) = returned.work else {
            return Ok(None);
        };
        if !self.is_now(&stretch) {
            return Ok(None);
        }
        let worker = returned.worker;
        match read(&returned.outcome) {
            Ok(games) => Ok(Some(Batch {
                again: self.doubted(&worker, &stretch.numbers),
                numbers: stretch.numbers,
                games,
                worker,
            })),
            Err(why) => {
                (self.say)(&format!("a worker does not take part: {why}"));
                self.desk
                    .refuse(&worker, &why)
                    .map_err(|error| told(&error))?;
                self.hand_out(&[stretch.numbers])?;
                Ok(None)
            }
        }
    }

    /// Whether games are of what is played now: some may come late.
    fn is_now(&self, stretch: &Stretch) -> bool {
        let state = self.state();
        let now = state.now.as_ref();
        now.is_some_and(|(now, _)| now.is_like(stretch))
    }

    /// Which of some numbers are to be played again: all that a worker brings first, and later one
    /// now and then.
    fn doubted(&self, worker: &str, numbers: &Range<u64>) -> Range<u64> {
        let mut state = self.state();
        if state.known.insert(worker.to_owned()) {
            return numbers.clone();
        }
        let count = (numbers.end - numbers.start).max(1);
        let first = numbers.start + state.chance.number() % count;
        let is_doubted = state.chance.below(DOUBTED) == 0;
        first..first + u64::from(is_doubted)
    }
}

/// What is kept of each number, or why there is nothing.
fn read(outcome: &Outcome) -> Result<Vec<Vec<u8>>, String> {
    match outcome {
        Outcome::Kept(games) => {
            let games = games.iter().map(|game| BASE64.decode(game));
            let read: Result<_, _> = games.collect();
            read.map_err(|error| format!("its games can't be read: {error}"))
        }
        Outcome::Failed(why) => Err(why.clone()),
        Outcome::Played(_) => Err("it brings games of a league".to_owned()),
    }
}

impl Elsewhere for SharedTraining {
    fn begin(&self, assignment: &Assignment) -> io::Result<()> {
        let text = self.game.text.as_bytes();
        let hash = sha256(text);
        let (stretch, mut files) = Stretch::new((hash.clone(), self.game.size), assignment);
        files.push((hash, text.to_vec()));
        let terms = sha256(format!("{} {}", json(&stretch), self.program).as_bytes());
        let mut state = self.state();
        state.name = self.find_name()?;
        state.files = files;
        self.keep_files(&mut state)?;
        let withdrawn = self.desk.withdraw(&state.name, Some(&terms));
        withdrawn.map_err(|error| told(&error))?;
        state.now = Some((stretch, terms));
        Ok(())
    }

    fn plays_all(&self) -> bool {
        self.only
    }

    fn room(&self) -> io::Result<usize> {
        let has_workers = self.desk.has_workers().map_err(|error| told(&error))?;
        if !self.only && !has_workers {
            return Ok(0);
        }
        let counts = self.desk.counts(&self.name());
        let (free, taken) = counts.map_err(|error| told(&error))?;
        // As many as somebody may take before the next look.
        let wanted = (2 * taken).clamp(AHEAD.0, AHEAD.1);
        Ok((wanted - free).max(0) as usize)
    }

    fn post(&self, ranges: &[Range<u64>]) -> io::Result<()> {
        self.hand_out(ranges)
    }

    fn collect(&self, enough: &dyn Fn() -> bool) -> io::Result<Vec<Batch>> {
        let name = self.name();
        let mut batches = Vec::new();
        for _ in 0..LOOK.1 {
            for returned in self.desk.collect(&name).map_err(|error| told(&error))? {
                batches.extend(self.received(returned)?);
            }
            if !batches.is_empty() {
                break;
            }
            thread::sleep(LOOK.0);
            if enough() {
                break;
            }
        }
        Ok(batches)
    }

    fn refuse(&self, worker: &str, why: &str) -> io::Result<()> {
        let why = format!("a game of the training can't be right: {why}");
        (self.say)(&format!("a worker is refused: {why}"));
        self.desk.refuse(worker, &why).map_err(|error| told(&error))
    }

    fn take_back(&self) -> io::Result<Vec<Range<u64>>> {
        let tasks = self.desk.take_back(&self.name());
        let tasks = tasks.map_err(|error| told(&error))?;
        let ranges = tasks.into_iter().filter_map(|work| match work {
            Work::Stretch(stretch) => Some(stretch.numbers),
            Work::Games(_) => None,
        });
        Ok(ranges.collect())
    }

    fn withdraw(&self) -> io::Result<()> {
        let withdrawn = self.desk.withdraw(&self.name(), None);
        withdrawn.map_err(|error| told(&error))
    }
}
