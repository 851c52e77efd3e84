//! The hall: all games in play. An event is stored, applied and then told to everybody; the
//! session and the data base are in the hands of one thread while that happens.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::extract::ws::Utf8Bytes;
use kingme_play::{
    By, Chance, Command, End, Event, Moment, Offer, PlayerId, Seat, Session, Stakes,
};
use tokio::runtime::Handle;
use tokio::sync::broadcast;
use tokio::time::Instant;

use crate::audience::{Audience, Crier};
use crate::commit::read;
use crate::computer::{Computer, ComputersTurn};
use crate::database::Database;
use crate::error::ApiError;
use crate::live::Live;
use crate::metrics::Metrics;
use crate::old_events::STOPPED;
use crate::peers::Mouth;
use crate::presence::Presence;
use crate::rate::WorkBudget;
use crate::said::Said;
use crate::secret;
use crate::settings::Settings;
use crate::state::too_many;
use crate::store::Store;
use crate::wall::Wall;
use crate::wire::{SummaryJson, json};

/// How many games are kept in memory before idle ones are dropped; they stay in the data base.
const KEPT: usize = 4_096;

/// What happened somewhere in the hall.
#[derive(Clone, Debug)]
pub struct News {
    /// The game.
    pub game: String,
    /// The people who play it.
    pub players: Vec<PlayerId>,
}

/// All games in play.
#[derive(Debug)]
pub struct Hall {
    /// The data base.
    pub store: Store,
    /// The computer player.
    pub computer: Computer,
    /// The bots that listen.
    pub presence: Presence,
    /// What happens, in numbers.
    pub metrics: Metrics,
    /// How much of the data base's thread each address has used.
    pub(crate) work: WorkBudget,
    games: Mutex<HashMap<String, Arc<Live>>>,
    news: broadcast::Sender<News>,
    /// Whoever looks at the list of public games.
    pub visitors: Arc<Audience>,
    pub(crate) crier: Crier,
    tasks: Handle,
    wall: Wall,
    /// Who tells other servers at the same data base.
    pub(crate) mouth: OnceLock<Mouth>,
}

/// A game that is to begin.
#[derive(Debug)]
pub struct NewGame {
    /// Its identifier.
    pub id: String,
    /// What it is begun with.
    pub settings: Settings,
    /// The session that they make.
    pub session: Session,
    /// Where whoever begins it is.
    pub from: IpAddr,
}

/// What came of a command.
#[derive(Clone, Debug)]
pub struct Done {
    /// What happened.
    pub event: Event,
    /// The game afterwards, as JSON.
    pub game: Utf8Bytes,
}

/// Says which event is to happen at a moment. Asked again when another server was quicker.
type Decide = Box<dyn Fn(&Session, Moment) -> Result<Event, ApiError> + Send>;

impl Hall {
    /// A hall with the games of a data base. What happens by itself runs on this runtime.
    pub fn new(store: Store, computer: Computer, wall: Wall) -> Hall {
        Hall {
            store,
            computer,
            work: WorkBudget::default(),
            games: Mutex::default(),
            news: broadcast::channel(256).0,
            visitors: Arc::default(),
            crier: Crier::new(),
            presence: Presence::default(),
            metrics: Metrics::default(),
            tasks: Handle::current(),
            wall,
            mouth: OnceLock::new(),
        }
    }

    /// The time on the wall: for the beginning of a game, and for the order of lists.
    pub fn wall(&self) -> Moment {
        self.wall.now()
    }

    /// What happens from now on, in all games.
    pub fn news(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
    }

    /// How many games are in memory.
    pub fn games_in_memory(&self) -> usize {
        self.games().len()
    }

    pub(crate) fn games(&self) -> MutexGuard<'_, HashMap<String, Arc<Live>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a game.
    ///
    /// # Errors
    ///
    /// If it can't be stored.
    pub async fn open(self: &Arc<Self>, new: NewGame) -> Result<(), ApiError> {
        let NewGame {
            id,
            settings,
            session,
            from,
        } = new;
        let live = Live::new(id, settings, session, self.wall());
        live.heard_from(from);
        self.begin(live).await.map(|_| ())
    }

    /// Begins a game that is made already.
    ///
    /// # Errors
    ///
    /// If it can't be stored.
    pub async fn begin(self: &Arc<Self>, live: Live) -> Result<Arc<Live>, ApiError> {
        let (hall, id) = (self.clone(), live.id.clone());
        let begin = move |data: &mut Database| {
            data.add_game(&live.id, &live.settings, hall.wall())?;
            Ok::<_, ApiError>(hall.welcome(live))
        };
        self.store.with_game(&id, begin).await
    }

    /// Takes a game into the hall, and starts what has to happen in it by itself.
    pub(crate) fn welcome(self: &Arc<Self>, live: Live) -> Arc<Live> {
        let live = self.keep(live);
        let session = live.session();
        self.tell(&live, &session);
        self.tell_others(&live, &session);
        self.wake(&live, &session);
        drop(session);
        live
    }

