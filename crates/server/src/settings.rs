//! What a game is begun with, as it is stored.

use std::time::Duration;

use kingme_play::{OnLate, PlayerId, Policy, Seat, Session, Stakes, Terms, TimeControl};
use kingme_rules::{Game, Position, Variant};
use serde::{Deserialize, Serialize};

use crate::error::ApiError;

/// What a game is begun with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Name of the game.
    pub variant: String,
    /// Its file, if it does not come with the program.
    pub toml: Option<String>,
    /// Size of the board, if it is not the usual one.
    pub size: Option<u32>,
    /// Where it starts, if not at the start.
    pub fen: Option<String>,
    /// The seats, White's first.
    pub seats: [Seat; 2],
    /// The time, if it is limited.
    pub clock: Option<TimeJson>,
    /// Whether anybody may watch.
    pub public: bool,
    /// Hash of the secret that opens the open seat.
    pub invite: Option<String>,
    /// Moves that were made elsewhere, before the game came here.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Whether it counts for the players' ratings.
    #[serde(default)]
    pub rated: bool,
    /// The league that it is a game of: its log keeps the result.
    #[serde(default)]
    pub league: Option<String>,
}

/// How much time each side has.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = TimeControl)]
pub struct TimeJson {
    /// For the whole game.
    pub initial_ms: u64,
    /// Added after each move.
    pub increment_ms: u64,
}

impl TimeJson {
    /// Longest game: a week.
    const LONGEST: u64 = 7 * 24 * 3_600_000;

    /// Whether the times make sense.
    pub fn is_sane(self) -> bool {
        (1_000..=Self::LONGEST).contains(&self.initial_ms) && self.increment_ms <= Self::LONGEST
    }
}

impl From<TimeJson> for TimeControl {
    fn from(time: TimeJson) -> TimeControl {
        TimeControl::Game {
            time: Duration::from_millis(time.initial_ms),
            increment: Duration::from_millis(time.increment_ms),
            moves: None,
        }
    }
}

impl Settings {
    /// A game that player 1 plays for both sides, without a clock.
    #[cfg(test)]
    pub fn for_player_1(variant: &str) -> Settings {
        let person = Seat::Person {
            player: 1,
            name: "Ann".to_owned(),
        };
        Settings {
            variant: variant.to_owned(),
            toml: None,
            size: None,
            fen: None,
            seats: [person.clone(), person],
            clock: None,
            public: true,
            invite: None,
            moves: Vec::new(),
            rated: false,
            league: None,
        }
    }

    /// The game that is played.
    pub fn variant(&self) -> Result<Variant, ApiError> {
        load_variant(&self.variant, self.toml.as_deref(), self.size)
    }

    /// A session that begins with them.
    ///
    /// # Errors
    ///
    /// If there is no such game, or the position or the moves are not of it.
    pub fn session(&self) -> Result<Session, ApiError> {
        let variant = self.variant()?;
        let start = match &self.fen {
            Some(fen) => Position::from_fen(&variant, fen)
                .map_err(|error| ApiError::Bad(error.to_string().into()))?,
            None => variant.start(),
        };
        let mut game = Game::from_position(start);
        for text in &self.moves {
            game.play_text(text)?;
        }
        Ok(Session::new(game, self.seats.clone(), self.terms()))
    }

    fn terms(&self) -> Terms {
        let time = self.clock.map_or(TimeControl::Free, TimeControl::from);
        Terms {
            time: [time; 2],
            policy: Policy {
                late: OnLate::Lose,
                grace: Duration::ZERO,
                ply_limit: None,
                ..Policy::strict()
            },
            stakes: match (&self.league, self.rated) {
                (Some(_), _) => Stakes::League,
                (None, true) => Stakes::Rated,
                (None, false) => Stakes::Casual,
            },
        }
    }

    /// What a rematch is begun with: the same, colours swapped.
    pub fn swapped(&self, [white, black]: [Seat; 2]) -> Settings {
        Settings {
            seats: [black, white],
            invite: None,
            moves: Vec::new(),
            ..self.clone()
        }
    }
}

/// Whose rating a game changes: people by their number, the computer's levels below zero.
pub fn rated_as(seat: &Seat) -> Option<PlayerId> {
    match seat {
        Seat::Person { player, .. } => Some(*player),
        Seat::Computer { level } => Some(-1 - PlayerId::from(*level)),
        Seat::Open | Seat::Program { .. } => None,
    }
}

/// A game by name or file, on a board of some size.
pub fn load_variant(
    name: &str,
    toml: Option<&str>,
    size: Option<u32>,
) -> Result<Variant, ApiError> {
    let variant = match toml {
        Some(text) => Variant::from_toml(text)?,
        None => {
            Variant::named(name).map_err(|error| ApiError::Missing(error.to_string().into()))?
        }
    };
    match size {
        Some(size) => variant
            .sized(size)
            .map_err(|error| ApiError::Bad(error.to_string().into())),
        None => Ok(variant),
    }
}
