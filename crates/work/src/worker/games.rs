//! Games of leagues, as a worker plays them.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use kingme_arena::league::{Entry, Errand, Floor, Job, LeagueFile, Nobody, play_opening};
use kingme_play::{EndReason, Event, write_ply};
use kingme_players::{Equipment, plainly};

use super::{News, Pile, Worker, lock};
use crate::bundle::LEAGUE;
use crate::{Errands, GameReport, OfficeError, Outcome, Work, unpack};

/// A machine that is so many times slower or quicker is not made up for any further.
const PACES: (f64, f64) = (0.25, 8.0);

/// A league whose folder is here.
pub(super) struct League {
    file: LeagueFile,
    /// How quick the machine is that its times were meant for.
    speed: f64,
}

/// A league that is ready to be played, with its folder here.
pub(super) fn prepare(worker: &Worker, errands: &Errands) -> Result<League, OfficeError> {
    let bundle = &errands.bundle;
    let folder = worker.options.folder.join(bundle);
    if !folder.join(LEAGUE).is_file() {
        let packed = worker.patiently(|| worker.office.bundle(bundle))?;
        settle_in(bundle, &packed, &folder)?;
    }
    let failed = |error: &dyn std::fmt::Display| OfficeError::Unreachable(plainly(error));
    let text = fs::read_to_string(folder.join(LEAGUE)).map_err(|error| failed(&error))?;
    let mut file = LeagueFile::read(&text, &folder).map_err(|error| failed(&error))?;
    file.check_players()
        .and_then(|()| file.take_tables(worker.options.tables.as_deref()))
        .map_err(|error| failed(&error))?;
    Ok(League {
        file,
        speed: errands.speed,
    })
}

/// Plays the games of one league as long as there are any: its players stay where they are.
pub(super) fn stay(
    worker: &Worker,
    league: &League,
    work: &Work,
    pile: &mut Pile,
) -> Result<(), OfficeError> {
    let file = &league.file;
    let seats = |entry: &Entry, seed: u64| {
        let given = Equipment {
            tables: worker.options.tables.clone(),
            ..Equipment::default()
        };
        file.open_player(entry, seed, given)
    };
    let pace = (league.speed / worker.hello.speed.max(1.0)).clamp(PACES.0, PACES.1);
    let floor = Floor::new(file, &seats, &Nobody, 1, worker.enough).at_pace(pace);
    let in_words = |work: &Work| in_words(file, work);
    worker.stay(work, pile, &in_words, &mut |work| {
        play(worker, file, &floor, work)
    })
}

/// Plays the games of a task; nothing, if it is stopped meanwhile.
fn play(worker: &Worker, file: &LeagueFile, floor: &Floor, work: &Work) -> Option<Outcome> {
    let Work::Games(errands) = work else {
        return None;
    };
    let games = errands.games.iter();
    let games: Result<Vec<GameReport>, Unplayed> =
        games.map(|errand| play_game(file, floor, errand)).collect();
    match games {
        Ok(games) => Some(Outcome::Played(games)),
        Err(Unplayed::Stopped) => None,
        Err(Unplayed::Failed(why)) => {
            (worker.say)(&News::Failed(why.clone()));
            Some(worker.failed(&why))
        }
    }
}

/// Unpacks a folder beside its place and moves it there whole: others may do the same.
fn settle_in(bundle: &str, packed: &[u8], folder: &Path) -> Result<(), OfficeError> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let failed = |error: &dyn std::fmt::Display| OfficeError::Unreachable(plainly(error));
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let half = folder.with_extension(format!("{}-{count}", std::process::id()));
    fs::create_dir_all(&half).map_err(|error| failed(&error))?;
    let unpacked = unpack(bundle, packed, &half).map_err(|error| failed(&error));
    let moved = unpacked.and_then(|()| {
        fs::rename(&half, folder)
            .or_else(|error| if folder.exists() { Ok(()) } else { Err(error) })
            .map_err(|error| failed(&error))
    });
    // What was moved is not there any more.
    fs::remove_dir_all(&half).unwrap_or_default();
    moved
}

/// Why a game was not played.
enum Unplayed {
    Stopped,
    Failed(String),
}

fn in_words(file: &LeagueFile, work: &Work) -> String {
    let Work::Games(errands) = work else {
        return String::new();
    };
    match errands.games.first() {
        Some(Errand { game, names, .. }) => {
            format!("{}: {} - {}, game {game}", file.name, names[0], names[1])
        }
        None => file.name.clone(),
    }
}

fn play_game(file: &LeagueFile, floor: &Floor, errand: &Errand) -> Result<GameReport, Unplayed> {
    let failed = |why: String| Unplayed::Failed(format!("game {}: {why}", errand.game));
    let number = |name: &String| {
        let found = file.players.iter().position(|entry| entry.name == *name);
        found.ok_or_else(|| failed(format!("there is no player `{name}`")))
    };
    let job = Job {
        game: errand.game,
        round: errand.round,
        players: [number(&errand.names[0])?, number(&errand.names[1])?],
        pair: errand.pair,
    };
    let opening = play_opening(&file.variant, &errand.opening);
    let opening = opening.ok_or_else(|| failed("its opening is not of this game".to_owned()))?;
    let plies = Arc::new(Mutex::new(String::new()));
    let notes = Arc::clone(&plies);
    let on_event = move |event: &Event| {
        if let Event::Turn(ply) = event {
            let mut notes = lock(&notes);
            write_ply(&mut notes, ply);
            notes.push('\n');
        }
        Ok(())
    };
    let seated = floor
        .seat(&job, 0)
        .map_err(|error| failed(plainly(&error)))?;
    let played = floor.play(&job, seated, opening, on_event);
    let played = played.map_err(|error| failed(plainly(&error)))?;
    match played.session.end() {
        Some(end) if end.reason != EndReason::Aborted => Ok(GameReport {
            game: errand.game,
            plies: std::mem::take(&mut *lock(&plies)),
            end: end.clone(),
            versions: played.versions,
        }),
        _ => Err(Unplayed::Stopped),
    }
}
