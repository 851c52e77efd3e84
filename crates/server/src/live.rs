//! A game in the hall: its session, and everybody who listens to it.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use kingme_arena::Recorder;
use kingme_play::{Event, Moment, PlayerId, Seat, Session, Stop};
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use crate::absence::Absence;
use crate::audience::Audience;
use crate::peers::{Mouth, Word};
use crate::settings::Settings;
use crate::wire::{AwayJson, GameJson, WholeGameJson, json};

/// A game with everybody who listens to it.
pub struct Live {
    /// Its identifier.
    pub id: String,
    /// What it was begun with.
    pub settings: Settings,
    session: Mutex<Session>,
    /// The moment of its last event when it came into memory, and when that was. Time that passes
    /// while no server has the game is nobody's.
    began: Mutex<(Moment, Instant)>,
    players: broadcast::Sender<Utf8Bytes>,
    /// Whoever else watches.
    pub spectators: Arc<Audience>,
    /// The number of events, for those who wait.
    changed: watch::Sender<u64>,
    recorder: Mutex<Option<Recorder>>,
    /// Requested when the game has ended.
    over: Stop,
    absence: Absence,
    /// Where its players were last heard from: the computer's time is shared by addresses.
    address: Mutex<IpAddr>,
    /// Whether this server does what has to happen by itself: of those that share a data base, one
    /// does.
    held: AtomicBool,
    /// Who tells other servers.
    mouth: OnceLock<Mouth>,
}

/// A player's page, until it is closed.
#[derive(Debug)]
pub struct Visit {
    live: Arc<Live>,
    player: PlayerId,
}

