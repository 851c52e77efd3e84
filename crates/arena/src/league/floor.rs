//! Where single games of a league are played: their players come, play and stay for the next one.

use std::sync::{Mutex, MutexGuard, PoisonError};

use kingme_play::{Chance, Event, Seat, Session, Stakes, Stop, Terms, TimeControl};
use kingme_rules::{Game, Side};

use super::run::{Hosted, LeagueSeats, People};
use super::{Entry, Job, LeagueError, LeagueFile};
use crate::{play, referee};
use kingme_players::{Player, PlayerSpec};

/// Who sits on a side and is asked; `None` for whoever acts unasked.
type Sitting = Option<Box<dyn Player>>;

/// A player who is not playing, with its number.
type Idle = (usize, Box<dyn Player>);

/// Where the games of a league are played, so many at a time.
pub struct Floor<'a> {
    pub(super) file: &'a LeagueFile,
    seats: &'a LeagueSeats<'a>,
    people: &'a dyn People,
    /// For each of the games that are played at a time, the players of the last one. They stay
    /// where they are: they have the cores of that game.
    idle: Vec<Mutex<Vec<Idle>>>,
    pub(super) stop: &'a Stop,
    /// How much more time everybody has than the file says: on a slower machine.
    pace: f64,
}

/// The players of a game that is about to begin.
pub struct Seated {
    players: [Sitting; 2],
    place: usize,
    seed: u64,
}

