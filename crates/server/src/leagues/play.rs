//! Leagues that this server plays, so that people can take their seats at a browser.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kingme_arena::league::{Entry, LeagueError, LeagueFile, Log, People, run};
use kingme_arena::{OpenError, Player, PlayerSpec, Stop};
use tokio::runtime::Handle;

use super::person::{Place, WebPerson};
use super::{Leagues, name_of};
use crate::cards::VariantChoice;
use crate::hall::Hall;

/// Reads a league's file and plays what is left of it, on a thread of its own, until `stop`.
///
/// # Errors
///
/// If the file is wrong, a player can't play, or the log is in use.
pub fn play(
    path: &Path,
    hall: &Arc<Hall>,
    leagues: &Arc<Leagues>,
    stop: &Stop,
) -> Result<(), LeagueError> {
    let at =
        |error: &dyn std::fmt::Display| LeagueError::File(format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| at(&error))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let file = LeagueFile::read(&text, folder).map_err(|error| at(&error))?;
    file.check_players()?;
    let log_path: PathBuf = path.with_extension("db");
    let log = Log::open(&log_path, &file)?;
    let place = Place {
        hall: hall.clone(),
        leagues: leagues.clone(),
        league: name_of(&log_path).unwrap_or_else(|| file.name.clone()),
        rules: VariantChoice {
            variant: file.variant.name().to_owned(),
            toml: file.variant_text.clone(),
            size: file.size,
        },
        runtime: Handle::current(),
    };
    leagues.add(log_path);
    let stop = stop.clone();
    std::thread::spawn(move || {
        let seats = |entry: &Entry, seed: u64| open(entry, seed, &file, &place);
        if let Err(error) = run(&file, log, &seats, People::Apart, &stop, &mut |_| ()) {
            tracing::error!("the league `{}`: {error}", file.name);
        }
    });
    Ok(())
}

fn open(
    entry: &Entry,
    seed: u64,
    file: &LeagueFile,
    place: &Place,
) -> Result<Box<dyn Player>, OpenError> {
    match &entry.plays {
        PlayerSpec::Human { name } => {
            let name = name.clone().unwrap_or_else(|| entry.name.clone());
            Ok(Box::new(WebPerson::new(place.clone(), name)))
        }
        plays => plays.open(&file.variant, seed),
    }
}
