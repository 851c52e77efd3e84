//! Matches: many games between two players, in mirrored pairs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::SystemTime;

use kingme_play::{
    Chance, End, EndReason, Policy, Program, Seat, Session, Stakes, Stop, Terms, TimeControl,
};
use kingme_rules::{Side, Variant};

use crate::cores::Cores;
use crate::league::{
    Finished, History, League, LeagueError, LeagueEvent, LoggedGame, MatchLog, Nobody,
};
use crate::stats::{Sprt, Tally, Verdict};
use crate::{Openings, play};
use kingme_players::{OpenError, Player};

/// A match between two players, A and B.
#[derive(Clone, Debug)]
pub struct MatchConfig {
    /// The game.
    pub variant: Variant,
    /// How many games; each opening is played twice, with colours swapped.
    pub games: u64,
    /// What A and B may use.
    pub time: [TimeControl; 2],
    /// What happens when they are late, wrong or gone.
    pub policy: Policy,
    /// Where the games begin.
    pub openings: Openings,
    /// For openings, for players that play by chance and for the referee.
    pub seed: u64,
    /// How many games are played at a time.
    pub concurrency: usize,
    /// How many cores each of them has to itself, if the machine has enough; see
    /// [`PlayerSpec::cores`](kingme_players::PlayerSpec::cores).
    pub cores: usize,
    /// Whether a player that can't be started plays nevertheless: by chance, on record.
    pub allow_failing: bool,
    /// The SHA-256 of A's and B's program or weights, as far as it is wanted for the record.
    pub hashes: [String; 2],
    /// Ends the match as soon as this test is decided.
    pub sprt: Option<Sprt>,
}

/// Makes the players for one of the games that are played at a time: A and B.
pub type Seats<'a> = dyn Fn() -> Result<[Box<dyn Player>; 2], OpenError> + Sync + 'a;

/// One finished game of a match.
#[derive(Debug)]
pub struct MatchGame {
    /// Its number, from 0. An even number and the next one are a pair.
    pub number: u64,
    /// The side of A.
    pub side: Side,
    /// When it began.
    pub began: SystemTime,
    /// What White's and Black's programs are.
    pub programs: [Program; 2],
    /// All of it, to its end.
    pub session: Session,
}

/// Why a match can't be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A player can't be had, or can't be started.
    #[error(transparent)]
    Player(#[from] OpenError),
    /// Its log can't be read or written.
    #[error(transparent)]
    Log(#[from] LeagueError),
}

impl MatchGame {
    /// A game of a run before this one.
    fn logged(game: LoggedGame, history: &History) -> MatchGame {
        MatchGame {
            number: game.finished.game - 1,
            side: side_of(&game.finished),
            began: game.began,
            programs: game
                .finished
                .players
                .map(|player| history.program_at(player, game.ended)),
            session: game.session,
        }
    }

    /// A game of a match that is played as a league and has ended now.
    fn ended(event: &LeagueEvent, hashes: &[String; 2]) -> Option<MatchGame> {
        let LeagueEvent::Game {
            finished,
            session,
            versions,
            ..
        } = event
        else {
            return None;
        };
        let program = |side: Side| Program {
            version: versions[side].clone().unwrap_or_default(),
            hash: hashes[finished.players[side]].clone(),
        };
        Some(MatchGame {
            number: finished.game - 1,
            side: side_of(finished),
            began: SystemTime::now(),
            programs: Side::BOTH.map(program),
            session: (*session).clone(),
        })
    }

    fn is_aborted(&self) -> bool {
        let end = self.session.end();
        end.is_none_or(|end| end.reason == EndReason::Aborted)
    }

    /// What A scored: 1, ½ or 0.
    pub fn score(&self) -> f64 {
        let white = self.session.end().map_or(0.5, End::white_score);
        match self.side {
            Side::White => white,
            Side::Black => 1.0 - white,
        }
    }
}

/// How a match stands.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// A's results.
    pub tally: Tally,
    /// Why games ended.
    pub reasons: BTreeMap<EndReason, u64>,
    /// What went wrong for A and for B, and how often.
    pub incidents: [BTreeMap<EndReason, u64>; 2],
    /// Scores of games whose pair is not complete.
    open_pairs: HashMap<u64, f64>,
}