/// A game that was played to its end, or stopped.
pub struct PlayedHere {
    /// All of it.
    pub session: Session,
    /// What White's and Black's program said they are.
    pub versions: [Option<String>; 2],
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Floor<'a> {
    /// Room for so many games at a time.
    pub fn new(
        file: &'a LeagueFile,
        seats: &'a LeagueSeats<'a>,
        people: &'a dyn People,
        games: usize,
        stop: &'a Stop,
    ) -> Floor<'a> {
        Floor {
            file,
            seats,
            people,
            idle: (0..games).map(|_| Mutex::default()).collect(),
            stop,
            pace: 1.0,
        }
    }

    /// The same where everybody has so many times the time of the file.
    #[must_use]
    pub fn at_pace(self, pace: f64) -> Floor<'a> {
        Floor { pace, ..self }
    }

    /// Lets all players go. None of them has anything to do with the log that is closed next.
    pub fn dismiss(&self) {
        for idle in &self.idle {
            lock(idle).clear();
        }
    }

    /// Has the players of a game sit down, in one of the places for games.
    ///
    /// # Errors
    ///
    /// If a player can't be had.
    pub fn seat(&self, job: &Job, place: usize) -> Result<Seated, LeagueError> {
        let mut chance = Chance::fork(self.file.seed, job.game);
        let seed = chance.number();
        let seeds = [chance.number(), chance.number()];
        let players = [
            self.sit_down(place, job.players[0], seeds[0])?,
            self.sit_down(place, job.players[1], seeds[1])?,
        ];
        Ok(Seated {
            players,
            place,
            seed,
        })
    }

    /// Plays a game from its opening with those who have sat down for it.
    ///
    /// # Errors
    ///
    /// If `on_event` says so.
    pub fn play(
        &self,
        job: &Job,
        seated: Seated,
        opening: Game,
        on_event: impl FnMut(&Event) -> Result<(), String> + Send + 'static,
    ) -> Result<PlayedHere, LeagueError> {
        let mut players = seated.players;
        let [white, black] = job.players.map(|player| &self.file.players[player].name);
        let begins = format!("game {}: {white} - {black}", job.game);
        for player in players.iter_mut().flatten() {
            player.note(&begins);
        }
        let is_asked = players.each_ref().map(Option::is_some);
        let session = Session::new(opening, self.seats_of(job, is_asked), self.terms(job));
        let played = self.referee(job, session, &mut players, seated.seed, on_event);
        let version = |player: &Sitting| player.as_ref().and_then(|player| player.version());
        let versions = players.each_ref().map(version);
        self.stand_up(seated.place, job.players, players);
        let session = played?;
        Ok(PlayedHere { session, versions })
    }

    /// Referees a game, here or where its people are.
    fn referee(
        &self,
        job: &Job,
        session: Session,
        players: &mut [Sitting; 2],
        seed: u64,
        mut on_event: impl FnMut(&Event) -> Result<(), String> + Send + 'static,
    ) -> Result<Session, LeagueError> {
        let failed = |why| LeagueError::Game {
            number: job.game,
            why,
        };
        if let [Some(white), Some(black)] = players {
            let players: [&mut dyn Player; 2] = [&mut **white, &mut **black];
            return play(session, players, seed, self.stop, &mut on_event).map_err(failed);
        }
        let hosted = Hosted {
            number: job.game,
            session,
            names: job
                .players
                .map(|player| self.file.players[player].name.clone()),
            on_event: Box::new(on_event),
        };
        let unplayed = hosted.session.clone();
        let host = self.people.host(hosted, self.stop).map_err(failed)?;
        let Some(mut host) = host else {
            return Ok(unplayed);
        };
        let [white, black] = players;
        let asked = [white, black].map(|player| player.as_mut().map(|player| &mut **player as _));
        referee(host.as_mut(), asked, seed, self.stop).map_err(failed)?;
        let mut played = None;
        host.look(&mut |session| played = Some(session.clone()));
        played.ok_or_else(|| failed("it is gone".to_owned()))
    }

    /// What is agreed before a game.
    pub fn terms(&self, job: &Job) -> Terms {
        Terms {
            time: job.players.map(|player| self.time_of(player)),
            policy: self.file.policy.clone(),
            stakes: Stakes::League,
        }
    }

    /// Who sits where in a game; whoever is not asked has an open seat.
    pub fn seats_of(&self, job: &Job, is_asked: [bool; 2]) -> [Seat; 2] {
        Side::BOTH.map(|side| {
            if is_asked[side] {
                let name = self.file.players[job.players[side]].name.clone();
                Seat::Program { name }
            } else {
                Seat::Open
            }
        })
    }

    fn time_of(&self, player: usize) -> TimeControl {
        let time = self.file.time_of(&self.file.players[player]);
        time.at_pace(self.pace)
    }

    /// The player of a seat; `None` if somebody acts there without being asked.
    fn sit_down(&self, slot: usize, player: usize, seed: u64) -> Result<Sitting, LeagueError> {
        let entry = &self.file.players[player];
        let mut idle = lock(&self.idle[slot]);
        let found = idle.iter().position(|(other, _)| *other == player);
        let idle = found.map(|index| idle.swap_remove(index).1);
        let mut body = match (idle, entry.person()) {
            (Some(body), _) => body,
            (None, Some(name)) => match self.people.player(name) {
                Some(body) => body,
                None => return Ok(None),
            },
            (None, None) => self.open(entry, seed)?,
        };
        body.seed(seed);
        Ok(Some(body))
    }

    fn open(&self, entry: &Entry, seed: u64) -> Result<Box<dyn Player>, LeagueError> {
        let failed = |why: String| LeagueError::Player {
            name: entry.name.clone(),
            why,
        };
        let mut body = (self.seats)(entry, seed).map_err(|error| failed(error.to_string()))?;
        // Other programs were tried before the first game.
        let is_tried_now = matches!(entry.plays, PlayerSpec::Dxp { .. });
        if is_tried_now && !self.file.allow_failing {
            let started = body.start(&self.file.variant, Side::White);
            started.map_err(|fault| failed(format!("it can't be started: {fault}")))?;
        }
        Ok(body)
    }

    /// Keeps the players for the next game, which is mostly between the same two.
    fn stand_up(&self, slot: usize, players: [usize; 2], bodies: [Sitting; 2]) {
        let bodies = players.into_iter().zip(bodies);
        let idle = bodies.filter_map(|(player, body)| Some((player, body?)));
        *lock(&self.idle[slot]) = idle.collect();
    }
}
