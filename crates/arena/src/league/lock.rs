//! One run at a time on one log.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::LeagueError;

/// Held by the run of a league; the system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub(super) struct Lock {
    // SQLite locks its own file; a second handle to that would undo its locks.
    _file: File,
}

impl Lock {
    pub(super) fn take(log: &Path) -> Result<Lock, LeagueError> {
        let mut name = log.as_os_str().to_owned();
        name.push("-lock");
        let path = PathBuf::from(name);
        let fault = |error: std::io::Error| LeagueError::Log {
            path: log.display().to_string(),
            why: error.to_string(),
        };
        let file = File::options()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(fault)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(LeagueError::InUse(log.display().to_string())),
            Err(TryLockError::Error(error)) => Err(fault(error)),
        }
    }
}
