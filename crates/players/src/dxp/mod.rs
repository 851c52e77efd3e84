//! `DamExchange`: how draughts programs play each other over TCP.
//!
//! One side, the *initiator*, asks for a game; the other, the *follower*, accepts. Then moves go to
//! and fro until one side, on its turn, ends the game and the other confirms it. Messages are short
//! texts with a fixed layout, each with a zero byte at its end.

mod connection;
mod message;
mod player;
mod position;
mod server;

pub use connection::{Connection, DxpError};
pub use message::{Accept, GameRequest, Message, MessageError, MoveMessage, Verdict};
pub use player::{DxpPlayer, clock_note};
pub use position::check_board;
pub use server::{Hosted, serve};

/// The port that programs use if nobody says otherwise.
pub const PORT: u16 = 27531;