impl Standing {
    fn add(&mut self, game: &MatchGame) {
        let reason = game.session.end().map(|end| end.reason);
        *self
            .reasons
            .entry(reason.unwrap_or(EndReason::Aborted))
            .or_default() += 1;
        for (side, incident) in game.session.incidents() {
            let player = usize::from(side != game.side);
            *self.incidents[player].entry(incident.reason).or_default() += 1;
        }
        self.tally.add_game(game.score());
        let pair = game.number / 2;
        match self.open_pairs.remove(&pair) {
            Some(other) => self.tally.add_pair(other + game.score()),
            None => {
                self.open_pairs.insert(pair, game.score());
            }
        }
    }
}

/// Plays a match, or what its log does not have of it yet. `on_game` hears of every game: first of
/// those in the log, then of each as it ends, in whatever order they end.
///
/// # Errors
///
/// If the players can't be had, or can't be started, before they play a game; or if the log can't be
/// read or written.
pub fn run_match(
    config: &MatchConfig,
    seats: &Seats,
    log: Option<&MatchLog>,
    stop: &Stop,
    on_game: &mut dyn FnMut(&MatchGame, &Standing),
) -> Result<Standing, MatchError> {
    let mut standing = Standing::default();
    if let Some(log) = log {
        let history = log.history();
        log.games(&config.variant, &mut |game| {
            let game = MatchGame::logged(game, &history);
            standing.add(&game);
            on_game(&game, &standing);
        })?;
    }
    if standing.tally.games() >= config.games || is_decided(config, &standing) {
        return Ok(standing);
    }
    let room = Room {
        config,
        seats,
        log,
        finished: log.map(MatchLog::finished).transpose()?.unwrap_or_default(),
        next: AtomicU64::new(0),
        stop,
        enough: Stop::new(),
    };
    room.play(&mut standing, on_game)?;
    log.map_or(Ok(()), MatchLog::close)?;
    Ok(standing)
}

/// Plays a match that was made ready as a league of two, here and wherever that is shared. `on_game`
/// hears of games as in [`run_match`].
///
/// # Errors
///
/// If the players can't be had, or the log can't be read or written.
pub fn share_match(
    league: League,
    hashes: &[String; 2],
    stop: &Stop,
    on_game: &mut dyn FnMut(&MatchGame, &Standing),
) -> Result<Standing, LeagueError> {
    let mut standing = Standing::default();
    league.games(&mut |game, history| {
        let game = MatchGame::logged(game, history);
        standing.add(&game);
        on_game(&game, &standing);
    })?;
    league.play(&Nobody, stop, &mut |event| {
        if let Some(game) = MatchGame::ended(event, hashes) {
            standing.add(&game);
            on_game(&game, &standing);
        }
    })?;
    Ok(standing)
}

/// Whether the test that ends a match is decided.
fn is_decided(config: &MatchConfig, standing: &Standing) -> bool {
    let verdict = |sprt: Sprt| sprt.verdict(standing.tally.pairs);
    config
        .sprt
        .is_some_and(|sprt| verdict(sprt) != Verdict::Open)
}

/// Where the games of a match are played.
struct Room<'a> {
    config: &'a MatchConfig,
    seats: &'a Seats<'a>,
    log: Option<&'a MatchLog>,
    /// The games that the log has already.
    finished: HashSet<u64>,
    /// The number of the next game.
    next: AtomicU64,
    stop: &'a Stop,
    /// Of our own, so that a decided test does not look like a request from outside.
    enough: Stop,
}

type Sender = mpsc::SyncSender<Result<MatchGame, MatchError>>;

