//! `kingme tables`: build, check and ask endgame tables.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kingme_engine::tables::{self, BuildConfig, Counts, Progress, TableError, Tables};
use kingme_players::{TableShelf, plainly};

use super::{Answer, Result, stop_on_interrupt};
use crate::variant::VariantArgs;

type Error = Box<dyn std::error::Error>;

/// Arguments of `kingme tables`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Solve all positions with few pieces; what is there already is kept
    Build(BuildArgs),
    /// Check every position against what its moves lead to
    Check(CheckArgs),
    /// Say who wins a position, how far off the next step is, and the best move
    Probe(ProbeArgs),
}

/// Which game, how many pieces, and where.
#[derive(clap::Args)]
struct Which {
    #[command(flatten)]
    variant: VariantArgs,
    /// Up to how many pieces on the board, both sides together
    #[arg(long, value_name = "N")]
    pieces: usize,
    /// How many threads work [default: all cores]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    data: DataArgs,
}

/// Where kingme keeps its data.
#[derive(clap::Args)]
pub struct DataArgs {
    /// The folder of kingme's data [default: the user's]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

#[derive(clap::Args)]
struct BuildArgs {
    #[command(flatten)]
    which: Which,
    /// Megabytes of memory for positions
    #[arg(long, value_name = "MB", default_value_t = 2000)]
    memory: u64,
    /// Up to how many pieces distances are stored, too
    #[arg(long, value_name = "N", default_value_t = 5)]
    distances: usize,
}

#[derive(clap::Args)]
struct CheckArgs {
    #[command(flatten)]
    which: Which,
}

#[derive(clap::Args)]
struct ProbeArgs {
    #[command(flatten)]
    variant: VariantArgs,
    /// The position as PDN's FEN
    #[arg(long)]
    fen: String,
    #[command(flatten)]
    data: DataArgs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result {
    match &args.command {
        Command::Build(args) => build(args),
        Command::Check(args) => check(&args.which),
        Command::Probe(args) => probe(args),
    }
}

impl DataArgs {
    /// The folder of all tables.
    pub fn folder(&self) -> std::result::Result<PathBuf, Error> {
        Ok(self.root()?.join("tables"))
    }

    /// Where a worker keeps the folders of leagues.
    pub fn bundles(&self) -> std::result::Result<PathBuf, Error> {
        Ok(self.root()?.join("bundles"))
    }

    /// The folder of the leagues that a server shows.
    pub fn leagues(&self) -> std::result::Result<PathBuf, Error> {
        Ok(self.root()?.join("leagues"))
    }

    fn root(&self) -> std::result::Result<PathBuf, &'static str> {
        self.data.clone().map_or_else(super::serve::data_folder, Ok)
    }

    /// The tables in it, for those who play; none where there is no folder for them.
    pub fn shelf(&self) -> Option<Arc<TableShelf>> {
        let folder = self.folder().ok()?;
        Some(Arc::new(TableShelf::new(folder)))
    }
}

fn build(args: &BuildArgs) -> Result {
    let which = &args.which;
    let variant = which.variant.load()?;
    let folder = which.data.folder()?;
    let config = BuildConfig {
        pieces: which.pieces,
        distances: args.distances,
        memory: args.memory.saturating_mul(1_000_000),
    };
    let counts =
        which.work(|on_progress| tables::build(&variant, &folder, &config, on_progress))?;
    print_counts(&counts)
}

fn check(which: &Which) -> Result {
    let variant = which.variant.load()?;
    let folder = which.data.folder()?;
    let checked =
        which.work(|on_progress| tables::check(&variant, &folder, which.pieces, on_progress));
    match checked {
        Ok(counts) => print_counts(&counts),
        Err(error @ (TableError::Wrong { .. } | TableError::Damaged { .. })) => {
            eprintln!("kingme: {}", plainly(&error));
            Ok(Answer::No)
        }
        Err(error) => Err(error.into()),
    }
}

impl Which {
    /// Does some work on so many threads and shows how it goes on.
    fn work<T: Send>(
        &self,
        job: impl FnOnce(&mut tables::OnProgress<'_>) -> std::result::Result<T, TableError> + Send,
    ) -> std::result::Result<T, TableError> {
        let stop = stop_on_interrupt().ok();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0).into())
            .build()
            .expect("threads can be started");
        let mut shown = Shown::new();
        pool.install(|| {
            job(&mut |progress| {
                shown.show(progress);
                match &stop {
                    Some(stop) if stop.is_requested() => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            })
        })
    }
}

/// Progress on stderr: one line that changes on a terminal, a line now and then elsewhere.
pub struct Shown {
    terminal: bool,
    started: Instant,
    last: Option<Instant>,
}

impl Shown {
    /// Nothing is shown yet.
    pub fn new() -> Shown {
        Shown {
            terminal: std::io::stderr().is_terminal(),
            started: Instant::now(),
            last: None,
        }
    }

