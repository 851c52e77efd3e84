//! Games, and those who watch them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::RngExt;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval_at};

use crate::site::{Listener, Site, Sites, Visitor};
use crate::{Error, runtime, told};

/// The time between two moves of a game.
pub const PACE: Duration = Duration::from_millis(3_500);

/// A game of two visitors who both look at it.
pub struct Game {
    id: String,
    players: [Visitor; 2],
    pages: [Listener; 2],
    /// How it stands.
    state: Value,
}

impl Game {
    pub async fn begin(site: &Site, number: usize) -> Result<Game, Error> {
        Game::begin_at([site; 2], number).await
    }

    /// A game whose players are at a server each.
    pub async fn begin_at(sites: [&Site; 2], number: usize) -> Result<Game, Error> {
        let [site, other] = sites;
        let mut players = [Visitor::new(2 * number), Visitor::new(2 * number + 1)];
        let [white, black] = &mut players;
        let new = r#"{"variant":"international","white":{"type":"me"},"black":{"type":"friend"},"public":true}"#;
        let (status, begun) = site.ask(white, "POST", "/api/games", new).await?;
        let text = |key: &str| begun[key].as_str().map(str::to_owned);
        let id = text("id").ok_or_else(|| format!("no game: {status} {begun}"))?;
        let invite = text("invite").ok_or("no invitation")?;
        let path = format!("/api/games/{id}");
        let join = format!(r#"{{"invite":"{invite}"}}"#);
        let joined = other
            .ask(black, "POST", &format!("{path}/join"), &join)
            .await?;
        if !joined.0.is_success() {
            return Err(format!("could not join: {} {}", joined.0, joined.1).into());
        }
        let socket = format!("{path}/socket");
        let pages = [
            site.listen(white, &socket).await?,
            other.listen(black, &socket).await?,
        ];
        let state = site.ask(white, "GET", &path, "").await?.1["game"].take();
        Ok(Game {
            id,
            players,
            pages,
            state,
        })
    }

    /// Makes any move; how long until both pages know it. None if the game is over.
    pub async fn step(&mut self, site: &Site) -> Result<Option<Duration>, Error> {
        self.step_at([site; 2]).await
    }

    /// The same for players who are at a server each.
    pub async fn step_at(&mut self, sites: [&Site; 2]) -> Result<Option<Duration>, Error> {
        let legal = self.state["legal"].as_array();
        let Some(legal) = legal.filter(|legal| !legal.is_empty()) else {
            return Ok(None);
        };
        let any = rand::rng().random_range(0..legal.len());
        let body = format!(r#"{{"move":{}}}"#, legal[any]["text"]);
        let ply = self.state["ply"].as_u64();
        let side = usize::from(self.state["turn"] == "black");
        let (mover, server) = (&mut self.players[side], sites[side]);
        let path = format!("/api/games/{}/moves", self.id);
        let sent = Instant::now();
        let (status, said) = server.ask(mover, "POST", &path, &body).await?;
        if !status.is_success() {
            return Err(format!("a move was refused: {status} {said}").into());
        }
        for page in &mut self.pages {
            let mut heard = page.hear().await?;
            while heard["ply"].as_u64() <= ply {
                heard = page.hear().await?;
            }
            self.state = heard;
        }
        Ok(Some(sent.elapsed()))
    }
}

/// Games at a time, with a move every few seconds in each.
pub async fn games(games: usize, time: Duration, pace: Duration) -> Result<(), Error> {
    let sites = Arc::new(Sites::start().await?);
    let mut open = Vec::new();
    for number in 0..games {
        open.push(Game::begin_at([&sites.white, sites.black()], number).await?);
    }
    println!(
        "{games} games have begun, the server holds {} MB",
        sites.white.memory()?
    );
    let (took, mut times) = mpsc::unbounded_channel();
    let mut tasks = JoinSet::new();
    let (began, cpu) = (Instant::now(), sites.cpu()?);
    for (number, game) in open.into_iter().enumerate() {
        let phase = pace.mul_f64(number as f64 / games as f64);
        let next = games + number;
        let (sites, took) = (sites.clone(), took.clone());
        tasks.spawn(moves(sites, (game, next), (phase, pace), time, took));
    }
    drop(took);
    let mut all = Vec::new();
    while let Some(time) = times.recv().await {
        all.push(time);
    }
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    let (elapsed, used) = (began.elapsed().as_secs_f64(), sites.cpu()?);
    let rate = all.len() as f64 / elapsed;
    let share = |which: usize| 100.0 * (used[which] - cpu[which]) / elapsed;
    let (server, base) = (share(0), share(1));
    println!("a move until both players have it: {}", told(&mut all));
    println!(
        "{rate:.0} moves/s, {server:.0} % of a core, the data base {base:.0} %, {} MB",
        sites.white.memory()?
    );
    Ok(())
}

/// Moves in a game and, when it is over, in the next one.
async fn moves(
    sites: Arc<Sites>,
    (mut game, next): (Game, usize),
    (phase, pace): (Duration, Duration),
    time: Duration,
    took: mpsc::UnboundedSender<Duration>,
) -> Result<(), Error> {
    let begin = tokio::time::Instant::now();
    let sites = [&sites.white, sites.black()];
    let mut pace = interval_at(begin + phase, pace.max(Duration::from_micros(1)));
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while begin.elapsed() < time {
        pace.tick().await;
        match game.step_at(sites).await? {
            Some(time) => took.send(time)?,
            None => game = Game::begin_at(sites, next).await?,
        }
    }
    Ok(())
}

/// Lets spectators come, who tell when they hear something.
async fn come(
    site: Arc<Site>,
    path: String,
    spectators: usize,
    arrived: mpsc::UnboundedSender<Instant>,
) -> Result<(), Error> {
    for number in 0..spectators {
        let mut page = site.listen(&Visitor::new(2 + number), &path).await?;
        let arrived = arrived.clone();
        tokio::spawn(async move {
            while page.wake().await.is_ok() && arrived.send(Instant::now()).is_ok() {}
        });
    }
    Ok(())
}

/// Spectators of one game.
pub async fn spectators(spectators: usize, moves: usize) -> Result<(), Error> {
    let site = Arc::new(Site::start().await?);
    let mut game = Game::begin(&site, 0).await?;
    let (arrived, mut arrivals) = mpsc::unbounded_channel();
    let crowd = runtime()?;
    let path = format!("/api/games/{}/socket", game.id);
    let come = crowd.spawn(come(site.clone(), path, spectators, arrived));
    come.await??;
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for _ in 0..moves {
        let sent = Instant::now();
        own.extend(game.step(&site).await?);
        let mut last = Duration::ZERO;
        for _ in 0..spectators {
            let at = arrivals.recv().await.ok_or("the sockets are gone")?;
            last = last.max(at.duration_since(sent));
        }
        others.push(last);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    crowd.shutdown_background();
    println!("until both players have it: {}", told(&mut own));
    println!(
        "until the last of {spectators} spectators has it: {}",
        told(&mut others)
    );
    println!("the server holds {} MB", site.memory()?);
    Ok(())
}