impl Room<'_> {
    fn play(
        &self,
        standing: &mut Standing,
        on_game: &mut dyn FnMut(&MatchGame, &Standing),
    ) -> Result<(), MatchError> {
        let at_a_time = self.config.concurrency.max(1);
        let cores = Cores::for_games(at_a_time, self.config.cores);
        let mut failed = None;
        thread::scope(|scope| {
            let (sender, results) = mpsc::sync_channel(at_a_time * 2);
            for slot in 0..at_a_time {
                let (sender, cores) = (sender.clone(), &cores);
                scope.spawn(move || {
                    cores.stay(slot);
                    self.worker(&sender);
                });
            }
            drop(sender);
            for result in results {
                match result {
                    Ok(game) => {
                        standing.add(&game);
                        on_game(&game, standing);
                    }
                    Err(error) => {
                        self.enough.request();
                        failed = Some(error);
                    }
                }
                if is_decided(self.config, standing) {
                    self.enough.request();
                }
            }
        });
        failed.map_or(Ok(()), Err)
    }

    /// Plays one game after the other until there are no more.
    fn worker(&self, sender: &Sender) {
        let opened = (self.seats)();
        let mut players = match opened.and_then(|players| ready(self.config, players)) {
            Ok(players) => players,
            Err(error) => {
                // Nobody listens any more when another worker has failed first.
                let _ = sender.send(Err(error.into()));
                return;
            }
        };
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let is_over = self.stop.is_requested() || self.enough.is_requested();
            if number >= self.config.games || is_over {
                return;
            }
            if self.finished.contains(&number) {
                continue;
            }
            match self.game(number, &mut players) {
                // We are to stop.
                Ok(game) if game.is_aborted() => return,
                Ok(game) => {
                    if sender.send(Ok(game)).is_err() {
                        return;
                    }
                }
                Err(error) => {
                    let _ = sender.send(Err(error));
                    return;
                }
            }
        }
    }

    fn game(
        &self,
        number: u64,
        players: &mut [Box<dyn Player>; 2],
    ) -> Result<MatchGame, MatchError> {
        let config = self.config;
        let opening = config
            .openings
            .of_pair(&config.variant, number / 2, config.seed);
        let side = if number.is_multiple_of(2) {
            Side::White
        } else {
            Side::Black
        };
        let mut seated = seated(number, side, players);
        // As in a league, so that a match comes to the same whoever plays its games.
        let mut chance = Chance::fork(config.seed, number + 1);
        let seed = chance.number();
        for player in &mut seated {
            player.seed(chance.number());
        }
        let seats = [&*seated[0], &*seated[1]].map(|player| Seat::Program {
            name: player.name(),
        });
        let terms = Terms {
            time: by_side(side, config.time),
            policy: config.policy.clone(),
            stakes: Stakes::League,
        };
        let began = SystemTime::now();
        let mut log = match self.log {
            Some(log) => Some(log.start(number, side, &opening)?),
            None => None,
        };
        let session = Session::new(opening, seats, terms);
        let played = play(session, seated, seed, self.stop, &mut |event| {
            let noted = log.as_mut().map(|playing| playing.log.event(event));
            noted.unwrap_or(Ok(())).map_err(|error| error.to_string())
        });
        let session = played.map_err(|why| LeagueError::Game {
            number: number + 1,
            why,
        })?;
        let programs = self.programs(players);
        if let Some(log) = self.log {
            for (player, is) in programs.iter().enumerate() {
                log.identify(player, is)?;
            }
        }
        if let (Some(playing), Some(end)) = (&mut log, session.end()) {
            playing.log.end(end)?;
        }
        Ok(MatchGame {
            number,
            side,
            began,
            programs: by_side(side, programs),
            session,
        })
    }

    /// What the programs of A and B are, now that they have said so.
    fn programs(&self, players: &[Box<dyn Player>; 2]) -> [Program; 2] {
        [0, 1].map(|index| Program {
            version: players[index].version().unwrap_or_default(),
            hash: self.config.hashes[index].clone(),
        })
    }
}

/// White's and Black's player, who are told which game begins.
fn seated(number: u64, side: Side, [a, b]: &mut [Box<dyn Player>; 2]) -> [&mut dyn Player; 2] {
    let mut seated: [&mut dyn Player; 2] = by_side(side, [a.as_mut(), b.as_mut()]);
    let [white, black] = [&*seated[0], &*seated[1]].map(Player::name);
    let begins = format!("game {}: {white} - {black}", number + 1);
    for player in &mut seated {
        player.note(&begins);
    }
    seated
}

/// Has the players started, A for the first move, unless they may fail.
fn ready(
    config: &MatchConfig,
    mut players: [Box<dyn Player>; 2],
) -> Result<[Box<dyn Player>; 2], OpenError> {
    for (player, side) in players.iter_mut().zip(Side::BOTH) {
        let started = player.start(&config.variant, side);
        if let (Err(fault), false) = (started, config.allow_failing) {
            return Err(OpenError::Start {
                spec: player.name(),
                why: fault.to_string(),
            });
        }
    }
    Ok(players)
}

/// The side of A, who is the first player of the match as a league.
fn side_of(game: &Finished) -> Side {
    match game.players {
        [0, _] => Side::White,
        _ => Side::Black,
    }
}

/// What is A's and B's as White's and Black's, if A has a side.
fn by_side<T>(side: Side, [a, b]: [T; 2]) -> [T; 2] {
    match side {
        Side::White => [a, b],
        Side::Black => [b, a],
    }
}
