//! Where other machines ask for games of leagues to play, and bring them back. They have a token of
//! their own, and no limit of requests: what they bring is checked by the league.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use kingme_work::{Beat, Desk, Hello, Leaving, Office, OfficeError, Reporting, Taking};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

/// Largest body of a report, in bytes: some hundred long games.
const LARGEST: usize = 32 << 20;
/// How long somebody who wants games is kept waiting before they hear that there are none.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often the desk is looked at for them meanwhile.
const LOOK: Duration = Duration::from_millis(100);
/// Nobody takes more tasks at a time.
const MOST: usize = 256;

/// The desk of a server, and who may come to it.
#[derive(Debug)]
struct Gate {
    desk: Arc<Desk>,
    token: [u8; 32],
}

type Known = State<Arc<Gate>>;

/// The routes of workers who know a token.
pub fn router(desk: Arc<Desk>, token: &str) -> Router {
    let gate = Arc::new(Gate {
        desk,
        token: digest(token),
    });
    Router::new()
        .route("/api/work/hello", post(hello))
        .route("/api/work/take", post(take))
        .route("/api/work/beat", post(beat))
        .route("/api/work/report", post(report))
        .route("/api/work/leave", post(leave))
        .route("/api/work/bundle/{hash}", get(bundle))
        .route("/api/work/workers", get(workers))
        .layer(middleware::from_fn_with_state(gate.clone(), admit))
        .layer(DefaultBodyLimit::max(LARGEST))
        .with_state(gate)
}

/// Tokens are compared by their hashes, so that nobody learns from the time it takes.
fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

async fn admit(State(gate): Known, request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION);
    let given = given.and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.strip_prefix("Bearer "));
    if given.is_some_and(|given| digest(given) == gate.token) {
        return next.run(request).await;
    }
    let words =
        "this is not the token of this server's workers; it is printed when the server starts";
    Refused(StatusCode::UNAUTHORIZED, words.to_owned()).into_response()
}

/// Why a worker does not get what it wants.
struct Refused(StatusCode, String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let Refused(status, words) = self;
        (status, Json(serde_json::json!({ "error": words }))).into_response()
    }
}

/// Asks the desk something, away from the threads of the server.
async fn ask<T: Send + 'static>(
    gate: Arc<Gate>,
    what: impl FnOnce(&Desk) -> Result<T, OfficeError> + Send + 'static,
) -> Result<T, Refused> {
    let answer = tokio::task::spawn_blocking(move || what(&gate.desk)).await;
    let answer =
        answer.unwrap_or_else(|_| Err(OfficeError::Unreachable("it broke down".to_owned())));
    answer.map_err(|error| {
        let status = match error {
            OfficeError::Refused(_) => StatusCode::FORBIDDEN,
            OfficeError::Unknown => StatusCode::GONE,
            OfficeError::Unreachable(_) => StatusCode::SERVICE_UNAVAILABLE,
        };
        Refused(status, error.to_string())
    })
}

type Answer<T> = Result<Json<T>, Refused>;

/// What somebody has sent, or what is wrong with it.
fn read<T: serde::de::DeserializeOwned>(body: &Bytes) -> Result<T, Refused> {
    let read = serde_json::from_slice(body);
    read.map_err(|error| Refused(StatusCode::BAD_REQUEST, error.to_string()))
}

async fn hello(State(gate): Known, body: Bytes) -> Answer<impl Serialize> {
    let given: Hello = read(&body)?;
    ask(gate, move |desk| desk.hello(&given)).await.map(Json)
}

async fn take(State(gate): Known, body: Bytes) -> Answer<impl Serialize> {
    let Taking { worker, most } = read(&body)?;
    let until = Instant::now() + PATIENCE;
    loop {
        let worker = worker.clone();
        let tasks = ask(gate.clone(), move |desk| desk.take(&worker, most.min(MOST))).await?;
        if !tasks.is_empty() || Instant::now() >= until {
            return Ok(Json(tasks));
        }
        tokio::time::sleep(LOOK).await;
    }
}

async fn beat(State(gate): Known, body: Bytes) -> Answer<impl Serialize> {
    let given: Beat = read(&body)?;
    ask(gate, move |desk| desk.beat(&given)).await.map(Json)
}

async fn report(State(gate): Known, body: Bytes) -> Answer<impl Serialize> {
    let Reporting { worker, reports } = read(&body)?;
    let reported = ask(gate, move |desk| desk.report(&worker, &reports));
    reported.await.map(Json)
}

async fn leave(State(gate): Known, body: Bytes) -> Answer<impl Serialize> {
    let Leaving { worker } = read(&body)?;
    ask(gate, move |desk| desk.leave(&worker)).await.map(Json)
}

async fn bundle(State(gate): Known, Path(hash): Path<String>) -> Result<Vec<u8>, Refused> {
    ask(gate, move |desk| desk.bundle(&hash)).await
}

async fn workers(State(gate): Known) -> Answer<impl Serialize> {
    ask(gate, Desk::workers).await.map(Json)
}
