//! Games of a training that other machines play.

use std::io;
use std::ops::Range;

use super::Assignment;

/// Games of some numbers, as somebody says they were played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Which they are.
    pub numbers: Range<u64>,
    /// What is kept of each; see [`Runner::play`](super::Runner::play).
    pub games: Vec<Vec<u8>>,
    /// Who says so.
    pub worker: String,
    /// Those of the numbers that are to be played here again, to see whether they are the same.
    pub again: Range<u64>,
}

/// Machines that play games of a training.
pub trait Elsewhere: Send + Sync {
    /// The next games are those of this assignment. The folder of the training is there.
    ///
    /// # Errors
    ///
    /// If it can't be handed out.
    fn begin(&self, assignment: &Assignment) -> io::Result<()>;

    /// Whether all games are played there, and none here.
    fn plays_all(&self) -> bool;

    /// How many more ranges of numbers are wanted there.
    ///
    /// # Errors
    ///
    /// If nobody can tell.
    fn room(&self) -> io::Result<usize>;

    /// Hands out ranges of numbers; each goes to one machine.
    ///
    /// # Errors
    ///
    /// If they can't be handed out.
    fn post(&self, ranges: &[Range<u64>]) -> io::Result<()>;

    /// Waits a while for games that were played, or until it is `enough`.
    ///
    /// # Errors
    ///
    /// If nobody can tell.
    fn collect(&self, enough: &dyn Fn() -> bool) -> io::Result<Vec<Batch>>;

    /// A worker has brought what can't be right: it gets nothing more to play.
    ///
    /// # Errors
    ///
    /// If nobody can be told.
    fn refuse(&self, worker: &str, why: &str) -> io::Result<()>;

    /// Takes back what nobody has begun there.
    ///
    /// # Errors
    ///
    /// If it can't be reached.
    fn take_back(&self) -> io::Result<Vec<Range<u64>>>;

    /// Takes everything back that was handed out.
    ///
    /// # Errors
    ///
    /// If it can't be reached.
    fn withdraw(&self) -> io::Result<()>;
}
