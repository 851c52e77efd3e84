//! The hall: all tables. Events are stored first, then applied, then announced.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::extract::ws::Utf8Bytes;
use kingme_rules::Side;
use tokio::sync::broadcast;

use crate::clock::Millis;
use crate::computer::Computer;
use crate::endings::Endings;
use crate::error::ApiError;
use crate::event::Event;
use crate::presence::Presence;
use crate::said::Said;
use crate::secret;
use crate::store::Store;
use crate::table::{PlayerId, Seat, Settings, Table};
use crate::wire::{GameJson, SummaryJson, WholeGameJson};
use crate::wishes::Wish;

/// How many games are kept in memory before idle ones are dropped; they stay in the data base.
const KEPT: usize = 4_096;

/// A table with everybody who listens to it.
#[derive(Debug)]
pub struct Live {
    table: Mutex<Table>,
    updates: broadcast::Sender<Utf8Bytes>,
}

impl Live {
    fn new(table: Table) -> Live {
        Live {
            table: Mutex::new(table),
            updates: broadcast::channel(32).0,
        }
    }

    /// The table, alone for a moment.
    pub fn table(&self) -> MutexGuard<'_, Table> {
        // Events are applied to a copy first, so a panic leaves the table as it was.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every later event as the text of a [`GameJson`].
    pub fn subscribe(&self) -> broadcast::Receiver<Utf8Bytes> {
        self.updates.subscribe()
    }

    /// How many listen.
    pub fn listeners(&self) -> usize {
        self.updates.receiver_count()
    }

    /// Everything, for a player or a spectator.
    pub fn whole(&self, player: Option<PlayerId>) -> WholeGameJson {
        let table = self.table();
        let sides = player.map_or_else(Vec::new, |player| table.sides_of(player));
        WholeGameJson::new(&table, sides, now())
    }
}

/// What happened somewhere in the hall.
#[derive(Clone, Debug)]
pub struct News {
    /// The game.
    pub game: String,
    /// Whether everybody may know.
    pub public: bool,
    /// The people who play it.
    pub players: Vec<PlayerId>,
    /// How it stands, in short, as JSON.
    pub summary: Utf8Bytes,
}

/// All tables.
#[derive(Debug)]
pub struct Hall {
    /// The data base.
    pub store: Store,
    /// The computer player.
    pub computer: Computer,
    tables: Mutex<HashMap<String, Arc<Live>>>,
    news: broadcast::Sender<News>,
    /// The bots that listen.
    pub presence: Presence,
}

impl Hall {
    /// A hall with the games of a data base.
    pub fn new(store: Store, endings: Endings) -> Hall {
        Hall {
            store,
            computer: Computer::new(endings),
            tables: Mutex::default(),
            news: broadcast::channel(256).0,
            presence: Presence::default(),
        }
    }

    /// What happens from now on, in all games.
    pub fn news(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<String, Arc<Live>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a game.
    ///
    /// # Errors
    ///
    /// If it can't be played so, or can't be stored.
    pub fn open(self: &Arc<Self>, id: String, settings: Settings) -> Result<Arc<Live>, ApiError> {
        let table = Table::new(id, settings)?;
        self.store.add_game(&table.id, &table.settings, now())?;
        self.announce(&table);
        let live = self.keep(table);
        self.wake(&live);
        Ok(live)
    }

    fn keep(&self, table: Table) -> Arc<Live> {
        let mut tables = self.tables();
        if tables.len() >= KEPT {
            tables.retain(|_, live| live.listeners() > 0 || Arc::strong_count(live) > 1);
        }
        let id = table.id.clone();
        // Somebody else may have loaded it meanwhile: there is only ever one.
        let entry = tables.entry(id);
        entry.or_insert_with(|| Arc::new(Live::new(table))).clone()
    }

    /// A game, from memory or from the data base.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn live(self: &Arc<Self>, id: &str) -> Result<Arc<Live>, ApiError> {
        if let Some(live) = self.tables().get(id) {
            return Ok(live.clone());
        }
        let Some(stored) = self.store.game(id)? else {
            return Err(no_such_game());
        };
        let mut table = Table::new(id.to_owned(), stored.settings)?;
        for (at, event) in &stored.events {
            table.apply(event, *at)?;
        }
        let orphan = table.settings.league.is_some() && table.ending.is_none();
        let live = self.keep(table);
        if orphan {
            // Its league plays it again from the start: the server was down in the middle.
            self.note(&live, Event::Stopped)?;
        } else if live
            .table()
            .clock
            .as_ref()
            .is_some_and(|clock| clock.running().is_some())
        {
            self.commit(&live, |_| Ok(Event::Resumed))?;
        } else {
            self.wake(&live);
        }
        Ok(live)
    }

