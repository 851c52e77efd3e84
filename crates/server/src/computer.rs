//! The computer player and the engine's advice, with limits so that nobody starves the rest.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use kingme_engine::{Engine, Limit, Options};
use kingme_play::{Answer, Chance, PlayerId, Seat, Session, Stop};
use kingme_players::{EnginePlayer, Player, Question, RandomPlayer};
use kingme_rules::{Game, Side};
use serde::Serialize;
use tokio::sync::Semaphore;

use crate::endings::Endings;
use crate::error::ApiError;
use crate::wire::MoveJson;

/// What the engine thinks of a position.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct AdviceJson {
    /// How many plies deep it has looked.
    pub depth: u32,
    /// The best lines, best first; none if the game is over.
    pub lines: Vec<LineOfPlay>,
}

/// A line of play with its value.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct LineOfPlay {
    /// In men, as White sees it.
    pub score: f32,
    /// Plies to a proven end: positive if White wins, negative if Black does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wins_in: Option<i32>,
    /// The moves.
    pub moves: Vec<MoveJson>,
}

/// Runs searches, a few at a time.
#[derive(Debug)]
pub struct Computer {
    /// Moves in games.
    moves: Arc<Semaphore>,
    /// Advice: hints and evaluations.
    advice: Arc<Semaphore>,
    /// Who is being advised at the moment: one search per person.
    advised: Arc<Mutex<HashSet<String>>>,
    /// For whom the computer is thinking: one move at a time for each, so that nobody's many games
    /// keep the others waiting.
    queues: Mutex<HashMap<PlayerId, Weak<Semaphore>>>,
    /// Endings that need no search.
    pub endings: Arc<Endings>,
    /// For the choices of weaker levels.
    chance: Mutex<Chance>,
}

impl Computer {
    /// One search per core for games, and one for advice.
    pub fn new(endings: Endings, seed: u64) -> Computer {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Computer {
            moves: Arc::new(Semaphore::new(cores)),
            advice: Arc::new(Semaphore::new(cores.div_ceil(2))),
            advised: Arc::default(),
            queues: Mutex::default(),
            endings: Arc::new(endings),
            chance: Mutex::new(Chance::new(seed)),
        }
    }

    fn number(&self) -> u64 {
        let mut chance = self.chance.lock().unwrap_or_else(PoisonError::into_inner);
        chance.number()
    }

    /// Where the moves against one person wait for each other.
    fn queue_of(&self, person: PlayerId) -> Arc<Semaphore> {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = queues.get(&person).and_then(Weak::upgrade) {
            return queue;
        }
        queues.retain(|_, queue| queue.strong_count() > 0);
        let queue = Arc::new(Semaphore::new(1));
        queues.insert(person, Arc::downgrade(&queue));
        queue
    }

    /// The computer's move.
    pub async fn answer(&self, turn: ComputersTurn) -> Option<Answer> {
        let seed = self.number();
        if turn.level == 0 {
            let question = Question::new(turn.limit, Stop::new());
            return RandomPlayer::new(seed).choose(&turn.game, &question).ok();
        }
        let queue = self.queue_of(turn.person);
        let _turn = queue.acquire().await.ok()?;
        let _permit = self.moves.acquire().await.ok()?;
        let endings = self.endings.clone();
        let chosen = tokio::task::spawn_blocking(move || choose(&turn, seed, &endings));
        chosen.await.ok().flatten()
    }

    /// Whether the computer agrees to a draw: when it stands worse, or after a long even game.
    pub async fn accepts_draw(&self, person: PlayerId, game: Game, computer: Side) -> bool {
        let plies = game.plies();
        let Ok(_turn) = Asking::take(&self.advised, person.to_string()) else {
            return false;
        };
        let Ok(_permit) = self.advice.acquire().await else {
            return false;
        };
        let endings = self.endings.clone();
        let time = Duration::from_millis(500);
        let advice = tokio::task::spawn_blocking(move || advise(&game, time, 1, &endings)).await;
        let score = advice
            .ok()
            .and_then(|advice| Some(advice.lines.first()?.score));
        let own = score.map(|score| {
            if computer == Side::White {
                score
            } else {
                -score
            }
        });
        own.is_some_and(|own| own <= -0.8 || (plies >= LONG_GAME && own.abs() < 0.3))
    }

    /// The best lines of a position. One question at a time for each asker.
    ///
    /// # Errors
    ///
    /// If the asker's last question is not answered yet.
    pub async fn advise(
        &self,
        asker: String,
        game: Game,
        time: Duration,
        lines: usize,
    ) -> Result<AdviceJson, ApiError> {
        let _turn = Asking::take(&self.advised, asker)?;
        let _permit = self.advice.acquire().await;
        let endings = self.endings.clone();
        let advice = tokio::task::spawn_blocking(move || advise(&game, time, lines, &endings));
        advice.await.map_err(|_| ApiError::Internal)
    }
}

/// Memory of one search, in megabytes: many may run one after another.
const HASH: usize = 16;

