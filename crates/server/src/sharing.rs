//! What a hall does with games that other servers at the same data base have as well. The data base
//! decides: an event is there once, by its game and number, and whoever comes second reads it.

use std::sync::Arc;

use kingme_data::DataError;
use kingme_play::{Seat, Session};

use crate::database::Database;
use crate::error::ApiError;
use crate::hall::Hall;
use crate::live::Live;
use crate::peers::{self, Mouth, Word};

impl Hall {
    /// Takes its place among the servers that share its data base, if it is one that can be shared.
    ///
    /// # Errors
    ///
    /// If the data base can't be reached.
    pub fn join_others(self: &Arc<Self>) -> Result<(), DataError> {
        match self.store.shared() {
            Some(shared) => peers::join(shared, self),
            None => Ok(()),
        }
    }

    /// Leaves the servers that share its data base; they take its games.
    pub fn leave_others(&self) {
        if let Some(mouth) = self.mouth.get() {
            mouth.leave();
        }
    }

    /// From now on other servers are told what happens.
    pub(crate) fn has_peers(&self, mouth: Mouth) {
        self.presence.tell_by(mouth.clone());
        self.mouth.set(mouth).unwrap_or_default();
    }

    /// Tells the other servers at the same data base that a game has begun or gone on.
    pub(crate) fn tell_others(&self, live: &Live, session: &Session) {
        if let Some(mouth) = self.mouth.get() {
            mouth.say(Word::Event {
                game: live.id.clone(),
                seq: session.seq(),
                public: live.settings.public,
                players: session.seats().iter().filter_map(Seat::player).collect(),
            });
        }
    }

    /// Reads what other servers have stored since, applies it and tells everybody here; whether
    /// there was anything.
    ///
    /// # Errors
    ///
    /// If it can't be read.
    pub(crate) fn catch_up(
        self: &Arc<Self>,
        data: &mut Database,
        live: &Arc<Live>,
    ) -> Result<bool, ApiError> {
        let seq = live.session().seq();
        let since = data.events_from(&live.id, seq)?;
        let news = !since.events.is_empty();
        if news {
            live.set_held(since.ours);
        }
        for (at, event) in since.events {
            let mut session = live.session();
            let event = event.into_event(session.game().variant());
            live.is_no_earlier_than(at);
            if session.apply(&event, at).is_err() {
                drop(session);
                self.reload(data, live);
                return Ok(true);
            }
            self.announce(live, &session);
        }
        Ok(news)
    }

    /// Reads what other servers have done in a game, if there can be others.
    pub(crate) async fn look_again(self: &Arc<Self>, live: &Arc<Live>) -> Result<(), ApiError> {
        if self.mouth.get().is_none() {
            return Ok(());
        }
        let (hall, game) = (self.clone(), live.clone());
        let look = move |data: &mut Database| hall.catch_up(data, &game).map(drop);
        self.store.with_game(&live.id, look).await
    }

    /// Goes on with the games of a server that is gone.
    pub(crate) fn take_over(self: &Arc<Self>, games: Vec<String>) {
        for id in games {
            let (hall, game) = (self.clone(), id.clone());
            self.store_soon(&id, move |data| {
                let Some(live) = hall.in_memory(&game) else {
                    return hall.load(data, &game).map(drop);
                };
                hall.catch_up(data, &live)?;
                live.set_held(true);
                hall.resume(data, &live)
            });
        }
    }

    /// Reads what other servers have done in the games that are in memory here.
    pub(crate) fn catch_up_all(self: &Arc<Self>) {
        let games: Vec<Arc<Live>> = self.games().values().cloned().collect();
        for live in games {
            let (hall, id) = (self.clone(), live.id.clone());
            self.store_soon(&id, move |data| {
                // What was to happen by itself may have failed for want of a data base.
                if !hall.catch_up(data, &live)? && live.is_held() {
                    hall.wake(&live, &live.session());
                }
                Ok(())
            });
        }
    }

    /// Other servers are gone, with the pages that were open there.
    pub(crate) fn forget(&self, servers: &[i64]) {
        let games: Vec<Arc<Live>> = self.games().values().cloned().collect();
        for live in games {
            live.forget(servers);
        }
    }

    /// Another server says something.
    pub(crate) fn heard(self: &Arc<Self>, server: i64, word: Word) {
        match word {
            Word::Event {
                game,
                seq,
                public,
                players,
            } => {
                let wanted = (public && self.visitors.len() > 0) || self.presence.is_here(&players);
                let (hall, id) = (self.clone(), game.clone());
                self.store_soon(&game, move |data| match hall.in_memory(&id) {
                    Some(live) if live.session().seq() < seq => {
                        hall.catch_up(data, &live).map(drop)
                    }
                    None if wanted => {
                        let live = hall.load(data, &id)?;
                        hall.tell(&live, &live.session());
                        Ok(())
                    }
                    _ => Ok(()),
                });
            }
            Word::Came { ref game, .. } | Word::Left { ref game, .. } | Word::Who { ref game } => {
                if let Some(live) = self.in_memory(game) {
                    live.heard(server, &word);
                }
            }
            Word::All => self.catch_up_all(),
            Word::Servers => {}
        }
    }

    fn in_memory(&self, id: &str) -> Option<Arc<Live>> {
        self.games().get(id).cloned()
    }

    /// Has something done about a game that nobody waits for.
    fn store_soon(
        &self,
        game: &str,
        work: impl FnOnce(&mut Database) -> Result<(), ApiError> + Send + 'static,
    ) {
        let id = game.to_owned();
        let handed = self.store.hand_over(Some(game), move |data| {
            if let Err(error) = work(data) {
                tracing::error!("game {id}: {error}");
            }
        });
        if let Err(error) = handed {
            tracing::error!("game {game}: {error}");
        }
    }
}