impl Drop for Visit {
    fn drop(&mut self) {
        let (live, player) = (&self.live, self.player);
        if live.absence.go(player) {
            live.tell_absence();
        }
        if !live.absence.here().contains(&player) {
            let game = live.id.clone();
            live.say(Word::Left { game, player });
        }
    }
}

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl Live {
    /// A session that is at a moment now.
    pub fn new(id: String, settings: Settings, session: Session, at: Moment) -> Live {
        Live {
            id,
            settings,
            changed: watch::channel(session.seq()).0,
            session: Mutex::new(session),
            began: Mutex::new((at, Instant::now())),
            players: broadcast::channel(32).0,
            spectators: Arc::default(),
            recorder: Mutex::new(None),
            over: Stop::new(),
            absence: Absence::default(),
            address: Mutex::new(Ipv4Addr::UNSPECIFIED.into()),
            held: AtomicBool::new(true),
            mouth: OnceLock::new(),
        }
    }

    /// The same with somebody who hears of every event before it counts.
    #[must_use]
    pub fn recorded_by(self, recorder: Recorder) -> Live {
        Live {
            recorder: Mutex::new(Some(recorder)),
            ..self
        }
    }

    /// The session, alone for a moment.
    pub fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn began(&self) -> MutexGuard<'_, (Moment, Instant)> {
        self.began.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It is no earlier than that: another server has seen the moment pass.
    pub(crate) fn is_no_earlier_than(&self, moment: Moment) {
        if self.now() < moment {
            *self.began() = (moment, Instant::now());
        }
    }

    /// Whether this server does what has to happen by itself.
    pub(crate) fn is_held(&self) -> bool {
        self.held.load(Ordering::Relaxed)
    }

    /// From now on this server does so, or another.
    pub(crate) fn set_held(&self, held: bool) {
        self.held.store(held, Ordering::Relaxed);
    }

    /// From now on other servers are told who comes and goes.
    pub(crate) fn tell_by(&self, mouth: Mouth) {
        self.mouth.set(mouth).unwrap_or_default();
    }

    fn say(&self, word: Word) {
        if let Some(mouth) = self.mouth.get() {
            mouth.say(word);
        }
    }

    /// The moment it is now, in whole milliseconds as it is stored.
    pub fn now(&self) -> Moment {
        let (at, since) = *self.began();
        let passed = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
        at.saturating_add(Duration::from_millis(passed))
    }

    /// When a moment of the game will be.
    pub fn instant(&self, moment: Moment) -> Instant {
        let (at, since) = *self.began();
        since + moment.saturating_sub(at)
    }

    /// Has the recorder write an event down, if there is one.
    pub fn record(&self, event: &Event) -> Result<(), String> {
        let mut recorder = self.recorder.lock().unwrap_or_else(PoisonError::into_inner);
        match recorder.as_mut() {
            Some(record) => record(event),
            None => Ok(()),
        }
    }

    /// Tells its players how the game stands, for others to be told afterwards. Nobody listening is
    /// fine.
    pub fn announce(&self, session: &Session) -> Utf8Bytes {
        let text = json(&GameJson::new(self, session));
        if self.players.receiver_count() > 0 {
            self.players.send(text.clone()).unwrap_or_default();
        }
        self.changed.send_replace(session.seq());
        if session.end().is_some() {
            self.over.request();
        }
        text
    }

    /// Every later event as the text of a [`GameJson`].
    pub fn subscribe(&self, player: Option<PlayerId>) -> broadcast::Receiver<Utf8Bytes> {
        if self.is_played_by(player) {
            self.players.subscribe()
        } else {
            self.spectators.subscribe()
        }
    }

    /// Whether somebody plays it.
    pub fn is_played_by(&self, player: Option<PlayerId>) -> bool {
        player.is_some_and(|player| self.session().sides_of(player).next().is_some())
    }

    /// A player has opened the game's page; the other is told, now and when the last one is closed.
    pub fn come(self: &Arc<Self>, player: PlayerId) -> Visit {
        let here = self.absence.here();
        if self.absence.come(player) {
            self.tell_absence();
        }
        if here.is_empty() {
            let game = self.id.clone();
            self.say(Word::Who { game });
        }
        if !here.contains(&player) {
            let game = self.id.clone();
            self.say(Word::Came { game, player });
        }
        let live = self.clone();
        Visit { live, player }
    }

    /// For how long its players have had no page open.
    pub fn away(&self, session: &Session) -> [Option<Duration>; 2] {
        let away = |seat: &Seat| self.absence.away(seat.player()?);
        session.seats().each_ref().map(away)
    }

    /// Another server says who of the players has come to it or gone, or asks who is here.
    pub(crate) fn heard(&self, server: i64, word: &Word) {
        let news = match *word {
            Word::Came { player, .. } => self.absence.come_elsewhere(player, server),
            Word::Left { player, .. } => self.absence.go_elsewhere(player, server),
            _ => {
                for player in self.absence.here() {
                    let game = self.id.clone();
                    self.say(Word::Came { game, player });
                }
                false
            }
        };
        if news {
            self.tell_absence();
        }
    }

    /// Other servers are gone, with the pages that were open there.
    pub(crate) fn forget(&self, servers: &[i64]) {
        if self.absence.forget(servers) {
            self.tell_absence();
        }
    }

    fn tell_absence(&self) {
        let away = AwayJson::new(self.away(&self.session()));
        // Nobody listening is fine.
        self.players.send(json(&away)).map(drop).unwrap_or_default();
    }

    /// The number of events, to wait for the next.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Requested when the game has ended, for the first time if its last moves are taken back.
    pub fn over(&self) -> Stop {
        self.over.clone()
    }

    /// Where its players were last heard from.
    pub fn address(&self) -> IpAddr {
        *self.address.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of where a player is heard from.
    pub fn heard_from(&self, address: IpAddr) {
        *self.address.lock().unwrap_or_else(PoisonError::into_inner) = address;
    }

    /// How many listen.
    pub fn listeners(&self) -> usize {
        self.players.receiver_count() + self.spectators.len() + self.changed.receiver_count()
    }

    /// Whether somebody may see the game.
    pub fn is_visible_to(&self, player: Option<PlayerId>) -> bool {
        self.settings.public || self.is_played_by(player)
    }

    /// Everything, for a player or a spectator.
    pub fn whole(&self, player: Option<PlayerId>) -> WholeGameJson {
        let session = self.session();
        WholeGameJson::new(self, &session, player)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};

    use kingme_play::{Answer, Command, Reply};

    use super::*;
    use crate::computer::Computer;
    use crate::endings::Endings;
    use crate::hall::Hall;
    use crate::store::Store;
    use crate::wall::Wall;

    /// An event that is being written down keeps nobody from looking at the game.
    #[tokio::test]
    async fn whoever_looks_does_not_wait_for_the_disk() {
        let store = Store::in_memory().unwrap();
        let computer = Computer::new(Endings::new(None), 1);
        let hall = Arc::new(Hall::new(store, computer, Wall::system()));
        let (writes, writing) = mpsc::channel();
        let (finish, finished) = mpsc::channel();
        let recorder: Recorder = Box::new(move |_| {
            writes.send(()).unwrap();
            finished.recv().map_err(|error| error.to_string())
        });
        let session = Settings::for_player_1("english").session().unwrap();
        let live = Live::new(
            "game".to_owned(),
            Settings::for_player_1("english"),
            session,
            Moment::ZERO,
        );
        let live = hall.begin(live.recorded_by(recorder)).await.unwrap();
        let (acting, game) = (hall.clone(), live.clone());
        let command = Command::Answer(Answer::new(Reply::Resign));
        let act = tokio::spawn(async move { acting.act(&game, 1, command).await });
        tokio::task::spawn_blocking(move || writing.recv())
            .await
            .unwrap()
            .unwrap();
        let seen = live.session.try_lock().map(|session| session.seq());
        finish.send(()).unwrap();
        assert!(act.await.unwrap().is_ok());
        assert_eq!(seen.ok(), Some(0));
        assert!(live.over().is_requested());
    }
}
