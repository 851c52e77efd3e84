//! What all routes share, and who is asking.

use std::collections::HashSet;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderValue, header};
use kingme_play::PlayerId;
use kingme_work::Desk;
use rand::RngExt;
use tokio::sync::{Semaphore, watch};

use crate::Config;
use crate::accounts::{Player, SESSION_DAYS};
use crate::computer::Computer;
use crate::database::Database;
use crate::endings::Endings;
use crate::error::ApiError;
use crate::fair::Workroom;
use crate::folder::StoreError;
use crate::hall::Hall;
use crate::leagues::Leagues;
use crate::listener::Peer;
use crate::rate::RateLimit;
use crate::secret;
use crate::shares::Shares;
use crate::store::Store;
use crate::wall::Wall;

/// Name of the cookie that holds a session.
const COOKIE: &str = "kingme";
/// Its name over https, where no other site or subdomain can set it.
const SECURE_COOKIE: &str = "__Host-kingme";

/// What all routes share.
#[derive(Clone, Debug)]
pub struct AppState(Arc<Shared>);

/// The parts of it.
#[derive(Debug)]
pub struct Shared {
    /// The games.
    pub hall: Arc<Hall>,
    /// How often one address may ask for anything.
    pub reads: RateLimit,
    /// How often one address may ask for something that changes things.
    pub requests: RateLimit,
    /// How often one address may begin games or try passwords.
    pub costly: RateLimit,
    /// How often passwords of an account may be tried from where it was never logged in.
    pub tries: RateLimit<String>,
    /// Where accounts were logged in since the server began.
    pub known: Mutex<HashSet<(PlayerId, IpAddr)>>,
    /// Passwords that are hashed at the same time: it takes much memory.
    pub hashing: Semaphore,
    /// How many sockets and streams there may be.
    pub sockets: Shares,
    /// Where rules are applied to what strangers send.
    pub rules: Workroom,
    /// Becomes true when the server stops.
    pub stopping: watch::Sender<bool>,
    /// Whether a proxy in front tells who asks and how.
    pub behind_proxy: bool,
    /// The leagues that can be watched.
    pub leagues: Arc<Leagues>,
    /// Where games are handed out to other machines, if they are.
    pub desk: OnceLock<Arc<Desk>>,
}

impl std::ops::Deref for AppState {
    type Target = Shared;
    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// Limits, so that tests can reach them and a public server can tighten them.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// Requests per second and address; a page needs some thirty at once.
    pub reads_per_second: NonZeroU32,
    /// Requests per second and address that change something.
    pub requests_per_second: NonZeroU32,
    /// New games and password trials per minute and address.
    pub costly_per_minute: NonZeroU32,
    /// Passwords per minute and account, from where it was never logged in.
    pub tries_per_minute: NonZeroU32,
    /// Open sockets and streams in all.
    pub sockets: usize,
    /// Connections in all.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            reads_per_second: NonZeroU32::new(300).expect("not zero"),
            requests_per_second: NonZeroU32::new(30).expect("not zero"),
            costly_per_minute: NonZeroU32::new(60).expect("not zero"),
            tries_per_minute: NonZeroU32::new(10).expect("not zero"),
            sockets: 25_000,
            connections: 30_000,
        }
    }
}

impl AppState {
    /// The state of a server with the games of a data base.
    pub fn new(store: Store, config: &Config) -> AppState {
        let limits = config.limits;
        let endings = Endings::new(config.data.as_ref().map(|data| data.join("tables")));
        let hall = Arc::new(Hall::new(
            store,
            Computer::new(endings, rand::rng().random()),
            Wall::system(),
        ));
        AppState(Arc::new(Shared {
            hall,
            behind_proxy: config.behind_proxy,
            leagues: Arc::new(Leagues::new(
                config.data.as_ref().map(|data| data.join("leagues")),
                config.store.as_ref(),
            )),
            reads: per_second(limits.reads_per_second),
            requests: per_second(limits.requests_per_second),
            costly: RateLimit::new(limits.costly_per_minute, MINUTE, limits.costly_per_minute),
            tries: RateLimit::new(limits.tries_per_minute, MINUTE, limits.tries_per_minute),
            known: Mutex::default(),
            hashing: Semaphore::new(2),
            sockets: Shares::new(limits.sockets),
            desk: OnceLock::new(),
            rules: Workroom::new(crate::computer::cores(), 30),
            stopping: watch::channel(false).0,
        }))
    }