    fn keep(&self, live: Live) -> Arc<Live> {
        if let Some(mouth) = self.mouth.get() {
            live.tell_by(mouth.clone());
        }
        let mut games = self.games();
        if games.len() >= KEPT {
            games.retain(|_, live| live.listeners() > 0 || Arc::strong_count(live) > 1);
        }
        // Somebody else may have loaded it meanwhile: there is only ever one.
        let entry = games.entry(live.id.clone());
        entry.or_insert_with(|| Arc::new(live)).clone()
    }

    /// A game, from memory or from the data base.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub async fn live(self: &Arc<Self>, id: &str) -> Result<Arc<Live>, ApiError> {
        if let Some(live) = self.games().get(id) {
            return Ok(live.clone());
        }
        let (hall, wanted) = (self.clone(), id.to_owned());
        let load = move |data: &mut Database| hall.load(data, &wanted);
        self.store.with_game(id, load).await
    }

    /// A game that is perhaps not in memory, for whoever has the data base.
    pub(crate) fn load(
        self: &Arc<Self>,
        data: &mut Database,
        id: &str,
    ) -> Result<Arc<Live>, ApiError> {
        if let Some(live) = self.games().get(id) {
            return Ok(live.clone());
        }
        let (settings, session, at) = read(data, id, self.wall())?;
        let held = match session.end() {
            Some(_) => None,
            None => data.hold(id, at)?,
        };
        let (held, at) = held.unwrap_or((true, at));
        let live = Live::new(id.to_owned(), settings, session, at);
        live.set_held(held);
        let live = self.keep(live);
        self.resume(data, &live)?;
        Ok(live)
    }

    /// Goes on with a game that was without a server, or that another server has.
    pub(crate) fn resume(
        self: &Arc<Self>,
        data: &mut Database,
        live: &Arc<Live>,
    ) -> Result<(), ApiError> {
        let unfinished = live.session().end().is_none();
        if unfinished && live.settings.league.is_some() && live.is_held() {
            // Its league plays it again from the start: the server was down in the middle.
            self.commit(data, live, |_, _| Ok(Event::Ended(End::aborted(STOPPED))))?;
        } else {
            let session = live.session();
            self.wake(live, &session);
        }
        Ok(())
    }

    /// A game that somebody may see.
    ///
    /// # Errors
    ///
    /// If there is none for these eyes; whether it exists is not told.
    pub async fn visible(
        self: &Arc<Self>,
        id: &str,
        player: Option<PlayerId>,
    ) -> Result<Arc<Live>, ApiError> {
        let live = self.live(id).await?;
        if !live.is_visible_to(player) {
            // They may have taken a seat at another server.
            self.look_again(&live).await?;
        }
        if live.is_visible_to(player) {
            Ok(live)
        } else {
            Err(no_such_game())
        }
    }

    /// The same as it stands now, whichever server it was changed at: for whoever looks. Commands are
    /// decided on what is stored anyway.
    ///
    /// # Errors
    ///
    /// If there is none for these eyes.
    pub async fn as_stored(
        self: &Arc<Self>,
        id: &str,
        player: Option<PlayerId>,
    ) -> Result<Arc<Live>, ApiError> {
        let live = self.live(id).await?;
        self.look_again(&live).await?;
        if live.is_visible_to(player) {
            Ok(live)
        } else {
            Err(no_such_game())
        }
    }

    /// Several games in short; those that can't be had are left out.
    pub async fn in_short<T: Send + 'static>(
        self: &Arc<Self>,
        ids: impl FnOnce(&mut Database) -> kingme_data::Result<Vec<String>> + Send + 'static,
        of: impl Fn(&Live) -> T + Send + 'static,
    ) -> Result<Vec<T>, ApiError> {
        let mut games = Vec::new();
        for id in self.store.with(ids).await? {
            if let Ok(live) = self.live(&id).await {
                games.push(of(&live));
            }
        }
        Ok(games)
    }

    /// Does what a player wants, if the game allows it.
    ///
    /// # Errors
    ///
    /// Why it can't be done.
    pub async fn act(
        self: &Arc<Self>,
        live: &Arc<Live>,
        player: PlayerId,
        command: Command,
    ) -> Result<Done, ApiError> {
        // A move that is hard to work out keeps everybody's moves waiting.
        let wait = self.work.check(live.address(), Instant::now());
        wait.map_err(too_many)?;
        let by = By::Player(player);
        let decide: Decide =
            Box::new(move |session, now| Ok(session.decide(by, command.clone(), now)?));
        let done = self.decide(live, decide).await?;
        match done.event {
            Event::Offered {
                offer: Offer::Draw, ..
            } => self.answer_offer(live, player, done).await,
            _ => Ok(done),
        }
    }

    /// Has an event happen, if `decide` says so.
    ///
    /// # Errors
    ///
    /// Why it does not happen.
    pub async fn decide(
        self: &Arc<Self>,
        live: &Arc<Live>,
        decide: Decide,
    ) -> Result<Done, ApiError> {
        let (hall, game) = (self.clone(), live.clone());
        let commit = move |data: &mut Database| hall.commit(data, &game, decide);
        self.store.with_game(&live.id, commit).await
    }

    /// The computer's answer to a draw that it was offered. While it thinks the game goes on: the
    /// offer may be gone by then.
    async fn answer_offer(
        self: &Arc<Self>,
        live: &Arc<Live>,
        person: PlayerId,
        offered: Done,
    ) -> Result<Done, ApiError> {
        let asked = {
            let session = live.session();
            let mut sides = session.sides_of(person).map(|side| !side);
            sides.find_map(|side| match session.seats()[side] {
                Seat::Computer { level } => Some((side, level, session.game().clone())),
                _ => None,
            })
        };
        let Some((computer, level, game)) = asked else {
            return Ok(offered);
        };
        // Whoever moves at random has no opinion on draws.
        let person = (person, live.address());
        let agrees = level > 0 && self.computer.accepts_draw(person, game, computer).await;
        let answer = move |session: &Session, now: Moment| {
            let command = if agrees {
                let next = String::new();
                Command::Accept { next }
            } else {
                Command::Decline
            };
            Ok(session.decide(By::Side(computer), command, now)?)
        };
        let done = self.decide(live, Box::new(answer)).await;
        match (agrees, done) {
            (false, Ok(_)) => Err(plays_on()),
            (_, done) => done,
        }
    }

    /// Takes the open seat of a game for somebody who knows the secret.
    ///
    /// # Errors
    ///
    /// If the secret is wrong or the seat is taken.
    pub async fn join(
        self: &Arc<Self>,
        live: &Arc<Live>,
        (player, name): (PlayerId, String),
        invite: &str,
    ) -> Result<(), ApiError> {
        if live.settings.invite.as_deref() != Some(&secret::hash(invite)) {
            return Err(no_such_game());
        }
        let command = Command::Join { player, name };
        let by = By::Player(player);
        let join: Decide =
            Box::new(move |session, now| Ok(session.decide(by, command.clone(), now)?));
        self.decide(live, join).await.map(|_| ())
    }

    /// Tells bots and the lists of games.
    pub(crate) fn tell(&self, live: &Live, session: &Session) {
        if self.news.receiver_count() > 0 {
            let players = session.seats().iter().filter_map(Seat::player);
            let news = News {
                game: live.id.clone(),
                players: players.collect(),
            };
            // They may have gone since.
            self.news.send(news).map(|_| ()).unwrap_or_default();
        }
        if live.settings.public {
            let summary = || json(&SummaryJson::new(live, session));
            self.crier.tell(&self.visitors, summary);
        }
    }

    /// Starts what has to happen by itself: the computer's move, if no other server makes it, and
    /// the fall of the flag, which every server that has the game may see first.
    pub(crate) fn wake(self: &Arc<Self>, live: &Arc<Live>, session: &Session) {
        let seq = session.seq();
        if let Some(turn) = ComputersTurn::of(session).filter(|_| live.is_held()) {
            let (hall, live) = (self.clone(), live.clone());
            self.tasks.spawn(async move {
                let by = By::Side(turn.side);
                let Some(answer) = hall.computer.answer(turn, live.address()).await else {
                    return;
                };
                let decide: Decide = Box::new(move |session, now| {
                    still(session, seq)?;
                    Ok(session.decide(by, Command::Answer(answer.clone()), now)?)
                });
                hall.by_itself(&live, decide).await;
            });
        }
        let runs_out = session.clock().runs_out().map(|(_, at)| at);
        if let Some(at) = runs_out.filter(|_| session.terms().stakes != Stakes::League) {
            let (hall, live) = (self.clone(), live.clone());
            self.tasks.spawn(async move {
                tokio::time::sleep_until(live.instant(at)).await;
                let decide: Decide = Box::new(move |session, now| {
                    still(session, seq)?;
                    Ok(session.out_of_time(&mut Chance::new(0), now))
                });
                hall.by_itself(&live, decide).await;
            });
        }
    }

    /// Does what nobody waits for. That the game has gone on is no fault.
    async fn by_itself(self: &Arc<Self>, live: &Arc<Live>, decide: Decide) {
        match self.decide(live, decide).await {
            Ok(_) | Err(ApiError::Conflict(_)) => {}
            Err(error) => tracing::error!("game {}: {error}", live.id),
        }
    }
}

/// Whether nothing has happened since.
pub fn still(session: &Session, seq: u64) -> Result<(), ApiError> {
    if session.seq() == seq {
        Ok(())
    } else {
        Err(ApiError::Conflict("the game has gone on".into()))
    }
}

pub(crate) fn no_such_game() -> ApiError {
    ApiError::Missing(Said::new("no_such_game", "there is no such game"))
}

/// The computer's answer to an offer of a draw that it does not like.
fn plays_on() -> ApiError {
    ApiError::Refused(Said::new("plays_on", "the computer wants to play on"))
}
