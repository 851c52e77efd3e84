//! Studies and games of one's own: kept for whoever made them, read by whoever has the address.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::body::{Given, Path};
use crate::error::{ApiError, ErrorJson};
use crate::said::Said;
use crate::secret;
use crate::state::{Address, AppState, Me, Owner, Secure, bearer, somebody};
use crate::works::{Kind, MOST_DATA, MOST_WORKS, Work, WorkCard};

/// Longest title, in bytes.
const LONGEST_TITLE: usize = 200;
/// Longest body, in bytes: as long as the longest game of a file.
const LONGEST_BODY: usize = 256 << 10;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(keep))
        .routes(routes!(show, change, remove))
}

/// A work to keep.
#[derive(Debug, Deserialize, ToSchema)]
struct NewWork {
    kind: Kind,
    title: String,
    /// Whatever the page writes: the server does not read it.
    body: String,
}

/// What is new in a work.
#[derive(Debug, Deserialize, ToSchema)]
struct WorkChange {
    title: String,
    body: String,
}

/// A work that is kept.
#[derive(Debug, Serialize, ToSchema)]
struct Kept {
    /// Its identifier.
    id: String,
}

/// A work.
#[derive(Debug, Serialize, ToSchema)]
struct WorkJson {
    kind: Kind,
    title: String,
    body: String,
    /// Whether whoever asks may change it.
    yours: bool,
}

/// One's own studies and games, the latest first.
#[utoipa::path(get, path = "/api/works", tag = "works",
    responses((status = 200, body = Vec<WorkCard>)))]
async fn list(
    State(state): State<AppState>,
    me: Option<Me>,
) -> Result<Json<Vec<WorkCard>>, ApiError> {
    let Some(me) = me else {
        return Ok(Json(Vec::new()));
    };
    let works = state.hall.store.with(move |data| data.works_of(me.0.id));
    Ok(Json(works.await?))
}

/// Keeps a study or a game of one's own, for whoever asks.
#[utoipa::path(post, path = "/api/works", request_body = NewWork, tag = "works",
    responses((status = 201, body = Kept), (status = 400, body = ErrorJson),
              (status = 403, body = ErrorJson), (status = 409, body = ErrorJson),
              (status = 429, body = ErrorJson)))]
async fn keep(
    State(state): State<AppState>,
    from: Address,
    secure: Secure,
    me: Option<Me>,
    headers: HeaderMap,
    Given(new): Given<NewWork>,
) -> Result<impl IntoResponse, ApiError> {
    if bearer(&headers).is_some() {
        let message = "a token can play, and nothing else";
        return Err(ApiError::Forbidden(message.into()));
    }
    check(&new.title, &new.body)?;
    state.afford(from)?;
    room(&state).await?;
    let (me, cookie) = somebody(&state, me, secure).await?;
    let (id, wall) = (secret::new_id(), state.hall.wall());
    let work = Work {
        kind: new.kind,
        title: new.title,
        body: new.body,
    };
    let name = id.clone();
    let store = &state.hall.store;
    let kept = store.with(move |data| data.add_work(&name, me.0.id, &work, wall));
    if !kept.await? {
        let text = format!("nobody keeps more than {MOST_WORKS} studies and games");
        let said = Said::new("most_works", text).with("most", &MOST_WORKS);
        return Err(ApiError::Conflict(said));
    }
    let mut headers = HeaderMap::new();
    headers.extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok((StatusCode::CREATED, headers, Json(Kept { id })))
}

/// A study or a game that somebody keeps: whoever has its address may read it.
#[utoipa::path(get, path = "/api/works/{id}", tag = "works",
    responses((status = 200, body = WorkJson), (status = 404, body = ErrorJson)))]
async fn show(
    State(state): State<AppState>,
    me: Option<Me>,
    Path(id): Path<String>,
) -> Result<Json<WorkJson>, ApiError> {
    let found = state.hall.store.with(move |data| data.work(&id)).await?;
    let (player, work) = found.ok_or_else(missing)?;
    Ok(Json(WorkJson {
        kind: work.kind,
        title: work.title,
        body: work.body,
        yours: me.is_some_and(|me| me.0.id == player),
    }))
}

/// Writes one of one's own works anew.
#[utoipa::path(post, path = "/api/works/{id}", request_body = WorkChange, tag = "works",
    responses((status = 204), (status = 400, body = ErrorJson), (status = 401, body = ErrorJson),
              (status = 403, body = ErrorJson), (status = 404, body = ErrorJson),
              (status = 409, body = ErrorJson)))]
async fn change(
    State(state): State<AppState>,
    owner: Owner,
    Path(id): Path<String>,
    Given(new): Given<WorkChange>,
) -> Result<StatusCode, ApiError> {
    check(&new.title, &new.body)?;
    room(&state).await?;
    let (me, wall) = (owner.0.id, state.hall.wall());
    let store = &state.hall.store;
    let changed = store.with(move |data| data.change_work(&id, me, (&new.title, &new.body), wall));
    done(changed.await?)
}

/// Forgets one of one's own works.
#[utoipa::path(delete, path = "/api/works/{id}", tag = "works",
    responses((status = 204), (status = 401, body = ErrorJson), (status = 403, body = ErrorJson),
              (status = 404, body = ErrorJson)))]
async fn remove(
    State(state): State<AppState>,
    owner: Owner,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    let me = owner.0.id;
    let store = &state.hall.store;
    done(store.with(move |data| data.remove_work(&id, me)).await?)
}

fn done(found: bool) -> Result<StatusCode, ApiError> {
    found.then_some(StatusCode::NO_CONTENT).ok_or_else(missing)
}

fn missing() -> ApiError {
    let text = "there is no such study or game, or it is not yours";
    ApiError::Missing(Said::new("no_work", text))
}

/// There is room for more.
async fn room(state: &AppState) -> Result<(), ApiError> {
    let store = &state.hall.store;
    if store.with(|data| data.is_smaller_than(MOST_DATA)).await? {
        return Ok(());
    }
    tracing::warn!("the data base is too large for more studies and own games");
    let text = "this server has no room for more studies and games of one's own";
    Err(ApiError::Conflict(Said::new("no_room", text)))
}

fn check(title: &str, body: &str) -> Result<(), ApiError> {
    if title.len() > LONGEST_TITLE || body.len() > LONGEST_BODY {
        return Err(ApiError::TooLarge);
    }
    Ok(())
}
