//! The whole hall under simulation: people, bots, the computer, listeners, a disk that fails,
//! requests that are lost or come twice, a clock on the wall that jumps, a second server at the same
//! data base whose word comes late or never, and crashes at any step, in simulated time and from one
//! seed.
//!
//! A seed that fails is printed, and `SEED=… cargo test -p kingme-server simulation` repeats it
//! exactly. `SIMULATE=100000` plays that many games.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use futures_util::FutureExt;
use kingme_arena::stats::{Glicko, GlickoGame};
use kingme_play::{Answer, Chance, Command, Event, Moment, PlayerId, Reply, Seat, Session};
use kingme_rules::Side;
use serde_json::Value;
use tokio::sync::broadcast::{self, error::TryRecvError};
use tokio::time::Instant;

use crate::commit::read;
use crate::computer::Computer;
use crate::database::{Database, Fault};
use crate::endings::Endings;
use crate::hall::{Done, Hall, NewGame, News};
use crate::live::Live;
use crate::settings::{Settings, TimeJson, rated_as};
use crate::store::Store;
use crate::wall::Wall;

/// People who play, by their numbers.
const PEOPLE: i64 = 24;
/// Programs that hear the hall's news and answer; their numbers follow.
const BOTS: i64 = 8;
/// Steps between two crashes, at the most.
const LIFE: usize = 60;
/// Lives in a world.
const LIVES: usize = 3;
/// Milliseconds of a day.
const DAY: u64 = 24 * 3_600_000;

/// All that outlives a crash: the disk, and what people remember.
struct World {
    chance: Chance,
    disk: Arc<Mutex<Database>>,
    games: Vec<String>,
    /// Events that somebody was told of, by game and number.
    told: BTreeMap<(String, u64), Value>,
    /// Games in the order in which they changed ratings.
    rated: Vec<String>,
    /// Milliseconds since 1970, as the wall says.
    wall: Arc<AtomicU64>,
    /// How long it has existed.
    age: Duration,
}

/// A program that listens to the hall's news.
struct Bot {
    player: PlayerId,
    news: broadcast::Receiver<News>,
}

/// Somebody who watches a game.
struct Listener {
    game: String,
    player: Option<PlayerId>,
    updates: broadcast::Receiver<Utf8Bytes>,
    plays: bool,
    seq: u64,
}

/// One run of a server, from its start to its crash.
struct Life<'w> {
    world: &'w mut World,
    hall: Arc<Hall>,
    /// Another server at the same data base. What it does the first one reads when it has to.
    rival: Arc<Hall>,
    news: broadcast::Receiver<News>,
    listeners: Vec<Listener>,
    bots: Vec<Bot>,
    began: Instant,
}

impl World {
    fn new(seed: u64) -> World {
        let mut disk = Database::in_memory();
        for _ in 0..PEOPLE + BOTS {
            disk.add_guest().expect("a guest");
        }
        World {
            chance: Chance::new(seed),
            disk: Arc::new(Mutex::new(disk)),
            games: Vec::new(),
            told: BTreeMap::new(),
            rated: Vec::new(),
            wall: Arc::new(AtomicU64::new(DAY * 20_000)),
            age: Duration::ZERO,
        }
    }

    fn live(&mut self) {
        let seed = self.chance.number();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build();
        let runtime = runtime.expect("a runtime");
        runtime.block_on(async {
            let [hall, rival] = [seed, !seed].map(|seed| {
                let store = Store::here(self.disk.clone());
                let computer = Computer::new(Endings::new(None), seed);
                let time = self.wall.clone();
                let wall = Wall::new(move || Duration::from_millis(time.load(Ordering::Relaxed)));
                Arc::new(Hall::new(store, computer, wall))
            });
            let bots = (1..=BOTS).map(|number| Bot {
                player: PEOPLE + number,
                news: hall.news(),
            });
            let mut life = Life {
                bots: bots.collect(),
                news: hall.news(),
                hall,
                rival,
                listeners: Vec::new(),
                world: self,
                began: Instant::now(),
            };
            life.run().await;
            life.world.age = life.age();
        });
        // Dropped with everything that was under way: a crash.
    }
}