    /// A game that somebody may see.
    ///
    /// # Errors
    ///
    /// If there is none for these eyes; whether it exists is not told.
    pub fn visible(
        self: &Arc<Self>,
        id: &str,
        player: Option<PlayerId>,
    ) -> Result<Arc<Live>, ApiError> {
        let live = self.live(id)?;
        if live.table().is_visible_to(player) {
            Ok(live)
        } else {
            Err(no_such_game())
        }
    }

    /// Does what a player wishes, if the game allows it.
    ///
    /// # Errors
    ///
    /// Why it can't be done.
    pub async fn act(
        self: &Arc<Self>,
        live: &Arc<Live>,
        player: PlayerId,
        wish: &Wish,
    ) -> Result<(), ApiError> {
        if *wish == Wish::Draw && self.computer_agrees(live, player).await {
            let seq = live.table().seq;
            self.commit(live, |table| table.still(seq, Event::DrawAgreed))?;
            return Ok(());
        }
        let event = self.commit(live, |table| table.grant(player, wish))?;
        if let Event::Rematched { game } = event {
            let settings = live.table().rematch_settings();
            self.open(game, settings)?;
        }
        Ok(())
    }

    /// Whether a player's offer of a draw goes to the computer, and it agrees.
    async fn computer_agrees(&self, live: &Live, player: PlayerId) -> bool {
        let (game, computer) = {
            let table = live.table();
            let sides = table.sides_of(player);
            let [side] = sides[..] else { return false };
            if table.ending.is_some() || !matches!(table.seats[!side], Seat::Computer { .. }) {
                return false;
            }
            (table.game.clone(), !side)
        };
        self.computer.accepts_draw(player, game, computer).await
    }

    /// Takes the open seat of a game for somebody who knows the secret.
    ///
    /// # Errors
    ///
    /// If the secret is wrong or the seat is taken.
    pub fn join(
        self: &Arc<Self>,
        live: &Arc<Live>,
        (player, name): (PlayerId, String),
        invite: &str,
    ) -> Result<(), ApiError> {
        self.commit(live, |table| {
            if table.settings.invite.as_deref() != Some(&secret::hash(invite)) {
                return Err(no_such_game());
            }
            if !table.sides_of(player).is_empty() {
                return Err(ApiError::Conflict(Said::new(
                    "you_play",
                    "you play this game already",
                )));
            }
            let Some(side) = table.open_side() else {
                return Err(ApiError::Conflict(Said::new(
                    "seat_taken",
                    "the seat is taken",
                )));
            };
            Ok(Event::Joined {
                side: side.into(),
                player,
                name,
            })
        })?;
        Ok(())
    }

    /// Takes note of what the referee of a league says about one of its games.
    ///
    /// # Errors
    ///
    /// If it can't be stored, or is not possible as the game stands.
    pub fn note(self: &Arc<Self>, live: &Arc<Live>, event: Event) -> Result<(), ApiError> {
        self.commit(live, |_| Ok(event)).map(|_| ())
    }

