//! `kingme analyse`: what the engine thinks of a position.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use kingme_engine::tables::Tables;
use kingme_engine::{Engine, Handle, Limit, Line, Options, Report};
use kingme_play::TimeControl;
use kingme_players::plainly;
use kingme_rules::{Game, Position, Variant};
use serde_json::json;

use super::tables::DataArgs;
use super::{Answer, Result, stop_on_interrupt};
use crate::variant::VariantArgs;

type Error = Box<dyn std::error::Error>;

/// Arguments of `kingme analyse`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    variant: VariantArgs,
    /// A position as PDN's FEN; the start if left out
    #[arg(long)]
    fen: Option<String>,
    /// How long, such as 5s; 10s if neither time nor depth is given
    #[arg(long, value_name = "T", value_parser = span)]
    time: Option<Duration>,
    /// How many plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=99))]
    depth: Option<u32>,
    /// How many moves get a line
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    lines: u16,
    /// How many threads search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Megabytes for the table of positions
    #[arg(long, value_name = "MB", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Judge positions by a file that `kingme train` has made
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataArgs,
}

const USUAL: Duration = Duration::from_secs(10);

/// A length of time on the command line.
pub fn span(text: &str) -> std::result::Result<Duration, String> {
    match text.parse() {
        Ok(
            TimeControl::Move(time)
            | TimeControl::Game {
                time, moves: None, ..
            },
        ) => Ok(time),
        _ => Err(format!("`{text}` is not a time such as 5s or 500ms")),
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result {
    let position = args.variant.position(args.fen.as_deref())?;
    let game = Game::from_position(position.clone());
    let mut engine = Engine::new(Options {
        hash: args.hash as usize,
        threads: args.threads.into(),
        lines: args.lines.into(),
        search_forced: true,
        ..Options::default()
    });
    args.use_weights(&mut engine, position.variant())?;
    let tables = args.tables(position.variant())?;
    if let Some(tables) = &tables {
        engine.use_tables(position.variant(), Arc::clone(tables));
    }
    let handle = Handle::new();
    engine.set_handle(handle.clone());
    let interrupt = stop_on_interrupt()?;
    let mut out = std::io::stdout().lock();
    let mut last = None;
    let mut failure = None;
    let choice = engine.search(&game, &limit(args), &mut |report| {
        last = Some(report.clone());
        if !args.json
            && let Err(error) = print(&mut out, &position, report)
        {
            failure = Some(error);
        }
        if failure.is_some() || interrupt.is_requested() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if let Some(error) = failure {
        return Err(error.into());
    }
    if let Some(tables) = &tables {
        tell_faults(tables);
    }
    let verdict = tables.and_then(|tables| tables.probe_position(&position));
    let verdict = verdict.map(|probe| format!("{:?}", probe.verdict).to_lowercase());
    let best = choice.map(|choice| (position.move_text(&choice.mv), choice.score));
    if args.json {
        let lines: Vec<_> = last
            .iter()
            .flat_map(|report| &report.lines)
            .map(|line| json_line(&position, line))
            .collect();
        let object = json!({
            "variant": position.variant().name(),
            "fen": position.fen(),
            "best": best.as_ref().map(|(text, _)| text),
            "score": best.as_ref().map(|(_, score)| score.value()),
            "ends_in": best.as_ref().and_then(|(_, score)| score.plies_to_end()),
            "depth": last.as_ref().map(|report| report.depth.0),
            "nodes": last.as_ref().map(|report| report.nodes),
            "nodes_per_second": last.as_ref().map(|report| report.nodes_per_second() as u64),
            "seconds": last.as_ref().map(|report| report.time.as_secs_f64()),
            "tables": verdict,
            "lines": lines,
        });
        writeln!(out, "{object}")?;
        return Ok(Answer::Yes);
    }
    if let Some(verdict) = verdict {
        writeln!(out, "tables: {verdict}")?;
    }
    match best {
        Some((text, score)) => writeln!(out, "best: {text} ({score})")?,
        None => writeln!(out, "the game is over")?,
    }
    Ok(Answer::Yes)
}

impl Args {
    /// The tables of the game, if it can have any. What is wrong with them is told after the
    /// search, which may find more.
    fn tables(&self, variant: &Variant) -> std::result::Result<Option<Arc<Tables>>, Error> {
        let folder = self.data.folder()?;
        Ok(Tables::open(variant, &folder).ok().map(Arc::new))
    }

    /// Uses the file of weights, if one is given: an answer by another evaluation would not be the
    /// one that was asked for.
    fn use_weights(
        &self,
        engine: &mut Engine,
        variant: &Variant,
    ) -> std::result::Result<(), String> {
        let Some(path) = &self.weights else {
            return Ok(());
        };
        let at = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let file = std::fs::read(path).map_err(|error| at(&error))?;
        let used = engine.use_weights(&file, variant);
        used.map_err(|error| at(&error))
    }
}

fn tell_faults(tables: &Tables) {
    for fault in tables.faults() {
        eprintln!("kingme: {}; the search goes on without it", plainly(&fault));
    }
}

fn limit(args: &Args) -> Limit {
    Limit {
        depth: args.depth,
        move_time: args.time.or(args.depth.is_none().then_some(USUAL)),
        ..Limit::INFINITE
    }
}

fn print(out: &mut dyn Write, position: &Position, report: &Report) -> std::io::Result<()> {
    for line in &report.lines {
        writeln!(
            out,
            "{:>2}  {:>8}  {:>11} nodes  {:>8.3} s  {:>5.1} M/s  {}",
            report.depth,
            line.score.to_string(),
            report.nodes,
            report.time.as_secs_f64(),
            report.nodes_per_second() / 1e6,
            texts(position, line).join(" ")
        )?;
    }
    Ok(())
}

fn json_line(position: &Position, line: &Line) -> serde_json::Value {
    json!({
        "score": line.score.value(),
        "ends_in": line.score.plies_to_end(),
        "moves": texts(position, line),
    })
}

fn texts(position: &Position, line: &Line) -> Vec<String> {
    let mut position = position.clone();
    line.moves
        .iter()
        .map(|mv| {
            let text = position.move_text(mv);
            position = position.play_unchecked(mv);
            text
        })
        .collect()
}
