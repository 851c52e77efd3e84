//! Whether the programs of a league can be started, before the first game.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use kingme_players::Equipment;
use kingme_rules::{Side, Variant};

use super::{Entry, LeagueError, LeagueFile};

/// Starts every program of a league once, a few at a time, and ends it again, unless it may fail. A program that
/// listens on the network is not called: many take one call and no more.
///
/// # Errors
///
/// Who can't be started, and why: the first in the file.
pub(super) fn check_starts(file: &LeagueFile) -> Result<(), LeagueError> {
    let is_wanted = |entry: &&Entry| !file.allow_failing && is_tried(entry);
    let programs: Vec<&Entry> = file.players.iter().filter(is_wanted).collect();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let at_a_time = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..at_a_time.min(programs.len()) {
            scope.spawn(|| {
                while let Some(entry) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Err(error) = start(file, entry, &file.variant) else {
                        continue;
                    };
                    let number = file.players.iter().position(|other| other == *entry);
                    let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
                    failures.push((number, error));
                }
            });
        }
    });
    let failures = failures.into_inner();
    let failures = failures.unwrap_or_else(PoisonError::into_inner);
    let first = failures.into_iter().min_by_key(|(number, _)| *number);
    first.map_or(Ok(()), |(_, error)| Err(error))
}

fn is_tried(entry: &Entry) -> bool {
    entry.plays.is_process() && !entry.withdrawn
}

fn start(file: &LeagueFile, entry: &Entry, variant: &Variant) -> Result<(), LeagueError> {
    let failed = |why: String| LeagueError::Player {
        name: entry.name.clone(),
        why,
    };
    let mut player = file
        .open_player(entry, 0, Equipment::default())
        .map_err(|error| failed(error.to_string()))?;
    let started = player.start(variant, Side::White);
    started.map_err(|fault| failed(format!("it can't be started: {fault}")))
}
