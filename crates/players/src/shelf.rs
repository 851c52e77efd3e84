//! The endgame tables on this machine, for all who play or referee on it.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use kingme_engine::tables::{TableError, Tables, Verdict};
use kingme_play::Verdicts;
use kingme_rules::{Position, Side, Variant};

/// The folder of endgame tables, and those that are open.
///
/// Small tables are built when they are first asked for, which takes about a second once on a
/// machine; larger ones are used if somebody has built them with `kingme tables build`.
pub struct TableShelf {
    folder: PathBuf,
    open: Mutex<Vec<(Variant, Arc<Tables>)>>,
}

impl fmt::Debug for TableShelf {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("TableShelf").field(&self.folder).finish()
    }
}

impl TableShelf {
    /// The tables in a folder.
    pub fn new(folder: PathBuf) -> TableShelf {
        TableShelf {
            folder,
            open: Mutex::new(Vec::new()),
        }
    }

    /// The tables of a game, after building the small ones if they are missing. Not to be asked
    /// while anybody's clock runs.
    ///
    /// # Errors
    ///
    /// If a rule of the game stands against tables.
    pub fn ready(&self, variant: &Variant) -> Result<Arc<Tables>, TableError> {
        // Whoever comes second waits, instead of building the same once more.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tables)) = open.iter().find(|(known, _)| known == variant) {
            return Ok(Arc::clone(tables));
        }
        // A folder that can't be written may still be read.
        let tables = Tables::ready(variant, &self.folder)
            .or_else(|_| Tables::open(variant, &self.folder))?;
        let tables = Arc::new(tables);
        open.push((variant.clone(), Arc::clone(&tables)));
        Ok(tables)
    }

    /// The tables of a game up to so many pieces, where others have no more; fewer, if there are no
    /// more.
    ///
    /// # Errors
    ///
    /// If a rule of the game stands against tables.
    pub fn up_to(&self, variant: &Variant, pieces: usize) -> Result<Arc<Tables>, TableError> {
        let ready = self.ready(variant)?;
        if ready.pieces() <= pieces {
            return Ok(ready);
        }
        let tables = Tables::open(variant, &self.folder)?;
        Ok(Arc::new(tables.up_to(pieces)))
    }
}

/// Endgame tables that decide games.
pub struct TableVerdicts(pub Arc<Tables>);

impl Verdicts for TableVerdicts {
    fn winner(&self, position: &Position) -> Option<Option<Side>> {
        let pieces: u32 = Side::BOTH.map(|side| position.count(side)).iter().sum();
        if pieces as usize > self.0.pieces() {
            return None;
        }
        let us = position.turn();
        Some(match self.0.probe_position(position)?.verdict {
            Verdict::Win => Some(us),
            Verdict::Loss => Some(!us),
            Verdict::Draw => None,
        })
    }
}

impl fmt::Debug for TableVerdicts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "tables of {} pieces", self.0.pieces())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_tables_are_built_once_and_shared() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = TableShelf::new(folder.path().to_owned());
        let small = Variant::named("english").unwrap().sized(4).unwrap();
        let first = shelf.ready(&small).unwrap();
        assert!(first.pieces() >= 3, "{}", first.pieces());
        assert!(Arc::ptr_eq(&first, &shelf.ready(&small).unwrap()));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_harm() {
        let shelf = TableShelf::new("/dev/null/tables".into());
        let small = Variant::named("english").unwrap().sized(4).unwrap();
        assert_eq!(shelf.ready(&small).unwrap().pieces(), 0);
    }
}