/// Plies after which an even game may as well be a draw.
const LONG_GAME: usize = 60;

/// A turn of the computer.
#[derive(Clone, Debug)]
pub struct ComputersTurn {
    /// The computer's side.
    pub side: Side,
    /// From 1 to 10; 0 moves at random.
    level: u8,
    game: Game,
    limit: Limit,
    /// Whom it plays.
    person: PlayerId,
}

impl ComputersTurn {
    /// The computer's turn in a session; none if it is not to move.
    pub fn of(session: &Session) -> Option<ComputersTurn> {
        let side = session.turn();
        let Seat::Computer { level } = session.seats()[side] else {
            return None;
        };
        if session.end().is_some() || session.open_side().is_some() {
            return None;
        }
        Some(ComputersTurn {
            side,
            level,
            game: session.game().clone(),
            limit: Question::of(session, Stop::new()).limit,
            // The computer against itself is nobody's.
            person: session.seats()[!side].player().unwrap_or_default(),
        })
    }
}

fn choose(turn: &ComputersTurn, seed: u64, endings: &Endings) -> Option<Answer> {
    let options = Options {
        hash: HASH,
        level: turn.level,
        seed,
        variety: true,
        ..Options::default()
    };
    // However long the clock, others want the machine as well.
    let limit = turn.limit.within(options.usual_time());
    let knows_endings = options.knows_endings();
    let mut engine = Engine::new(options);
    if knows_endings {
        use_tables(&mut engine, &turn.game, endings);
    }
    let mut player = EnginePlayer::new(engine, "computer".to_owned());
    player
        .choose(&turn.game, &Question::new(limit, Stop::new()))
        .ok()
}

/// With so many pieces the search begins to meet positions of the tables.
const NEAR_THE_END: usize = 12;

fn use_tables(engine: &mut Engine, game: &Game, endings: &Endings) {
    let variant = game.variant();
    if game.position().pieces().len() > NEAR_THE_END {
        return;
    }
    if let Some(tables) = endings.tables(variant, 2) {
        engine.use_tables(variant, tables);
    }
}

fn advise(game: &Game, time: Duration, lines: usize, endings: &Endings) -> AdviceJson {
    let mut engine = Engine::new(Options {
        hash: HASH,
        lines,
        // Whoever studies a game wants to know what an only move is worth.
        search_forced: true,
        ..Options::default()
    });
    use_tables(&mut engine, game, endings);
    let mut advice = AdviceJson {
        depth: 0,
        lines: Vec::new(),
    };
    let choice = engine.search(game, &Limit::move_time(time), &mut |report| {
        advice.depth = report.depth.0.unsigned_abs();
        advice.lines = report
            .lines
            .iter()
            .map(|line| line_of_play(game, line))
            .collect();
        ControlFlow::Continue(())
    });
    // On a crowded machine the time may be up before the first report.
    if let (true, Some(choice)) = (advice.lines.is_empty(), choice) {
        let line = kingme_engine::Line {
            score: choice.score,
            moves: vec![choice.mv],
        };
        advice.lines.push(line_of_play(game, &line));
    }
    advice
}

fn line_of_play(game: &Game, line: &kingme_engine::Line) -> LineOfPlay {
    let sign = match game.turn() {
        Side::White => 1.0,
        Side::Black => -1.0,
    };
    let mut position = game.position().clone();
    let mut moves = Vec::new();
    for mv in &line.moves {
        moves.push(MoveJson::new(&position, mv));
        position = position.play_unchecked(mv);
    }
    LineOfPlay {
        score: sign * line.score.value() as f32 / 100.0,
        wins_in: line.score.plies_to_end().map(|plies| plies * sign as i32),
        moves,
    }
}

/// An asker's one question, until it is answered.
struct Asking {
    asker: String,
    advised: Arc<Mutex<HashSet<String>>>,
}

impl Asking {
    fn take(advised: &Arc<Mutex<HashSet<String>>>, asker: String) -> Result<Asking, ApiError> {
        let mut set = advised.lock().unwrap_or_else(PoisonError::into_inner);
        if !set.insert(asker.clone()) {
            return Err(ApiError::TooMany { after: 1 });
        }
        let advised = advised.clone();
        Ok(Asking { asker, advised })
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        let mut set = self.advised.lock().unwrap_or_else(PoisonError::into_inner);
        set.remove(&self.asker);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_has_one_move_at_a_time() {
        let computer = Computer::new(Endings::new(None), 1);
        let queue = computer.queue_of(1);
        let thinking = queue.try_acquire().unwrap();
        assert!(computer.queue_of(1).try_acquire().is_err());
        assert!(computer.queue_of(2).try_acquire().is_ok());
        drop(thinking);
        assert!(computer.queue_of(1).try_acquire().is_ok());
    }

    #[test]
    fn queues_of_those_who_left_are_forgotten() {
        let computer = Computer::new(Endings::new(None), 1);
        for person in 0..100 {
            drop(computer.queue_of(person));
        }
        assert!(computer.queues.lock().unwrap().len() < 3);
    }
}