    /// Takes its place among the servers that share its data base, if it is one that can be shared.
    ///
    /// # Errors
    ///
    /// If the data base can't be reached.
    pub fn join_others(&self) -> Result<(), StoreError> {
        Ok(self.hall.join_others()?)
    }

    /// Leaves them again; they take over its games. Waits until they can know.
    pub fn leave_others(&self) {
        self.hall.leave_others();
    }

    /// Counts a try at the password of an account. Where it was logged in before nothing is counted,
    /// so that others can't lock its owner out.
    ///
    /// # Errors
    ///
    /// If there were too many of late.
    pub fn try_password(
        &self,
        name: &str,
        player: Option<PlayerId>,
        from: Address,
    ) -> Result<(), ApiError> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if player.is_some_and(|player| known.contains(&(player, from.0))) {
            return Ok(());
        }
        drop(known);
        let tried = self.tries.check(name.to_lowercase(), Instant::now());
        tried.map_err(too_many)
    }

    /// Takes note of where somebody has logged in.
    pub fn logged_in(&self, player: PlayerId, from: Address) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert((player, from.0));
    }

    /// Counts a costly request.
    ///
    /// # Errors
    ///
    /// If there were too many of late.
    pub fn afford(&self, from: Address) -> Result<(), ApiError> {
        check(&self.costly, from)
    }
}

const MINUTE: Duration = Duration::from_mins(1);

/// So many a second, and those of two seconds at once.
fn per_second(rate: NonZeroU32) -> RateLimit {
    RateLimit::new(
        rate,
        Duration::from_secs(1),
        rate.saturating_add(rate.get()),
    )
}

/// Counts a request against a limit.
pub fn check(limit: &RateLimit, from: Address) -> Result<(), ApiError> {
    limit.check(from.0, Instant::now()).map_err(too_many)
}

/// What to answer whoever has to wait.
pub fn too_many(wait: Duration) -> ApiError {
    let after = wait.as_secs() + 1;
    ApiError::TooMany { after }
}

/// Places that are remembered before all are forgotten.
const MOST_KNOWN: usize = 100_000;

/// Where a request comes from, as far as limits tell addresses apart.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Address(pub IpAddr);

impl From<IpAddr> for Address {
    /// Whoever has one address of IPv6 has the 2⁶⁴ of its network: they count as one.
    fn from(address: IpAddr) -> Address {
        let address = address.to_canonical();
        match address {
            IpAddr::V6(v6) if !address.is_loopback() => {
                Address(IpAddr::V6(Ipv6Addr::from(u128::from(v6) >> 64 << 64)))
            }
            _ => Address(address),
        }
    }
}

impl Address {
    /// The address of a request; requests without a socket come from here. A proxy in front adds
    /// the address that it has seen as the last one of a list; what stands before anybody can say.
    pub fn of(headers: &HeaderMap, extensions: &Extensions, behind_proxy: bool) -> Address {
        let seen = || {
            let list = headers.get_all("x-forwarded-for").iter().next_back()?;
            let nearest = list.to_str().ok()?.rsplit(',').next()?;
            nearest.trim().parse::<IpAddr>().ok()
        };
        if let Some(address) = behind_proxy.then(seen).flatten() {
            return Address::from(address);
        }
        let info = extensions.get::<ConnectInfo<Peer>>();
        Address::from(info.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.0.ip()))
    }
}

impl FromRequestParts<AppState> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Address, Infallible> {
        let proxy = state.behind_proxy;
        Ok(Address::of(&parts.headers, &parts.extensions, proxy))
    }
}

/// Whether a request came over https.
#[derive(Copy, Clone, Debug)]
pub struct Secure(pub bool);

impl Secure {
    fn of(headers: &HeaderMap, state: &AppState) -> Secure {
        let https = headers.get("x-forwarded-proto");
        Secure(state.behind_proxy && https.is_some_and(|scheme| scheme == "https"))
    }
}

