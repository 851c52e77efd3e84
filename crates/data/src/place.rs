//! Where a data base is.

use std::path::PathBuf;
use std::str::FromStr;

use ::postgres::Config;
use ::postgres::config::{Host, SslMode};

use crate::{DataError, Result};

/// Whoever asks for it shall not believe that they have it.
const NO_TLS: &str =
    "kingme does not speak TLS with a data base; use a socket, a private network or a tunnel";

/// Where a data base is: a folder or file of this machine, or a `PostgreSQL` anywhere.
#[derive(Clone, Debug)]
pub enum Place {
    /// A folder, or the file of a data base.
    Path(PathBuf),
    /// The URL of a `PostgreSQL`.
    Postgres(Box<Config>),
}

impl FromStr for Place {
    type Err = DataError;

    fn from_str(text: &str) -> Result<Place> {
        let scheme = text.split_once("://").map(|(scheme, _)| scheme);
        match scheme {
            None if text.is_empty() => Err(DataError::Place(String::new())),
            None => Ok(Place::Path(text.into())),
            Some("postgres" | "postgresql") => {
                let config = text.parse::<Config>();
                let wrong = |why: String| DataError::Url {
                    shown: without_password(text),
                    why,
                };
                let config = config.map_err(|error| wrong(last_cause(&error)))?;
                if config.get_ssl_mode() == SslMode::Require {
                    return Err(wrong(NO_TLS.to_owned()));
                }
                Ok(Place::Postgres(Box::new(config)))
            }
            Some(_) => Err(DataError::Place(without_password(text))),
        }
    }
}

impl Place {
    /// The same with a password, if it needs one and has none.
    #[must_use]
    pub fn with_password(mut self, password: Option<&str>) -> Place {
        if let (Place::Postgres(config), Some(password)) = (&mut self, password)
            && config.get_password().is_none()
        {
            config.password(password);
        }
        self
    }
}

fn last_cause(error: &::postgres::Error) -> String {
    let cause = std::error::Error::source(error);
    cause.map_or_else(|| error.to_string(), ToString::to_string)
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Path(path) => path.display().fmt(f),
            Place::Postgres(config) => f.write_str(&shown(config)),
        }
    }
}

/// A `PostgreSQL` for people: never with a password.
pub(crate) fn shown(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(folder)) => folder.display().to_string(),
        None => config
            .get_hostaddrs()
            .first()
            .map_or_else(String::new, ToString::to_string),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let name = config.get_dbname().or(config.get_user()).unwrap_or("");
    format!("{host}:{port}/{name}")
}

/// A URL with three dots for its password.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    match rest.rsplit_once('@') {
        Some((user, rest)) => {
            let user = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}:…@{rest}")
        }
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_apart() {
        let place = |text: &str| text.parse::<Place>().unwrap().to_string();
        assert_eq!(place("games"), "games");
        assert_eq!(
            place("postgres://ada:secret@db.example/kingme"),
            "db.example:5432/kingme"
        );
        assert_eq!(
            place("postgresql:///kingme?host=/run/postgresql&user=ada"),
            "/run/postgresql:5432/kingme"
        );
        let refused = |text: &str| text.parse::<Place>().unwrap_err().to_string();
        assert_eq!(
            refused("mysql://ada:secret@host/kingme"),
            "`mysql://ada:…@host/kingme` is neither a folder nor a data base like \
             postgres://user@host/name"
        );
        assert_eq!(
            refused("postgres://host/kingme?sslmode=require"),
            "`postgres://host/kingme?sslmode=require` is not the URL of a data base: kingme does \
             not speak TLS with a data base; use a socket, a private network or a tunnel"
        );
        assert_eq!(
            refused("postgres://ada:secret@host:port/kingme"),
            "`postgres://ada:…@host:port/kingme` is not the URL of a data base: \
             invalid value for option `port`"
        );
    }
}
