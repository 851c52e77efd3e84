//! Plays the numbers of an assignment, on threads here and on machines elsewhere.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::ranges::Ranges;
use super::{Assignment, Batch, Elsewhere, Runner};
use crate::tables::Tables;

/// Numbers that are to be played.
pub(super) struct Numbers<'a> {
    pub assignment: &'a Assignment,
    pub tables: Option<&'a Arc<Tables>>,
    pub elsewhere: Option<&'a dyn Elsewhere>,
    /// How many threads play here, unless all is played elsewhere.
    pub threads: usize,
    pub range: Range<u64>,
    /// So many go to one thread or machine at a time.
    pub at_a_time: u64,
}

/// How it goes on after some numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Then {
    GoOn,
    /// What was begun is played, and nothing else.
    Finish,
    /// What was begun does not matter any more.
    Stop,
}

/// Takes games, in the order of their numbers.
pub(super) type Keep<'a> = dyn FnMut(&Range<u64>, &[Vec<u8>]) -> io::Result<Then> + 'a;

impl Numbers<'_> {
    /// Plays until all numbers are kept, or `keep` has enough.
    pub fn play(&self, keep: &mut Keep) -> io::Result<()> {
        if let Some(elsewhere) = self.elsewhere {
            elsewhere.begin(self.assignment)?;
        }
        let runner = Runner::new(self.assignment, self.tables.cloned());
        let place = Workplace::new(Ranges::new(self.range.clone(), self.at_a_time));
        let plays_here = !self.elsewhere.is_some_and(Elsewhere::plays_all);
        let threads = if plays_here { self.threads.max(1) } else { 0 };
        thread::scope(|scope| {
            // However this ends, the threads end with it.
            let _closed = Closes(&place);
            for _ in 0..threads {
                let (mut runner, place) = (runner.another(), &place);
                scope.spawn(move || {
                    // Nobody waits for a thread that has broken down.
                    let _closed = Closes(place);
                    place.play(&mut runner);
                });
            }
            let gathering = Gathering {
                numbers: self,
                place: &place,
                runner: runner.another(),
                refused: BTreeSet::new(),
            };
            gathering.run(keep)
        })?;
        self.elsewhere.map_or(Ok(()), Elsewhere::withdraw)
    }
}

/// What the threads here share with whoever gathers.
struct Workplace {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    ranges: Ranges,
    /// How many threads here have nothing to play.
    idle: usize,
    /// Nobody plays any more.
    is_closed: bool,
}

/// Closes a workplace in the end.
struct Closes<'a>(&'a Workplace);

impl Drop for Closes<'_> {
    fn drop(&mut self) {
        self.0.state().is_closed = true;
        self.0.changed.notify_all();
    }
}

