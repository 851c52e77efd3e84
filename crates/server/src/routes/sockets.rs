//! Live updates by WebSocket: one game, or the whole hall. Clients only listen; what they say is
//! taken as the question whether anybody is there, and answered with `null`.

use std::future::ready;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::sync::watch;
use tokio::time::{Instant, interval, timeout};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::body::Path;
use crate::error::{ApiError, ErrorJson};
use crate::guard::is_own_origin;
use crate::shares::Place;
use crate::state::{Address, AppState, Me, bearer};
use crate::wire::WholeGameJson;
use crate::wire::json;

/// A client that doesn't take a message for so long is dropped.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a client shows that it is still there.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// Clients only listen: one that says more than this between two beats is dropped.
const CHATTER: u32 = 60;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(game))
        .routes(routes!(hall))
}

/// The first message on a game's socket. The others are bare games.
#[derive(Serialize)]
struct Hello {
    whole: WholeGameJson,
}

/// A game, live: first everything, then the game after each event, by number.
#[utoipa::path(get, path = "/api/games/{id}/socket", tag = "live",
    responses((status = 101, description = "a WebSocket"), (status = 403, body = ErrorJson),
              (status = 404, body = ErrorJson)))]
async fn game(
    State(state): State<AppState>,
    me: Option<Me>,
    Path(id): Path<String>,
    from: Address,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let place = admit(&state, &headers, from)?;
    let player = me.map(|me| me.0.id);
    let live = state.hall.as_stored(&id, player).await?;
    let stopping = state.stopping.subscribe();
    Ok(small(upgrade).on_upgrade(move |socket| async move {
        let _visit = player
            .filter(|_| live.is_played_by(player))
            .map(|player| live.come(player));
        // Listen first, then look: whatever happens between comes twice, not never.
        let updates = live.subscribe(player);
        let whole = || {
            let whole = live.whole(player);
            ready(json(&Hello { whole }))
        };
        serve(socket, updates, whole, stopping, place).await;
    }))
}

/// The hall, live: a summary of each public game that changes.
#[utoipa::path(get, path = "/api/games/socket", tag = "live",
    responses((status = 101, description = "a WebSocket"), (status = 403, body = ErrorJson)))]
async fn hall(
    State(state): State<AppState>,
    from: Address,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let place = admit(&state, &headers, from)?;
    let news = state.hall.visitors.subscribe();
    let stopping = state.stopping.subscribe();
    Ok(small(upgrade).on_upgrade(move |socket| async move {
        let whole = || ready(Utf8Bytes::from_static("{}"));
        serve(socket, news, whole, stopping, place).await;
    }))
}

/// A socket on which nobody says much. What it keeps for itself it keeps for each of thousands.
pub fn small(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade
        .max_message_size(4_096)
        .max_frame_size(4_096)
        .read_buffer_size(1_024)
        .write_buffer_size(0)
}

/// Lets a socket in, if it comes from a page of ours and there is room.
///
/// # Errors
///
/// If not.
pub fn admit(state: &AppState, headers: &HeaderMap, from: Address) -> Result<Place, ApiError> {
    if !is_own_origin(headers, state.behind_proxy) && bearer(headers).is_none() {
        let message = "the Origin of this request is not this server";
        return Err(ApiError::Forbidden(message.into()));
    }
    let place = state.sockets.take(from.0);
    place.ok_or(ApiError::TooMany { after: 60 })
}

/// Sends everything, then every update, until somebody goes.
pub async fn serve<F: Future<Output = Utf8Bytes>>(
    mut socket: WebSocket,
    mut updates: Receiver<Utf8Bytes>,
    whole: impl Fn() -> F,
    mut stopping: watch::Receiver<bool>,
    _place: Place,
) {
    let mut heartbeat = interval(HEARTBEAT);
    let mut heard = Instant::now();
    let mut chatter = 0;
    let mut next = None;
    let mut knows_all = false;
    loop {
        if !knows_all {
            next = Some(Message::Text(whole().await));
            knows_all = true;
        }
        if let Some(message) = next.take() {
            tokio::select! {
                sent = timeout(PATIENCE, socket.send(message)) => {
                    if !matches!(sent, Ok(Ok(()))) {
                        return;
                    }
                }
                // Whoever reads slowly does not keep the server from stopping.
                _ = stopping.wait_for(|stopping| *stopping) => return,
            }
        }
        tokio::select! {
            update = updates.recv() => match update {
                Ok(text) => next = Some(Message::Text(text)),
                // Too slow for single events: everything at once.
                Err(RecvError::Lagged(_)) => knows_all = false,
                Err(RecvError::Closed) => return,
            },
            message = socket.recv() => match message {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) if chatter == CHATTER => return,
                Some(Ok(message)) => {
                    heard = Instant::now();
                    chatter += 1;
                    // A page that asks whether anybody is there.
                    if matches!(message, Message::Text(_)) {
                        next = Some(Message::Text(Utf8Bytes::from_static("null")));
                    }
                }
            },
            _ = heartbeat.tick() => {
                if heard.elapsed() > 3 * HEARTBEAT {
                    return;
                }
                chatter = 0;
                next = Some(Message::Ping(Bytes::new()));
            },
            _ = stopping.wait_for(|stopping| *stopping) => return,
        }
    }
}
