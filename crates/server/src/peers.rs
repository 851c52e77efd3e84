//! The other servers at the same data base. One tells them what has happened, and hears from them;
//! one says that one is there, and takes over from those who no longer do.
//!
//! What is told is a hint, the data base has the truth: after a word was missed, or a server died
//! before it could tell, whoever has a game reads what is new in it.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use kingme_data::{Connection, DataError};
use kingme_play::PlayerId;
use postgres::Config;
use postgres::fallible_iterator::FallibleIterator;

use crate::database::Database;
use crate::hall::Hall;
use crate::shared::{CHANNEL, Peer};
use crate::store::Shared;

/// So often a server says that it is there.
const BEAT: Duration = Duration::from_secs(1);
/// Whoever has not said so for so long is dead.
const LEASE: Duration = Duration::from_secs(3);
/// The pause before a lost connection is tried again.
const PAUSE: Duration = Duration::from_millis(250);
/// The data base takes no longer texts.
const LONGEST: usize = 7_000;

/// What servers tell each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// A game has so many events now.
    Event {
        game: String,
        seq: u64,
        public: bool,
        players: Vec<PlayerId>,
    },
    /// A player has opened a game's page there.
    Came { game: String, player: PlayerId },
    /// A player has closed the last one.
    Left { game: String, player: PlayerId },
    /// Who has this game's page open?
    Who { game: String },
    /// The list of servers is to be looked at: bots have come or gone, or a server goes.
    Servers,
    /// Words were lost: everything is to be read again.
    All,
}

impl Word {
    /// The word as a line, with who says it.
    fn line(&self, server: i64) -> String {
        match self {
            Word::Event {
                game,
                seq,
                public,
                players,
            } => {
                let mut line = format!("{server} event {game} {seq} {}", u8::from(*public));
                for player in players {
                    // Text takes whatever is written to it.
                    write!(line, " {player}").unwrap_or_default();
                }
                line
            }
            Word::Came { game, player } => format!("{server} came {game} {player}"),
            Word::Left { game, player } => format!("{server} left {game} {player}"),
            Word::Who { game } => format!("{server} who {game}"),
            Word::Servers => format!("{server} servers"),
            Word::All => format!("{server} all"),
        }
    }

    /// A line of another server, or of a later version, which may say what we don't know.
    fn read(line: &str) -> Option<(i64, Word)> {
        let mut parts = line.split(' ');
        let server = parts.next()?.parse().ok()?;
        let kind = parts.next()?;
        let mut game = || parts.next().map(str::to_owned);
        let word = match kind {
            "event" => Word::Event {
                game: game()?,
                seq: parts.next()?.parse().ok()?,
                public: parts.next()? == "1",
                players: parts.filter_map(|player| player.parse().ok()).collect(),
            },
            "came" => Word::Came {
                game: game()?,
                player: parts.next()?.parse().ok()?,
            },
            "left" => Word::Left {
                game: game()?,
                player: parts.next()?.parse().ok()?,
            },
            "who" => Word::Who { game: game()? },
            "servers" => Word::Servers,
            "all" => Word::All,
            _ => return None,
        };
        Some((server, word))
    }
}

/// What is to be said, for whoever has something to say.
#[derive(Clone, Debug)]
pub(crate) struct Mouth(Sender<Task>);

enum Task {
    Say(Word),
    /// Look at the list of servers now.
    Look,
    /// Say goodbye, and tell when it is said.
    Leave(Sender<()>),
}

impl Mouth {
    /// Has the other servers told; does not wait.
    pub(crate) fn say(&self, word: Word) {
        // It is gone only with the hall.
        self.0.send(Task::Say(word)).unwrap_or_default();
    }

    /// Has the list of servers looked at soon.
    fn look(&self) {
        self.0.send(Task::Look).unwrap_or_default();
    }

    /// Goes; waits until the others can know.
    pub(crate) fn leave(&self) {
        let (said, heard) = mpsc::channel();
        self.0.send(Task::Leave(said)).unwrap_or_default();
        // If it can't be said, they find out by themselves.
        heard.recv_timeout(LEASE).unwrap_or_default();
    }
}