impl Workplace {
    fn new(ranges: Ranges) -> Workplace {
        Workplace {
            state: Mutex::new(State {
                ranges,
                idle: 0,
                is_closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what is known of the numbers.
    fn change<T>(&self, change: impl FnOnce(&mut Ranges) -> T) -> T {
        let changed = change(&mut self.state().ranges);
        self.changed.notify_all();
        changed
    }

    /// Plays range after range until it is closed.
    fn play(&self, runner: &mut Runner) {
        while let Some(range) = self.wait_for_range() {
            let first = range.start;
            let games = range.map_while(|number| {
                let is_closed = self.state().is_closed;
                (!is_closed).then(|| runner.play(number))
            });
            let games = games.collect();
            self.change(|ranges| ranges.bring(first, None, games));
        }
    }

    fn wait_for_range(&self) -> Option<Range<u64>> {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(range) = state.ranges.take() {
                return Some(range);
            }
            state.idle += 1;
            state = self.wait(state);
            state.idle -= 1;
        }
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something changes for whoever gathers.
    fn wait_for_next(&self) {
        let mut state = self.state();
        while !state.is_news() {
            state = self.wait(state);
        }
    }
}

impl State {
    /// Whether there is something to keep, or nothing left to wait for.
    fn is_news(&self) -> bool {
        self.is_closed || self.ranges.has_next() || self.ranges.is_done()
    }
}

/// Gathers what is played, here and elsewhere.
struct Gathering<'a> {
    numbers: &'a Numbers<'a>,
    place: &'a Workplace,
    /// Plays what is doubted.
    runner: Runner<'a>,
    /// Workers that are not believed any more.
    refused: BTreeSet<String>,
}

impl Gathering<'_> {
    fn run(mut self, keep: &mut Keep) -> io::Result<()> {
        loop {
            match self.numbers.elsewhere {
                Some(elsewhere) => self.trade(elsewhere)?,
                None => self.place.wait_for_next(),
            }
            while let Some((range, games)) = self.place.change(Ranges::keep) {
                match keep(&range, &games)? {
                    Then::GoOn => {}
                    Then::Finish => self.finish()?,
                    Then::Stop => return Ok(()),
                }
            }
            let state = self.place.state();
            if state.is_closed || state.ranges.is_done() {
                return Ok(());
            }
        }
    }

    /// Hands out what is wanted elsewhere, and takes what was played there.
    fn trade(&mut self, elsewhere: &dyn Elsewhere) -> io::Result<()> {
        // Who has nothing to play here plays what nobody has begun there, rather than wait for it.
        let is_idle = self.place.state().idle > 0;
        let room = if is_idle { 0 } else { elsewhere.room()? };
        let take = |ranges: &mut Ranges| {
            let some = std::iter::from_fn(|| ranges.take()).take(room);
            some.collect::<Vec<_>>()
        };
        let taken = self.place.change(take);
        if !taken.is_empty() {
            elsewhere.post(&taken)?;
        }
        if is_idle {
            self.take_back(elsewhere)?;
        }
        let batches = elsewhere.collect(&|| {
            let state = self.place.state();
            state.is_news() || state.idle > 0
        })?;
        // What comes first must not wait for those who may have gone.
        if batches.is_empty() && taken.is_empty() && !elsewhere.plays_all() {
            self.take_back(elsewhere)?;
        }
        batches
            .into_iter()
            .try_for_each(|batch| self.receive(elsewhere, batch))
    }

    fn take_back(&self, elsewhere: &dyn Elsewhere) -> io::Result<()> {
        let back = elsewhere.take_back()?;
        self.place.change(|ranges| {
            for range in back {
                ranges.give_back(range.start);
            }
        });
        Ok(())
    }

    fn finish(&self) -> io::Result<()> {
        if let Some(elsewhere) = self.numbers.elsewhere {
            self.take_back(elsewhere)?;
        }
        self.place.change(Ranges::finish);
        Ok(())
    }

    fn receive(&mut self, elsewhere: &dyn Elsewhere, batch: Batch) -> io::Result<()> {
        let first = batch.numbers.start;
        // Somebody else may have been quicker.
        if !self.place.change(|ranges| ranges.wants(&batch.numbers)) {
            return Ok(());
        }
        if self.refused.contains(&batch.worker) {
            self.place.change(|ranges| ranges.give_back(first));
            return Ok(());
        }
        match self.check(&batch) {
            Ok(()) => {
                let Batch { worker, games, .. } = batch;
                self.place
                    .change(|ranges| ranges.bring(first, Some(worker), games));
                Ok(())
            }
            Err(why) => self.refuse(elsewhere, batch, &why),
        }
    }

    fn refuse(&mut self, elsewhere: &dyn Elsewhere, batch: Batch, why: &str) -> io::Result<()> {
        elsewhere.refuse(&batch.worker, why)?;
        self.place.change(|ranges| {
            ranges.distrust(&batch.worker);
            ranges.give_back(batch.numbers.start);
        });
        self.refused.insert(batch.worker);
        Ok(())
    }

    /// Whether games that were played elsewhere can be right.
    fn check(&mut self, batch: &Batch) -> Result<(), String> {
        let assignment = self.numbers.assignment;
        if batch.games.len() as u64 != batch.numbers.end - batch.numbers.start {
            return Err(format!("there are {} of them", batch.games.len()));
        }
        for (number, game) in batch.numbers.clone().zip(&batch.games) {
            let checked = assignment.check(number, game);
            checked.map_err(|why| format!("number {number}: {why}"))?;
            if batch.again.contains(&number) && self.runner.play(number) != *game {
                return Err(format!(
                    "number {number} was played again here, and is another"
                ));
            }
        }
        Ok(())
    }
}