impl Life<'_> {
    async fn run(&mut self) {
        let steps = 1 + self.world.chance.below(LIFE);
        for _ in 0..steps {
            self.step().await;
            self.note_ratings();
        }
        self.check_listeners().await;
        self.note_ratings();
        self.check_everything();
    }

    /// How long the world exists.
    fn age(&self) -> Duration {
        self.world.age + self.began.elapsed()
    }

    fn below(&mut self, end: usize) -> usize {
        self.world.chance.below(end)
    }

    async fn step(&mut self) {
        match self.below(24) {
            0 | 1 => self.open_game().await,
            2 | 3 => self.pass_time(20_000).await,
            4 => self.listen().await,
            5 => self.hang_up(),
            6 => self.break_disk(),
            7 => self.hear(),
            8 => self.slow_down(),
            9 => self.jump(),
            10 => self.bots_answer().await,
            11 | 12 => self.act_elsewhere().await,
            _ => self.act().await,
        }
        self.pass_time(50).await;
    }

    async fn pass_time(&mut self, most: usize) {
        let time = Duration::from_millis(self.below(most) as u64);
        tokio::time::sleep(time).await;
    }

    async fn open_game(&mut self) {
        let id = format!("game{}", self.world.games.len());
        let person = |player: usize| Seat::Person {
            player: 1 + player as PlayerId,
            name: format!("p{player}"),
        };
        let white = person(self.below(PEOPLE as usize));
        let black = match self.below(4) {
            0 => Seat::Computer { level: 0 },
            1 => person(PEOPLE as usize + self.below(BOTS as usize)),
            _ => person(self.below(PEOPLE as usize)),
        };
        let rated = self.below(2) == 0 && white != black;
        let clock = (self.below(3) > 0).then_some(TimeJson {
            initial_ms: 20_000,
            increment_ms: 1_000,
        });
        let variants = ["english", "russian", "breakthrough", "pown-chess"];
        let settings = Settings {
            variant: variants[self.below(variants.len())].to_owned(),
            toml: None,
            size: None,
            fen: None,
            seats: [white, black],
            clock,
            public: self.below(2) == 0,
            invite: None,
            moves: Vec::new(),
            rated,
            league: None,
        };
        let new = NewGame {
            id: id.clone(),
            session: settings.session().expect("a session"),
            settings,
            from: IpAddr::from([127, 0, 0, 1]),
        };
        self.hall.open(new).await.expect("a game");
        self.world.games.push(id);
    }

    fn any_game(&mut self) -> Option<String> {
        self.world.chance.pick(&self.world.games).cloned()
    }

    /// Somebody wants something, perhaps twice at a time, and perhaps without hearing the answer.
    async fn act(&mut self) {
        let Some(id) = self.any_game() else { return };
        let Ok(live) = self.hall.live(&id).await else {
            panic!("{id} is gone");
        };
        let (player, command) = self.wish(&live);
        let hall = self.hall.clone();
        let act = || hall.act(&live, player, command.clone());
        match self.below(10) {
            0 => {
                let (first, second) = tokio::join!(act(), act());
                self.note(&id, first.ok());
                self.note(&id, second.ok());
            }
            // The line goes down before the answer is there, or before the question is.
            1 => drop(act().now_or_never()),
            _ => {
                let done = act().await;
                self.note(&id, done.ok());
            }
        }
        self.check(&id);
    }

    /// The same at the other server, which may know less, and whose word does not come. Only where
    /// nothing counts, since ratings change in the order that the first server tells; and only in
    /// games that have a moment, which servers of a `PostgreSQL` know by its clock.
    async fn act_elsewhere(&mut self) {
        let Some(id) = self.any_game() else { return };
        let began = self.disk().events_from(&id, 0).expect("events");
        if began.events.is_empty() {
            return;
        }
        let Ok(live) = self.rival.live(&id).await else {
            panic!("{id} is gone");
        };
        if !live.settings.rated {
            let (player, command) = self.wish(&live);
            let done = self.rival.act(&live, player, command).await;
            self.note(&id, done.ok());
        }
    }

    /// Word of a game comes from the other server.
    fn word_comes(&self, id: &str) {
        let Some(Ok(live)) = self.hall.live(id).now_or_never() else {
            panic!("{id} can't be had");
        };
        let told = self.hall.catch_up(&mut self.disk(), &live);
        told.expect("a disk that can be read");
    }

    /// What somebody might want as a game stands: mostly a legal move.
    fn wish(&mut self, live: &Live) -> (PlayerId, Command) {
        let next = format!("{}+", live.id);
        let session = live.session();
        let seat = &session.seats()[session.turn()];
        let player = seat.player().unwrap_or(1);
        let other = 1 + self.world.chance.below(PEOPLE as usize) as PlayerId;
        let either = session.seats()[!session.turn()].player().unwrap_or(other);
        let mv = |mv: &kingme_rules::Move| session.position().squares_text(mv);
        let legal = session.game().legal_moves();
        let text = self.world.chance.pick(&legal).map(mv).unwrap_or_default();
        let text = Command::Answer(Answer::new(Reply::Text(text)));
        match self.world.chance.below(24) {
            0 => (other, text),
            1 => (either, text),
            2 => (
                player,
                Command::Answer(Answer::new(Reply::Text("1-1".to_owned()))),
            ),
            3 => (player, Command::Answer(Answer::new(Reply::Resign))),
            4 => (player, Command::Draw),
            5 => (either, Command::Accept { next }),
            6 => (either, Command::Decline),
            7 => (player, Command::TakeBack),
            8 => (player, Command::Rematch { next }),
            _ => (player, text),
        }
    }

    /// Takes note of an answer that somebody got.
    fn note(&mut self, game: &str, done: Option<Done>) {
        let Some(done) = done else { return };
        let state: Value = serde_json::from_str(&done.game).expect("JSON");
        let seq = state["seq"].as_u64().expect("a number") - 1;
        let event = serde_json::to_value(&done.event).expect("JSON");
        if let Event::Rematched { game } = &done.event {
            self.world.games.push(game.clone());
        }
        let before = self.world.told.insert((game.to_owned(), seq), event);
        assert_eq!(before, None, "two events with one number");
    }

    async fn listen(&mut self) {
        let Some(game) = self.any_game() else { return };
        let player = (self.below(2) == 0).then(|| 1 + self.below(PEOPLE as usize) as PlayerId);
        let live = self.hall.live(&game).await.expect("a game");
        self.listeners.push(Listener {
            updates: live.subscribe(player),
            plays: live.is_played_by(player),
            seq: live.session().seq(),
            game,
            player,
        });
    }

    fn hang_up(&mut self) {
        if !self.listeners.is_empty() {
            let at = self.below(self.listeners.len());
            self.listeners.swap_remove(at);
        }
    }

    fn break_disk(&mut self) {
        let fault = [Fault::Refused, Fault::Unsaid][self.below(2)];
        self.disk().fault = Some(fault);
    }

    /// The disk becomes slow, or quick again.
    fn slow_down(&mut self) {
        let pause = [0, 0, 30, 3_000][self.below(4)];
        self.disk().pause = Duration::from_millis(pause);
    }

    /// Somebody sets the clock on the wall, an hour or a day forward or back.
    fn jump(&mut self) {
        let by = [1, DAY / 24, DAY][self.below(3)];
        let wall = &self.world.wall;
        let now = wall.load(Ordering::Relaxed);
        let then = [now + by, now - by][self.world.chance.below(2)];
        wall.store(then, Ordering::Relaxed);
    }

    /// Bots answer what they have heard of; one that has missed something looks at all its games.
    async fn bots_answer(&mut self) {
        for bot in 0..self.bots.len() {
            let player = self.bots[bot].player;
            let heard = self.bots[bot].hear();
            let games = heard.unwrap_or_else(|| self.games_of(player));
            for game in games {
                self.bot_answers(player, &game).await;
            }
        }
    }

    async fn bot_answers(&mut self, bot: PlayerId, game: &str) {
        let live = self.hall.live(game).await.expect("a game");
        let answer = {
            let session = live.session();
            let legal = session.game().legal_moves();
            let mv = self.world.chance.pick(&legal).cloned();
            mv.filter(|_| session.seats()[session.turn()].player() == Some(bot))
        };
        if let Some(mv) = answer {
            let command = Command::Answer(Answer::from(mv));
            let done = self.hall.act(&live, bot, command).await;
            self.note(game, done.ok());
            self.check(game);
        }
    }

    fn games_of(&self, player: PlayerId) -> Vec<String> {
        self.disk().games_of(player, 1_000).expect("games")
    }

    fn disk(&self) -> MutexGuard<'_, Database> {
        self.world.disk.lock().expect("a disk")
    }

    /// Some listeners read what came for them.
    fn hear(&mut self) {
        for listener in &mut self.listeners {
            if self.world.chance.below(3) == 0 {
                listener.read();
            }
        }
    }

    /// In the end every listener is where the game is.
    async fn check_listeners(&mut self) {
        self.disk().fault = None;
        self.disk().pause = Duration::ZERO;
        // What is under way comes to its end, and in the end all words have come.
        for time in [10_000, 10_000, 1] {
            for game in &self.world.games {
                self.word_comes(game);
            }
            tokio::time::sleep(Duration::from_millis(time)).await;
        }
        for listener in &mut self.listeners {
            let live = self.hall.live(&listener.game).await.expect("a game");
            if !listener.read() {
                // Too slow for single events, or one was never told: everything at once.
                listener.seq = live.whole(listener.player).game.seq;
            }
            let seq = live.session().seq();
            assert_eq!(listener.seq, seq, "a listener of {} is behind", live.id);
        }
    }

    /// Ratings change in the order in which games end.
    fn note_ratings(&mut self) {
        let mut ended = Vec::new();
        while let Ok(news) = self.news.try_recv() {
            ended.push(news.game);
        }
        let mut disk = self.world.disk.lock().expect("a disk");
        let mut rated: Vec<String> = disk.rated_games().expect("games");
        rated.retain(|game| !self.world.rated.contains(game));
        rated.sort_by_key(|game| ended.iter().rposition(|other| other == game));
        self.world.rated.extend(rated);
    }

    /// What is stored of a game is sound, and what is in memory is what is stored.
    fn check(&self, id: &str) {
        self.word_comes(id);
        let mut disk = self.world.disk.lock().expect("a disk");
        let stored = check_stored(&mut disk, id, &self.world.told);
        check_times(&mut disk, id, self.age());
        drop(disk);
        let Some(Ok(live)) = self.hall.live(id).now_or_never() else {
            panic!("{id} can't be had");
        };
        let session = live.session();
        let now = live.now();
        assert_eq!(state(&session, now), state(&stored, now), "{id}");
    }

    fn check_everything(&self) {
        for id in &self.world.games {
            self.check(id);
        }
        let mut disk = self.world.disk.lock().expect("a disk");
        check_ratings(&mut disk, &self.world.rated);
    }
}

