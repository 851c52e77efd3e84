//! Cores of the machine for the games that are played at a time.
//!
//! A game that has cores of its own takes no time from the others, however many threads its
//! players start. On a single core the referee and its players also hand over to each other
//! without waking another core, which takes longer than the whole turn of a quick bot.

#[cfg(not(target_os = "linux"))]
use elsewhere::{here, stay_on};
#[cfg(target_os = "linux")]
use linux::{here, stay_on};

/// The cores of each game that is played at a time.
#[derive(Clone, Debug, Default)]
pub struct Cores {
    shares: Vec<Vec<usize>>,
    each: usize,
}

impl Cores {
    /// Takes so many of this thread's cores for each of so many games. If there are not enough,
    /// nobody has cores of its own, and the system shares them out.
    pub fn for_games(games: usize, each: usize) -> Cores {
        let cores = here();
        if games.saturating_mul(each) > cores.len() {
            return Cores::default();
        }
        let share = |game: usize| cores[game * each..][..each].to_vec();
        Cores {
            shares: (0..games).map(share).collect(),
            each,
        }
    }

    /// How many each game has to itself, in words; nothing if there are not enough.
    pub fn in_words(&self) -> String {
        match self.each {
            0 => String::new(),
            1 => ", each game on a core of its own".to_owned(),
            each => format!(", each game on {each} cores of its own"),
        }
    }

    /// Keeps the calling thread, and every program that it starts from now on, on the cores of a
    /// game. Without them it goes where the system wants it.
    pub fn stay(&self, game: usize) {
        if let Some(share) = self.shares.get(game) {
            stay_on(share);
        }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
    use nix::unistd::Pid;

    /// The calling thread, for the system.
    const THIS: Pid = Pid::from_raw(0);

    /// Keeps this thread on some cores.
    pub fn stay_on(cores: &[usize]) {
        let mut set = CpuSet::new();
        for &core in cores {
            // It is a core of the set that the system has given us.
            let _ = set.set(core);
        }
        // A system that does not allow it only plays more slowly.
        let _ = sched_setaffinity(THIS, &set);
    }

    /// The cores that this thread may use. The one where the system has put it comes first, so that
    /// several programs that do this at a time don't all begin with the same.
    pub fn here() -> Vec<usize> {
        let allowed = sched_getaffinity(THIS).unwrap_or_default();
        let mut cores: Vec<usize> = (0..CpuSet::count())
            .filter(|&core| allowed.is_set(core).unwrap_or(false))
            .collect();
        let now = sched_getcpu().ok();
        let first = cores.iter().position(|&core| Some(core) == now);
        cores.rotate_left(first.unwrap_or(0));
        cores
    }
}

/// Other systems let nobody choose, so that no game has cores of its own.
#[cfg(not(target_os = "linux"))]
mod elsewhere {
    pub fn stay_on(_cores: &[usize]) {}

    pub fn here() -> Vec<usize> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread;

    use super::*;

    /// What a thread may use that plays such a game.
    fn cores_of(cores: &Cores, game: usize) -> Vec<usize> {
        thread::scope(|scope| {
            let thread = scope.spawn(|| {
                cores.stay(game);
                here()
            });
            thread.join().unwrap()
        })
    }

    #[test]
    fn every_game_has_its_own() {
        let all = here();
        let cores = Cores::for_games(all.len(), 1);
        let mut seen: Vec<usize> = (0..all.len())
            .flat_map(|game| cores_of(&cores, game))
            .collect();
        seen.sort_unstable();
        let mut all = all;
        all.sort_unstable();
        assert_eq!(seen, all);
    }

    #[test]
    fn where_there_are_not_enough_all_are_for_all() {
        let all = here().len();
        for (games, each) in [(all + 1, 1), (1, all + 1), (2, usize::MAX)] {
            let cores = Cores::for_games(games, each);
            assert_eq!(cores_of(&cores, 0).len(), all);
        }
    }

    #[test]
    fn programs_stay_where_they_are_started() {
        let cores = Cores::for_games(1, 1);
        let allowed = thread::spawn(move || {
            cores.stay(0);
            let status = Command::new("cat").arg("/proc/self/status").output();
            let status = String::from_utf8(status.unwrap().stdout).unwrap();
            let line = status
                .lines()
                .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
            line.unwrap().trim().to_owned()
        });
        let allowed = allowed.join().unwrap();
        assert!(allowed.parse::<usize>().is_ok(), "one core: {allowed}");
    }
}
