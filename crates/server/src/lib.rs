//! kingme over HTTP and WebSocket: live games, accounts, bots, and the pages to play them.
//!
//! [`app`] is everything as a router, to be tested without a socket; [`serve`] puts it on one.
//! Games are kept as lists of events: stored first, then announced.

mod absence;
mod accounts;
mod analysis;
mod audience;
mod body;
mod cards;
mod commit;
mod computer;
mod copy;
mod database;
mod endings;
mod error;
mod fair;
mod folder;
mod guard;
mod hall;
mod keys;
mod leagues;
mod listener;
mod live;
mod metrics;
mod old_events;
mod pages;
mod pdn;
mod peers;
#[cfg(test)]
mod power_cut;
mod presence;
mod rate;
mod ratings;
mod routes;
mod said;
mod schema;
mod secret;
mod settings;
mod shared;
mod shares;
mod sharing;
#[cfg(test)]
mod simulation;
mod state;
mod store;
mod wall;
mod wire;
mod work;
mod works;

use std::net::{Ipv4Addr, SocketAddr};
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router, middleware};
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::timeout::TimeoutLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

pub use copy::{Copied, copy};
use database::Database;
use folder::Folder;
pub use folder::{StoreError, backup, restore};
pub use kingme_data::Place;
use kingme_players::TableShelf;
use kingme_work::Desk;
pub use leagues::FreeSeat;
use leagues::Place as LeaguePlace;
use listener::{Door, Patience, Peer};
use shares::Shares;
pub use state::{AppState, Limits};
pub use store::Store;

/// Where and with what to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen at. If its port is taken, the next free one is used.
    pub listen: SocketAddr,
    /// The folder for the data base, endgame tables and leagues; `None` keeps everything in memory
    /// only.
    pub data: Option<PathBuf>,
    /// Another place for the data base: a folder, or a `PostgreSQL` that servers may share.
    pub store: Option<Place>,
    /// Whether every event waits for the disk, so that a power cut loses none that was announced.
    /// Otherwise the disk is waited for once a second.
    pub sync: bool,
    /// What one address may ask for.
    pub limits: Limits,
    /// Whether a proxy in front tells by `X-Forwarded-…` who asks, for which host and over what.
    /// Without one anybody could say so.
    pub behind_proxy: bool,
    /// Files of leagues that the server plays itself, so that people can take part at a browser.
    pub leagues: Vec<PathBuf>,
    /// Whether those who have taken seats in the leagues lose them, and all codes are new ones.
    pub new_seats: bool,
    /// Other machines that play games of leagues.
    pub workers: Option<Workers>,
}

/// Other machines that play games of leagues.
#[derive(Clone, Debug)]
pub struct Workers {
    /// What they have to know.
    pub token: String,
    /// Whether all games between programs are left to them.
    pub only: bool,
    /// Who is not heard of for so long has lost its games to others.
    pub lease: Duration,
}

/// A token that nobody guesses.
pub fn new_token() -> String {
    secret::new_secret()
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            data: None,
            store: None,
            sync: false,
            limits: Limits::default(),
            behind_proxy: false,
            leagues: Vec::new(),
            new_seats: false,
            workers: None,
        }
    }
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// No port.
    #[error("can't listen at {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// No data base.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What was played is stored, but not safe against a power cut.
    #[error("the data base can't be made safe: {0}")]
    Unsafe(String),
    /// The seats of a league can't be handed out.
    #[error("the seats of the league can't be stored: {0}")]
    Seats(String),
    /// A league can't be played.
    #[error("{0}")]
    League(#[from] kingme_arena::league::LeagueError),
    /// The server broke down.
    #[error("the server stopped: {0}")]
    Stopped(std::io::Error),
}

/// What is to be known of a server that listens.
#[derive(Debug)]
pub struct Ready {
    /// Where.
    pub address: SocketAddr,
    /// Seats in its leagues that nobody has taken yet.
    pub seats: Vec<FreeSeat>,
    /// Seats of people who come to a league while it is played, as they do.
    pub joined: Receiver<FreeSeat>,
}