impl Bot {
    /// Its games that something has happened in; nothing if it has missed some news.
    fn hear(&mut self) -> Option<Vec<String>> {
        let mut games = Vec::new();
        loop {
            match self.news.try_recv() {
                Ok(news) if news.players.contains(&self.player) => games.push(news.game),
                Ok(_) => (),
                Err(TryRecvError::Lagged(_)) => return None,
                Err(_) => return Some(games),
            }
        }
    }
}

impl Listener {
    /// Reads all that came; `false` if some of it was lost on the way.
    fn read(&mut self) -> bool {
        loop {
            match self.updates.try_recv() {
                Ok(text) => {
                    let state: Value = serde_json::from_str(&text).expect("JSON");
                    let seq = state["seq"].as_u64().expect("a number");
                    // Spectators may hear again what they have seen when they came, as pages know.
                    assert!(seq >= self.seq || !self.plays, "no player is sent back");
                    self.seq = self.seq.max(seq);
                }
                Err(TryRecvError::Empty) => return true,
                Err(_) => return false,
            }
        }
    }
}

/// All that anybody can see of a session.
fn state(session: &Session, now: Moment) -> String {
    let left = Side::BOTH.map(|side| session.clock().left(side, now));
    let running = session.clock().running();
    format!(
        "{} {:?} {:?} {left:?} {running:?} {}",
        session.position().fen(),
        session.offer(),
        session.end(),
        session.seq(),
    )
}

