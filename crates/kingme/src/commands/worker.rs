//! `kingme worker`: plays games of leagues and trainings for another machine; `kingme workers`: who does.

use std::io::Write;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use kingme_server::Place;
use kingme_work::worker::{self, News};
use kingme_work::{Desk, Office, Remote, WorkerRow};

use super::serve::place;
use super::tables::DataArgs;
use super::{Answer, Result};

/// Where games are handed out, and what one has to know there.
#[derive(clap::Args)]
pub struct Where {
    /// A server with --workers, such as `http://teacher:8080`, or the data base that games are handed
    /// out in: `postgres://user@host/name`
    #[arg(value_name = "URL")]
    url: String,
    /// The token that the server has printed; better in `KINGME_TOKEN`, where others don't see it
    #[arg(
        long,
        value_name = "TOKEN",
        env = "KINGME_TOKEN",
        hide_env_values = true
    )]
    token: Option<String>,
}

/// Arguments of `kingme worker`.
#[derive(clap::Args)]
pub struct WorkerArgs {
    #[command(flatten)]
    place: Where,
    /// How many games to play at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// What this worker is called [default: the name of this machine]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    data: DataArgs,
}

/// Arguments of `kingme workers`.
#[derive(clap::Args)]
pub struct WorkersArgs {
    #[command(flatten)]
    place: Where,
}

/// Where games are handed out.
enum Found {
    Server(Remote),
    /// With its place, as it may be shown: without a password.
    Data(Desk, String),
}

impl Where {
    fn find(&self) -> std::result::Result<Found, Box<dyn std::error::Error>> {
        if self.url.starts_with("http") {
            let token = self.token.as_deref().unwrap_or_default();
            return Ok(Found::Server(Remote::new(&self.url, token)?));
        }
        match place(&self.url)? {
            place @ Place::Postgres(_) => Ok(Found::Data(Desk::open(&place)?, place.to_string())),
            Place::Path(_) => {
                let url = &self.url;
                Err(format!(
                    "`{url}` is neither a server like http://host:8080 nor a data base like \
                     postgres://user@host/name"
                )
                .into())
            }
        }
    }
}

/// Works until it is interrupted.
pub fn work(args: &WorkerArgs) -> Result {
    let found = args.place.find()?;
    let (office, at): (&dyn Office, &String) = match &found {
        Found::Server(remote) => (remote, &args.place.url),
        Found::Data(desk, place) => (desk, place),
    };
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    let options = worker::Options {
        name: args.name.clone().unwrap_or_else(machine),
        concurrency: args.concurrency.map_or(cores, NonZeroUsize::get),
        folder: args.data.bundles()?,
        tables: args.data.shelf(),
    };
    std::fs::create_dir_all(&options.folder)
        .map_err(|error| format!("{}: {error}", options.folder.display()))?;
    let stop = super::stop_on_interrupt()?;
    let say = |news: &News| match news {
        News::Welcome => eprintln!(
            "{}: ready for games of {at}, {} at a time (Ctrl-C ends it)",
            options.name, options.concurrency
        ),
        News::Played(games) => eprint!("\r{games} games "),
        News::Lost(why) => eprintln!("\n{why}; trying again"),
        News::Back => eprintln!("back again"),
        News::Failed(why) => eprintln!("\n{why}"),
    };
    let games = worker::work(office, &options, &stop, &say)?;
    eprintln!("\n{}: {games} games played", options.name);
    Ok(Answer::Yes)
}

/// The name of this machine.
fn machine() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.map(|name| name.trim().to_owned());
    let other = || std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME"));
    let name = name.or_else(|| other().ok());
    name.filter(|name| !name.is_empty())
        .unwrap_or_else(|| "worker".to_owned())
}

/// Lists the workers.
pub fn list(args: &WorkersArgs) -> Result {
    let rows = match args.place.find()? {
        Found::Server(remote) => remote.workers()?,
        Found::Data(desk, _) => desk.workers()?,
    };
    let mut out = std::io::stdout().lock();
    if rows.is_empty() {
        writeln!(out, "no workers")?;
    }
    for row in &rows {
        writeln!(out, "{}", in_words(row))?;
    }
    Ok(Answer::Yes)
}

fn in_words(row: &WorkerRow) -> String {
    let doing = match &row.refused {
        Some(why) => format!("refused: {why}"),
        None if row.silent > 60_000 => format!("not heard of for {} min", row.silent / 60_000),
        None if row.doing.is_empty() => "waiting".to_owned(),
        None => row.doing.clone(),
    };
    format!(
        "{:<20} {:>6} games, {} at a time, {:.1} M positions/s, {}: {doing}",
        row.name,
        row.played,
        row.concurrency,
        row.speed / 1e6,
        row.program,
    )
}
