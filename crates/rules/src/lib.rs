//! Boards, positions, legal moves and notations of the checkers family. Every game is data; this
//! crate does no I/O.
//!
//! ```
//! use kingme_rules::{Game, Variant};
//!
//! let variant = Variant::named("international")?;
//! let mut game = Game::new(&variant);
//! game.play_text("32-28")?;
//! game.play_text("17-22")?;
//! let refused = game.play_text("31-27").unwrap_err();
//! assert_eq!(refused.to_string(), "31-27 is not possible: there is a capture with 28");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Variant`], [`Position`], [`Move`] and [`Game`] are made for people's programs: they check
//! what they are given and say what is wrong. [`Ruleset`], [`BitPosition`] and [`movegen`] are the
//! same rules in bits, made for search; [`Position::visit`] leads from one to the other.
//!
//! The feature `fast` is for those who search or count millions of positions a second: the
//! generator is compiled again with constant keys for each of the well-known games, for processors
//! with AVX2, and for the last plies of [`Position::perft`]. It changes no answer; it takes longer
//! to compile and makes a larger program.

mod bit_position;
mod bits;
mod board;
#[cfg(feature = "fast")]
mod constant;
mod fen;
mod game;
mod grid;
mod hash_keys;
mod keys;
mod layout;
pub mod movegen;
mod moves;
mod nearest;
mod notation;
pub mod pdn;
mod perft;
mod position;
mod quote;
mod refusal;
mod ruleset;
mod setup;
mod side;
mod text_board;
pub mod variant;

pub use bit_position::{BitMove, BitPosition};
pub use bits::{Bits, Wide};
pub use board::{Board, Square};
pub use fen::FenError;
pub use game::{Game, Outcome, Reason, Step, Turn};
pub use keys::Keys;
pub use layout::Layout;
pub use moves::Move;
pub use nearest::nearest;
pub use notation::MoveError;
pub use position::{Position, Visitor};
pub use refusal::{IllegalMove, Refusal};
pub use ruleset::{Ruleset, RulesetVisitor};
pub use setup::{Piece, Setup, SetupError};
pub use side::Side;
pub use variant::{Definition, Fault, SizeError, UnknownVariant, Variant, VariantError};
