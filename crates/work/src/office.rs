//! What is said between those who hand out games and those who play them. It is on the wire and in
//! data bases: whatever gets another form gets another name.

use kingme_arena::league::Errand;
use kingme_data::DataError;
use kingme_play::End;
use serde::{Deserialize, Serialize};

use crate::Stretch;

/// The first words of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// What it is called: mostly its machine's name.
    pub name: String,
    /// Which kingme it is; see [`program`](crate::program).
    pub program: String,
    /// How many positions a second its engine looks at.
    pub speed: f64,
    /// How many games it plays at a time.
    pub concurrency: usize,
}

/// The answer to them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// What the worker is known by from now on.
    pub worker: String,
}

/// Games for one worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// What it is known by.
    pub id: i64,
    /// What is to be played.
    pub work: Work,
    /// A worker that is not heard of for so many milliseconds has lost it to others.
    pub lease: u64,
}

/// What is to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
pub enum Work {
    /// Games of a league.
    #[serde(rename = "league games 1")]
    Games(Errands),
    /// Games of a training.
    #[serde(rename = "training games 1")]
    Stretch(Stretch),
}

impl Work {
    /// Whether whoever is ready to play this is ready to play another.
    pub(crate) fn is_like(&self, other: &Work) -> bool {
        match (self, other) {
            (Work::Games(one), Work::Games(other)) => one.bundle == other.bundle,
            (Work::Stretch(one), Work::Stretch(other)) => one.is_like(other),
            _ => false,
        }
    }
}

/// Games of a league: those of one opening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Errands {
    /// The hash of the league's folder.
    pub bundle: String,
    /// How many positions a second the engine looks at on the machine that the time was meant for.
    pub speed: f64,
    /// The games.
    pub games: Vec<Errand>,
}

/// What became of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The task.
    pub id: i64,
    /// Its games, or why there are none.
    pub outcome: Outcome,
}

/// What became of the games of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Games of a league were played.
    Played(Vec<GameReport>),
    /// Games of a training were played: what is kept of each number, in Base64.
    Kept(Vec<String>),
    /// They can't be played there.
    Failed(String),
}

impl Outcome {
    /// How many games were played.
    pub(crate) fn games(&self) -> usize {
        match self {
            Outcome::Played(games) => games.len(),
            Outcome::Kept(games) => games.len(),
            Outcome::Failed(_) => 0,
        }
    }
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameReport {
    /// Its number in the league.
    pub game: u64,
    /// A line for each turn.
    pub plies: String,
    /// How it ended.
    pub end: End,
    /// What White's and Black's program said they are.
    pub versions: [Option<String>; 2],
}

/// A sign of life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    /// Whose.
    pub worker: String,
    /// What it plays now, in words.
    pub doing: String,
}

/// Why an office does not do what a worker wants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OfficeError {
    /// It wants nothing of this worker: asking again does not help.
    #[error("{0}")]
    Refused(String),
    /// It does not know the worker, who may say hello again.
    #[error("nobody here knows this worker")]
    Unknown,
    /// It can't be reached now.
    #[error("{0}")]
    Unreachable(String),
}

impl From<DataError> for OfficeError {
    fn from(error: DataError) -> OfficeError {
        OfficeError::Unreachable(error.to_string())
    }
}

/// Who hands out games.
pub trait Office: Send + Sync {
    /// A worker comes.
    ///
    /// # Errors
    ///
    /// If it is not wanted, or nobody is there.
    fn hello(&self, hello: &Hello) -> Result<Welcome, OfficeError>;

    /// A worker takes as many tasks as it wants at most; none, if there are none after a while.
    ///
    /// # Errors
    ///
    /// If it is not wanted, or nobody is there.
    fn take(&self, worker: &str, most: usize) -> Result<Vec<Task>, OfficeError>;

    /// A worker is still there, and keeps its tasks.
    ///
    /// # Errors
    ///
    /// If it is not wanted, or nobody is there.
    fn beat(&self, beat: &Beat) -> Result<(), OfficeError>;

    /// A worker brings what became of its tasks. The first result of a task counts.
    ///
    /// # Errors
    ///
    /// If it is not wanted, or nobody is there.
    fn report(&self, worker: &str, reports: &[Report]) -> Result<(), OfficeError>;

    /// A worker goes, and leaves its tasks to others.
    ///
    /// # Errors
    ///
    /// If nobody is there.
    fn leave(&self, worker: &str) -> Result<(), OfficeError>;

    /// What is known by a hash: a league's folder, a game's file, weights.
    ///
    /// # Errors
    ///
    /// If there is none, or nobody is there.
    fn bundle(&self, hash: &str) -> Result<Vec<u8>, OfficeError>;
}