/// Serves until `stop` is done. Calls `on_ready` once it listens.
///
/// # Errors
///
/// If it can't listen or can't store.
pub async fn serve(
    config: Config,
    on_ready: impl FnOnce(Ready),
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    allow_many_files();
    // A folder is ours until the end.
    let (_folder, store) = open_store(&config)?;
    if config.sync {
        let synced = store.with_blocking(Database::wait_for_disk);
        synced.map_err(|error| ServeError::Unsafe(error.to_string()))?;
    }
    let state = AppState::new(store, &config);
    state.join_others()?;
    let listener = bind(config.listen).await?;
    let address = listener.local_addr().map_err(ServeError::Stopped)?;
    let mut router = app(state.clone());
    if address.ip().is_loopback() && !config.behind_proxy {
        router = router.layer(middleware::from_fn(guard::loopback_only));
    }
    let mut desks = open_desks(&config).await?;
    if let (Some(workers), Some(desk)) = (&config.workers, desks.pop()) {
        let desk = state.desk.get_or_init(|| Arc::new(desk)).clone();
        router = router.merge(work::router(desk, &workers.token));
    }
    let service = router.into_make_service_with_connect_info::<Peer>();
    // The first visitor need not wait until every game is read.
    tokio::task::spawn_blocking(cards::cards);
    tokio::spawn(make_safe(state.clone()));
    let playing = kingme_play::Stop::new();
    let tables = config.data.as_ref().map(|data| data.join("tables"));
    let tables = tables.map(|folder| Arc::new(TableShelf::new(folder)));
    let mut seats = Vec::new();
    let (sender, joined) = channel();
    for league in &config.leagues {
        let place = LeaguePlace {
            hall: &state.hall,
            leagues: &state.leagues,
            tables: tables.clone(),
            new_seats: config.new_seats,
            joined: sender.clone(),
            workers: config.workers.as_ref().zip(desks.pop()),
        };
        seats.extend(aside(|| leagues::play(league, place, &playing))?);
    }
    tracing::info!(%address, "serving");
    drop(sender);
    on_ready(Ready {
        address,
        seats,
        joined,
    });
    let hall = state.hall.clone();
    let bell = state.clone();
    let stopping = async move {
        stop.await;
        playing.request();
        // Sockets and streams end, so that nobody waits for them.
        bell.stopping.send_replace(true);
    };
    let places = config.limits.connections;
    let places = if config.behind_proxy {
        // All connections come from the proxy.
        Shares::unshared(places)
    } else {
        Shares::new(places)
    };
    let door = Door::new(listener, places, Patience::default());
    let mut stopped = state.stopping.subscribe();
    let served = axum::serve(door, service).with_graceful_shutdown(stopping);
    tokio::select! {
        served = served => served.map_err(ServeError::Stopped)?,
        () = async {
            // The sender is ours, so there is always word of the stop.
            stopped.wait_for(|stopping| *stopping).await.map(drop).unwrap_or_default();
            tokio::time::sleep(FAREWELL).await;
        } => tracing::warn!("some connections did not end in time"),
    }
    let others = hall.clone();
    tokio::task::spawn_blocking(move || others.leave_others())
        .await
        .unwrap_or_default();
    tracing::info!("stopped");
    let safe = hall.store.make_safe();
    safe.map_err(|error| ServeError::Unsafe(error.to_string()))
}

/// The data base, and the folder that it is in.
fn open_store(config: &Config) -> Result<(Option<Folder>, Store), StoreError> {
    let folder = match &config.store {
        Some(Place::Postgres(postgres)) => return Ok((None, Store::postgres(postgres)?)),
        Some(Place::Path(folder)) => Some(folder),
        None => config.data.as_ref(),
    };
    let Some(folder) = folder else {
        return Ok((None, Store::in_memory()?));
    };
    let folder = Folder::take(folder)?;
    let store = Store::open(&folder.database())?;
    Ok((Some(folder), store))
}

