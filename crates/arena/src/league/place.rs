//! Where a league's log is: in a file, or in a `PostgreSQL` that has many, each under a name.

use std::fmt;
use std::path::{Path, PathBuf};

use kingme_data::Place;

use super::LeagueError;

/// Where a league's log is.
#[derive(Clone, Debug)]
pub enum LogPlace {
    /// The file of a data base, with others beside it.
    File(PathBuf),
    /// A data base that several machines can reach.
    Shared(SharedPlace),
}

/// The place of a log in a data base that several machines can reach.
#[derive(Clone, Debug)]
pub struct SharedPlace {
    pub(super) at: Place,
    pub(super) name: String,
    /// The folder of the league's file, for what stays on this machine.
    pub(super) folder: Option<PathBuf>,
}

/// No name of a log has more characters.
const LONGEST: usize = 100;

impl LogPlace {
    /// A log in a `PostgreSQL`. What stays on the machine that plays is in this folder; nobody who
    /// only reads need know it.
    ///
    /// # Errors
    ///
    /// If a log can't have this name, since it could not be a file's, too.
    pub fn shared(at: &Place, name: &str, folder: Option<&Path>) -> Result<LogPlace, LeagueError> {
        let is_odd = |c: char| "/\\".contains(c) || c.is_control();
        let length = name.chars().count();
        if length == 0 || length > LONGEST || name.starts_with('.') || name.contains(is_odd) {
            return Err(LeagueError::LogName(name.to_owned()));
        }
        Ok(LogPlace::Shared(SharedPlace {
            at: at.clone(),
            name: name.to_owned(),
            folder: folder.map(Path::to_owned),
        }))
    }

    /// What the log is called, without the ending that a file has.
    pub fn name(&self) -> Option<&str> {
        match self {
            LogPlace::File(path) => path.file_stem()?.to_str(),
            LogPlace::Shared(shared) => Some(&shared.name),
        }
    }

    /// Where the logs of the league's bots are.
    pub fn bots(&self) -> PathBuf {
        match self {
            LogPlace::File(path) => path.with_extension("bots"),
            LogPlace::Shared(shared) => shared.beside("bots"),
        }
    }

    /// Where the games in progress are, of the league with this number of its own.
    pub(super) fn live(&self, league: u64) -> PathBuf {
        match self {
            LogPlace::File(path) => {
                let mut name = path.as_os_str().to_owned();
                name.push("-live");
                PathBuf::from(name)
            }
            LogPlace::Shared(shared) => shared.beside(&format!("{league:016x}.db-live")),
        }
    }
}

impl SharedPlace {
    /// The data base.
    pub fn data_base(&self) -> &Place {
        &self.at
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let folder = self.folder.clone().unwrap_or_default();
        folder.join(format!("{}.{ending}", self.name))
    }
}

impl fmt::Display for LogPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogPlace::File(path) => path.display().fmt(f),
            LogPlace::Shared(SharedPlace { at, name, .. }) => write!(f, "{name} at {at}"),
        }
    }
}

impl From<PathBuf> for LogPlace {
    fn from(path: PathBuf) -> LogPlace {
        LogPlace::File(path)
    }
}

impl From<&PathBuf> for LogPlace {
    fn from(path: &PathBuf) -> LogPlace {
        LogPlace::File(path.clone())
    }
}

impl From<&Path> for LogPlace {
    fn from(path: &Path) -> LogPlace {
        LogPlace::File(path.to_owned())
    }
}

impl From<&LogPlace> for LogPlace {
    fn from(place: &LogPlace) -> LogPlace {
        place.clone()
    }
}
