//! The computer player and the engine's advice, with limits so that nobody starves the rest.

use std::collections::HashSet;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kingme_engine::{Choice, Engine, Handle, Limit, Options};
use kingme_play::{Answer, Chance, PlayerId, Seat, Session, Stop};
use kingme_players::{EnginePlayer, Player, Question, RandomPlayer};
use kingme_rules::{Game, Side};
use serde::Serialize;

use crate::analysis::Analysis;
use crate::endings::Endings;
use crate::error::ApiError;
use crate::fair::Workroom;
use crate::shares::Shares;
use crate::wire::MoveJson;

/// What the engine thinks of a position.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct AdviceJson {
    /// How many plies deep it has looked.
    pub depth: u32,
    /// How many moves there are to choose from.
    pub choices: usize,
    /// The best lines, best first; none if the game is over.
    pub lines: Vec<LineOfPlay>,
}

/// A line of play with its value.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct LineOfPlay {
    /// In men, as White sees it.
    pub score: f32,
    /// What White can expect: 1 is a win, 0 a loss, and a draw counts a half.
    pub chance: f32,
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
    moves: Workroom,
    /// Advice: hints and evaluations.
    advice: Workroom,
    /// Who is being advised at the moment: one search per person.
    advised: Arc<Mutex<HashSet<String>>>,
    /// Who reads along while the engine thinks: each has a table of positions.
    analyses: Shares,
    /// Endings that need no search.
    pub endings: Arc<Endings>,
    /// For the choices of weaker levels.
    chance: Mutex<Chance>,
}

impl Computer {
    /// One search per core for games, and one for advice.
    pub fn new(endings: Endings, seed: u64) -> Computer {
        Computer {
            moves: Workroom::new(cores(), MOST_MOVES),
            advice: Workroom::new(cores().div_ceil(2), MOST_QUESTIONS),
            advised: Arc::default(),
            analyses: Shares::new(MOST_ANALYSES),
            endings: Arc::new(endings),
            chance: Mutex::new(Chance::new(seed)),
        }
    }

    /// How many moves and questions wait.
    pub fn waiting(&self) -> [usize; 2] {
        [self.moves.waiting(), self.advice.waiting()]
    }

    /// How many read along while the engine thinks.
    pub fn analysing(&self) -> usize {
        self.analyses.taken()
    }

    fn number(&self) -> u64 {
        let mut chance = self.chance.lock().unwrap_or_else(PoisonError::into_inner);
        chance.number()
    }

    /// The computer's move against somebody at an address.
    pub async fn answer(&self, turn: ComputersTurn, from: IpAddr) -> Option<Answer> {
        let seed = self.number();
        if turn.level == 0 {
            let question = Question::new(turn.limit, Stop::new());
            return RandomPlayer::new(seed).choose(&turn.game, &question).ok();
        }
        let endings = self.endings.clone();
        let chosen = self.moves.run(from, move || choose(&turn, seed, &endings));
        chosen.await.unwrap_or_else(|error| {
            tracing::error!("the computer does not move: {error}");
            None
        })
    }

    /// Whether the computer agrees to a draw: when it stands worse, or after a long even game.
    pub async fn accepts_draw(
        &self,
        (person, from): (PlayerId, IpAddr),
        game: Game,
        computer: Side,
    ) -> bool {
        let plies = game.plies();
        let time = Duration::from_millis(500);
        let advice = self.advise((person.to_string(), from), game, time, 1);
        let score = advice
            .await
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
        (asker, from): (String, IpAddr),
        game: Game,
        time: Duration,
        lines: usize,
    ) -> Result<AdviceJson, ApiError> {
        let asking = Asking::take(&self.advised, asker)?;
        let endings = self.endings.clone();
        let advice = move || {
            let advice = advise(&game, time, lines, &endings);
            // Only now: whoever hangs up and asks again has not been answered yet.
            drop(asking);
            advice
        };
        self.advice.run(from, advice).await
    }

    /// Thinks about a position for as long as somebody reads what it finds.
    ///
    /// # Errors
    ///
    /// If there are too many who do, or too many from this address.
    pub fn analyse(&self, from: IpAddr, game: Game, lines: usize) -> Result<Analysis, ApiError> {
        let place = self.analyses.take(from);
        let place = place.ok_or(ApiError::TooMany { after: 5 })?;
        let search = Search::new(game, lines, &self.endings);
        Ok(Analysis::begin(self.advice.clone(), from, place, search))
    }
}

/// The processor's cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// So many of the computer's moves may wait for one address: more than it can begin games for, since
/// a game without an answer would stand still, and others don't wait for them.
const MOST_MOVES: usize = 10_000;

/// So many questions may wait from one address.
const MOST_QUESTIONS: usize = 20;

/// So many analyses may go on, taking turns.
const MOST_ANALYSES: usize = 24;

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

fn advise(game: &Game, time: Duration, lines: usize, endings: &Arc<Endings>) -> AdviceJson {
    let mut search = Search::new(game.clone(), lines, endings);
    let mut advice = AdviceJson::nothing(game);
    let choice = search.run(&Limit::move_time(time), Handle::new(), &mut |found| {
        advice = found;
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

/// A search for whoever studies a position. It can be stopped and gone on with.
pub struct Search {
    game: Game,
    lines: usize,
    endings: Arc<Endings>,
    /// Made on the thread that searches: it takes memory, and tables may have to be opened.
    engine: Option<Engine>,
}

impl Search {
    /// A search of a position that gives so many lines.
    pub fn new(game: Game, lines: usize, endings: &Arc<Endings>) -> Search {
        Search {
            game,
            lines,
            endings: endings.clone(),
            engine: None,
        }
    }

    /// Searches within a limit, and tells whenever it has looked deeper.
    pub fn run(
        &mut self,
        limit: &Limit,
        handle: Handle,
        tell: &mut dyn FnMut(AdviceJson),
    ) -> Option<Choice> {
        let game = &self.game;
        let engine = self.engine.get_or_insert_with(|| {
            let mut engine = Engine::new(Options {
                hash: HASH,
                lines: self.lines,
                // Whoever studies a game wants to know what an only move is worth.
                search_forced: true,
                ..Options::default()
            });
            use_tables(&mut engine, game, &self.endings);
            engine
        });
        engine.set_handle(handle);
        let choices = game.legal_moves().len();
        engine.search(game, limit, &mut |report| {
            let lines = report.lines.iter();
            tell(AdviceJson {
                depth: report.depth.0.unsigned_abs(),
                choices,
                lines: lines.map(|line| line_of_play(game, line)).collect(),
            });
            ControlFlow::Continue(())
        })
    }
}

impl AdviceJson {
    fn nothing(game: &Game) -> AdviceJson {
        AdviceJson {
            depth: 0,
            choices: game.legal_moves().len(),
            lines: Vec::new(),
        }
    }
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
        chance: match game.turn() {
            Side::White => line.score,
            Side::Black => -line.score,
        }
        .expectation() as f32,
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
