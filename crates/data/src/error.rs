//! What can be wrong with a data base, each in a sentence.

use ::postgres::error::{DbError, SqlState};

/// Why a data base does not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// Neither a path nor a URL that we know.
    #[error("`{0}` is neither a folder nor a data base like postgres://user@host/name")]
    Place(String),
    /// A URL that can't be read.
    #[error("`{shown}` is not the URL of a data base: {why}")]
    Url {
        /// The URL without its password.
        shown: String,
        /// What is wrong with it.
        why: String,
    },
    /// Nobody is there.
    #[error("can't reach the data base at {at}: {why}")]
    Unreachable {
        /// Where it should be.
        at: String,
        /// Why not.
        why: String,
    },
    /// A wrong name or password.
    #[error("the data base at {at} does not let us in: {why}")]
    Refused {
        /// Where it is.
        at: String,
        /// What it says.
        why: String,
    },
    /// The server is there, the data base is not.
    #[error("there is no such data base at {at}: {why}; make it with `createdb`")]
    Missing {
        /// Where it should be.
        at: String,
        /// What it says.
        why: String,
    },
    /// It was there a moment ago.
    #[error("the connection to the data base is lost: {0}")]
    Lost(String),
    /// Somebody else has locked it.
    #[error("the data base is busy: {0}")]
    Busy(String),
    /// Somebody else holds what only one may have.
    #[error("another process holds it in the data base at {0}")]
    Held(String),
    /// No room.
    #[error("the disk of the data base is full: {0}")]
    Full(String),
    /// A copy that follows another data base.
    #[error("the data base can only be read: {0}")]
    ReadOnly(String),
    /// There is one already, and there can be only one.
    #[error("it is there already: {0}")]
    Taken(String),
    /// Made by a later program.
    #[error(
        "the data base is of version {found}, and this kingme knows versions up to {known}: use a newer kingme"
    )]
    Newer {
        /// The version of the tables.
        found: usize,
        /// The last one we know.
        known: usize,
    },
    /// A value that is not what it should be.
    #[error("the data base has something unreadable: {0}")]
    Unreadable(String),
    /// Anything else.
    #[error("the data base: {0}")]
    Other(String),
}

impl DataError {
    /// Whether the same may succeed a moment later.
    pub fn may_pass(&self) -> bool {
        matches!(
            self,
            DataError::Unreachable { .. }
                | DataError::Lost(_)
                | DataError::Busy(_)
                | DataError::Held(_)
        )
    }

    /// Whether nobody knows if what was asked for has happened.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self, DataError::Lost(_))
    }

    /// What went wrong when a connection to `at` was made.
    pub(crate) fn at_connecting(error: &::postgres::Error, at: &str) -> DataError {
        let at = at.to_owned();
        let Some(said) = error.as_db_error() else {
            let why = innermost(error);
            // The only fault before anything is sent that no patience mends.
            return if why.contains("password") || why.contains("TLS") {
                DataError::Refused { at, why }
            } else {
                DataError::Unreachable { at, why }
            };
        };
        let why = said.message().to_owned();
        match said.code() {
            &SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
                DataError::Refused { at, why }
            }
            &SqlState::INVALID_CATALOG_NAME => DataError::Missing { at, why },
            _ => match DataError::said(said) {
                DataError::Lost(why) | DataError::Busy(why) => DataError::Unreachable { at, why },
                other => other,
            },
        }
    }

    fn said(said: &DbError) -> DataError {
        let why = said.message().to_owned();
        let code = said.code();
        match code {
            &SqlState::UNIQUE_VIOLATION => DataError::Taken(why),
            &SqlState::DISK_FULL => DataError::Full(why),
            &SqlState::READ_ONLY_SQL_TRANSACTION => DataError::ReadOnly(why),
            &SqlState::ADMIN_SHUTDOWN
            | &SqlState::CRASH_SHUTDOWN
            | &SqlState::CANNOT_CONNECT_NOW => DataError::Lost(why),
            &SqlState::T_R_SERIALIZATION_FAILURE
            | &SqlState::T_R_DEADLOCK_DETECTED
            | &SqlState::LOCK_NOT_AVAILABLE
            | &SqlState::TOO_MANY_CONNECTIONS => DataError::Busy(why),
            _ if code.code().starts_with("08") => DataError::Lost(why),
            _ => DataError::Other(why),
        }
    }
}

impl From<::postgres::Error> for DataError {
    fn from(error: ::postgres::Error) -> DataError {
        match error.as_db_error() {
            Some(said) => DataError::said(said),
            None if error.is_closed() || is_io(&error) => DataError::Lost(innermost(&error)),
            None => DataError::Other(innermost(&error)),
        }
    }
}

fn causes(error: &::postgres::Error) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
    let first = std::error::Error::source(error);
    std::iter::successors(first, |error| error.source())
}

fn is_io(error: &::postgres::Error) -> bool {
    causes(error).any(<dyn std::error::Error>::is::<std::io::Error>)
}

/// What lies beneath it all, which says most.
fn innermost(error: &::postgres::Error) -> String {
    let last = causes(error).last();
    last.map_or_else(|| error.to_string(), ToString::to_string)
}

impl From<rusqlite::Error> for DataError {
    fn from(error: rusqlite::Error) -> DataError {
        use rusqlite::ErrorCode as Code;
        let why = error.to_string();
        match error.sqlite_error_code() {
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => DataError::Busy(why),
            Some(Code::DiskFull) => DataError::Full(why),
            Some(Code::ReadOnly) => DataError::ReadOnly(why),
            Some(Code::ConstraintViolation) if why.contains("UNIQUE") => DataError::Taken(why),
            _ => DataError::Other(why),
        }
    }
}