/// Begins to hear the other servers and to be there for them.
///
/// # Errors
///
/// If the data base can't be reached.
pub(crate) fn join(shared: &Shared, hall: &Arc<Hall>) -> Result<(), DataError> {
    let (sender, tasks) = mpsc::channel();
    let mouth = Mouth(sender);
    let (ready, began) = mpsc::channel();
    let (ear, config) = (Arc::downgrade(hall), shared.config.clone());
    let (own, looks) = (shared.server, mouth.clone());
    thread::spawn(move || listen(&config, own, &ear, &looks, &ready));
    let silent = |_| Err(DataError::Lost("nobody answers".to_owned()));
    began.recv().unwrap_or_else(silent)?;
    let (ready, began) = mpsc::channel();
    let (weak, shared) = (Arc::downgrade(hall), shared.clone());
    thread::spawn(move || speak(&shared, &tasks, &weak, &ready));
    began.recv().unwrap_or_else(silent)?;
    hall.has_peers(mouth);
    Ok(())
}

/// Whoever tells whether a thread has begun.
type Ready = Sender<Result<(), DataError>>;

/// Hears the other servers, for as long as there is a hall.
fn listen(config: &Config, own: i64, hall: &Weak<Hall>, mouth: &Mouth, ready: &Ready) {
    while hall.strong_count() > 0 {
        let ear = Connection::postgres(config, Duration::ZERO).and_then(|mut ear| {
            ear.batch(&format!("LISTEN {CHANNEL}"))?;
            Ok(ear)
        });
        match ear {
            Ok(mut ear) => {
                // Whoever waits for it at the start is served once.
                ready.send(Ok(())).unwrap_or_default();
                if let Some(hall) = hall.upgrade() {
                    // Who knows what was said meanwhile.
                    hall.catch_up_all();
                }
                if let Err(error) = hear(&mut ear, own, hall, mouth) {
                    tracing::warn!("other servers can't be heard: {error}");
                }
            }
            Err(error) => {
                if let Err(mpsc::SendError(Err(error))) = ready.send(Err(error)) {
                    tracing::warn!("other servers can't be heard: {error}");
                }
            }
        }
        thread::sleep(PAUSE);
    }
}

/// Hears until the connection is lost or the hall is gone.
fn hear(ear: &mut Connection, own: i64, hall: &Weak<Hall>, mouth: &Mouth) -> Result<(), DataError> {
    let Some(client) = ear.client()? else {
        return Ok(());
    };
    loop {
        while let Some(said) = client.notifications().timeout_iter(BEAT).next()? {
            let Some(hall) = hall.upgrade() else {
                return Ok(());
            };
            let lines = said.payload().lines().filter_map(Word::read);
            for (server, word) in lines.filter(|(server, _)| *server != own) {
                match word {
                    Word::Servers => mouth.look(),
                    word => hall.heard(server, word),
                }
            }
        }
        // Whoever only listens would not notice that nobody is there any more.
        client.is_valid(LEASE)?;
        if hall.strong_count() == 0 {
            return Ok(());
        }
    }
}

/// What a server knows of the others.
struct Watch {
    data: Database,
    hall: Weak<Hall>,
    known: HashSet<i64>,
    last: Instant,
    /// Nobody is buried before: after a while without a data base all look dead.
    trust: Instant,
    /// Something could not be said.
    missed: bool,
}