/// A game as it is stored, after a look at each of its events.
fn check_stored(disk: &mut Database, id: &str, told: &BTreeMap<(String, u64), Value>) -> Session {
    let stored = disk.game(id).expect("a game").expect("it is there");
    let mut session = stored.settings.session().expect("a session");
    for (seq, (at, event)) in stored.events.into_iter().enumerate() {
        let event = event.into_event(session.game().variant());
        if let Some(told) = told.get(&(id.to_owned(), seq as u64)) {
            let event = serde_json::to_value(&event).expect("JSON");
            assert_eq!(*told, event, "{id} {seq}: what was told is not there");
        }
        let waits = session.clock().running().map(|side| !side);
        let left = |session: &Session| waits.map(|side| session.clock().left(side, at));
        let (before, end) = (left(&session), session.end().cloned());
        session.apply(&event, at).expect("it fits");
        if matches!(event, Event::Turn(_)) {
            assert_eq!(
                left(&session),
                before,
                "{id} {seq}: only the mover is charged"
            );
        }
        if end.is_some() && !matches!(event, Event::TakenBack { .. }) {
            assert_eq!(session.end(), end.as_ref(), "{id} {seq}: there is one end");
        }
        assert!(
            !(stored.settings.rated && matches!(event, Event::TakenBack { .. })),
            "{id} {seq}: what is rated stays"
        );
    }
    let last = told.range((id.to_owned(), 0)..=(id.to_owned(), u64::MAX));
    if let Some(((_, seq), _)) = last.last() {
        assert!(*seq < session.seq(), "{id} {seq} was told and is lost");
    }
    session
}

