//! The computer player and the engine's advice, with limits so that nobody starves the rest.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use kingme_engine::{Engine, Limit, Options};
use kingme_rules::{Game, Side};
use rand::RngExt;
use serde::Serialize;
use tokio::sync::Semaphore;

use crate::endings::Endings;
use crate::error::ApiError;
use crate::table::PlayerId;
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
}

impl Computer {
    /// One search per core for games, and one for advice.
    pub fn new(endings: Endings) -> Computer {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Computer {
            moves: Arc::new(Semaphore::new(cores)),
            advice: Arc::new(Semaphore::new(cores.div_ceil(2))),
            advised: Arc::default(),
            queues: Mutex::default(),
            endings: Arc::new(endings),
        }
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

    /// The computer's move against a person at a level, as the text of all its squares.
    pub async fn move_at(
        &self,
        person: PlayerId,
        game: Game,
        level: u8,
        left: Option<Duration>,
    ) -> Option<String> {
        let queue = self.queue_of(person);
        let _turn = queue.acquire().await.ok()?;
        let _permit = self.moves.acquire().await.ok()?;
        let endings = self.endings.clone();
        let chosen = tokio::task::spawn_blocking(move || choose(&game, level, left, &endings));
        chosen.await.ok().flatten()
    }

    /// Whether the computer agrees to a draw: when it stands worse, or after a long even game.
    pub async fn accepts_draw(&self, person: PlayerId, game: Game, computer: Side) -> bool {
        let plies = game.plies();
        let Ok(_turn) = Turn::take(&self.advised, person.to_string()) else {
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
        let _turn = Turn::take(&self.advised, asker)?;
        let _permit = self.advice.acquire().await;
        let endings = self.endings.clone();
        let advice = tokio::task::spawn_blocking(move || advise(&game, time, lines, &endings));
        advice.await.map_err(|_| ApiError::Internal)
    }
}

/// Memory of one search, in megabytes: many may run one after another.
const HASH: usize = 16;

/// The longest the computer thinks about a move in a game.
const LONGEST: Duration = Duration::from_millis(1_500);

/// Plies after which an even game may as well be a draw.
const LONG_GAME: usize = 60;

/// From this level on the computer plays endings by the tables: below, they are for people to win.
const KNOWS_ENDINGS: u8 = 8;

fn choose(game: &Game, level: u8, left: Option<Duration>, endings: &Endings) -> Option<String> {
    if level == 0 {
        let legal = game.legal_moves();
        let mv = legal.get(rand::rng().random_range(0..legal.len().max(1)))?;
        return Some(game.position().squares_text(mv));
    }
    let mut engine = Engine::new(Options {
        hash: HASH,
        level,
        seed: rand::rng().random(),
        variety: true,
        ..Options::default()
    });
    if level >= KNOWS_ENDINGS {
        use_tables(&mut engine, game, endings);
    }
    let wanted = LONGEST * u32::from(level) / 10;
    let time = left.map_or(wanted, |left| wanted.min(left / 30));
    let limit = Limit::move_time(time.max(Duration::from_millis(10)));
    let choice = engine.search(game, &limit, &mut |_| ControlFlow::Continue(()))?;
    Some(game.position().squares_text(&choice.mv))
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
struct Turn {
    asker: String,
    advised: Arc<Mutex<HashSet<String>>>,
}

impl Turn {
    fn take(advised: &Arc<Mutex<HashSet<String>>>, asker: String) -> Result<Turn, ApiError> {
        let mut set = advised.lock().unwrap_or_else(PoisonError::into_inner);
        if !set.insert(asker.clone()) {
            return Err(ApiError::TooMany { after: 1 });
        }
        let advised = advised.clone();
        Ok(Turn { asker, advised })
    }
}

impl Drop for Turn {
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
        let computer = Computer::new(Endings::new(None));
        let queue = computer.queue_of(1);
        let thinking = queue.try_acquire().unwrap();
        assert!(computer.queue_of(1).try_acquire().is_err());
        assert!(computer.queue_of(2).try_acquire().is_ok());
        drop(thinking);
        assert!(computer.queue_of(1).try_acquire().is_ok());
    }

    #[test]
    fn queues_of_those_who_left_are_forgotten() {
        let computer = Computer::new(Endings::new(None));
        for person in 0..100 {
            drop(computer.queue_of(person));
        }
        assert!(computer.queues.lock().unwrap().len() < 3);
    }
}
