//! Leagues that this server plays, so that people can take their seats at a browser.

use std::path::Path;
use std::sync::Arc;

use kingme_arena::league::{League, LeagueError, LeagueEvent};
use kingme_play::Stop;
use kingme_players::TableShelf;
use tokio::runtime::Handle;
use tokio::sync::Notify;

use super::people::AtBrowsers;
use super::{Leagues, name_of};
use crate::cards::VariantChoice;
use crate::hall::Hall;

/// Reads a league's file and plays what is left of it, on a thread of its own, until `stop`: the
/// same league that `kingme league run` plays.
///
/// # Errors
///
/// If the file is wrong, a player can't play, or the log is in use.
pub fn play(
    path: &Path,
    hall: &Arc<Hall>,
    leagues: &Arc<Leagues>,
    tables: Option<Arc<TableShelf>>,
    stop: &Stop,
) -> Result<(), LeagueError> {
    let log = League::log_path(path);
    let mut league = League::open(path, &log, tables)?;
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
    Ok(())
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
