//! Which bots listen at the moment, and can be played.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use kingme_play::PlayerId;
use serde::{Deserialize, Serialize};

use crate::peers::{Mouth, Word};
use crate::shares::Place;

/// The bots that listen.
#[derive(Clone, Debug, Default)]
pub struct Presence(Arc<Lists>);

#[derive(Debug, Default)]
struct Lists {
    /// To this server.
    here: Mutex<Vec<Bot>>,
    /// To others that share its data base.
    elsewhere: Mutex<Vec<Bot>>,
    /// Who tells those.
    mouth: OnceLock<Mouth>,
}

impl Lists {
    /// The others are to know.
    fn changed(&self) {
        if let Some(mouth) = self.mouth.get() {
            mouth.say(Word::Servers);
        }
    }
}

/// A bot that listens.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    presence: Presence,
    _place: Place,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut bots = locked(&self.presence.0.here);
        if let Some(at) = bots.iter().position(|bot| bot.player == self.player) {
            bots.swap_remove(at);
        }
        drop(bots);
        self.presence.0.changed();
    }
}

fn locked(bots: &Mutex<Vec<Bot>>) -> MutexGuard<'_, Vec<Bot>> {
    bots.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Presence {
    /// From now on other servers are told of what changes.
    pub(crate) fn tell_by(&self, mouth: Mouth) {
        self.0.mouth.set(mouth).unwrap_or_default();
    }

    /// The bots that listen to this server, for others.
    pub(crate) fn here(&self) -> String {
        // Names and numbers can always be written.
        serde_json::to_string(&*locked(&self.0.here)).unwrap_or_default()
    }

    /// Takes note of the bots that listen to others, a text for each of them. What a later version
    /// writes may be unreadable.
    pub(crate) fn elsewhere<'a>(&self, texts: impl Iterator<Item = &'a str>) {
        let bots = texts.filter_map(|text| serde_json::from_str::<Vec<Bot>>(text).ok());
        *locked(&self.0.elsewhere) = bots.flatten().collect();
    }

    /// Whether somebody who listens here fits.
    pub(crate) fn is_here(&self, players: &[PlayerId]) -> bool {
        let mut here = players.iter();
        here.any(|player| locked(&self.0.here).iter().any(|bot| bot.player == *player))
    }

    fn any(&self, fits: impl Fn(&Bot) -> bool) -> bool {
        let lists = [&self.0.here, &self.0.elsewhere];
        lists.iter().any(|list| locked(list).iter().any(&fits))
    }

    /// A bot starts to listen.
    pub fn listen(
        &self,
        (player, name): (PlayerId, String),
        rated: bool,
        place: Place,
    ) -> Listening {
        locked(&self.0.here).push(Bot {
            player,
            name,
            rated,
        });
        self.0.changed();
        Listening {
            player,
            presence: self.clone(),
            _place: place,
        }
    }

    /// Whether a bot listens.
    pub fn is_listening(&self, player: PlayerId) -> bool {
        self.any(|bot| bot.player == player)
    }

    /// Whether a bot listens for games that count.
    pub fn plays_rated(&self, player: PlayerId) -> bool {
        self.any(|bot| bot.player == player && bot.rated)
    }

    /// The names of the bots that listen.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = [&self.0.here, &self.0.elsewhere]
            .iter()
            .flat_map(|list| locked(list).clone())
            .map(|bot| bot.name)
            .collect();
        names.sort();
        names.dedup();
        names
    }
}