/// A game's own time never goes back, nor on by more than has passed.
fn check_times(disk: &mut Database, id: &str, age: Duration) {
    let stored = disk.game(id).expect("a game").expect("it is there");
    let times: Vec<Moment> = stored.events.iter().map(|(at, _)| *at).collect();
    assert!(times.is_sorted(), "{id}: time goes on");
    if let (Some(first), Some(last)) = (times.first(), times.last()) {
        assert!(
            last.saturating_sub(*first) <= age,
            "{id}: no more time than there was"
        );
    }
}

/// The ratings are what the games make them, each once.
fn check_ratings(disk: &mut Database, rated: &[String]) {
    let mut ratings: HashMap<(PlayerId, String), Glicko> = HashMap::new();
    for id in rated {
        let stored = disk.game(id).expect("a game").expect("it is there");
        let variant = stored.settings.variant.clone();
        let (_, session, _) = read(disk, id, Moment::ZERO).expect("a game");
        let score = session
            .end()
            .expect("it counts, so it is over")
            .white_score();
        let players = session.seats().each_ref().map(rated_as);
        let [Some(white), Some(black)] = players else {
            panic!("{id} counts for nobody");
        };
        let mut own = |player| *ratings.entry((player, variant.clone())).or_default();
        let before = [own(white), own(black)];
        for (player, own, opponent, score) in [
            (white, before[0], before[1], score),
            (black, before[1], before[0], 1.0 - score),
        ] {
            let after = own.after(&[GlickoGame { opponent, score }]);
            ratings.insert((player, variant.clone()), after);
        }
    }
    for player in 1..=PEOPLE + BOTS {
        for rating in disk.ratings_of(player).expect("ratings") {
            let made = ratings.get(&(player, rating.variant.clone()));
            assert_eq!(
                made,
                Some(&rating.standing),
                "{player} in {}",
                rating.variant
            );
        }
    }
}

fn simulate(seed: u64) -> usize {
    let mut world = World::new(seed);
    for _ in 0..LIVES {
        world.live();
    }
    world.games.len()
}

#[test]
fn simulation() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    if let Some(seed) = number("SEED") {
        simulate(seed);
        return;
    }
    let wanted = number("SIMULATE").unwrap_or(3_000);
    let (mut games, mut seed) = (0, 0);
    while games < wanted {
        let played = std::panic::catch_unwind(|| simulate(seed));
        match played {
            Ok(count) => games += count as u64,
            Err(fault) => {
                eprintln!("the world of SEED={seed} has failed");
                std::panic::resume_unwind(fault);
            }
        }
        seed += 1;
    }
    println!("{games} games in {seed} worlds");
}
