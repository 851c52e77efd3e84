//! `kingme perft`: count the ways to play on.

use std::io::Write;
use std::time::Instant;

use kingme_rules::{Move, Position};
use rayon::prelude::*;

use super::{Answer, Result};
use crate::variant::VariantArgs;

/// Arguments of `kingme perft`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    variant: VariantArgs,
    /// How many plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// A position as PDN's FEN; the start if left out
    #[arg(long)]
    fen: Option<String>,
    /// Also print the nodes below each move
    #[arg(long)]
    divide: bool,
    /// How many threads count
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

/// Runs the command.
pub fn run(args: &Args) -> Result {
    let position = args.variant.position(args.fen.as_deref())?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.into())
        .build()?;
    let mut out = std::io::stdout().lock();
    for depth in 1..=args.depth {
        let started = Instant::now();
        let nodes = pool.install(|| count(&position, depth, args.threads > 1));
        let seconds = started.elapsed().as_secs_f64();
        let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
        writeln!(out, "{depth} {nodes} {seconds:.3} s {speed:.1} M/s")?;
    }
    if args.divide {
        for (text, nodes) in pool.install(|| divide(&position, args.depth)) {
            writeln!(out, "{text} {nodes}")?;
        }
    }
    Ok(Answer::Yes)
}

/// Plies that are played before the rest is shared among threads.
const SHARED_FROM: u32 = 3;

fn count(position: &Position, depth: u32, shared: bool) -> u64 {
    if !shared || depth <= SHARED_FROM {
        return position.perft(depth);
    }
    let children: Vec<Position> = (1..SHARED_FROM).fold(vec![position.clone()], |level, _| {
        level.iter().flat_map(children).collect()
    });
    children
        .par_iter()
        .map(|child| child.perft(depth + 1 - SHARED_FROM))
        .sum()
}

fn children(position: &Position) -> Vec<Position> {
    let play = |mv: &Move| position.play_unchecked(mv);
    position.legal_moves().iter().map(play).collect()
}

fn divide(position: &Position, depth: u32) -> Vec<(String, u64)> {
    let moves = position.legal_moves();
    let texts = position.move_texts(&moves);
    let mut rows: Vec<(String, u64)> = moves
        .par_iter()
        .zip(texts)
        .map(|(mv, text)| (text, position.play_unchecked(mv).perft(depth - 1)))
        .collect();
    rows.sort();
    rows
}
