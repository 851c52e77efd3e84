//! Which bots listen at the moment, and can be played.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kingme_play::PlayerId;

use crate::shares::Place;

/// The bots that listen.
#[derive(Debug, Default)]
pub struct Presence {
    bots: Arc<Mutex<Vec<Bot>>>,
}

/// A bot that listens.
#[derive(Clone, Debug)]
struct Bot {
    player: PlayerId,
    name: String,
    /// Whether it plays games that count.
    rated: bool,
}

/// A bot's presence, for as long as this is kept.
#[derive(Debug)]
pub struct Listening {
    player: PlayerId,
    bots: Arc<Mutex<Vec<Bot>>>,
    _place: Place,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut bots = self.bots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = bots.iter().position(|bot| bot.player == self.player) {
            bots.swap_remove(at);
        }
    }
}

impl Presence {
    fn bots(&self) -> MutexGuard<'_, Vec<Bot>> {
        self.bots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A bot starts to listen.
    pub fn listen(
        &self,
        (player, name): (PlayerId, String),
        rated: bool,
        place: Place,
    ) -> Listening {
        self.bots().push(Bot {
            player,
            name,
            rated,
        });
        Listening {
            player,
            bots: self.bots.clone(),
            _place: place,
        }
    }

    /// Whether a bot listens.
    pub fn is_listening(&self, player: PlayerId) -> bool {
        self.bots().iter().any(|bot| bot.player == player)
    }

    /// Whether a bot listens for games that count.
    pub fn plays_rated(&self, player: PlayerId) -> bool {
        let bots = self.bots();
        bots.iter().any(|bot| bot.player == player && bot.rated)
    }

    /// The names of the bots that listen.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.bots().iter().map(|bot| bot.name.clone()).collect();
        names.sort();
        names.dedup();
        names
    }
}
