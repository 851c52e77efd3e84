//! Matches: many games between two players, in mirrored pairs.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use kingme_play::{
    Chance, End, EndReason, Policy, Seat, Session, Stakes, Stop, Terms, TimeControl,
};
use kingme_rules::{Side, Variant};

use crate::cores::Cores;
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
    /// What the players may use.
    pub time: TimeControl,
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
    /// All of it, to its end.
    pub session: Session,
}

impl MatchGame {
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

/// Plays a match. `on_game` hears of every game as it ends, in whatever order they end.
///
/// # Errors
///
/// If the players can't be had, or can't be started, before they play a game.
pub fn run_match(
    config: &MatchConfig,
    seats: &Seats,
    stop: &Stop,
    on_game: &mut dyn FnMut(&MatchGame, &Standing),
) -> Result<Standing, OpenError> {
    let next = AtomicU64::new(0);
    let cores = Cores::for_games(config.concurrency.max(1), config.cores);
    // Of our own, so that a decided test does not look like a request from outside.
    let enough = Stop::new();
    let mut standing = Standing::default();
    let mut failed = None;
    thread::scope(|scope| {
        let (sender, results) = mpsc::sync_channel(config.concurrency.max(1) * 2);
        for slot in 0..config.concurrency.max(1) {
            let sender = sender.clone();
            let (next, enough, cores) = (&next, &enough, &cores);
            scope.spawn(move || {
                cores.stay(slot);
                worker(config, seats, next, [stop, enough], &sender);
            });
        }
        drop(sender);
        for result in results {
            match result {
                Ok(game) => {
                    standing.add(&game);
                    on_game(&game, &standing);
                }
                Err(error) => {
                    enough.request();
                    failed = Some(error);
                }
            }
            if let Some(sprt) = &config.sprt
                && sprt.verdict(standing.tally.pairs) != Verdict::Open
            {
                enough.request();
            }
        }
    });
    failed.map_or(Ok(standing), Err)
}

type Sender = mpsc::SyncSender<Result<MatchGame, OpenError>>;

/// Plays one game after the other until there are no more.
fn worker(
    config: &MatchConfig,
    seats: &Seats,
    next: &AtomicU64,
    stops: [&Stop; 2],
    sender: &Sender,
) {
    let mut players = match seats().and_then(|players| ready(config, players)) {
        Ok(players) => players,
        Err(error) => {
            // Nobody listens any more when another worker has failed first.
            let _ = sender.send(Err(error));
            return;
        }
    };
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let is_over = stops.iter().any(|stop| stop.is_requested());
        if number >= config.games || is_over {
            return;
        }
        let game = play_game(config, number, &mut players, stops[0]);
        let aborted = |end: &End| end.reason == EndReason::Aborted;
        if game.session.end().is_none_or(aborted) || sender.send(Ok(game)).is_err() {
            return;
        }
    }
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

fn play_game(
    config: &MatchConfig,
    number: u64,
    players: &mut [Box<dyn Player>; 2],
    stop: &Stop,
) -> MatchGame {
    let mut chance = Chance::fork(config.seed, number);
    let terms = Terms {
        time: [config.time; 2],
        policy: config.policy.clone(),
        stakes: Stakes::League,
    };
    let seed = chance.number();
    for player in &mut *players {
        player.seed(chance.number());
    }
    let opening = config
        .openings
        .of_pair(&config.variant, number / 2, config.seed);
    let side = if number.is_multiple_of(2) {
        Side::White
    } else {
        Side::Black
    };
    let [a, b] = players;
    let mut seated: [&mut dyn Player; 2] = match side {
        Side::White => [a.as_mut(), b.as_mut()],
        Side::Black => [b.as_mut(), a.as_mut()],
    };
    let seats = [&*seated[0], &*seated[1]].map(|player| Seat::Program {
        name: player.name(),
    });
    let [white, black] = [&*seated[0], &*seated[1]].map(Player::name);
    let begins = format!("game {}: {white} - {black}", number + 1);
    for player in &mut seated {
        player.note(&begins);
    }
    let session = Session::new(opening, seats, terms);
    let played = play(session, seated, seed, stop, &mut |_| Ok(()));
    MatchGame {
        number,
        side,
        session: played.expect("nothing is written down"),
    }
}
