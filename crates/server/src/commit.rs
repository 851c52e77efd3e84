//! The way of an event: decided, stored with all that follows from it, applied, told.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use kingme_data::DataError;
use kingme_play::{Event, Moment, Session};
use tokio::time::Instant;

use crate::database::{Database, Hold, NewEvent, Rating};
use crate::error::ApiError;
use crate::hall::{Done, Hall, no_such_game};
use crate::live::Live;
use crate::settings::{Settings, rated_as};

impl Hall {
    /// Decides on an event, stores it with all that follows from it, applies it and tells
    /// everybody. Whoever calls this is the thread of the game, so one event happens at a time here;
    /// if another server was quicker, what it did is read, and it is decided again.
    ///
    /// # Errors
    ///
    /// Why nothing has happened.
    pub fn commit(
        self: &Arc<Self>,
        data: &mut Database,
        live: &Arc<Live>,
        decide: impl Fn(&Session, Moment) -> Result<Event, ApiError>,
    ) -> Result<Done, ApiError> {
        for _ in 0..RACES {
            if let Some(done) = self.try_commit(data, live, &decide)? {
                return Ok(done);
            }
        }
        Err(ApiError::Busy)
    }

    /// The same; nothing if another server was quicker.
    fn try_commit(
        self: &Arc<Self>,
        data: &mut Database,
        live: &Arc<Live>,
        decide: impl Fn(&Session, Moment) -> Result<Event, ApiError>,
    ) -> Result<Option<Done>, ApiError> {
        let unfinished = live.session().end().is_none();
        if unfinished && live.settings.league.is_some() && !live.is_held() {
            return Err(played_elsewhere());
        }
        let began = Instant::now();
        let prepared = self.prepare(live, decide);
        // A refusal can be as hard to work out as a move.
        self.work.spend(live.address(), began, began.elapsed());
        let decided = match prepared {
            Ok(decided) => decided,
            // Perhaps only because another server knows more.
            Err(_) if data.server().is_some() && self.catch_up(data, live)? => return Ok(None),
            Err(refused) => return Err(refused),
        };
        live.record(&decided.event).map_err(|why| {
            tracing::error!("game {}: {why}", live.id);
            ApiError::Internal
        })?;
        // Nobody else changes the session meanwhile, and whoever looks at it need not wait.
        match data.add_event(&decided.to_store(live, self.wall())) {
            Ok(()) => {}
            Err(DataError::Taken(_)) if self.catch_up(data, live)? => return Ok(None),
            Err(error) => {
                // It may be stored all the same: what is stored is the truth.
                self.reload(data, live);
                return Err(error.into());
            }
        }
        let Decided {
            event,
            at,
            next,
            hold,
            ..
        } = decided;
        if hold != Hold::Stays {
            live.set_held(hold == Hold::Ours);
        }
        let stored = Instant::now();
        let mut session = live.session();
        if let Err(unfit) = session.apply(&event, at) {
            drop(session);
            self.reload(data, live);
            return Err(ApiError::Refused(unfit.to_string().into()));
        }
        let game = self.announce(live, &session);
        self.tell_others(live, &session);
        drop(session);
        if let Some(next) = next {
            self.welcome(next);
        }
        self.work.spend(live.address(), stored, stored.elapsed());
        self.metrics.event(&event, began.elapsed());
        Ok(Some(Done { event, game }))
    }

    /// Tells everybody how a game stands, its players first, and starts what has to happen by
    /// itself.
    pub(crate) fn announce(self: &Arc<Self>, live: &Arc<Live>, session: &Session) -> Utf8Bytes {
        let game = live.announce(session);
        self.crier.tell(&live.spectators, || game.clone());
        self.tell(live, session);
        self.wake(live, session);
        game
    }

    /// Decides on an event, and on what follows from it.
    fn prepare(
        &self,
        live: &Live,
        decide: impl Fn(&Session, Moment) -> Result<Event, ApiError>,
    ) -> Result<Decided, ApiError> {
        let session = live.session();
        let at = live.now();
        let event = decide(&session, at)?;
        Ok(Decided {
            seq: session.seq(),
            at,
            rating: rating(live, &session, &event),
            next: rematch(live, &session, &event, self.wall())?,
            hold: hold(live, &session, &event),
            event,
        })
    }

