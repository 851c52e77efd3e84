//! Leagues: which there are, how they stand, and their games.

use axum::Json;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::body::{Given, Path, Query};
use crate::error::{ApiError, ErrorJson};
use crate::leagues::{
    FinishedJson, IncidentJson, LeagueCardJson, LeagueGameJson, LeagueJson, RoundJson,
};
use crate::routes::sockets::{admit, serve, small};
use crate::state::{Address, AppState, Me, Secure, somebody};
use crate::wire::json;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(workers))
        .routes(routes!(show))
        .routes(routes!(games))
        .routes(routes!(game))
        .routes(routes!(round))
        .routes(routes!(incidents))
        .routes(routes!(seat, take_seat))
        .routes(routes!(socket))
}

/// All leagues.
#[utoipa::path(get, path = "/api/leagues", tag = "leagues",
    responses((status = 200, body = Vec<LeagueCardJson>)))]
async fn list(State(state): State<AppState>) -> Result<Json<Vec<LeagueCardJson>>, ApiError> {
    off_the_path(move || Ok(state.leagues.cards())).await
}

/// A machine that plays games of leagues for this server.
#[derive(Debug, Serialize, ToSchema)]
struct WorkerJson {
    /// What it is called.
    name: String,
    /// How many games it has played.
    games: i64,
    /// What it plays now, in words; empty if it waits, or nothing was heard of it for a minute.
    doing: String,
}

/// The machines that play games of leagues for this server.
#[utoipa::path(get, path = "/api/workers", tag = "leagues",
    responses((status = 200, body = Vec<WorkerJson>)))]
async fn workers(State(state): State<AppState>) -> Result<Json<Vec<WorkerJson>>, ApiError> {
    off_the_path(move || {
        let Some(desk) = state.desk.get() else {
            return Ok(Vec::new());
        };
        let rows = desk.workers().map_err(|_| ApiError::Away)?;
        let wanted = rows.into_iter().filter(|row| row.refused.is_none());
        let shown = wanted.map(|row| WorkerJson {
            name: row.name,
            games: row.played,
            doing: if row.silent < 60_000 {
                row.doing
            } else {
                String::new()
            },
        });
        Ok(shown.collect())
    })
    .await
}

/// A league: standings, games in progress, the latest that have ended.
#[utoipa::path(get, path = "/api/leagues/{id}", tag = "leagues",
    responses((status = 200, body = LeagueJson), (status = 404, body = ErrorJson)))]
async fn show(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Json<LeagueJson>, ApiError> {
    off_the_path(move || state.leagues.league(&id)?.whole()).await
}

/// Which games of a league are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct WhichGames {
    /// From this number on; 1 if it is left out.
    from: Option<u64>,
    /// And before this one.
    before: Option<u64>,
}

/// Games of a league that have ended, the last one first: sixty at most.
#[utoipa::path(get, path = "/api/leagues/{id}/games", params(WhichGames), tag = "leagues",
    responses((status = 200, body = Vec<FinishedJson>), (status = 404, body = ErrorJson)))]
async fn games(
    State(state): State<AppState>,
    Path(id): Path<String>,
    Query(which): Query<WhichGames>,
) -> Result<Json<Vec<FinishedJson>>, ApiError> {
    let numbers = which.from.unwrap_or(1)..which.before.unwrap_or(u64::MAX);
    off_the_path(move || state.leagues.league(&id)?.games(numbers)).await
}

/// A round of a league: who meets whom, how that stands, and who has a bye.
#[utoipa::path(get, path = "/api/leagues/{id}/rounds/{number}", tag = "leagues",
    responses((status = 200, body = RoundJson), (status = 404, body = ErrorJson)))]
async fn round(
    State(state): State<AppState>,
    Path((id, number)): Path<(String, usize)>,
) -> Result<Json<RoundJson>, ApiError> {
    off_the_path(move || state.leagues.league(&id)?.round(number)).await
}

/// What went wrong in a league's games, the last first. What a bot with an owner said is for that
/// account only.
#[utoipa::path(get, path = "/api/leagues/{id}/incidents", tag = "leagues",
    responses((status = 200, body = Vec<IncidentJson>), (status = 404, body = ErrorJson)))]
async fn incidents(
    State(state): State<AppState>,
    me: Option<Me>,
    Path(id): Path<String>,
) -> Result<Json<Vec<IncidentJson>>, ApiError> {
    let account = me.and_then(|Me(me)| me.name);
    off_the_path(move || state.leagues.league(&id)?.incidents(account.as_deref())).await
}

