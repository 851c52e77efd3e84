//! The data bases that kingme keeps things in: `SQLite` in a file, or `PostgreSQL` at a URL.
//!
//! [`Place`] says where, [`Connection`] is the way there, [`Versions`] brings tables up to date. The
//! same SQL is sent to both, with `?1`, `?2` for its values; what they do not have in common is
//! asked for by name ([`Connection::is_postgres`], [`Connection::lock`]).

mod connection;
pub mod copy;
mod error;
mod place;
mod postgres;
mod sqlite;
mod value;
mod versions;

pub use connection::{Connection, Hold};
pub use error::DataError;
pub use place::Place;
pub use value::{Cell, FromCell, Row, Value};
pub use versions::Versions;

/// What every question to a data base leads to.
pub type Result<T> = std::result::Result<T, DataError>;
