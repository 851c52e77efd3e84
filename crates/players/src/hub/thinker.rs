//! What stands behind our side of the protocol: something that thinks about a game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kingme_engine::Limit;
use kingme_play::Stop;
use kingme_rules::{Game, Move, Variant};

use super::engine::EngineThinker;
use crate::{OpenError, Player, PlayerSpec, Question, TableShelf};

/// Something that thinks about games and can be asked over the protocol.
pub trait Thinker: Send {
    /// Its name and version.
    fn id(&self) -> (String, String);

    /// Its own parameters as `(name, value, type and limits)`, such as
    /// `("threads", "1", "type=int min=1 max=64")`.
    fn params(&self) -> Vec<(String, String, String)> {
        Vec::new()
    }

    /// Sets one of its own parameters; what it doesn't know it ignores.
    ///
    /// # Errors
    ///
    /// What is wrong with the value.
    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        let _ = (name, value);
        Ok(())
    }

    /// Makes ready for a game, whatever time it takes: nobody's clock runs.
    fn prepare(&mut self, variant: &Variant) {
        let _ = variant;
    }

    /// What follows has nothing to do with what was before.
    fn new_game(&mut self) {}

    /// Thinks about a game that is not over, and reports what it finds.
    fn think(&mut self, game: &Game, task: &Task, report: &mut dyn FnMut(&Info))
    -> Option<Thought>;
}

impl Thinker for Box<dyn Thinker> {
    fn id(&self) -> (String, String) {
        (**self).id()
    }

    fn params(&self) -> Vec<(String, String, String)> {
        (**self).params()
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        (**self).set_param(name, value)
    }

    fn prepare(&mut self, variant: &Variant) {
        (**self).prepare(variant);
    }

    fn new_game(&mut self) {
        (**self).new_game();
    }

    fn think(
        &mut self,
        game: &Game,
        task: &Task,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Thought> {
        (**self).think(game, task, report)
    }
}

impl PlayerSpec {
    /// What thinks behind the protocol for this player; our engine looks into these tables.
    ///
    /// # Errors
    ///
    /// If the player is a person, or can't be started.
    pub fn thinker(
        &self,
        variant: &Variant,
        seed: u64,
        tables: Option<Arc<TableShelf>>,
    ) -> Result<Box<dyn Thinker>, OpenError> {
        Ok(match self {
            PlayerSpec::Engine(options) => {
                Box::new(EngineThinker::new(options.engine(variant, seed)?, tables))
            }
            other => Box::new(PlayerThinker::new(other.open(variant, seed)?)),
        })
    }
}

/// What to think about a position.
#[derive(Clone, Debug)]
pub struct Task {
    /// What it may use.
    pub limit: Limit,
    /// What the answer is for.
    pub purpose: Purpose,
    /// Requested when the answer is wanted now.
    pub stop: Stop,
    /// Requested when the move that we ponder about was played.
    pub hit: Stop,
}

/// What a search is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A move to play.
    Think,
    /// A move to play if the opponent makes the move we expect. Until then its clock runs, and
    /// ours does not.
    Ponder,
    /// Nobody is playing: the line and the score are wanted.
    Analyse,
}

impl Task {
    /// Whether the limits of time count by now.
    pub fn clock_runs(&self) -> bool {
        self.purpose != Purpose::Ponder || self.hit.is_requested()
    }

    /// Waits until the limits of time count, or the answer is wanted at once.
    fn wait_for_clock(&self) {
        if self.clock_runs() {
            return;
        }
        let ready = Stop::new();
        let wakers = [&self.hit, &self.stop].map(|stop| {
            let ready = ready.clone();
            stop.on_request(move || ready.request())
        });
        ready.wait_until(None);
        drop(wakers);
    }
}

/// What a search has found so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// How deep it looked.
    pub depth: Option<u32>,
    /// How it sees the chances of the side to move, in men.
    pub score: Option<f32>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
    /// How long.
    pub time: Duration,
    /// The line it expects.
    pub line: Vec<Move>,
}

/// What a search ends with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The move.
    pub best: Move,
    /// The answer it expects.
    pub ponder: Option<Move>,
}

/// Any [`Player`] as a thinker.
pub struct PlayerThinker(Box<dyn Player>);

impl PlayerThinker {
    /// The player behind the protocol.
    pub fn new(player: Box<dyn Player>) -> PlayerThinker {
        PlayerThinker(player)
    }
}

impl Thinker for PlayerThinker {
    fn id(&self) -> (String, String) {
        (self.0.name(), env!("CARGO_PKG_VERSION").to_owned())
    }

    fn think(
        &mut self,
        game: &Game,
        task: &Task,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Thought> {
        // Players answer once, so they begin when the clock does.
        task.wait_for_clock();
        let start = Instant::now();
        let deadline = task.limit.longest().map(|time| start + time);
        let question = Question::new(task.limit, task.stop.clone()).until(deadline);
        let answer = self.0.choose(game, &question);
        let answer = answer.ok().or_else(|| question.suggestion())?;
        let best = answer.reply.find(game.position()).ok()?;
        report(&Info {
            depth: answer.depth,
            score: answer.score,
            nodes: answer.nodes,
            time: start.elapsed(),
            line: vec![best.clone()],
        });
        Some(Thought { best, ponder: None })
    }
}