/// Does what may wait for a data base, away from the threads of tasks.
fn aside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let tasks = Handle::current();
    std::thread::scope(|scope| {
        let done = scope.spawn(|| {
            let _here = tasks.enter();
            work()
        });
        done.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// The desk for workers, and one for each league that hands games out there; none without workers.
async fn open_desks(config: &Config) -> Result<Vec<Desk>, ServeError> {
    let Some(place) = config.workers.as_ref().and(desk_place(config)) else {
        return Ok(Vec::new());
    };
    let count = config.leagues.len() + 1;
    // A data base may have to be waited for.
    let open = move || (0..count).map(|_| Desk::open(&place)).collect();
    let opened: Result<Vec<Desk>, kingme_data::DataError> = tokio::task::spawn_blocking(open)
        .await
        .map_err(|error| ServeError::Stopped(error.into()))?;
    Ok(opened.map_err(StoreError::from)?)
}

/// Where games are handed out: in the data base that servers share, or in a file beside the games.
fn desk_place(config: &Config) -> Option<Place> {
    match &config.store {
        Some(place @ Place::Postgres(_)) => Some(place.clone()),
        Some(Place::Path(folder)) => Some(Place::Path(folder.join("work.db"))),
        None => Some(Place::Path(config.data.as_ref()?.join("work.db"))),
    }
}

/// How long a server that is to stop waits for those who are still being answered.
const FAREWELL: Duration = Duration::from_secs(3);

/// Every connection is a file to the system, which allows few at first.
#[cfg(unix)]
fn allow_many_files() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let raised = getrlimit(Resource::RLIMIT_NOFILE)
        .and_then(|(_, most)| setrlimit(Resource::RLIMIT_NOFILE, most, most));
    if let Err(error) = raised {
        tracing::warn!("the number of open files stays as it is: {error}");
    }
}

/// Every connection is a handle to the system, which has no limit for them.
#[cfg(not(unix))]
fn allow_many_files() {}

/// What was stored is safe against a power cut after a second.
async fn make_safe(state: AppState) {
    let mut every = tokio::time::interval(Duration::from_secs(1));
    loop {
        every.tick().await;
        let state = state.clone();
        let safe = tokio::task::spawn_blocking(move || state.hall.store.make_safe());
        if let Ok(Err(error)) = safe.await {
            tracing::error!("the data base can't be made safe: {error}");
        }
    }
}

/// Listens at the address, or at one of the next ports if it is taken.
async fn bind(address: SocketAddr) -> Result<TcpListener, ServeError> {
    let ports = address.port()..=address.port().saturating_add(100);
    let mut last = None;
    for port in ports {
        match TcpListener::bind((address.ip(), port)).await {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => last = Some(error),
            Err(error) => return Err(ServeError::Listen { address, error }),
        }
    }
    let taken = || std::io::Error::from(std::io::ErrorKind::AddrInUse);
    let error = last.unwrap_or_else(taken);
    Err(ServeError::Listen { address, error })
}

/// Lines of a stream must not wait for a compressor's buffer to fill.
fn compression() -> CompressionLayer<impl Predicate> {
    let lines = NotForContentType::const_new("application/x-ndjson");
    CompressionLayer::new()
        .quality(CompressionLevel::Precise(5))
        .compress_when(DefaultPredicate::new().and(lines))
}

/// How long an answer may take to begin; streams and sockets have limits of their own.
const PATIENCE: Duration = Duration::from_secs(30);

/// Largest body of a request, in bytes: a PDN file of some thousand games.
const LARGEST_BODY: usize = 2 * 1024 * 1024;

#[derive(OpenApi)]
#[openapi(info(
    title = "kingme",
    description = "Games of the checkers family: play, watch, study, and bots."
))]
struct Documentation;

/// All routes.
pub fn app(state: AppState) -> Router {
    let (api, mut documentation) = OpenApiRouter::with_openapi(Documentation::openapi())
        .merge(routes::router())
        .split_for_parts();
    error::document(&mut documentation);
    let mut router = Router::new()
        .merge(api)
        .route("/api/openapi.json", get(async move || Json(documentation)))
        .route("/web/{*path}", get(pages::asset));
    for page in pages::PAGES {
        router = router.route(page.address, get(async move || page.show()));
    }
    router
        .fallback(pages::missing)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn_with_state(state.clone(), guard::guard))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::GATEWAY_TIMEOUT,
            PATIENCE,
        ))
        .layer(compression())
        .layer(CatchPanicLayer::new())
        .layer(middleware::from_fn(guard::headers))
        .with_state(state)
}
