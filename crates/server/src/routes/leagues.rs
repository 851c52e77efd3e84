//! Leagues: which there are, how they stand, and their games.

use axum::Json;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::error::{ApiError, ErrorJson};
use crate::leagues::{LeagueCardJson, LeagueGameJson, LeagueJson};
use crate::routes::sockets::{admit, serve, small};
use crate::state::{Address, AppState, Me};
use crate::wire::json;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
        .routes(routes!(game))
        .routes(routes!(seat))
        .routes(routes!(socket))
}

/// All leagues.
#[utoipa::path(get, path = "/api/leagues", tag = "leagues",
    responses((status = 200, body = Vec<LeagueCardJson>)))]
async fn list(State(state): State<AppState>) -> Result<Json<Vec<LeagueCardJson>>, ApiError> {
    off_the_path(move || Ok(state.leagues.cards())).await
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
    /// The game to play now; none while others play.
    game: Option<String>,
    /// Whom the league waits for, because there is no account by that name yet.
    awaited: Vec<String>,
}

/// The game that one is to play in a league now: whoever plays `human:NAME` has the account NAME.
#[utoipa::path(get, path = "/api/leagues/{id}/seat", tag = "leagues",
    responses((status = 200, body = SeatOfJson)))]
async fn seat(
    State(state): State<AppState>,
    me: Option<Me>,
    Path(id): Path<String>,
) -> Json<SeatOfJson> {
    let game = me.and_then(|me| state.leagues.seat_of(&id, me.0.id));
    let awaited = state.leagues.awaited(&id);
    Json(SeatOfJson { game, awaited })
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
        let updates = league.subscribe();
        let whole = || {
            league
                .whole()
                .map_or_else(|_| "{}".into(), |whole| json(&whole))
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
