//! `kingme bench`: a node count that changes only when play does, and the speed.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Answer, Result};

/// Arguments of `kingme bench`.
#[derive(clap::Args)]
pub struct Args {
    /// Compare the node counts with those in a file, a game and its count a line; status 1 if play
    /// has changed
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result {
    let known = args.check.as_deref().map(read).transpose()?;
    let mut out = std::io::stdout().lock();
    let mut failure = None;
    let mut counts = BTreeMap::new();
    let (mut nodes, mut time) = (0, Duration::ZERO);
    kingme_engine::bench(&mut |game| {
        nodes += game.nodes;
        time += game.time;
        counts.insert(game.variant.clone(), game.nodes);
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
    match known {
        Some(known) => compare(&known, &counts, &mut out),
        None => Ok(Answer::Yes),
    }
}

fn speed(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-9) / 1e6
}

type Counts = BTreeMap<String, u64>;

/// The counts in a file: the name of a game and a number, and whatever follows them.
fn read(path: &Path) -> std::result::Result<Counts, String> {
    let file = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{file}: {error}"))?;
    let count = |(number, line): (usize, &str)| {
        let mut words = line.split_whitespace();
        let name = words.next()?;
        let wrong = || {
            format!(
                "{file}, line {}: `{line}` is no game and its count",
                number + 1
            )
        };
        let count = words.next().and_then(|word| word.parse().ok());
        Some(
            count
                .ok_or_else(wrong)
                .map(|count| (name.to_owned(), count)),
        )
    };
    text.lines().enumerate().filter_map(count).collect()
}

/// Says which games are played in another way than the file has it.
fn compare(known: &Counts, counts: &Counts, out: &mut impl Write) -> Result {
    let mut games: Vec<&String> = known.keys().chain(counts.keys()).collect();
    games.sort();
    games.dedup();
    let shown = |count: Option<&u64>| count.map_or_else(|| "none".to_owned(), u64::to_string);
    let mut answer = Answer::Yes;
    for game in games {
        let (was, is) = (known.get(game), counts.get(game));
        if was != is {
            writeln!(out, "{game}: {} nodes, not {}", shown(is), shown(was))?;
            answer = Answer::No;
        }
    }
    if matches!(answer, Answer::Yes) {
        writeln!(out, "play is as it was")?;
    }
    Ok(answer)
}
