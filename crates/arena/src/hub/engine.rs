//! Our engine behind the protocol.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use engine::{Clock, Engine, Handle, Limit, Options, Report};
use rules::Game;

use super::level::Level;
use super::thinker::{Info, Task, Thinker, Thought};
use crate::EngineOptions;
use crate::players::men;

/// How often somebody looks whether the search has to stop.
const LOOK: Duration = Duration::from_millis(5);

/// Our engine as a thinker, with its options as parameters.
pub struct EngineThinker(Engine);

impl EngineThinker {
    /// An engine with these options; the seed is for the weaker levels.
    pub fn new(options: &EngineOptions, seed: u64) -> EngineThinker {
        let usual = Options::default();
        EngineThinker(Engine::new(Options {
            level: options.level.unwrap_or(usual.level),
            threads: options
                .threads
                .map_or(usual.threads, |threads| threads as usize),
            hash: options.hash.map_or(usual.hash, |hash| hash as usize),
            seed,
            ..usual
        }))
    }
}

impl Thinker for EngineThinker {
    fn id(&self) -> (String, String) {
        ("kingme".to_owned(), env!("CARGO_PKG_VERSION").to_owned())
    }

    fn params(&self) -> Vec<(String, String, String)> {
        let options = self.0.options();
        let number = |name: &str, value: usize, to: usize| {
            (
                name.to_owned(),
                value.to_string(),
                format!("type=int min=1 max={to}"),
            )
        };
        vec![
            number("level", options.level.into(), 10),
            number("threads", options.threads, 1024),
            number("hash", options.hash, 1 << 20),
        ]
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        let mut options = self.0.options().clone();
        let number = |to: usize| {
            let number = value
                .parse()
                .ok()
                .filter(|number| (1..=to).contains(number));
            number.ok_or_else(|| format!("`{name}` is a number from 1 to {to}, not `{value}`"))
        };
        match name {
            "level" => options.level = number(10)? as u8,
            "threads" => options.threads = number(1024)?,
            "hash" => options.hash = number(1 << 20)?,
            _ => return Ok(()),
        }
        self.0.set_options(options);
        Ok(())
    }

    fn new_game(&mut self) {
        self.0.clear();
    }

    fn think(
        &mut self,
        game: &Game,
        task: &Task,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Thought> {
        let handle = Handle::new();
        self.0.set_handle(handle.clone());
        let done = AtomicBool::new(false);
        let choice = thread::scope(|scope| {
            let watcher = scope.spawn(|| watch(task, &handle, &done));
            let choice = self.0.search(game, &limit(task), &mut |found| {
                report(&info(found));
                ControlFlow::Continue(())
            });
            done.store(true, Ordering::Release);
            watcher.thread().unpark();
            choice
        })?;
        Some(Thought {
            best: choice.mv,
            ponder: choice.ponder,
        })
    }
}

fn watch(task: &Task, handle: &Handle, done: &AtomicBool) {
    while !done.load(Ordering::Acquire) {
        if task.stop.is_requested() {
            handle.stop();
        }
        thread::park_timeout(LOOK);
    }
}

/// The limits that count now: those of time only while our clock runs.
fn limit(task: &Task) -> Limit {
    let Level {
        depth,
        nodes,
        move_time,
        time,
        increment,
        moves,
    } = task.level;
    let running = task.deadline.is_some();
    Limit {
        depth,
        nodes,
        move_time: move_time.filter(|_| running),
        clock: time.filter(|_| running).map(|left| Clock {
            left,
            increment,
            moves,
        }),
    }
}

fn info(report: &Report) -> Info {
    let best = report.lines.first();
    Info {
        depth: u32::try_from(report.depth.0).ok(),
        score: best.map(|line| men(line.score)),
        nodes: Some(report.nodes),
        time: report.time,
        line: best.map(|line| line.moves.clone()).unwrap_or_default(),
    }
}
