//! `kingme bench`: a node count that changes only when play does, and the speed.

use std::io::Write;
use std::time::Duration;

use super::{Answer, Result};

/// Arguments of `kingme bench`.
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args) -> Result {
    let mut out = std::io::stdout().lock();
    let mut failure = None;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    kingme_engine::bench(&mut |game| {
        nodes += game.nodes;
        time += game.time;
        let line = writeln!(
            out,
            "{:<16} {:>9} nodes {:>6.2} M/s",
            game.variant,
            game.nodes,
            speed(game.nodes, game.time)
        );
        failure = failure.take().or(line.err());
    });
    if let Some(error) = failure {
        return Err(error.into());
    }
    writeln!(
        out,
        "{nodes} nodes {:.3} s {:.2} M/s",
        time.as_secs_f64(),
        speed(nodes, time)
    )?;
    Ok(Answer::Yes)
}

fn speed(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-9) / 1e6
}