    /// Decides on an event, stores it, applies it and tells everybody.
    fn commit(
        self: &Arc<Self>,
        live: &Arc<Live>,
        decide: impl FnOnce(&Table) -> Result<Event, ApiError>,
    ) -> Result<Event, ApiError> {
        let mut table = live.table();
        let event = decide(&table)?;
        let now = now();
        let mut next = table.clone();
        next.apply(&event, now)?;
        self.store.add_event(&table.id, table.seq, now, &event)?;
        let ends = table.ending.is_none() && next.ending.is_some();
        *table = next;
        if ends {
            self.rate(&table)?;
        }
        // Nobody listening is fine.
        let _ = live.updates.send(json(&GameJson::new(&table, now)));
        self.announce(&table);
        drop(table);
        self.wake(live);
        Ok(event)
    }

    /// Lets a rated game count, once.
    fn rate(&self, table: &Table) -> Result<(), ApiError> {
        let players = [table.seats[0].rated_as(), table.seats[1].rated_as()];
        let ([Some(white), Some(black)], Some(ending)) = (players, &table.ending) else {
            return Ok(());
        };
        // Whoever goes before both have moved has not played.
        if !table.settings.rated || table.game.plies() < 2 {
            return Ok(());
        }
        let score = match ending.winner() {
            Some(Side::White) => 1.0,
            Some(Side::Black) => 0.0,
            None => 0.5,
        };
        let variant = &table.settings.variant;
        Ok(self.store.rate(&table.id, variant, [white, black], score)?)
    }

    fn announce(&self, table: &Table) {
        if self.news.receiver_count() == 0 {
            return;
        }
        let player = |side: Side| match &table.seats[side] {
            Seat::Person { player, .. } => Some(*player),
            _ => None,
        };
        let _ = self.news.send(News {
            game: table.id.clone(),
            public: table.settings.public,
            players: Side::BOTH.into_iter().filter_map(player).collect(),
            summary: json(&SummaryJson::new(table)),
        });
    }

    /// Starts what has to happen by itself: the computer's move, the fall of the flag.
    fn wake(self: &Arc<Self>, live: &Arc<Live>) {
        let table = live.table();
        let seq = table.seq;
        if let Some(level) = table.computer_to_move() {
            let (hall, live, game) = (self.clone(), live.clone(), table.game.clone());
            let person = match &table.seats[!game.turn()] {
                Seat::Person { player, .. } => *player,
                _ => 0, // nobody's: the computer against itself
            };
            tokio::spawn(async move {
                let left = live
                    .table()
                    .clock
                    .as_ref()
                    .map(|clock| Duration::from_millis(clock.left(game.turn(), now())));
                let Some(text) = hall.computer.move_at(person, game, level, left).await else {
                    return;
                };
                let _ = hall.commit(&live, |table| table.still(seq, Event::Moved { text }));
            });
        }
        let runs_out = table.clock.as_ref().and_then(crate::clock::Clock::runs_out);
        if let Some((side, at)) = runs_out {
            let (hall, live) = (self.clone(), live.clone());
            let wait = Duration::from_millis(at.saturating_sub(now()));
            tokio::spawn(async move {
                tokio::time::sleep(wait).await;
                let event = Event::TimeOut { side: side.into() };
                let _ = hall.commit(&live, |table| table.still(seq, event));
            });
        }
    }
}

impl Table {
    /// The event, if nothing has happened since.
    fn still(&self, seq: u64, event: Event) -> Result<Event, ApiError> {
        if self.seq == seq {
            Ok(event)
        } else {
            Err(ApiError::Conflict("the game has gone on".into()))
        }
    }
}

fn no_such_game() -> ApiError {
    ApiError::Missing(Said::new("no_such_game", "there is no such game"))
}

/// A value as JSON text that many sockets can share.
pub fn json(value: &impl serde::Serialize) -> Utf8Bytes {
    serde_json::to_string(value)
        .expect("our own types have only text keys")
        .into()
}

/// The time on the server's clock.
pub fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as Millis)
}