/// A game of a league that has ended, move by move.
#[utoipa::path(get, path = "/api/leagues/{id}/games/{number}", tag = "leagues",
    responses((status = 200, body = LeagueGameJson), (status = 404, body = ErrorJson)))]
async fn game(
    State(state): State<AppState>,
    Path((id, number)): Path<(String, u64)>,
) -> Result<Json<LeagueGameJson>, ApiError> {
    off_the_path(move || state.leagues.league(&id)?.game(number)).await
}

/// A person's own game in a league.
#[derive(Debug, Serialize, ToSchema)]
struct SeatOfJson {
    /// The name by which one plays there.
    name: Option<String>,
    /// The game to play now; none while others play.
    game: Option<String>,
    /// Whom the league waits for, because nobody has taken their seats yet.
    awaited: Vec<String>,
}

/// The game that one is to play in a league now.
#[utoipa::path(get, path = "/api/leagues/{id}/seat", tag = "leagues",
    responses((status = 200, body = SeatOfJson)))]
async fn seat(
    State(state): State<AppState>,
    me: Option<Me>,
    Path(id): Path<String>,
) -> Result<Json<SeatOfJson>, ApiError> {
    let awaited = state.leagues.awaited(&id);
    let Some(Me(me)) = me else {
        return Ok(Json(SeatOfJson {
            name: None,
            game: None,
            awaited,
        }));
    };
    let game = state.leagues.seat_of(&id, me.id);
    let name = state.hall.store.with(move |data| data.name_in(&id, me.id));
    let name = name.await?;
    Ok(Json(SeatOfJson {
        name,
        game,
        awaited,
    }))
}

/// The code of a seat.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SeatCode {
    /// What the organiser has handed out.
    code: String,
}

/// The seat that somebody has taken.
#[derive(Debug, Serialize, ToSchema)]
struct TakenJson {
    /// The name by which one plays there.
    name: String,
}

/// Takes the seat of a code. Whoever takes it plays it from then on, a guest by this browser.
#[utoipa::path(post, path = "/api/leagues/{id}/seat", request_body = SeatCode, tag = "leagues",
    responses((status = 200, body = TakenJson), (status = 404, body = ErrorJson),
              (status = 409, body = ErrorJson), (status = 429, body = ErrorJson)))]
async fn take_seat(
    State(state): State<AppState>,
    from: Address,
    secure: Secure,
    me: Option<Me>,
    Path(id): Path<String>,
    Given(SeatCode { code }): Given<SeatCode>,
) -> Result<impl IntoResponse, ApiError> {
    state.afford(from)?;
    let (Me(me), cookie) = somebody(&state, me, secure).await?;
    let taken = state
        .hall
        .store
        .with(move |data| data.take_seat(&id, code.trim(), me.id));
    let name = taken.await?;
    state.leagues.taken.send_modify(|count| *count += 1);
    let mut headers = HeaderMap::new();
    headers.extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok((headers, Json(TakenJson { name })))
}

/// A league, live: first everything, then what has changed.
#[utoipa::path(get, path = "/api/leagues/{id}/socket", tag = "leagues",
    responses((status = 101, description = "a WebSocket"), (status = 403, body = ErrorJson),
              (status = 404, body = ErrorJson)))]
async fn socket(
    State(state): State<AppState>,
    Path(id): Path<String>,
    from: Address,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let place = admit(&state, &headers, from)?;
    let leagues = state.leagues.clone();
    let Json(league) = off_the_path(move || leagues.league(&id)).await?;
    let stopping = state.stopping.subscribe();
    Ok(small(upgrade).on_upgrade(move |socket| async move {
        let followed = league.clone();
        let Ok(Json(updates)) = off_the_path(move || Ok(followed.subscribe())).await else {
            return;
        };
        let whole = || {
            let league = league.clone();
            let whole = off_the_path(move || league.whole());
            async {
                whole
                    .await
                    .map_or_else(|_| "{}".into(), |Json(whole)| json(&whole))
            }
        };
        serve(socket, updates, whole, stopping, place).await;
    }))
}

/// Reads files where nobody waits for it.
async fn off_the_path<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<Json<T>, ApiError> {
    let read = tokio::task::spawn_blocking(read).await;
    read.map_err(|_| ApiError::Internal)?.map(Json)
}
