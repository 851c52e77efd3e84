//! A league that is ready to be played, from a terminal or by a server: both play the same.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kingme_play::Stop;

use crate::read_file;

use super::{Entry, LeagueError, LeagueEvent, LeagueFile, Log, People, Summary, run};
use kingme_players::{Equipment, TableShelf};

/// A league's file with its log, and what its players have to play with.
#[derive(Debug)]
pub struct League {
    /// What is to be played.
    pub file: LeagueFile,
    log: Log,
    equipment: Equipment,
}

/// No league's file is so large: some thousand players take a part of it.
const LARGEST: usize = 1 << 20;

impl League {
    /// Reads a league's file.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn read(path: &Path) -> Result<LeagueFile, LeagueError> {
        let at = |error: &dyn std::fmt::Display| {
            LeagueError::File(format!("{}: {error}", path.display()))
        };
        let text = read_file(path, LARGEST).map_err(|error| at(&error))?;
        if text.len() == LARGEST {
            return Err(at(&format!(
                "a league's file has fewer than {LARGEST} bytes"
            )));
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        LeagueFile::read(&text, folder).map_err(|error| at(&error))
    }

    /// Where the log of a league's file is, if nobody says otherwise.
    pub fn log_path(path: &Path) -> PathBuf {
        path.with_extension("db")
    }

    /// Makes a league ready: its players can be had, its tables are there, its log is ours.
    ///
    /// # Errors
    ///
    /// If not.
    pub fn open(
        path: &Path,
        log: &Path,
        tables: Option<Arc<TableShelf>>,
    ) -> Result<League, LeagueError> {
        let mut file = League::read(path)?;
        let ready = file
            .check_players()
            .and_then(|()| file.take_tables(tables.as_deref()));
        ready.map_err(|error| LeagueError::File(format!("{}: {error}", path.display())))?;
        Ok(League {
            log: Log::open(log, &file)?,
            equipment: Equipment {
                tables,
                ponder: file.ponder,
            },
            file,
        })
    }

    /// Has somebody hear of everything that is written to its log. It must not wait for anything.
    pub fn on_write(&mut self, hear: impl Fn() + Send + Sync + 'static) {
        self.log.on_write(hear);
    }

    /// Whether anybody in it is a person.
    pub fn has_people(&self) -> bool {
        self.file.players.iter().any(Entry::is_person)
    }

    /// Plays what is left of it, until there is nothing left or `stop` is requested.
    ///
    /// # Errors
    ///
    /// If a player can't be had, or the log can't be written; what was played is in the log.
    pub fn play(
        self,
        people: &dyn People,
        stop: &Stop,
        on_event: &mut dyn FnMut(&LeagueEvent),
    ) -> Result<Summary, LeagueError> {
        let League {
            file,
            log,
            equipment,
        } = self;
        let seats =
            |entry: &Entry, seed: u64| entry.plays.open_with(&file.variant, seed, &equipment);
        run(&file, log, &seats, people, stop, on_event)
    }
}
