//! How fast the arena is: an instant bot against itself, 100 plies a game, with rules, clocks and
//! the log on.
//!
//! ```text
//! cc -O2 -o /tmp/last examples/bots/last.c
//! cargo run --release -p kingme-arena --example speed -- /tmp/last 2000 1
//! ```
//!
//! The arguments are the bot, the number of games and how many are played at a time; a fourth is the
//! URL of a `PostgreSQL` that is to have the log, under a name that it does not have yet: `speed`.

use std::path::Path;
use std::time::Instant;

use kingme_arena::league::{Entry, LeagueFile, Log, LogPlace, Nobody, run};
use kingme_play::Stop;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [bot, games, at_a_time, url @ ..] = arguments.as_slice() else {
        return Err("usage: speed BOT GAMES AT_A_TIME [URL]".into());
    };
    let games: u64 = games.parse()?;
    let file = LeagueFile::read(&league(bot, games, at_a_time.parse()?), Path::new("."))?;
    let folder = tempfile::tempdir()?;
    let place = match url.first() {
        None => folder.path().join("speed.db").into(),
        Some(url) => LogPlace::shared(&url.parse()?, "speed", Some(folder.path()))?,
    };
    let log = Log::open(place, &mut file.clone())?;
    let seats = |entry: &Entry, seed| entry.plays.open(&file.variant, seed);
    let (started, used) = (Instant::now(), cpu_micros()?);
    let summary = run(&file, log, &seats, &Nobody, &Stop::new(), &mut |_| ())?;
    let seconds = started.elapsed().as_secs_f64();
    let plies: u64 = summary
        .results
        .values()
        .map(|game| u64::from(game.plies))
        .sum();
    let cpu = (cpu_micros()? - used) as f64 / plies as f64;
    let speed = summary.results.len() as f64 / seconds;
    println!(
        "{} games, {:.1} plies each, {at_a_time} at a time: {speed:.0} games/s, {cpu:.2} µs of our CPU a ply, \
         {} MB at most",
        summary.results.len(),
        plies as f64 / summary.results.len() as f64,
        getrusage(UsageWho::RUSAGE_SELF)?.max_rss() / 1024
    );
    Ok(())
}

fn league(bot: &str, games: u64, at_a_time: usize) -> String {
    format!(
        "name = \"speed\"\nvariant = \"international\"\ntime = \"1s\"\nformat = \"round-robin\"\n\
         games = {games}\nmax_plies = 100\nrandom_plies = 4\nconcurrency = {at_a_time}\n\
         [[player]]\nname = \"one\"\nplays = \"hub:{bot}\"\n[[player]]\nname = \"two\"\nplays = \"hub:{bot}\"\n"
    )
}

/// What this process has used, in user and system mode.
fn cpu_micros() -> nix::Result<i64> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    Ok(usage.user_time().num_microseconds() + usage.system_time().num_microseconds())
}
