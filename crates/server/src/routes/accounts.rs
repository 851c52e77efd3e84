//! Accounts: a name and a password, optional. They hold games and bots' tokens.

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::IntoResponse;
use kingme_play::PlayerId;
use kingme_rules::Variant;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::accounts::Player;
use crate::body::{Given, Path};
use crate::error::{ApiError, ErrorJson};
use crate::ratings::Rated;
use crate::said::Said;
use crate::secret;
use crate::state::{Address, AppState, Me, Owner, Secure, cookie, new_session, session, somebody};

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(me))
        .routes(routes!(register))
        .routes(routes!(login))
        .routes(routes!(logout))
        .routes(routes!(logout_everywhere))
        .routes(routes!(change_password))
        .routes(routes!(tokens, add_token))
        .routes(routes!(remove_token))
}

/// Who is asking.
#[derive(Debug, Serialize, ToSchema)]
struct MeJson {
    /// The account's name; none for guests.
    name: Option<String>,
    /// Ratings by rated games.
    ratings: Vec<RatingJson>,
}

/// A player's rating in one game.
#[derive(Debug, Serialize, ToSchema)]
struct RatingJson {
    /// The game's name.
    variant: String,
    /// The game's name for people.
    title: String,
    /// Glicko-2, on the usual scale around 1500.
    rating: i32,
    /// With 95 % certainty the strength is so near to it.
    error: i32,
    /// Rated games so far.
    games: u32,
}

impl MeJson {
    async fn new(state: &AppState, player: Option<&Player>) -> Result<MeJson, ApiError> {
        let ratings = match player.map(|player| player.id) {
            Some(id) => {
                state
                    .hall
                    .store
                    .with(move |data| data.ratings_of(id))
                    .await?
            }
            None => Vec::new(),
        };
        let json = |rated: Rated| RatingJson {
            title: Variant::named(&rated.variant).map_or(rated.variant.clone(), |known| {
                known.definition().title.clone()
            }),
            variant: rated.variant,
            rating: rated.standing.rating.round() as i32,
            error: (1.96 * rated.standing.deviation).round() as i32,
            games: rated.games,
        };
        Ok(MeJson {
            name: player.and_then(|player| player.name.clone()),
            ratings: ratings.into_iter().map(json).collect(),
        })
    }
}

/// Who am I?
#[utoipa::path(get, path = "/api/me", tag = "accounts", responses((status = 200, body = MeJson)))]
async fn me(State(state): State<AppState>, me: Option<Me>) -> Result<Json<MeJson>, ApiError> {
    let player = me.map(|me| me.0);
    Ok(Json(MeJson::new(&state, player.as_ref()).await?))
}

/// A name and a password.
#[derive(Deserialize, ToSchema)]
struct Credentials {
    name: String,
    password: String,
}

/// Makes an account of the guest who asks: the games stay.
#[utoipa::path(post, path = "/api/accounts", request_body = Credentials, tag = "accounts",
    responses((status = 201, body = MeJson), (status = 400, body = ErrorJson),
              (status = 409, body = ErrorJson), (status = 429, body = ErrorJson)))]
async fn register(
    State(state): State<AppState>,
    from: Address,
    secure: Secure,
    me: Option<Me>,
    Given(new): Given<Credentials>,
) -> Result<impl IntoResponse, ApiError> {
    state.afford(from)?;
    check_name(&new.name)?;
    check_password(&new.password)?;
    let hash = hash(&state, new.password).await?;
    let guest = me.filter(|me| me.0.name.is_none());
    let (me, _) = somebody(&state, guest, secure).await?;
    let (id, name) = (me.0.id, new.name.clone());
    let named = state
        .hall
        .store
        .with(move |data| data.name_player(id, &name, &hash));
    if !named.await? {
        let text = format!("the name `{}` is taken", new.name);
        let said = Said::new("name_taken", text).with("name", &new.name);
        return Err(ApiError::Conflict(said));
    }
    state.logged_in(id, from);
    // Whoever knew the guest's session does not know the account's.
    let cookie = renewed(&state, id, secure).await?;
    let player = Player {
        id,
        name: Some(new.name),
    };
    let json = MeJson::new(&state, Some(&player)).await?;
    let headers = [(header::SET_COOKIE, cookie)];
    Ok((StatusCode::CREATED, headers, Json(json)))
}

