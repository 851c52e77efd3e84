//! The people of a league at their browsers: their games are in the hall, where they move as in any
//! other game, and the league's referee drives the same session.

use std::borrow::Cow;
use std::sync::Arc;

use kingme_arena::league::{Hosted, People};
use kingme_arena::{Decide, Host};
use kingme_play::{Moment, PlayerId, Seat, Session, Stop};
use kingme_players::Player;
use kingme_rules::{Game, Position, Side, Turn};
use tokio::runtime::Handle;
use tokio::sync::Notify;

use super::Leagues;
use crate::cards::VariantChoice;
use crate::error::ApiError;
use crate::hall::{Hall, still};
use crate::live::Live;
use crate::secret;
use crate::settings::Settings;

/// The people of a league that this server plays.
#[derive(Clone, Debug)]
pub struct AtBrowsers {
    /// The games.
    pub hall: Arc<Hall>,
    /// Where people find their seats.
    pub leagues: Arc<Leagues>,
    /// The league's name on pages.
    pub league: String,
    /// The league's game.
    pub rules: VariantChoice,
    /// The server's tasks.
    pub tasks: Handle,
}

impl People for AtBrowsers {
    fn are_together(&self) -> bool {
        false
    }

    fn player(&self, _name: &str) -> Option<Box<dyn Player>> {
        None
    }

    fn host(&self, game: Hosted, stop: &Stop) -> Result<Option<Box<dyn Host>>, String> {
        let hosted = self.tasks.block_on(self.open(game, stop));
        let host = hosted.map_err(|error| error.to_string())?;
        Ok(host.map(|host| Box::new(host) as Box<dyn Host>))
    }
}

impl AtBrowsers {
    /// A game in the hall, once all its people have taken their seats; none if we are to stop before.
    async fn open(&self, game: Hosted, stop: &Stop) -> Result<Option<AtHall>, ApiError> {
        let mut seats = game.session.seats().clone();
        let mut players = Vec::new();
        for side in Side::BOTH {
            if seats[side] == Seat::Open {
                let name = game.names[side].clone();
                let Some(player) = self.whoever_plays(&name, stop).await? else {
                    return Ok(None);
                };
                players.push(player);
                seats[side] = Seat::Person { player, name };
            }
        }
        let settings = self.settings(game.session.game(), seats.clone());
        let mut session = game.session.with_seats(seats);
        let at = self.hall.wall();
        session.start_clock(at);
        let id = secret::new_id();
        let live = Live::new(id.clone(), settings, session, at).recorded_by(game.on_event);
        let live = self.hall.begin(live).await?;
        for player in &players {
            self.leagues.seat(&self.league, *player, id.clone());
        }
        Ok(Some(AtHall {
            place: self.clone(),
            live,
            players,
        }))
    }

    /// Who has the seat of a name, which may still be free; none if we are to stop before.
    async fn whoever_plays(&self, name: &str, stop: &Stop) -> Result<Option<PlayerId>, ApiError> {
        let mut taken = self.leagues.taken.subscribe();
        loop {
            let (league, wanted) = (self.league.clone(), name.to_owned());
            let seated = self.hall.store.with(move |data| {
                // Whoever has come to the league since has no seat yet to take.
                data.free_seat(&league, &wanted)?;
                data.seated(&league, &wanted)
            });
            let seated = seated.await?;
            self.leagues.expect(&self.league, name, seated.is_some());
            if seated.is_some() {
                return Ok(seated);
            }
            tokio::select! {
                changed = taken.changed() => changed.map_err(|_| ApiError::Internal)?,
                () = stopped(stop) => return Ok(None),
            }
        }
    }

    /// What a game is begun with.
    fn settings(&self, opening: &Game, seats: [Seat; 2]) -> Settings {
        let VariantChoice {
            variant,
            toml,
            size,
        } = self.rules.clone();
        let moved = *opening.start() != opening.variant().start();
        let text =
            |(position, turn): (&Position, &Turn)| Some(position.squares_text(turn.as_move()?));
        Settings {
            variant,
            toml,
            size,
            fen: moved.then(|| opening.start().fen()),
            seats,
            clock: None,
            public: false,
            invite: None,
            moves: opening.history().filter_map(text).collect(),
            rated: false,
            league: Some(self.league.clone()),
        }
    }
}

/// Waits until a stop is requested.
async fn stopped(stop: &Stop) {
    let notify = Arc::new(Notify::new());
    let wake = notify.clone();
    let _on_stop = stop.on_request(move || wake.notify_one());
    notify.notified().await;
}

/// A game of a league in the hall.
struct AtHall {
    place: AtBrowsers,
    live: Arc<Live>,
    players: Vec<PlayerId>,
}

impl Host for AtHall {
    fn commit(&mut self, decide: &mut Decide) -> Result<(), String> {
        loop {
            let session = self.live.session();
            let seq = session.seq();
            let Some(event) = decide(&session, self.live.now()) else {
                return Ok(());
            };
            drop(session);
            let (hall, live) = (self.place.hall.clone(), self.live.clone());
            let id = &self.live.id;
            let committed = self.place.hall.store.with_game_blocking(id, move |data| {
                hall.commit(data, &live, |session, _| {
                    still(session, seq)?;
                    Ok(event.clone())
                })
            });
            match committed {
                Ok(_) => return Ok(()),
                // Somebody at a browser was quicker: the referee thinks again.
                Err(ApiError::Conflict(_)) => {}
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    fn look(&self, look: &mut dyn FnMut(&Session)) {
        look(&self.live.session());
    }

    fn now(&self) -> Moment {
        self.live.now()
    }

    fn game(&self) -> Cow<'_, Game> {
        Cow::Owned(self.live.session().game().clone())
    }

    fn wait(&self, seq: u64, stop: &Stop) {
        let runs_out = self.live.session().clock().runs_out();
        let late = runs_out.map(|(_, at)| self.live.instant(at));
        let mut changes = self.live.changes();
        self.place.tasks.block_on(async {
            let late = async {
                match late {
                    Some(late) => tokio::time::sleep_until(late).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                // The sender is ours, so there is always another change to wait for.
                _ = changes.wait_for(|now| *now > seq) => (),
                () = late => (),
                () = stopped(stop) => (),
            }
        });
    }

    fn over(&self) -> Option<Stop> {
        Some(self.live.over())
    }
}

impl Drop for AtHall {
    fn drop(&mut self) {
        for player in &self.players {
            self.place.leagues.leave(&self.place.league, *player);
        }
    }
}