/// Speaks to the other servers, for as long as there is a hall.
fn speak(shared: &Shared, tasks: &Receiver<Task>, hall: &Weak<Hall>, ready: &Ready) {
    let mut config = (*shared.config).clone();
    // Words need not be on a disk; what they are about is.
    config.options("-c synchronous_commit=off");
    let data = Connection::postgres(&config, LEASE).and_then(|connection| {
        let mut data = Database::shared(connection, shared.server);
        data.arrive(LEASE)?;
        Ok(data)
    });
    let data = match data {
        Ok(data) => data,
        Err(error) => return ready.send(Err(error)).unwrap_or_default(),
    };
    ready.send(Ok(())).unwrap_or_default();
    let mut watch = Watch {
        data,
        hall: hall.clone(),
        known: HashSet::new(),
        last: Instant::now(),
        trust: Instant::now(),
        missed: false,
    };
    let mut next = Instant::now();
    loop {
        let wait = next.saturating_duration_since(Instant::now());
        let first = match tasks.recv_timeout(wait) {
            Ok(task) => Some(task),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let mut lines = Vec::new();
        for task in first.into_iter().chain(tasks.try_iter()) {
            match task {
                Task::Say(word) => {
                    if word == Word::Servers {
                        next = Instant::now();
                    }
                    lines.push(word.line(shared.server));
                }
                Task::Look => next = Instant::now(),
                Task::Leave(said) => {
                    watch.leave(shared.server);
                    // They may no longer wait.
                    return said.send(()).unwrap_or_default();
                }
            }
        }
        if hall.strong_count() == 0 {
            return watch.leave(shared.server);
        }
        if next <= Instant::now() {
            // The list first: whoever is told to look at it finds it new.
            next = Instant::now() + BEAT;
            if let Err(error) = watch.beat() {
                tracing::warn!("this server can't say that it is there: {error}");
            }
        }
        watch.say(lines, shared.server);
    }
}

impl Watch {
    /// Says lines, as many at a time as fit.
    fn say(&mut self, mut lines: Vec<String>, server: i64) {
        if self.missed {
            lines.push(Word::All.line(server));
        }
        let mut text = String::new();
        let mut said = Ok(());
        for line in lines {
            if text.len() + line.len() >= LONGEST {
                said = said.and(self.data.tell(&text));
                text.clear();
            }
            text.push_str(&line);
            text.push('\n');
        }
        if !text.is_empty() {
            said = said.and(self.data.tell(&text));
            self.missed = said.is_err();
        }
        if let Err(error) = said {
            tracing::warn!("other servers can't be told: {error}");
        }
    }

    fn leave(&mut self, server: i64) {
        let left = self.data.leave();
        let told = left.and_then(|()| self.data.tell(&Word::Servers.line(server)));
        if let Err(error) = told {
            tracing::warn!("other servers can't be told that this one goes: {error}");
        }
    }

    /// Says that this server is there, and looks after the others.
    fn beat(&mut self) -> Result<(), DataError> {
        let Some(hall) = self.hall.upgrade() else {
            return Ok(());
        };
        let peers = self.data.beat(LEASE, &hall.presence.here())?;
        if self.last.elapsed() > LEASE {
            self.trust = Instant::now() + LEASE;
        }
        self.last = Instant::now();
        let bots = peers.iter().filter(|peer| peer.alive);
        hall.presence.elsewhere(bots.map(|peer| &*peer.bots));
        self.look_after(&hall, &peers)
    }

    /// Takes over from the dead, and reads what they could not tell any more.
    fn look_after(&mut self, hall: &Arc<Hall>, peers: &[Peer]) -> Result<(), DataError> {
        if Instant::now() >= self.trust {
            for peer in peers.iter().filter(|peer| !peer.alive) {
                let games = self.data.bury(peer.server)?;
                tracing::info!(
                    server = peer.server,
                    games = games.len(),
                    "a server is gone"
                );
                hall.take_over(games);
            }
        }
        let alive = peers.iter().filter(|peer| peer.alive);
        let alive: HashSet<i64> = alive.map(|peer| peer.server).collect();
        let gone: Vec<i64> = self.known.difference(&alive).copied().collect();
        if !gone.is_empty() {
            hall.forget(&gone);
            hall.catch_up_all();
        }
        self.known = alive;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_and_rubbish_is_not() {
        let game = || "j3vq7rcdbmws".to_owned();
        for word in [
            Word::Event {
                game: game(),
                seq: 7,
                public: true,
                players: vec![1, 22],
            },
            Word::Came {
                game: game(),
                player: 3,
            },
            Word::Left {
                game: game(),
                player: 3,
            },
            Word::Who { game: game() },
            Word::Servers,
            Word::All,
        ] {
            assert_eq!(Word::read(&word.line(17)), Some((17, word)));
        }
        for rubbish in [
            "",
            "x all",
            "17",
            "17 sing",
            "17 event",
            "17 event game many 1",
        ] {
            assert_eq!(Word::read(rubbish), None, "{rubbish}");
        }
    }
}