    /// How far the tables are made.
    pub fn show(&mut self, progress: &Progress) {
        if let Some(damaged) = &progress.damaged {
            eprintln!("kingme: {}; it is made anew", plainly(damaged));
        }
        let Progress {
            pieces,
            done: solved,
            total,
            ..
        } = progress;
        let share = *solved as f64 * 100.0 / (*total).max(1) as f64;
        let line = format!("{pieces} pieces: {solved} of {total} positions, {share:.0} %");
        self.line(&line, progress.slice.is_none());
    }

    /// Shows a line, the last one in any case.
    pub fn line(&mut self, text: &str, done: bool) {
        let pause = Duration::from_secs(if self.terminal { 0 } else { 10 });
        if !done && self.last.is_some_and(|last| last.elapsed() < pause) {
            return;
        }
        self.last = Some(Instant::now());
        let line = format!("{text}, {:.1} s", self.started.elapsed().as_secs_f64());
        let mut out = std::io::stderr().lock();
        // Progress that nobody reads is no reason to stop.
        let _ = match (self.terminal, done) {
            (true, false) => write!(out, "\r{line}\x1b[K"),
            (true, true) => writeln!(out, "\r{line}\x1b[K"),
            (false, _) => writeln!(out, "{line}"),
        };
    }
}

impl Shown {
    /// Nothing of a line that changes is left.
    pub fn clear(&self) {
        if self.terminal {
            eprint!("\r\x1b[K");
        }
    }
}

/// One line per number of pieces: pieces, wins, losses, draws.
fn print_counts(counts: &[Counts]) -> Result {
    let mut out = std::io::stdout().lock();
    for (counts, pieces) in counts.iter().zip(2..) {
        writeln!(out, "{pieces} {counts}")?;
    }
    Ok(Answer::Yes)
}

fn probe(args: &ProbeArgs) -> Result {
    let position = args.variant.position(Some(&args.fen))?;
    let variant = position.variant();
    let folder = args.data.folder()?;
    let pieces = position.pieces().len();
    let mut tables = Tables::open(variant, &folder)?;
    if pieces > tables.pieces() && pieces <= Tables::ready_pieces(variant)? {
        // Small tables are made on the way, or come with the program: then they are there again.
        let name = variant.name();
        eprintln!("note: tables of `{name}` are made on the way, or come with the program");
        tables = Tables::ready(variant, &folder)?;
    }
    for fault in tables.faults() {
        eprintln!("kingme: {}", plainly(&fault));
    }
    let Some(found) = tables.probe_position(&position) else {
        let name = variant.name();
        return Err(match tables.pieces() {
            0 => format!("there are no tables of `{name}` in {}; `kingme tables build {name} --pieces {pieces}` makes them", folder.display()),
            most => format!("the tables of `{name}` don't have this position of {pieces} pieces; they go up to {most}, with both sides on the board"),
        }
        .into());
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", found.verdict)?;
    if let Some(distance) = found.distance {
        writeln!(out, "distance {distance}")?;
    }
    if let Some(best) = tables.best_move(&position) {
        writeln!(out, "best {}", position.move_text(&best))?;
    }
    Ok(Answer::Yes)
}
