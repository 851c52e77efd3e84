//! Playing: begin, join, move, and all that players ask of each other.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::Utf8Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kingme_play::{Answer, Command, Reply, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::body::{Given, Path};
use crate::cards::VariantChoice;
use crate::database::Database;
use crate::error::{ApiError, ErrorJson};
use crate::live::Live;
use crate::pdn;
use crate::ratings::Change;
use crate::said::Said;
use crate::secret;
use crate::settings::{Settings, TimeJson, rated_as};
use crate::state::{Address, AppState, Me, Secure, somebody};
use crate::wire::{GameJson, OwnGameJson, SummaryJson, WholeGameJson};

/// Most moves that a game may come with.
const MOST_MOVES: usize = 1_000;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list, begin))
        .routes(routes!(mine))
        .routes(routes!(show))
        .routes(routes!(join))
        .routes(routes!(play))
        .routes(routes!(act))
        .routes(routes!(export))
        .routes(routes!(ratings))
}

/// Who is to sit on a side.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Opponent {
    /// Whoever sends this.
    Me,
    /// Whoever gets the link.
    Friend,
    /// The computer.
    Computer {
        /// From 1 to 10; 0 moves at random.
        level: u8,
    },
    /// A bot that listens at the moment.
    Bot {
        /// The name of its account.
        name: String,
    },
}

/// A game to begin.
#[derive(Debug, Deserialize, ToSchema)]
struct NewGame {
    #[serde(flatten)]
    variant: VariantChoice,
    /// Where to start, if not at the start.
    fen: Option<String>,
    white: Opponent,
    black: Opponent,
    /// The time, if it is limited.
    clock: Option<TimeJson>,
    /// Whether anybody may watch.
    #[serde(default)]
    public: bool,
    /// Moves made elsewhere, which the game goes on after.
    #[serde(default)]
    moves: Vec<String>,
    /// Whether it counts for ratings: from the usual start, between accounts or the computer.
    #[serde(default)]
    rated: bool,
}

/// A game that has begun.
#[derive(Debug, Serialize, ToSchema)]
struct Begun {
    /// Its identifier.
    id: String,
    /// The secret that opens the other seat, for whoever is to have it; told only here.
    #[serde(skip_serializing_if = "Option::is_none")]
    invite: Option<String>,
}

/// Begins a game.
#[utoipa::path(post, path = "/api/games", request_body = NewGame, tag = "games",
    responses((status = 201, body = Begun), (status = 400, body = ErrorJson),
              (status = 422, body = ErrorJson), (status = 429, body = ErrorJson)))]
async fn begin(
    State(state): State<AppState>,
    from: Address,
    secure: Secure,
    me: Option<Me>,
    Given(new): Given<NewGame>,
) -> Result<impl IntoResponse, ApiError> {
    state.afford(from)?;
    let (me, cookie) = somebody(&state, me, secure).await?;
    let (settings, invite) = settings(&state, &me, new).await?;
    let id = secret::new_id();
    let made = state.rules.run(from.0, move || {
        let session = settings.session()?;
        Ok::<_, ApiError>((settings, session))
    });
    let (settings, session) = made.await??;
    let new = crate::hall::NewGame {
        id: id.clone(),
        settings,
        session,
        from: from.0,
    };
    state.hall.open(new).await?;
    let mut headers = HeaderMap::new();
    headers.extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok((StatusCode::CREATED, headers, Json(Begun { id, invite })))
}

async fn settings(
    state: &AppState,
    me: &Me,
    new: NewGame,
) -> Result<(Settings, Option<String>), ApiError> {
    let seats = [
        seat(state, me, &new.white, new.rated).await?,
        seat(state, me, &new.black, new.rated).await?,
    ];
    if seats.iter().all(|seat| *seat == Seat::Open) {
        return Err(ApiError::Bad("one side must have somebody".into()));
    }
    if new.clock.is_some_and(|clock| !clock.is_sane()) {
        return Err(ApiError::Bad("a clock has from a second to a week".into()));
    }
    if new.moves.len() > MOST_MOVES {
        return Err(ApiError::Bad(
            format!("more than {MOST_MOVES} moves").into(),
        ));
    }
    if new.rated {
        check_rated(me, &new, &seats)?;
    }
    let invite = seats.contains(&Seat::Open).then(secret::new_secret);
    let settings = Settings {
        variant: new.variant.variant,
        toml: new.variant.toml,
        size: new.variant.size,
        fen: new.fen,
        seats,
        clock: new.clock,
        public: new.public,
        invite: invite.as_deref().map(secret::hash),
        moves: new.moves,
        rated: new.rated,
        league: None,
    };
    Ok((settings, invite))
}

