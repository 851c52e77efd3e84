//! What a player has to think with on one ply, and how it is interrupted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a player may use for its answer, in the terms of the time control.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So long for this move.
    Move(Duration),
    /// A clock for the game.
    Game {
        /// What the player has left.
        left: Duration,
        /// What its opponent has left.
        opponent: Duration,
        /// What it gains with every move.
        increment: Duration,
        /// How many moves it must make with that, this one included; `None`: the whole game.
        moves: Option<u32>,
    },
    /// So many plies deep.
    Depth(u32),
    /// So many positions.
    Nodes(u64),
    /// As long as it likes.
    Free,
}

/// The clock of one ply.
///
/// The deadline is one absolute moment: whatever a player does until then, and in however many
/// pieces its answer comes, the moment stays the same.
#[derive(Clone, Debug)]
pub struct Clock {
    /// What the player may use.
    pub budget: Budget,
    /// When its answer must be there; `None`: never.
    pub deadline: Option<Instant>,
}

impl Clock {
    /// A clock without a limit.
    pub fn free() -> Clock {
        Clock {
            budget: Budget::Free,
            deadline: None,
        }
    }

    /// A clock for one move of a fixed time, from now.
    pub fn for_move(time: Duration) -> Clock {
        Clock {
            budget: Budget::Move(time),
            deadline: Some(Instant::now() + time),
        }
    }

    /// How long it is to the deadline: nothing if it has passed, `None` if there is none.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

/// A request to stop, shared by the one who makes it and those who heed it. Cloning gives another
/// handle to the same request.
///
/// A player that is asked for a move looks at it a few times a second and then gives up with
/// [`PlayerFault::Interrupted`](crate::PlayerFault::Interrupted).
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Not requested yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Requests to stop; this can't be undone.
    pub fn request(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether it was requested.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
