//! `kingme serve`: the games in the browser.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use kingme_data::DataError;
use kingme_server::{Config, FreeSeat, Limits, Place, Ready, Workers};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::{Answer, Result};

const LISTEN: &str = "127.0.0.1:8080";

/// Arguments of `kingme serve`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Where to listen: 127.0.0.1:8080, localhost:8080 or 8080; a taken port means the next free
    /// one. Beyond this machine only if you say so: 0.0.0.0:8080
    #[arg(long, value_name = "ADDRESS", default_value = LISTEN, value_parser = crate::listen::address)]
    listen: SocketAddr,
    /// Folder for games and accounts [default: kingme's folder in your data directory]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Keep games and accounts elsewhere than in that folder: in another one, or in a data base of
    /// `PostgreSQL` that several servers may share: `postgres://user@host/name`, with the password from `PGPASSWORD`, and without TLS
    #[arg(long, value_name = "PLACE")]
    store: Option<String>,
    /// Play this league here, so that people can take their seats in the browser; may be repeated
    #[arg(long, value_name = "FILE")]
    league: Vec<PathBuf>,
    /// Take the seats in those leagues back from everybody, and print new links to take them
    #[arg(long, requires = "league")]
    new_seats: bool,
    /// Have other machines play games of those leagues, too; prints what to start there
    #[arg(long)]
    workers: bool,
    /// Leave all games between programs to them
    #[arg(long)]
    workers_only: bool,
    /// The token that workers have to know [default: a new one, which is printed]
    #[arg(
        long,
        value_name = "TOKEN",
        env = "KINGME_TOKEN",
        hide_env_values = true
    )]
    worker_token: Option<String>,
    /// A worker that is not heard of for so long loses its games to others
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = super::limit)]
    lease: Duration,
    /// A proxy in front tells by X-Forwarded-For, -Host and -Proto who asks; sessions over https
    /// get cookies that no other site can set
    #[arg(long)]
    behind_proxy: bool,
    /// Wait for the disk with every move, so that a power cut loses none that was announced;
    /// otherwise it may lose the last second
    #[arg(long)]
    sync: bool,
    /// Only print the address
    #[arg(long)]
    no_open: bool,
    /// What to log on standard error: error, warn, info, debug, trace, or levels by module
    /// [default: `RUST_LOG`, or info]
    #[arg(long, value_name = "LEVEL")]
    log: Option<String>,
}

impl Default for Args {
    fn default() -> Args {
        Args {
            listen: LISTEN.parse().expect("an address"),
            data: None,
            store: None,
            league: Vec::new(),
            new_seats: false,
            workers: false,
            workers_only: false,
            worker_token: None,
            lease: Duration::from_secs(30),
            behind_proxy: false,
            sync: false,
            no_open: false,
            log: None,
        }
    }
}

/// Serves until it is interrupted.
pub fn run(args: Args) -> Result {
    crate::logs::start(args.log.as_deref())?;
    let data = match args.data {
        Some(path) if path.to_string_lossy().contains("://") => {
            return Err("--data is a folder; the URL of a data base goes to --store".into());
        }
        Some(path) => path,
        None => data_folder()?,
    };
    let is_new = args.worker_token.is_none();
    let workers = (args.workers || args.workers_only).then(|| Workers {
        token: args.worker_token.unwrap_or_else(kingme_server::new_token),
        only: args.workers_only,
        lease: args.lease,
    });
    let token = workers.as_ref().map(|workers| workers.token.clone());
    let token = token.map(|token| {
        if is_new {
            token
        } else {
            "$KINGME_TOKEN".to_owned()
        }
    });
    let config = Config {
        listen: args.listen,
        data: Some(data),
        store: args.store.as_deref().map(place).transpose()?,
        sync: args.sync,
        limits: Limits::default(),
        behind_proxy: args.behind_proxy,
        leagues: args.league,
        new_seats: args.new_seats,
        workers,
    };
    let open = !args.no_open && has_desktop();
    let wanted = args.listen.port();
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(kingme_server::serve(
        config,
        |ready| {
            if let Some(token) = token {
                let address = ready.address;
                println!("workers: kingme worker http://{address} --token {token}");
            }
            show(ready, wanted, open);
        },
        interrupted(),
    ))?;
    Ok(Answer::Yes)
}

/// Where a data base is. Not a matter of the arguments' own reader, which would repeat a password
/// that stands in something wrong; `PGPASSWORD` keeps it out of the list of processes.
pub fn place(text: &str) -> std::result::Result<Place, DataError> {
    let place: Place = text.parse()?;
    let password = std::env::var("PGPASSWORD").ok();
    Ok(place.with_password(password.as_deref()))
}

/// The folder of the user's data.
pub fn data_folder() -> std::result::Result<PathBuf, &'static str> {
    let folders = directories::ProjectDirs::from("", "", "kingme");
    let folders =
        folders.ok_or("there is no home folder to keep games in; name one with --data")?;
    Ok(folders.data_dir().to_owned())
}

fn show(ready: Ready, wanted: u16, open: bool) {
    let address = format!("http://{}/", ready.address);
    let taken = if [0, ready.address.port()].contains(&wanted) {
        String::new()
    } else {
        format!("port {wanted} is taken: ")
    };
    println!("{taken}kingme is at {address} (Ctrl-C ends it)");
    for seat in &ready.seats {
        print_link(&address, seat);
    }
    let (place, joined) = (address.clone(), ready.joined);
    // Ends when no league is played any more.
    std::thread::spawn(move || {
        for seat in joined {
            print_link(&place, &seat);
        }
    });
    if open {
        // The address is printed: whoever has no browser can still use it.
        let _ = opener::open_browser(&address);
    }
}

/// Prints the link to a person's seat.
fn print_link(address: &str, FreeSeat { league, name, code }: &FreeSeat) {
    let league = utf8_percent_encode(league, NON_ALPHANUMERIC);
    let link = format!("{name}'s seat: {address}watch?league={league}&seat={code}");
    // Whoever closes the output does not want to read it.
    let _ = writeln!(std::io::stdout(), "{link}");
}

fn has_desktop() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

async fn interrupted() {
    let interrupt = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                () = interrupt => (),
                _ = terminate.recv() => (),
            }
            return;
        }
    }
    interrupt.await;
}