/// Ratings compare like with like: the game as it is, from its start, between two who are known.
fn check_rated(me: &Me, new: &NewGame, seats: &[Seat; 2]) -> Result<(), ApiError> {
    let plain = new.variant.toml.is_none()
        && new.variant.size.is_none()
        && new.fen.is_none()
        && new.moves.is_empty();
    if !plain {
        let text = "a rated game is one of the program's, from its start";
        return Err(ApiError::Bad(Said::new("rated_plain", text)));
    }
    if me.0.name.is_none() {
        return Err(ApiError::Forbidden(needs_account()));
    }
    if rated_as(&seats[0]) == rated_as(&seats[1]) {
        let text = "a rated game needs two players";
        return Err(ApiError::Bad(Said::new("rated_two", text)));
    }
    Ok(())
}

fn needs_account() -> Said {
    Said::new("rated_account", "a rated game needs an account")
}

async fn seat(
    state: &AppState,
    me: &Me,
    opponent: &Opponent,
    rated: bool,
) -> Result<Seat, ApiError> {
    Ok(match opponent {
        Opponent::Me => Seat::Person {
            player: me.0.id,
            name: me.name(),
        },
        Opponent::Friend => Seat::Open,
        Opponent::Computer { level } if *level <= 10 => Seat::Computer { level: *level },
        Opponent::Computer { level } => {
            let message = format!("levels go from 0 to 10, there is no level {level}");
            return Err(ApiError::Bad(message.into()));
        }
        Opponent::Bot { name } => {
            let missing = || ApiError::Missing(no_bot(name));
            let wanted = name.clone();
            let account = state.hall.store.with(move |data| data.account(&wanted));
            let (player, _) = account.await?.ok_or_else(missing)?;
            if !state.hall.presence.is_listening(player.id) {
                return Err(missing());
            }
            if rated && !state.hall.presence.plays_rated(player.id) {
                return Err(ApiError::Forbidden(unrated_bot(name)));
            }
            Seat::Person {
                player: player.id,
                name: player.name.unwrap_or_default(),
            }
        }
    })
}

fn unrated_bot(name: &str) -> Said {
    let text = format!("the bot `{name}` plays no rated games");
    Said::new("unrated_bot", text).with("name", name)
}

fn no_bot(name: &str) -> Said {
    Said::new("no_bot", format!("no bot `{name}` is listening")).with("name", name)
}

/// The public games that were played last.
#[utoipa::path(get, path = "/api/games", tag = "games",
    responses((status = 200, body = Vec<SummaryJson>)))]
async fn list(State(state): State<AppState>) -> Result<Json<Vec<SummaryJson>>, ApiError> {
    let short = |live: &Live| SummaryJson::new(live, &live.session());
    let games = state.hall.in_short(|data| data.public_games(60), short);
    games.await.map(Json)
}

/// One's own games, the last one first.
#[utoipa::path(get, path = "/api/me/games", tag = "games",
    responses((status = 200, body = Vec<OwnGameJson>)))]
async fn mine(
    State(state): State<AppState>,
    me: Option<Me>,
) -> Result<Json<Vec<OwnGameJson>>, ApiError> {
    let Some(me) = me else {
        return Ok(Json(Vec::new()));
    };
    let player = me.0.id;
    let own = move |live: &Live| OwnGameJson::new(live, player);
    let games = state
        .hall
        .in_short(move |data| data.games_of(player, 60), own);
    games.await.map(Json)
}

/// Everything about a game.
#[utoipa::path(get, path = "/api/games/{id}", tag = "games",
    responses((status = 200, body = WholeGameJson), (status = 404, body = ErrorJson)))]
async fn show(
    State(state): State<AppState>,
    me: Option<Me>,
    Path(id): Path<String>,
) -> Result<Json<WholeGameJson>, ApiError> {
    let player = me.map(|me| me.0.id);
    Ok(Json(state.hall.as_stored(&id, player).await?.whole(player)))
}

/// The secret of an invitation.
#[derive(Debug, Deserialize, ToSchema)]
struct Invite {
    invite: String,
    /// That one agrees to a rated game.
    #[serde(default)]
    rated: bool,
}

/// Takes the open seat.
#[utoipa::path(post, path = "/api/games/{id}/join", request_body = Invite, tag = "games",
    responses((status = 204), (status = 404, body = ErrorJson), (status = 409, body = ErrorJson)))]
async fn join(
    State(state): State<AppState>,
    from: Address,
    secure: Secure,
    me: Option<Me>,
    Path(id): Path<String>,
    Given(invite): Given<Invite>,
) -> Result<impl IntoResponse, ApiError> {
    state.afford(from)?;
    let live = state.hall.live(&id).await?;
    let (me, cookie) = somebody(&state, me, secure).await?;
    let name = me.name();
    if live.settings.rated && me.0.name.is_none() {
        return Err(ApiError::Forbidden(needs_account()));
    }
    if live.settings.rated && !invite.rated {
        let text = "this game is rated: say that you agree";
        return Err(ApiError::Conflict(Said::new("rated_consent", text)));
    }
    let player = (me.0.id, name);
    state.hall.join(&live, player, &invite.invite).await?;
    let mut headers = HeaderMap::new();
    headers.extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok((StatusCode::NO_CONTENT, headers))
}

