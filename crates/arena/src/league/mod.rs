//! Leagues: who meets whom, played from a file, kept in a log, resumed where they stopped.
//!
//! A [`LeagueFile`] says what is to be played; [`Schedule`] says which games follow from it and
//! from the results so far; [`run()`] plays those that the [`Log`] does not have yet. Everything
//! else, tables, ratings and exports, derives from the log, through a [`Reader`], in any process
//! and while the league is being played.

mod archive;
mod changes;
pub mod copies;
mod decisions;
mod elsewhere;
mod export;
mod file;
mod floor;
mod incidents;
mod knockout;
#[allow(clippy::module_inception)]
mod league;
mod lines;
mod live;
mod log;
mod match_log;
mod old_rounds;
mod page;
mod place;
mod programs;
mod queue;
mod reader;
mod rounds;
mod rows;
mod run;
mod schedule;
mod shared_logs;
mod standings;
mod starts;
mod store;
mod tables;
mod tournament;
mod trial;
mod which_file;

pub use changes::{Change, History, What};
pub use elsewhere::{Elsewhere, Errand, Played};
pub use export::{Format as ExportFormat, export};
pub use file::{Entry, Format, LeagueFile, Own};
pub use floor::{Floor, PlayedHere, Seated};
pub use incidents::{GameIncident, Written, first_of_each};
pub use knockout::{Stage, StageMeeting, stages};
pub use league::League;
pub use lines::play_opening;
pub use log::{Finished, GameLog, Log, LoggedGame};
pub use match_log::MatchLog;
pub use place::{LogPlace, SharedPlace};
pub use programs::program_hash;
pub use reader::{LiveGame, Reader, Stamp};
pub use rounds::{Meeting, MeetingScore, Round};
pub use run::{Hosted, LeagueEvent, LeagueSeats, Nobody, People, Summary, run};
pub use schedule::{Job, Schedule};
pub use shared_logs::SharedLogs;
pub use standings::{Former, Row, Standings};
pub use tournament::tournament;

/// What can go wrong with a league.
#[derive(Debug, thiserror::Error)]
pub enum LeagueError {
    /// The file is wrong.
    #[error("{0}")]
    File(String),
    /// The log can't be read or written.
    #[error("the log `{path}`: {why}")]
    Log {
        /// The log's file.
        path: String,
        /// Why.
        why: String,
    },
    /// The data base of a log can't be had.
    #[error(transparent)]
    Data(#[from] kingme_data::DataError),
    /// No log can be called so.
    #[error(
        "`{0}` can't be the name of a log: it takes 1 to 100 characters, none of them / or \\, and no dot at its start"
    )]
    LogName(String),
    /// The log belongs to another league.
    #[error("`{path}` is the log of another league, `{name}`; give this one a log of its own")]
    OtherLeague {
        /// The log's file.
        path: String,
        /// What that league is called.
        name: String,
    },
    /// The log belongs to a match with other settings.
    #[error("`{path}` is the log of another match: {there} there, {here} here")]
    OtherMatch {
        /// The log's file.
        path: String,
        /// A setting of that match, as in a league's file.
        there: String,
        /// What this one has instead.
        here: String,
    },
    /// The league can't change like that.
    #[error("{0}")]
    Change(String),
    /// The log is in use.
    #[error("`{0}` is in use by another run of this league")]
    InUse(String),
    /// A game can't be played on.
    #[error("game {number}: {why}")]
    Game {
        /// Its number.
        number: u64,
        /// Why.
        why: String,
    },
    /// Other machines can't be had to play.
    #[error("the workers: {0}")]
    Workers(String),
    /// A player can't play.
    #[error("player `{name}`: {why}")]
    Player {
        /// Who.
        name: String,
        /// Why.
        why: String,
    },
}
