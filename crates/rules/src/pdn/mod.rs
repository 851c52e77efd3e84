//! PDN 3.0, the text format of draughts games: reading real files, writing canonical ones.
//!
//! [`Reader`] turns any bytes into [`PdnGame`]s, one at a time; [`write()`] turns them back into
//! text. Neither knows any rules: [`replay()`] plays such a game, [`from_game`] records one.
//!
//! The scanner is written by hand, because a stream of games larger than memory, read with the
//! tolerance real files need, is simpler so than with a parser library.

mod build;
mod canonical;
mod check;
mod comment;
mod encoding;
mod error;
mod game;
mod game_type;
mod moves;
mod reader;
mod record;
mod replay;
mod source;
mod token;
mod variants;
mod word;
mod write;

pub use check::{Warning, warnings};
pub use comment::WrittenClock;
pub use encoding::Encoding;
pub use error::{PdnError, PdnFault};
pub use game::{MoveNode, MoveNumber, PdnGame, Place, ResultToken, Score, Tag};
pub use game_type::{GameType, GameTypeError, Naming};
pub use reader::Reader;
pub use record::{from_game, nodes_after};
pub use replay::{Replay, ReplayError, ReplayFault, replay, replay_line};
pub use variants::Assumption;
pub use write::{to_text, write};
