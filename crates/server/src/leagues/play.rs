//! Leagues that this server plays, so that people can take their seats at a browser.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant, SystemTime};

use kingme_arena::league::{League, LeagueEvent, LeagueFile};
use kingme_play::Stop;
use kingme_players::TableShelf;
use kingme_work::{Desk, Shared};
use tokio::runtime::Handle;
use tokio::sync::Notify;

use super::people::AtBrowsers;
use super::{FreeSeat, Leagues};
use crate::cards::VariantChoice;
use crate::error::ApiError;
use crate::hall::Hall;
use crate::{ServeError, Workers};

/// Where leagues are played.
#[derive(Debug)]
pub struct Place<'a> {
    /// The games.
    pub hall: &'a Arc<Hall>,
    /// The leagues that can be watched.
    pub leagues: &'a Arc<Leagues>,
    /// The endgame tables.
    pub tables: Option<Arc<TableShelf>>,
    /// Whether everybody loses the seat that they have taken.
    pub new_seats: bool,
    /// Hears of seats for people who come to a league while it is played.
    pub joined: Sender<FreeSeat>,
    /// Other machines that play, too, and where games are handed out to them.
    pub workers: Option<(&'a Workers, Desk)>,
}

/// How often a league's file is looked at for people who have come to it.
const EVERY: Duration = Duration::from_secs(1);

/// Reads a league's file and plays what is left of it, on a thread of its own, until `stop`: the
/// same league that `kingme league run` plays. Tells which seats of people nobody has taken yet.
///
/// # Errors
///
/// If the file is wrong, a player can't play, the log is in use, or seats can't be stored.
pub fn play(path: &Path, place: Place<'_>, stop: &Stop) -> Result<Vec<FreeSeat>, ServeError> {
    let Place { hall, leagues, .. } = place;
    let log = leagues.log_of(path)?;
    // Before it is read, so that no change after that is missed.
    let seen = written_at(path);
    let mut league = League::open(path, &log, place.tables)?;
    if let Some((workers, desk)) = place.workers {
        let desk = desk.with_lease(workers.lease);
        let name = league.file.name.clone();
        let say = move |words: &str| tracing::warn!("the league `{name}`: {words}");
        let shared = Shared::new(desk, league.number(), workers.only, Box::new(say));
        league.share(Box::new(shared));
    }
    let file = &league.file;
    let people = AtBrowsers {
        hall: hall.clone(),
        leagues: leagues.clone(),
        league: log.name().unwrap_or(&file.name).to_owned(),
        rules: VariantChoice {
            variant: file.variant.name().to_owned(),
            toml: file.variant_text.clone(),
            size: file.size,
        },
        tasks: Handle::current(),
    };
    let free = free_seats(&people.league, file, hall, place.new_seats)?;
    let known = names(file);
    let written = Arc::new(Notify::new());
    leagues.add(log, written.clone());
    let hear = written.clone();
    league.on_write(move || hear.notify_one());
    let over = Stop::new();
    let newcomers = Newcomers {
        path: path.to_owned(),
        league: people.league.clone(),
        hall: hall.clone(),
        joined: place.joined,
        seen,
    };
    let stops = [stop.clone(), over.clone()];
    std::thread::spawn(move || newcomers.await_them(known, &stops));
    let stop = stop.clone();
    std::thread::spawn(move || {
        let name = league.file.name.clone();
        if let Err(error) = league.play(&people, &stop, &mut |event| note(&name, event)) {
            tracing::error!("the league `{name}`: {error}");
        }
        // It is not being played any more.
        over.request();
        written.notify_one();
    });
    Ok(free)
}

/// The seats of a league's people that nobody has taken yet.
fn free_seats(
    league: &str,
    file: &LeagueFile,
    hall: &Hall,
    new_seats: bool,
) -> Result<Vec<FreeSeat>, ServeError> {
    let names = names(file);
    let league = league.to_owned();
    let free = hall.store.with_blocking(move |data| {
        if new_seats {
            data.clear_seats(&league)?;
        }
        let seats = names.iter().map(|name| data.free_seat(&league, name));
        seats.filter_map(Result::transpose).collect()
    });
    free.map_err(|error: ApiError| ServeError::Seats(error.to_string()))
}

/// The names of a league's people.
fn names(file: &LeagueFile) -> Vec<String> {
    let people = file.players.iter().filter(|entry| entry.is_person());
    people.map(|entry| entry.name.clone()).collect()
}

/// Whoever comes to a league while it is played. The league itself looks at its file between games
/// only, and those of people may last for days.
struct Newcomers {
    path: PathBuf,
    league: String,
    hall: Arc<Hall>,
    joined: Sender<FreeSeat>,
    /// When the file was written that is known.
    seen: Option<SystemTime>,
}

fn written_at(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|data| data.modified()).ok()
}

impl Newcomers {
    /// Looks at the league's file now and then, until one of the stops is requested.
    fn await_them(mut self, mut known: Vec<String>, stops: &[Stop; 2]) {
        let enough = Stop::new();
        let _passed_on = stops.each_ref().map(|stop| {
            let enough = enough.clone();
            stop.on_request(move || enough.request())
        });
        loop {
            enough.wait_until(Some(Instant::now() + EVERY));
            if enough.is_requested() {
                return;
            }
            let now = written_at(&self.path);
            if now == self.seen {
                continue;
            }
            self.seen = now;
            // A file that can't be read now changes nothing; the league says what is wrong with it.
            if let Ok(file) = League::read(&self.path) {
                self.tell(&file, &known);
                known = names(&file);
            }
        }
    }

    /// Hands out the seats of people who were not there before.
    fn tell(&self, file: &LeagueFile, known: &[String]) {
        let free = match free_seats(&self.league, file, &self.hall, false) {
            Ok(free) => free,
            Err(error) => {
                tracing::error!("the league `{}`: {error}", file.name);
                return;
            }
        };
        for seat in free.into_iter().filter(|seat| !known.contains(&seat.name)) {
            // Nobody need listen.
            self.joined.send(seat).unwrap_or_default();
        }
    }
}

/// Logs what becomes of a league's file that was changed while it is played.
fn note(name: &str, event: &LeagueEvent) {
    match event {
        LeagueEvent::Changed { changes, .. } => {
            tracing::info!("the league `{name}` changes: {}", changes.join("; "));
        }
        LeagueEvent::NotChanged { why } => {
            tracing::warn!("the league `{name}` goes on unchanged: {why}");
        }
        LeagueEvent::Resumed { .. } | LeagueEvent::Game { .. } => {}
    }
}
