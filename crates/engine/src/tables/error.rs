//! What can go wrong with tables.

use std::path::PathBuf;

use kingme_rules::Variant;

/// Why a table can't be built, opened or read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A rule of the game stands against tables.
    #[error("`{variant}` can't have endgame tables: {reason}")]
    Unsupported {
        /// The game.
        variant: String,
        /// The rule.
        reason: String,
    },
    /// Fewer than two pieces, or more than can be numbered.
    #[error("tables can have 2 to {most} pieces, not {pieces}")]
    Pieces {
        /// What was asked for.
        pieces: usize,
        /// The most that are possible.
        most: usize,
    },
    /// A win takes longer than a byte can say.
    #[error(
        "some win with the pieces {0} (men and kings) takes more than 253 plies to its next capture or promotion"
    )]
    TooLong(String),
    /// More quiet moves than a byte can count.
    #[error("some position with the pieces {0} (men and kings) has more than 248 quiet moves")]
    TooManyMoves(String),
    /// Not enough memory allowed.
    #[error(
        "the positions with the pieces {slice} (men and kings) need {needed} MB of memory, and only {allowed} MB are allowed"
    )]
    Memory {
        /// The slice.
        slice: String,
        /// Megabytes needed.
        needed: u64,
        /// Megabytes allowed.
        allowed: u64,
    },
    /// The operating system says no.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What it says.
        error: std::io::Error,
    },
    /// The file is not what it should be.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A verdict or a distance that the moves of its position don't bear out.
    #[error("{}: position {position} of the pieces {slice} (men and kings) is said to be a {found}, but its moves make it a {expected}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The slice.
        slice: String,
        /// The number of the position in the slice.
        position: usize,
        /// What the table says.
        found: String,
        /// What the moves say.
        expected: String,
    },
    /// There is no such table.
    #[error("there are no tables of `{variant}` with {pieces} pieces in {}; `kingme tables build {variant} --pieces {pieces}` makes them", directory.display())]
    Missing {
        /// The game.
        variant: String,
        /// How many pieces.
        pieces: usize,
        /// Where they were looked for.
        directory: PathBuf,
    },
    /// The caller has had enough.
    #[error("stopped")]
    Stopped,
}

impl TableError {
    /// Says which file or directory an error of the operating system is about.
    pub(super) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> TableError {
        let path = path.into();
        move |error| TableError::Io { path, error }
    }

    pub(super) fn missing_slice(path: &std::path::Path, slice: super::Slice) -> TableError {
        TableError::damaged(
            path,
            format!("the pieces {slice} (men and kings) are missing"),
        )
    }

    pub(super) fn damaged(path: impl Into<PathBuf>, reason: impl Into<String>) -> TableError {
        TableError::Damaged {
            path: path.into(),
            reason: reason.into(),
        }
    }
}

impl TableError {
    /// A board that has no bits has no tables.
    pub(super) fn too_large(variant: &Variant) -> TableError {
        let board = variant.board();
        TableError::Unsupported {
            variant: variant.name().to_owned(),
            reason: format!(
                "a board of {}×{} is too large for them",
                board.columns(),
                board.rows()
            ),
        }
    }
}