/// Ends all sessions of a player, and begins a new one.
async fn renewed(
    state: &AppState,
    player: PlayerId,
    secure: Secure,
) -> Result<HeaderValue, ApiError> {
    let ended = state
        .hall
        .store
        .with(move |data| data.remove_sessions(player));
    ended.await?;
    new_session(state, player, secure).await
}

fn check_password(password: &str) -> Result<(), ApiError> {
    if (8..=200).contains(&password.chars().count()) {
        return Ok(());
    }
    let text = "a password has from 8 to 200 characters";
    Err(ApiError::Bad(Said::new("password_length", text)))
}

/// Names that people would take for the server's own.
const RESERVED: [&str; 12] = [
    "admin",
    "administrator",
    "computer",
    "engine",
    "guest",
    "help",
    "kingme",
    "moderator",
    "root",
    "server",
    "support",
    "system",
];

fn check_name(name: &str) -> Result<(), ApiError> {
    if RESERVED.iter().any(|word| name.eq_ignore_ascii_case(word)) {
        let text = format!("the name `{name}` is taken");
        return Err(ApiError::Conflict(
            Said::new("name_taken", text).with("name", name),
        ));
    }
    let fits = (2..=20).contains(&name.len())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if fits {
        return Ok(());
    }
    let text = format!("`{name}` is not a name; take 2 to 20 letters, digits, - or _");
    Err(ApiError::Bad(Said::new("no_name", text).with("name", name)))
}

async fn hash(state: &AppState, password: String) -> Result<String, ApiError> {
    let _permit = state.hashing.acquire().await;
    let hashed = tokio::task::spawn_blocking(move || {
        let hash = Argon2::default().hash_password(password.as_bytes());
        hash.map(|hash| hash.to_string())
    });
    let hashed = hashed.await.map_err(|_| ApiError::Internal)?;
    hashed.map_err(|_| ApiError::Internal)
}

/// Opens a session for an account.
#[utoipa::path(post, path = "/api/session", request_body = Credentials, tag = "accounts",
    responses((status = 200, body = MeJson), (status = 401, body = ErrorJson),
              (status = 429, body = ErrorJson)))]
async fn login(
    State(state): State<AppState>,
    from: Address,
    secure: Secure,
    headers: HeaderMap,
    Given(claim): Given<Credentials>,
) -> Result<impl IntoResponse, ApiError> {
    state.afford(from)?;
    let name = claim.name.clone();
    let account = state.hall.store.with(move |data| data.account(&name));
    let (player, stored) = account.await?.unzip();
    let id = player.as_ref().map(|player| player.id);
    state.try_password(&claim.name, id, from)?;
    // An unknown name takes as long as a wrong password.
    let right = verify(&state, claim.password, stored).await?;
    let (true, Some(player)) = (right, player) else {
        let text = "the name or the password is wrong";
        return Err(ApiError::Unknown(Said::new("wrong_password", text)));
    };
    state.logged_in(player.id, from);
    end_session(&state, &headers, secure).await?;
    let cookie = new_session(&state, player.id, secure).await?;
    let json = MeJson::new(&state, Some(&player)).await?;
    Ok(([(header::SET_COOKIE, cookie)], Json(json)))
}

/// A password for another.
#[derive(Deserialize, ToSchema)]
struct NewPassword {
    password: String,
    new: String,
}

/// Changes the password, and ends all other sessions of the account.
#[utoipa::path(post, path = "/api/password", request_body = NewPassword, tag = "accounts",
    responses((status = 204), (status = 400, body = ErrorJson), (status = 401, body = ErrorJson),
              (status = 403, body = ErrorJson), (status = 429, body = ErrorJson)))]
async fn change_password(
    State(state): State<AppState>,
    from: Address,
    secure: Secure,
    Owner(me): Owner,
    Given(change): Given<NewPassword>,
) -> Result<impl IntoResponse, ApiError> {
    state.afford(from)?;
    check_password(&change.new)?;
    let Some(name) = me.name else {
        return Err(ApiError::Forbidden("a guest has no password".into()));
    };
    state.try_password(&name, Some(me.id), from)?;
    let account = state.hall.store.with(move |data| data.account(&name));
    let stored = account.await?.map(|(_, stored)| stored);
    if !verify(&state, change.password, stored).await? {
        let text = "the password is wrong";
        return Err(ApiError::Unknown(Said::new("wrong_old_password", text)));
    }
    let hash = hash(&state, change.new).await?;
    let set = state
        .hall
        .store
        .with(move |data| data.set_password(me.id, &hash));
    set.await?;
    let cookie = renewed(&state, me.id, secure).await?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]))
}

