//! Events: all that can happen to a game. Their list is the game; everything else follows from it.

use kingme_rules::Side;
use serde::{Deserialize, Serialize};

/// A side on the wire.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SideJson {
    /// The side that FEN writes as `W`.
    White,
    /// The side that FEN writes as `B`.
    Black,
}

impl From<Side> for SideJson {
    fn from(side: Side) -> SideJson {
        match side {
            Side::White => SideJson::White,
            Side::Black => SideJson::Black,
        }
    }
}

impl From<SideJson> for Side {
    fn from(side: SideJson) -> Side {
        match side {
            SideJson::White => Side::White,
            SideJson::Black => Side::Black,
        }
    }
}

/// Something that needs the other side's consent.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// Call it a draw.
    Draw,
    /// Let me take my last move back.
    TakeBack,
    /// Another game, colours swapped.
    Rematch,
}

/// Something that has happened to a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// Somebody took an open seat.
    Joined {
        /// Which.
        side: SideJson,
        /// Who.
        player: i64,
        /// By what name.
        name: String,
    },
    /// The side to move has moved.
    Moved {
        /// The move with every square it lands on.
        text: String,
    },
    /// Moves were taken back.
    TakenBack {
        /// How many.
        plies: usize,
    },
    /// A side asks the other for something.
    Offered {
        /// Who asks.
        side: SideJson,
        /// For what.
        offer: Offer,
    },
    /// The other side said no.
    Declined,
    /// A side gave up.
    Resigned {
        /// Which.
        side: SideJson,
    },
    /// Both sides want a draw.
    DrawAgreed,
    /// A side's time ran out.
    TimeOut {
        /// Whose.
        side: SideJson,
    },
    /// The next game between the same two.
    Rematched {
        /// Its identifier.
        game: String,
    },
    /// The server started again with this game unfinished.
    Resumed,
    /// The league that it belongs to was stopped.
    Stopped,
    /// The referee of the league has ended it.
    Decided {
        /// Who won; nobody in a draw.
        winner: Option<SideJson>,
    },
}
