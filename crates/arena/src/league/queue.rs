//! The games that wait to be played, and who is busy.

use std::collections::HashSet;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::{Job, LeagueFile};

/// Which games somebody plays.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// All, in their order.
    Any,
    /// Those between programs.
    Programs,
    /// Those with people.
    People,
}

/// The games that wait to be played.
pub(super) struct Queue<'a> {
    file: &'a LeagueFile,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    jobs: VecDeque<Job>,
    /// A person has one pair of eyes.
    busy: HashSet<usize>,
}

impl Queue<'_> {
    pub fn new(file: &LeagueFile, jobs: Vec<Job>) -> Queue<'_> {
        Queue {
            file,
            state: Mutex::new(State {
                jobs: jobs.into(),
                busy: HashSet::new(),
            }),
            changed: Condvar::new(),
        }
    }

    /// The next game of a sort, when its people are free; none when there are no more.
    pub fn take(&self, takes: Takes, is_over: &dyn Fn() -> bool) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if is_over() {
                return None;
            }
            let fits = |job: &&Job| self.fits(takes, job);
            if !state.jobs.iter().any(|job| fits(&job)) {
                return None;
            }
            let is_free = |job: &Job| self.people(job).all(|person| !state.busy.contains(&person));
            let next = state.jobs.iter().position(|job| fits(&job) && is_free(job));
            if let Some(job) = next.and_then(|index| state.jobs.remove(index)) {
                state.busy.extend(self.people(&job));
                return Some(job);
            }
            // Whoever keeps the people busy will leave.
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// All games between programs that wait and begin like the first of them; none if there is none.
    pub fn take_opening(&self) -> Vec<Job> {
        let mut state = self.lock();
        let mut programs = state
            .jobs
            .iter()
            .filter(|job| self.fits(Takes::Programs, job));
        let Some(first) = programs.next().copied() else {
            return Vec::new();
        };
        let is_alike =
            |job: &Job| job.pair / 2 == first.pair / 2 && self.fits(Takes::Programs, job);
        let (taken, left): (VecDeque<Job>, _) = state.jobs.iter().copied().partition(is_alike);
        state.jobs = left;
        taken.into()
    }

    /// A game is over, and its people are free again.
    pub fn leave(&self, job: &Job) {
        let mut state = self.lock();
        for person in self.people(job) {
            state.busy.remove(&person);
        }
        self.changed.notify_all();
    }

    fn fits(&self, takes: Takes, job: &Job) -> bool {
        let has_people = self.people(job).next().is_some();
        match takes {
            Takes::Any => true,
            Takes::Programs => !has_people,
            Takes::People => has_people,
        }
    }

    fn people(&self, job: &Job) -> impl Iterator<Item = usize> + use<'_> {
        let is_person = |player: &usize| self.file.players[*player].is_person();
        job.players.into_iter().filter(is_person)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Players 0 and 1 are people, 2 and 3 are programs.
    fn file() -> LeagueFile {
        let text = ["human:Ada", "human:Bob", "random", "minimax"]
            .map(|plays| format!("[[player]]\nplays = \"{plays}\"\n"));
        let head = "name = \"t\"\nvariant = \"english\"\ntime = \"1s\"\nformat = \"round-robin\"\n";
        LeagueFile::read(&(head.to_owned() + &text.join("")), Path::new(".")).unwrap()
    }

    fn job(game: u64, players: [usize; 2]) -> Job {
        Job {
            game,
            round: 1,
            players,
            pair: game,
        }
    }

    #[test]
    fn people_play_one_game_at_a_time_and_programs_do_not_wait_for_them() {
        let file = file();
        let jobs = vec![
            job(1, [0, 2]),
            job(2, [0, 3]),
            job(3, [1, 2]),
            job(4, [2, 3]),
        ];
        let queue = Queue::new(&file, jobs.clone());
        let take = |takes| queue.take(takes, &|| false).map(|job| job.game);
        assert_eq!(take(Takes::People), Some(1));
        assert_eq!(take(Takes::People), Some(3));
        assert_eq!(take(Takes::Programs), Some(4));
        assert_eq!(take(Takes::Programs), None);
        queue.leave(&jobs[0]);
        assert_eq!(take(Takes::People), Some(2));
        assert_eq!(take(Takes::Any), None);
    }

    #[test]
    fn who_waits_for_a_busy_person_goes_on_when_the_game_is_over() {
        let file = file();
        let jobs = vec![job(1, [0, 2]), job(2, [3, 0])];
        let queue = Queue::new(&file, jobs.clone());
        queue.take(Takes::Any, &|| false).unwrap();
        let next = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| queue.take(Takes::Any, &|| false));
            queue.leave(&jobs[0]);
            waiting.join().unwrap()
        });
        assert_eq!(next, Some(jobs[1]));
    }
}
