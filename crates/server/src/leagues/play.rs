//! Leagues that this server plays, so that people can take their seats at a browser.

use std::path::Path;
use std::sync::Arc;

use kingme_arena::league::{League, LeagueEvent, LeagueFile};
use kingme_play::Stop;
use kingme_players::TableShelf;
use tokio::runtime::Handle;
use tokio::sync::Notify;

use super::people::AtBrowsers;
use super::{FreeSeat, Leagues, name_of};
use crate::ServeError;
use crate::cards::VariantChoice;
use crate::error::ApiError;
use crate::hall::Hall;

/// Where leagues are played.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// The games.
    pub hall: &'a Arc<Hall>,
    /// The leagues that can be watched.
    pub leagues: &'a Arc<Leagues>,
    /// The endgame tables.
    pub tables: Option<Arc<TableShelf>>,
    /// Whether everybody loses the seat that they have taken.
    pub new_seats: bool,
}

/// Reads a league's file and plays what is left of it, on a thread of its own, until `stop`: the
/// same league that `kingme league run` plays. Tells which seats of people nobody has taken yet.
///
/// # Errors
///
/// If the file is wrong, a player can't play, the log is in use, or seats can't be stored.
pub fn play(path: &Path, place: Place<'_>, stop: &Stop) -> Result<Vec<FreeSeat>, ServeError> {
    let Place { hall, leagues, .. } = place;
    let log = League::log_path(path);
    let mut league = League::open(path, &log, place.tables)?;
    let file = &league.file;
    let people = AtBrowsers {
        hall: hall.clone(),
        leagues: leagues.clone(),
        league: name_of(&log).unwrap_or_else(|| file.name.clone()),
        rules: VariantChoice {
            variant: file.variant.name().to_owned(),
            toml: file.variant_text.clone(),
            size: file.size,
        },
        tasks: Handle::current(),
    };
    let free = free_seats(&people.league, file, hall, place.new_seats)?;
    let written = Arc::new(Notify::new());
    leagues.add(log, written.clone());
    let hear = written.clone();
    league.on_write(move || hear.notify_one());
    let stop = stop.clone();
    std::thread::spawn(move || {
        let name = league.file.name.clone();
        if let Err(error) = league.play(&people, &stop, &mut |event| note(&name, event)) {
            tracing::error!("the league `{name}`: {error}");
        }
        // It is not being played any more.
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
    let people = file.players.iter().filter(|entry| entry.is_person());
    let names: Vec<String> = people.map(|entry| entry.name.clone()).collect();
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
