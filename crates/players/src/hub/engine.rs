//! Our engine behind the protocol.

use std::ops::ControlFlow;
use std::sync::Arc;

use kingme_engine::{Engine, Handle, Report};
use kingme_rules::{Game, Variant};

use super::thinker::{Info, Task, Thinker, Thought};
use crate::TableShelf;
use crate::engine::{may_ask_tables, men, take_tables};

/// The most threads that can be asked for.
const MOST_THREADS: usize = 256;
/// The most megabytes that can be asked for.
const MOST_HASH: usize = 1 << 20;

/// Our engine as a thinker, with its options as parameters.
pub struct EngineThinker {
    engine: Engine,
    tables: Option<Arc<TableShelf>>,
    use_tables: bool,
}

impl EngineThinker {
    /// An engine that looks into these tables.
    pub fn new(engine: Engine, tables: Option<Arc<TableShelf>>) -> EngineThinker {
        EngineThinker {
            engine,
            use_tables: tables.is_some(),
            tables,
        }
    }
}

/// As many megabytes as were asked for, or what the machine can spare: more would end the process.
fn affordable(megabytes: usize) -> usize {
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free = memory.lines().find_map(|line| {
        let kilobytes = line.strip_prefix("MemAvailable:")?.split_whitespace();
        kilobytes.take(1).next()?.parse::<usize>().ok()
    });
    match free {
        Some(kilobytes) => megabytes.min((kilobytes / 1024 * 3 / 4).max(1)),
        None => megabytes,
    }
}

impl Thinker for EngineThinker {
    fn id(&self) -> (String, String) {
        ("kingme".to_owned(), env!("CARGO_PKG_VERSION").to_owned())
    }

    fn params(&self) -> Vec<(String, String, String)> {
        let options = self.engine.options();
        let number = |name: &str, value: usize, to: usize| {
            (
                name.to_owned(),
                value.to_string(),
                format!("type=int min=1 max={to}"),
            )
        };
        vec![
            number("level", options.level.into(), 10),
            number("threads", options.threads, MOST_THREADS),
            number("hash", options.hash, MOST_HASH),
            (
                "tables".to_owned(),
                self.use_tables.to_string(),
                "type=bool".to_owned(),
            ),
        ]
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        let mut options = self.engine.options().clone();
        let number = |to: usize| {
            let number = value
                .parse()
                .ok()
                .filter(|number| (1..=to).contains(number));
            number.ok_or_else(|| format!("`{name}` is a number from 1 to {to}, not `{value}`"))
        };
        match name {
            "level" => options.level = number(10)? as u8,
            "threads" => options.threads = number(MOST_THREADS)?,
            "hash" => options.hash = affordable(number(MOST_HASH)?),
            "tables" => {
                let is_bool = value.parse().ok();
                self.use_tables =
                    is_bool.ok_or_else(|| format!("`tables` is true or false, not `{value}`"))?;
            }
            _ => return Ok(()),
        }
        self.engine.set_options(options);
        if !self.use_tables || !may_ask_tables(&self.engine) {
            self.engine.forget_tables();
        }
        Ok(())
    }

    fn prepare(&mut self, variant: &Variant) {
        let tables = self.tables.as_deref().filter(|_| self.use_tables);
        take_tables(&mut self.engine, tables, variant);
    }

    fn new_game(&mut self) {
        self.engine.clear();
    }

    fn think(
        &mut self,
        game: &Game,
        task: &Task,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Thought> {
        let handle = Handle::new();
        if !task.clock_runs() {
            handle.ponder();
        }
        self.engine.set_handle(handle.clone());
        let (stopped, hit) = (handle.clone(), handle);
        let _on_stop = task.stop.on_request(move || stopped.stop());
        let _on_hit = task.hit.on_request(move || hit.ponder_hit());
        let choice = self.engine.search(game, &task.limit, &mut |found| {
            report(&info(found));
            ControlFlow::Continue(())
        })?;
        Some(Thought {
            best: choice.mv,
            ponder: choice.ponder,
        })
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
