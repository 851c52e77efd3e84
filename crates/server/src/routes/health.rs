//! How the server is, for whoever looks after it.

use std::net::IpAddr;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::database::Database;
use crate::error::{ApiError, ErrorJson};
use crate::metrics::Standing;
use crate::state::{Address, AppState};

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(metrics))
}

/// Whether the server can do its work: the data base answers.
#[utoipa::path(get, path = "/healthz", tag = "server",
    responses((status = 200, body = String), (status = 503, body = String)))]
async fn health(State(state): State<AppState>) -> (StatusCode, &'static str) {
    match state.hall.store.with(Database::is_there).await {
        Ok(()) => (StatusCode::OK, "fine"),
        Err(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "the data base does not answer",
        ),
    }
}

/// Numbers for Prometheus, for this machine only.
#[utoipa::path(get, path = "/metrics", tag = "server",
    responses((status = 200, body = String), (status = 403, body = ErrorJson)))]
async fn metrics(
    State(state): State<AppState>,
    from: Address,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiError> {
    // What comes through a proxy comes from elsewhere, whatever it says.
    let forwarded = headers.contains_key("x-forwarded-for") || headers.contains_key("forwarded");
    if forwarded || !is_here(from.0) {
        let message = "these numbers are for this machine only";
        return Err(ApiError::Forbidden(message.into()));
    }
    let [moves, advice] = state.hall.computer.waiting();
    let standing = Standing {
        games: state.hall.games_in_memory(),
        sockets: state.sockets.taken() + state.hall.computer.analysing(),
        waiting: [
            ("moves", moves),
            ("advice", advice),
            ("rules", state.rules.waiting()),
        ],
        log: state.hall.store.log_bytes(),
    };
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let text = state.hall.metrics.text(&standing);
    Ok(([(header::CONTENT_TYPE, kind)], text))
}

fn is_here(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}
