//! The bot protocol: Hub, version 2, as Scan 3.1 and others speak it, for every game.
//!
//! Lines of text go to and fro: the arena says `hub`, the bot says who it is and `wait`s; the
//! arena sets parameters and says `init`, the bot gets `ready`; then every turn is a `pos`, a
//! `level` and a `go think`, which the bot answers with `done move=…`. What one side doesn't
//! understand it ignores. docs/BOTS.md has all of it, with our additions for other games.

mod check;
mod client;
mod engine;
mod heard;
mod level;
mod line;
mod moves;
mod names;
mod position;
mod python;
mod server;
mod setting;
mod story;
mod thinker;

pub use check::{Finding, Step, check_bot};
pub use client::{HubPlayer, Patience};
pub use engine::EngineThinker;
pub(crate) use heard::MOST_EXPECTED;
pub use line::{Line, LineWriter};
pub use moves::{MoveTextError, read_move, read_move_among, write_move, write_moves};
pub use position::{PositionError, read_position, write_position};
pub use python::python_command;
pub use server::serve;
pub use setting::{HandOver, Settings};
pub use thinker::{Info, PlayerThinker, Purpose, Task, Thinker, Thought};
