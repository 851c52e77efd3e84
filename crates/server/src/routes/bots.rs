//! Bots over HTTP: a stream of lines of JSON to listen to, the games' routes to move by.

use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use futures_util::stream;
use kingme_play::PlayerId;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::body::Query;
use crate::error::{ApiError, ErrorJson};
use crate::live::Live;
use crate::presence::Listening;
use crate::state::{Address, AppState, Me, bearer};
use crate::wire::{GameJson, WholeGameJson};

/// An empty line so often shows both ends that the other is there.
const KEEP_ALIVE: Duration = Duration::from_secs(7);

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(listen))
}

/// A bot that listens.
#[derive(Debug, Serialize, ToSchema)]
struct BotJson {
    name: String,
}

/// The bots that listen at the moment and can be played.
#[utoipa::path(get, path = "/api/bots", tag = "bots",
    responses((status = 200, body = Vec<BotJson>)))]
async fn list(State(state): State<AppState>) -> Json<Vec<BotJson>> {
    let json = |name| BotJson { name };
    Json(state.hall.presence.names().into_iter().map(json).collect())
}

/// A line of the stream.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
enum LineJson {
    /// The first line: all of the bot's games that are not over.
    State { games: Vec<WholeGameJson> },
    /// A game that has begun or changed; `you` are the bot's sides.
    Game { whole: Box<WholeGameJson> },
}

struct Ear {
    state: AppState,
    me: Me,
    news: tokio::sync::broadcast::Receiver<crate::hall::News>,
    stopping: tokio::sync::watch::Receiver<bool>,
    first: bool,
    /// Whether the rules in words are wanted.
    words: bool,
    _listening: Listening,
}

/// What a bot is willing to play.
#[derive(Debug, Deserialize, IntoParams)]
struct Wish {
    /// Whether people may begin games with it that count.
    #[serde(default)]
    rated: bool,
    /// Whether games come with their rules in words, which are most of a line.
    #[serde(default)]
    words: bool,
}

/// Listens: lines of JSON. The first has all games, each later one a game that has changed; empty
/// lines keep the connection alive. `words` of the rules are left out unless the query asks for them. Move by `POST /api/games/{id}/moves` with the same token.
#[utoipa::path(get, path = "/api/bot/stream", params(Wish), tag = "bots",
    responses((status = 200, body = LineJson, content_type = "application/x-ndjson"),
              (status = 401, body = ErrorJson), (status = 429, body = ErrorJson)))]
async fn listen(
    State(state): State<AppState>,
    me: Me,
    from: Address,
    Query(wish): Query<Wish>,
    headers: axum::http::HeaderMap,
) -> Result<impl IntoResponse, ApiError> {
    if bearer(&headers).is_none() {
        return Err(ApiError::Unknown("bots show their token".into()));
    }
    let place = state.sockets.take(from.0);
    let place = place.ok_or(ApiError::TooMany { after: 60 })?;
    let bot = (me.0.id, me.name());
    let listening = state.hall.presence.listen(bot, wish.rated, place);
    let ear = Ear {
        news: state.hall.news(),
        stopping: state.stopping.subscribe(),
        state,
        me,
        first: true,
        words: wish.words,
        _listening: listening,
    };
    let lines = stream::unfold(ear, |mut ear| async move {
        let line = ear.next_line().await?;
        Some((Ok::<_, std::convert::Infallible>(line), ear))
    });
    let kind = (header::CONTENT_TYPE, "application/x-ndjson");
    Ok(([kind], Body::from_stream(lines)))
}

impl Ear {
    async fn next_line(&mut self) -> Option<Bytes> {
        if std::mem::take(&mut self.first) {
            return self.everything().await;
        }
        loop {
            let news = tokio::select! {
                news = self.news.recv() => news,
                () = tokio::time::sleep(KEEP_ALIVE) => return Some(Bytes::from_static(b"\n")),
                _ = self.stopping.wait_for(|stopping| *stopping) => return None,
            };
            match news {
                Ok(news) if news.players.contains(&self.me.0.id) => {
                    return self.game(&news.game).await;
                }
                Ok(_) => (),
                // Missed something: all games once more.
                Err(RecvError::Lagged(_)) => return self.everything().await,
                Err(RecvError::Closed) => return None,
            }
        }
    }

    async fn everything(&self) -> Option<Bytes> {
        let (me, words) = (self.me.0.id, self.words);
        let whole = move |live: &Live| for_bot(live, me, words);
        let games = self
            .state
            .hall
            .in_short(move |data| data.games_of(me, 100), whole);
        let games = games.await.ok()?.into_iter();
        let unfinished = |whole: &WholeGameJson| !is_over(&whole.game);
        line(&LineJson::State {
            games: games.filter(unfinished).collect(),
        })
    }

    async fn game(&self, id: &str) -> Option<Bytes> {
        let live = self.state.hall.live(id).await.ok()?;
        line(&LineJson::Game {
            whole: Box::new(for_bot(&live, self.me.0.id, self.words)),
        })
    }
}

/// A game for one of its players; few bots read prose.
fn for_bot(live: &Live, me: PlayerId, words: bool) -> WholeGameJson {
    let mut whole = live.whole(Some(me));
    if !words {
        whole.variant.words.clear();
    }
    whole
}

fn is_over(game: &GameJson) -> bool {
    game.position.over.is_some()
}

fn line(value: &LineJson) -> Option<Bytes> {
    let mut text = serde_json::to_string(value).ok()?;
    text.push('\n');
    Some(text.into())
}