impl FromRequestParts<AppState> for Secure {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Secure, Infallible> {
        Ok(Secure::of(&parts.headers, state))
    }
}

/// Who is asking: by a bot's token or by the session's cookie.
#[derive(Clone, Debug)]
pub struct Me(pub Player);

impl Me {
    /// The name to show.
    pub fn name(&self) -> String {
        self.0.name.clone().unwrap_or_default()
    }
}

impl FromRequestParts<AppState> for Me {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Me, ApiError> {
        let me = find(&parts.headers, state).await?;
        me.ok_or_else(|| ApiError::Unknown("this needs a session or a token".into()))
    }
}

/// The owner of an account, by the session's cookie: a token can play, and nothing else.
#[derive(Clone, Debug)]
pub struct Owner(pub Player);

impl FromRequestParts<AppState> for Owner {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Owner, ApiError> {
        let me = <Me as FromRequestParts<AppState>>::from_request_parts(parts, state).await?;
        if bearer(&parts.headers).is_some() {
            let message = "a token can play, and nothing else";
            return Err(ApiError::Forbidden(message.into()));
        }
        Ok(Owner(me.0))
    }
}

impl OptionalFromRequestParts<AppState> for Me {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Option<Me>, ApiError> {
        find(&parts.headers, state).await
    }
}

async fn find(headers: &HeaderMap, state: &AppState) -> Result<Option<Me>, ApiError> {
    let store = &state.hall.store;
    if let Some(token) = bearer(headers) {
        let hash = secret::hash(token);
        let player = store.with(move |data| data.token(&hash)).await?;
        let unknown = || ApiError::Unknown("this token is not known".into());
        return player.map(|player| Some(Me(player))).ok_or_else(unknown);
    }
    match session(headers, Secure::of(headers, state)) {
        Some(session) => {
            let hash = secret::hash(session);
            let wall = state.hall.wall();
            let player = store.with(move |data| data.session(&hash, wall)).await?;
            Ok(player.map(Me))
        }
        None => Ok(None),
    }
}

/// The token of a bot.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(str::trim)
}

/// The session's secret.
pub fn session(headers: &HeaderMap, secure: Secure) -> Option<&str> {
    let name = cookie_name(secure);
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// A new session for a player, as the header that hands it out.
///
/// # Errors
///
/// If it can't be stored.
pub async fn new_session(
    state: &AppState,
    player: PlayerId,
    secure: Secure,
) -> Result<HeaderValue, ApiError> {
    let secret = secret::new_secret();
    let hash = secret::hash(&secret);
    let (store, wall) = (&state.hall.store, state.hall.wall());
    store
        .with(move |data| data.add_session(&hash, player, wall))
        .await?;
    let seconds = u32::try_from(SESSION_DAYS * 86_400).unwrap_or(u32::MAX);
    Ok(cookie(&secret, seconds, secure))
}

/// The header that sets the session's cookie, or ends it with an age of 0.
pub fn cookie(value: &str, age: u32, secure: Secure) -> HeaderValue {
    let name = cookie_name(secure);
    let only = if secure.0 { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{only}");
    HeaderValue::from_str(&text).expect("a secret is plain ASCII")
}

fn cookie_name(secure: Secure) -> &'static str {
    if secure.0 { SECURE_COOKIE } else { COOKIE }
}

/// Whoever asks, or a new guest with the cookie that will know them again.
///
/// # Errors
///
/// If the guest can't be stored.
pub async fn somebody(
    state: &AppState,
    me: Option<Me>,
    secure: Secure,
) -> Result<(Me, Option<HeaderValue>), ApiError> {
    if let Some(me) = me {
        return Ok((me, None));
    }
    let id = state.hall.store.with(Database::add_guest).await?;
    let cookie = new_session(state, id, secure).await?;
    Ok((Me(Player { id, name: None }), Some(cookie)))
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn a_network_of_ipv6_counts_as_one_address() {
        let of = |text: &str| Address::from(text.parse::<std::net::IpAddr>().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::7"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:10.1.2.3"), of("10.1.2.3"));
        assert_ne!(of("10.1.2.3"), of("10.1.2.4"));
        assert!(of("::1").0.is_loopback());
    }
}
