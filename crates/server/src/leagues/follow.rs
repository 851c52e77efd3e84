//! Following a league's log while somebody looks at it.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use kingme_arena::league::{
    GameIncident, LeagueError, Reader, Stamp, Standings, Written, first_of_each,
};
use tokio::sync::broadcast;

use super::json::{AboutJson, FinishedJson, LATEST, LiveJson, bracket, rows};
use super::{
    IncidentJson, League, LeagueCardJson, LeagueGameJson, LeagueJson, RoundJson, lock,
    no_such_league,
};
use crate::cards::CardJson;
use crate::error::ApiError;
use crate::said::Said;
use crate::wire::json;

/// How often the log is looked at, at the most.
const EVERY: Duration = Duration::from_millis(150);

/// So much of what went wrong is kept at hand.
const MOST_INCIDENTS: usize = 200;

/// A log and how far everybody has seen it.
#[derive(Debug)]
pub(super) struct Follower {
    reader: Reader,
    seen: Option<Stamp>,
    results: usize,
    /// The latest of what went wrong, the first for each player of a game with how much followed it,
    /// and the row of the log that it was read to.
    incidents: VecDeque<(GameIncident, usize)>,
    incidents_read: i64,
    /// Whether a task is following the log.
    awake: bool,
}

impl Follower {
    pub fn new(reader: Reader) -> Follower {
        Follower {
            reader,
            seen: None,
            results: 0,
            incidents: VecDeque::new(),
            incidents_read: 0,
            awake: false,
        }
    }

    /// Sees to it that the log is the one that is there now; returns whether that is another one.
    fn renew(&mut self) -> Result<bool, LeagueError> {
        let stale = self.reader.is_stale();
        if stale {
            self.reader.renew()?;
            self.seen = None;
            self.results = 0;
            self.incidents.clear();
            self.incidents_read = 0;
        }
        Ok(stale)
    }

    /// What is new since the last look; `None` if nothing is.
    fn news(&mut self) -> Result<Option<LeagueJson>, LeagueError> {
        // A log that is gone may be back in a moment.
        let Ok(renewed) = self.renew() else {
            return Ok(None);
        };
        let stamp = self.reader.stamp()?;
        if self.seen == Some(stamp) {
            return Ok(None);
        }
        self.seen = Some(stamp);
        self.state(renewed).map(Some)
    }

    /// How the league stands: everything, or what has changed.
    fn state(&mut self, whole: bool) -> Result<LeagueJson, LeagueError> {
        let live = self.reader.live()?;
        let results = self.reader.results()?;
        let changed = whole || results.len() != self.results;
        if !whole {
            self.results = results.len();
        }
        let file = self.reader.league();
        let history = changed.then(|| self.reader.history()).transpose()?;
        let standings = history
            .as_ref()
            .map(|history| Standings::new(file, history, &results));
        let round = history
            .as_ref()
            .and_then(|history| RoundJson::now(file, &history.rounds, &results));
        let latest = results.values().rev().take(LATEST);
        Ok(LeagueJson {
            running: self.reader.is_running(),
            about: whole.then(|| AboutJson::new(file)),
            table: standings.as_ref().map(rows),
            bracket: standings.as_ref().and_then(|table| bracket(file, table)),
            test: standings.as_ref().and_then(|table| table.test.clone()),
            round,
            finished: changed.then(|| latest.map(|game| FinishedJson::new(file, game)).collect()),
            games: results.len(),
            live: live.iter().map(|live| LiveJson::new(file, live)).collect(),
        })
    }
}

impl Follower {
    /// Reads what went wrong since the last look.
    fn read_incidents(&mut self) -> Result<(), LeagueError> {
        let (found, last) = self.reader.incidents_after(self.incidents_read)?;
        self.incidents_read = last;
        self.incidents.extend(first_of_each(found));
        let surplus = self.incidents.len().saturating_sub(MOST_INCIDENTS);
        self.incidents.drain(..surplus);
        Ok(())
    }
}

fn failed(error: &LeagueError) -> ApiError {
    tracing::warn!("a league: {error}");
    ApiError::Internal
}