/// A move as text: any separators, squares on the way given or left out.
#[derive(Debug, Deserialize, ToSchema)]
struct MoveText {
    #[serde(rename = "move")]
    text: String,
}

/// Plays a move. If it is refused, the message says why.
#[utoipa::path(post, path = "/api/games/{id}/moves", request_body = MoveText, tag = "games",
    responses((status = 200, body = GameJson), (status = 403, body = ErrorJson),
              (status = 404, body = ErrorJson), (status = 422, body = ErrorJson)))]
async fn play(
    State(state): State<AppState>,
    me: Me,
    from: Address,
    Path(id): Path<String>,
    Given(mv): Given<MoveText>,
) -> Result<GameText, ApiError> {
    let answer = Answer::new(Reply::Text(mv.text));
    let live = state.hall.visible(&id, Some(me.0.id)).await?;
    command(&state, (&me, from), &live, Command::Answer(answer)).await
}

/// What players ask for besides moves.
#[derive(Copy, Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    /// Take the last move back, or ask for it.
    TakeBack,
    /// Give up.
    Resign,
    /// Offer a draw.
    Draw,
    /// Another game, or ask for it.
    Rematch,
    /// Claim the win, since the other player has left a game with a clock a minute ago.
    Claim,
    /// Accept what is offered.
    Accept,
    /// Decline it.
    Decline,
}

/// An action.
#[derive(Debug, Deserialize, ToSchema)]
struct ActionJson {
    action: Action,
}

/// Does something besides moving.
#[utoipa::path(post, path = "/api/games/{id}/actions", request_body = ActionJson, tag = "games",
    responses((status = 200, body = GameJson), (status = 403, body = ErrorJson),
              (status = 404, body = ErrorJson), (status = 409, body = ErrorJson),
              (status = 422, body = ErrorJson)))]
async fn act(
    State(state): State<AppState>,
    me: Me,
    from: Address,
    Path(id): Path<String>,
    Given(action): Given<ActionJson>,
) -> Result<GameText, ApiError> {
    let next = secret::new_id();
    let live = state.hall.visible(&id, Some(me.0.id)).await?;
    let wanted = match action.action {
        Action::TakeBack => Command::TakeBack,
        Action::Resign => Command::Answer(Answer::new(Reply::Resign)),
        Action::Draw => Command::Draw,
        Action::Claim => Command::Claim {
            away: live.away(&live.session()),
        },
        Action::Rematch => Command::Rematch { next },
        Action::Accept => Command::Accept { next },
        Action::Decline => Command::Decline,
    };
    command(&state, (&me, from), &live, wanted).await
}

/// A game as the text that its listeners got as well.
struct GameText(Utf8Bytes);

impl IntoResponse for GameText {
    fn into_response(self) -> Response {
        let json = (header::CONTENT_TYPE, "application/json");
        ([json], Bytes::from(self.0)).into_response()
    }
}

async fn command(
    state: &AppState,
    (me, from): (&Me, Address),
    live: &Arc<Live>,
    command: Command,
) -> Result<GameText, ApiError> {
    live.heard_from(from.0);
    let done = state.hall.act(live, me.0.id, command).await?;
    Ok(GameText(done.game))
}

/// The game as PDN.
#[utoipa::path(get, path = "/api/games/{id}/pdn", tag = "games",
    responses((status = 200, body = String, content_type = "application/x-draughts-pdn"),
              (status = 404, body = ErrorJson)))]
async fn export(
    State(state): State<AppState>,
    me: Option<Me>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    let live = state.hall.as_stored(&id, me.map(|me| me.0.id)).await?;
    let session = live.session();
    let names = session.seats().each_ref().map(pdn::seat_name);
    let winner = session.end().map(|end| end.winner);
    let text = pdn::export(session.game(), &names, winner);
    Ok((
        [(
            header::CONTENT_TYPE,
            "application/x-draughts-pdn; charset=utf-8",
        )],
        text,
    ))
}

/// How a game moved a player's rating.
#[derive(Debug, Serialize, ToSchema)]
struct RatingChange {
    /// The rating before the game.
    before: i32,
    /// And after it.
    after: i32,
}

impl From<Change> for RatingChange {
    fn from(change: Change) -> RatingChange {
        RatingChange {
            before: change.before.round() as i32,
            after: change.after.round() as i32,
        }
    }
}

/// How a rated game moved both ratings, White's first; `null` if it has moved none.
#[utoipa::path(get, path = "/api/games/{id}/ratings", tag = "games",
    responses((status = 200, body = Option<[RatingChange; 2]>), (status = 404, body = ErrorJson)))]
async fn ratings(
    State(state): State<AppState>,
    me: Option<Me>,
    Path(id): Path<String>,
) -> Result<Json<Option<[RatingChange; 2]>>, ApiError> {
    let live = state.hall.as_stored(&id, me.map(|me| me.0.id)).await?;
    let find = move |data: &mut Database| data.changes_by(&live.id);
    let changes = state.hall.store.with(find).await?;
    Ok(Json(changes.map(|both| both.map(RatingChange::from))))
}
