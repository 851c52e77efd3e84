//! Which bots listen at the moment, and can be played.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kingme_play::PlayerId;

use crate::shares::Place;

/// The bots that listen.
#[derive(Debug, Default)]
pub struct Presence {
    bots: Arc<Mutex<Vec<(PlayerId, String)>>>,
}

/// A bot's presence, for as long as this is kept.
#[derive(Debug)]
pub struct Listening {
    player: PlayerId,
    bots: Arc<Mutex<Vec<(PlayerId, String)>>>,
    _place: Place,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut bots = self.bots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = bots.iter().position(|(player, _)| *player == self.player) {
            bots.swap_remove(at);
        }
    }
}

impl Presence {
    fn bots(&self) -> MutexGuard<'_, Vec<(PlayerId, String)>> {
        self.bots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A bot starts to listen.
    pub fn listen(&self, player: PlayerId, name: String, place: Place) -> Listening {
        self.bots().push((player, name));
        Listening {
            player,
            bots: self.bots.clone(),
            _place: place,
        }
    }

    /// Whether a bot listens.
    pub fn is_listening(&self, player: PlayerId) -> bool {
        self.bots().iter().any(|(bot, _)| *bot == player)
    }

    /// The names of the bots that listen.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.bots().iter().map(|(_, name)| name.clone()).collect();
        names.sort();
        names.dedup();
        names
    }
}
