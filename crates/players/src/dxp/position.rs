//! Positions and moves as `DamExchange` has them: Hub's, with black as `z`.

use kingme_rules::{Game, Move, Position, Side, Variant};

use super::connection::DxpError;
use super::message::MoveMessage;
use crate::hub::{read_move, read_position, write_position};

/// The board that the layout of the messages is made for.
const SQUARES: usize = 50;

/// Whether a game fits the messages.
///
/// # Errors
///
/// If its board has other squares than they have room for.
pub fn check_board(variant: &Variant) -> Result<(), DxpError> {
    let squares = variant.board().len();
    if squares == SQUARES {
        return Ok(());
    }
    Err(DxpError::Board {
        game: variant.name().to_owned(),
        squares,
    })
}

/// A position, or `None` for the start.
pub(super) fn write(position: &Position) -> Option<(Side, String)> {
    if *position == position.variant().start() {
        return None;
    }
    let text = write_position(position)[1..]
        .replace('b', "z")
        .replace('B', "Z");
    Some((position.turn(), text))
}

/// The position of a request.
pub(super) fn read(
    variant: &Variant,
    position: Option<&(Side, String)>,
) -> Result<Position, String> {
    let Some((turn, squares)) = position else {
        return Ok(variant.start());
    };
    let text = squares.replace('z', "b").replace('Z', "B");
    let text = format!("{}{text}", turn.letter());
    read_position(variant, &text).map_err(|error| error.to_string())
}

/// The last move of a game.
pub(super) fn write_last(game: &Game, seconds: u64) -> Option<MoveMessage> {
    let board = game.variant().board();
    game.last_move().map(|mv| MoveMessage {
        seconds: u16::try_from(seconds).unwrap_or(u16::MAX),
        from: board.number(mv.from),
        to: board.number(mv.to),
        captured: mv
            .captured
            .iter()
            .map(|&square| board.number(square))
            .collect(),
    })
}

/// The text of a message's move, for those who read such texts.
pub(super) fn text(message: &MoveMessage) -> String {
    let separator = if message.captured.is_empty() {
        "-"
    } else {
        "x"
    };
    let numbers = [message.from, message.to]
        .into_iter()
        .chain(message.captured.iter().copied());
    numbers
        .map(|number| number.to_string())
        .collect::<Vec<_>>()
        .join(separator)
}

/// The move that a message means.
pub(super) fn read_last(position: &Position, message: &MoveMessage) -> Result<Move, String> {
    read_move(position, &text(message)).map_err(|error| error.to_string())
}
