//! Endgame tables: who wins every position with few pieces, for any game of men and kings.
//!
//! [`build`] makes them, [`check`] proves them, [`Tables`] answers. Positions are put into
//! *slices* by their numbers of men and kings, seen from the side to move; a slice is solved with
//! its mirror, after all that captures and promotions lead to: first every position is looked at
//! once with the forward generator, then what is known spreads by quiet moves taken back.
//! docs/TABLES.md has the format of the files and what the numbers mean.

mod build;
mod cache;
mod check;
mod checksum;
mod counts;
mod encode;
mod ends;
mod error;
mod file;
mod format;
mod index;
mod packed;
mod place;
mod probe;
mod restore;
mod retro;
mod shelf;
mod slice;
mod solved;
mod verdict;
mod view;

pub use build::{BuildConfig, OnProgress, Progress, affordable_pieces, build, quick_pieces};
pub use check::check;
pub use counts::Counts;
pub use error::TableError;
pub use probe::{RootMove, TableSum, Tables};
pub use slice::{Force, MOST_PIECES, Slice};
pub use verdict::{Probe, Verdict};

pub(crate) use ends::Ends;
pub(crate) use solved::Pieces;