impl League {
    /// The log as it is there now.
    fn follower(&self) -> Result<MutexGuard<'_, Follower>, ApiError> {
        let mut follower = lock(&self.follower);
        follower.renew().map_err(|_| no_such_league())?;
        Ok(follower)
    }

    /// The league in short.
    pub fn card(&self) -> Result<LeagueCardJson, ApiError> {
        let mut follower = self.follower()?;
        let games = follower
            .reader
            .results()
            .map_err(|error| failed(&error))?
            .len();
        let file = follower.reader.league();
        Ok(LeagueCardJson {
            id: self.id.clone(),
            name: file.name.clone(),
            card: CardJson::new(&file.variant),
            players: file
                .players
                .iter()
                .map(|player| player.name.clone())
                .collect(),
            games,
            running: follower.reader.is_running(),
        })
    }

    /// Everything about the league as it stands.
    pub fn whole(&self) -> Result<LeagueJson, ApiError> {
        let mut follower = self.follower()?;
        follower.state(true).map_err(|error| failed(&error))
    }

    /// A game that has ended.
    pub fn game(&self, number: u64) -> Result<LeagueGameJson, ApiError> {
        let follower = self.follower()?;
        let logged = follower
            .reader
            .game(number)
            .map_err(|error| failed(&error))?;
        let missing = || ApiError::Missing(Said::new("no_such_game", "there is no such game"));
        let logged = logged.ok_or_else(missing)?;
        Ok(LeagueGameJson::new(follower.reader.league(), &logged))
    }

    /// A round, by its number from 1.
    pub fn round(&self, number: usize) -> Result<RoundJson, ApiError> {
        let mut follower = self.follower()?;
        let results = follower.reader.results().map_err(|error| failed(&error))?;
        let history = follower.reader.history().map_err(|error| failed(&error))?;
        let file = follower.reader.league();
        let round = RoundJson::new(file, &history.rounds, number, &results);
        let missing = || ApiError::Missing(Said::new("no_such_round", "there is no such round"));
        round.ok_or_else(missing)
    }

    /// Games that have ended, of those with these numbers: the last ones, last one first.
    pub fn games(&self, numbers: Range<u64>) -> Result<Vec<FinishedJson>, ApiError> {
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        let mut follower = self.follower()?;
        let results = follower.reader.results().map_err(|error| failed(&error))?;
        let file = follower.reader.league();
        let games = results.range(numbers).rev().take(LATEST);
        Ok(games
            .map(|(_, game)| FinishedJson::new(file, game))
            .collect())
    }

    /// The latest of what went wrong, last one first, as an account sees it.
    pub fn incidents(&self, account: Option<&str>) -> Result<Vec<IncidentJson>, ApiError> {
        let mut follower = self.follower()?;
        follower.read_incidents().map_err(|error| failed(&error))?;
        let folder = follower.reader.bots_path();
        let mut written = Written::new(&folder);
        let file = follower.reader.league();
        let seen = |incident: &(_, _)| IncidentJson::new(file, incident, account, &mut written);
        Ok(follower.incidents.iter().rev().map(seen).collect())
    }

    /// What happens from now on. The log is followed for as long as somebody listens.
    pub fn subscribe(self: &Arc<Self>) -> broadcast::Receiver<Utf8Bytes> {
        let updates = self.updates.subscribe();
        let mut follower = lock(&self.follower);
        if !follower.awake {
            follower.awake = true;
            tokio::spawn(follow(self.clone()));
        }
        updates
    }
}

async fn follow(league: Arc<League>) {
    loop {
        tokio::select! {
            () = league.may_have_changed() => (),
            () = league.updates.closed() => (),
        }
        {
            let mut follower = lock(&league.follower);
            if league.updates.receiver_count() == 0 {
                follower.awake = false;
                return;
            }
        }
        // Reading a file may wait for a disk, and ratings of many games take their time.
        let looked = league.clone();
        let news = tokio::task::spawn_blocking(move || lock(&looked.follower).news()).await;
        match news {
            Ok(Ok(Some(news))) => {
                // Nobody listening is fine: it ends in the next round.
                league
                    .updates
                    .send(json(&news))
                    .map(|_| ())
                    .unwrap_or_default();
            }
            Ok(Ok(None)) => (),
            Ok(Err(error)) => tracing::warn!("a league: {error}"),
            Err(error) => tracing::error!("a league: {error}"),
        }
    }
}

impl League {
    /// Waits until it is time to look again: soon after something was written. What another
    /// process writes nobody tells us, so that is looked at from time to time.
    async fn may_have_changed(&self) {
        tokio::time::sleep(EVERY).await;
        if let Some(written) = &self.written {
            written.notified().await;
        }
    }
}