/// Ends all sessions of the account, this one included.
#[utoipa::path(delete, path = "/api/sessions", tag = "accounts",
    responses((status = 204), (status = 401, body = ErrorJson)))]
async fn logout_everywhere(
    State(state): State<AppState>,
    secure: Secure,
    Owner(me): Owner,
) -> Result<impl IntoResponse, ApiError> {
    let ended = state
        .hall
        .store
        .with(move |data| data.remove_sessions(me.id));
    ended.await?;
    let gone = [(header::SET_COOKIE, cookie("", 0, secure))];
    Ok((StatusCode::NO_CONTENT, gone))
}

async fn verify(
    state: &AppState,
    password: String,
    stored: Option<String>,
) -> Result<bool, ApiError> {
    let _permit = state.hashing.acquire().await;
    let verified = tokio::task::spawn_blocking(move || {
        let argon2 = Argon2::default();
        let Some(stored) = stored else {
            let _ = argon2.hash_password(password.as_bytes());
            return false;
        };
        let fits = |hash| argon2.verify_password(password.as_bytes(), &hash).is_ok();
        PasswordHash::new(&stored).is_ok_and(fits)
    });
    verified.await.map_err(|_| ApiError::Internal)
}

/// Ends the session.
#[utoipa::path(delete, path = "/api/session", tag = "accounts", responses((status = 204)))]
async fn logout(
    State(state): State<AppState>,
    secure: Secure,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiError> {
    end_session(&state, &headers, secure).await?;
    Ok((
        StatusCode::NO_CONTENT,
        [(header::SET_COOKIE, cookie("", 0, secure))],
    ))
}

/// Ends the session of a request, if it has one.
async fn end_session(
    state: &AppState,
    headers: &HeaderMap,
    secure: Secure,
) -> Result<(), ApiError> {
    let Some(session) = session(headers, secure) else {
        return Ok(());
    };
    let hash = secret::hash(session);
    let store = &state.hall.store;
    store.with(move |data| data.remove_session(&hash)).await
}

/// A token, without its secret.
#[derive(Debug, Serialize, ToSchema)]
struct TokenJson {
    id: i64,
    label: String,
}

/// A token to make.
#[derive(Debug, Deserialize, ToSchema)]
struct NewToken {
    label: String,
}

/// A new token with its secret, which is told only here.
#[derive(Debug, Serialize, ToSchema)]
struct TokenSecret {
    id: i64,
    token: String,
}

/// The tokens of one's account.
#[utoipa::path(get, path = "/api/tokens", tag = "accounts",
    responses((status = 200, body = Vec<TokenJson>), (status = 401, body = ErrorJson)))]
async fn tokens(
    State(state): State<AppState>,
    Owner(me): Owner,
) -> Result<Json<Vec<TokenJson>>, ApiError> {
    let tokens = state.hall.store.with(move |data| data.tokens_of(me.id));
    let tokens = tokens.await?;
    let json = |(id, label)| TokenJson { id, label };
    Ok(Json(tokens.into_iter().map(json).collect()))
}

/// Makes a token for a bot. Needs an account.
#[utoipa::path(post, path = "/api/tokens", request_body = NewToken, tag = "accounts",
    responses((status = 201, body = TokenSecret), (status = 403, body = ErrorJson),
              (status = 429, body = ErrorJson)))]
async fn add_token(
    State(state): State<AppState>,
    from: Address,
    Owner(me): Owner,
    Given(new): Given<NewToken>,
) -> Result<impl IntoResponse, ApiError> {
    state.afford(from)?;
    if me.name.is_none() {
        return Err(ApiError::Forbidden("tokens need an account".into()));
    }
    let token = secret::new_secret();
    let label: String = new.label.chars().take(60).collect();
    let hash = secret::hash(&token);
    let added = state
        .hall
        .store
        .with(move |data| data.add_token(&hash, me.id, &label));
    let id = added.await?;
    Ok((StatusCode::CREATED, Json(TokenSecret { id, token })))
}

/// Revokes a token.
#[utoipa::path(delete, path = "/api/tokens/{id}", tag = "accounts",
    responses((status = 204), (status = 404, body = ErrorJson)))]
async fn remove_token(
    State(state): State<AppState>,
    Owner(me): Owner,
    Path(id): Path<i64>,
) -> Result<StatusCode, ApiError> {
    let removed = state
        .hall
        .store
        .with(move |data| data.remove_token(me.id, id));
    if removed.await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::Missing("there is no such token".into()))
    }
}
