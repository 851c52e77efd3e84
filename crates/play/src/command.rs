//! What players ask for, and why they may not get it.

use std::time::Duration;

use kingme_rules::{MoveError, Side};

use crate::{Answer, PlayerId};

/// Who asks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// Whoever plays a side.
    Side(Side),
    /// A person, who may have a seat, both or none.
    Player(PlayerId),
}

/// What somebody wants to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Take the open seat.
    Join {
        /// Who.
        player: PlayerId,
        /// By what name.
        name: String,
    },
    /// Play a move, or give up.
    Answer(Answer),
    /// Take the last move back.
    TakeBack,
    /// Offer a draw.
    Draw,
    /// Claim the win, since the other side has left.
    Claim {
        /// For how long White and Black have been away, as far as that is known.
        away: [Option<Duration>; 2],
    },
    /// Offer another game.
    Rematch {
        /// Its identifier, should it begin at once.
        next: String,
    },
    /// Accept what the other side offers.
    Accept {
        /// The identifier of another game, should that be what was offered.
        next: String,
    },
    /// Decline it.
    Decline,
}

/// Why somebody does not get what they want.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Not by this one.
    #[error("only the players can do that")]
    NotPlayer,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// A seat is open.
    #[error("the other player is not here yet")]
    NotHere,
    /// The other side is to move.
    #[error("it is {0}'s turn")]
    NotTurn(String),
    /// Too late.
    #[error("the time is up")]
    Late,
    /// The rules don't allow it.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// No move that could be taken back.
    #[error("there is nothing to take back")]
    NothingToTakeBack,
    /// It counts.
    #[error("in a rated game nothing is taken back")]
    RatedStays,
    /// The league has its own rules.
    #[error("that is not possible in a league's game")]
    NotInLeague,
    /// The other side has not been away for so long.
    #[error("the other player has not been away for a minute")]
    StillHere,
    /// Without a clock nobody has to hurry.
    #[error("in a game without a clock everybody may come back later")]
    NoHurry,
    /// First this game.
    #[error("the game is not over")]
    NotOver,
    /// There is a next game already.
    #[error("the next game has begun")]
    NextBegun,
    /// There is no offer.
    #[error("nothing is offered")]
    NothingOffered,
    /// One's own offer.
    #[error("the other side has to accept it")]
    OtherAccepts,
    /// No open seat.
    #[error("the seat is taken")]
    SeatTaken,
    /// Nobody takes both seats.
    #[error("you play this game already")]
    YouPlay,
}