    /// Takes a game as it is stored. An event may be there that nobody was told of.
    pub(crate) fn reload(self: &Arc<Self>, data: &mut Database, live: &Arc<Live>) {
        let stored = read(data, &live.id, self.wall());
        let ours = data.is_ours(&live.id).map_err(ApiError::from);
        match stored.and_then(|stored| Ok((stored, ours?))) {
            Ok(((_, stored, at), ours)) => {
                live.set_held(ours);
                live.is_no_earlier_than(at);
                let mut session = live.session();
                *session = stored;
                self.announce(live, &session);
            }
            Err(error) => {
                tracing::error!("game {} can't be read again: {error}", live.id);
                // Whoever asks next tries again, from what is stored. A game that servers share stays
                // with its listeners: it is caught up on when the data base is back.
                if data.server().is_none() {
                    self.games().remove(&live.id);
                }
            }
        }
    }
}

/// So often in a row another server may be quicker.
const RACES: usize = 16;

/// The games of a league are played at the server that plays the league.
fn played_elsewhere() -> ApiError {
    ApiError::Conflict("this game of a league is played at another server".into())
}

/// What an event does to the hold on its game.
fn hold(live: &Live, session: &Session, event: &Event) -> Hold {
    let goes_on = match event {
        Event::TakenBack { .. } => true,
        event => session.end().is_none() && session.end_by(event).is_none(),
    };
    match (goes_on, live.is_held()) {
        (true, true) => Hold::Stays,
        (true, false) => Hold::Ours,
        (false, _) => Hold::Ends,
    }
}

/// An event that is to happen, with what follows from it.
struct Decided {
    seq: u64,
    at: Moment,
    event: Event,
    rating: Option<Rating>,
    next: Option<Live>,
    hold: Hold,
}

impl Decided {
    fn to_store<'a>(&'a self, live: &'a Live, touched: Moment) -> NewEvent<'a> {
        let next = self.next.as_ref();
        NewEvent {
            game: &live.id,
            seq: self.seq,
            at: self.at,
            touched,
            event: &self.event,
            rating: self.rating.as_ref(),
            next: next.map(|next| (next.id.as_str(), &next.settings)),
            hold: self.hold,
        }
    }
}

/// The game that begins with an event, if one does.
fn rematch(
    live: &Live,
    session: &Session,
    event: &Event,
    wall: Moment,
) -> Result<Option<Live>, ApiError> {
    let Event::Rematched { game } = event else {
        return Ok(None);
    };
    let settings = live.settings.swapped(session.seats().clone());
    let session = settings.session()?;
    Ok(Some(Live::new(game.clone(), settings, session, wall)))
}

/// A game as the data base has it, and the moment of its last event, or the given one.
pub(crate) fn read(
    data: &mut Database,
    id: &str,
    mut at: Moment,
) -> Result<(Settings, Session, Moment), ApiError> {
    let stored = data.game(id)?.ok_or_else(no_such_game)?;
    let mut session = stored.settings.session()?;
    for (moment, event) in stored.events {
        let event = event.into_event(session.game().variant());
        session.apply(&event, moment).map_err(|unfit| {
            tracing::error!("game {id} does not fit its rules: {unfit}");
            ApiError::Internal
        })?;
        at = moment;
    }
    Ok((stored.settings, session, at))
}

/// What an event that ends a game changes: both ratings, if the game counts.
fn rating(live: &Live, session: &Session, event: &Event) -> Option<Rating> {
    let end = session.end_by(event)?;
    let plies = session.game().plies() + usize::from(matches!(event, Event::Turn(_)));
    // Whoever goes before both have moved has not played.
    if !live.settings.rated || plies < 2 {
        return None;
    }
    let [white, black] = session.seats();
    Some(Rating {
        variant: live.settings.variant.clone(),
        players: [rated_as(white)?, rated_as(black)?],
        white_score: end.white_score(),
    })
}
