//! Studying: any position, any moves, the engine's advice, PDN in.

use std::convert::Infallible;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use futures_util::stream;
use kingme_rules::{Game, Position};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::body::Given;
use crate::cards::{VariantChoice, VariantJson};
use crate::computer::AdviceJson;
use crate::endings::VerdictJson;
use crate::error::{ApiError, ErrorJson};
use crate::pdn::{self, ImportJson, ListJson, PaperGame, Piece};
use crate::state::{Address, AppState, Me};
use crate::wire::{MoveJson, PositionJson, board_text, history};

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(look))
        .routes(routes!(advise))
        .routes(routes!(analyse))
        .routes(routes!(tables))
        .routes(routes!(read_pdn))
        .routes(routes!(list_pdn))
        .routes(routes!(write_pdn))
}

/// Most moves of a game to look at.
const MOST_MOVES: usize = 2_000;

/// A position to look at: a game's start, or a FEN, and moves from there.
#[derive(Debug, Deserialize, ToSchema)]
struct Line {
    #[serde(flatten)]
    variant: VariantChoice,
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
}

impl Line {
    fn play(&self) -> Result<Game, ApiError> {
        let variant = self.variant.load()?;
        let start = match &self.fen {
            Some(fen) => Position::from_fen(&variant, fen)
                .map_err(|error| ApiError::Bad(error.to_string().into()))?,
            None => variant.start(),
        };
        if self.moves.len() > MOST_MOVES {
            return Err(ApiError::Bad(
                format!("more than {MOST_MOVES} moves").into(),
            ));
        }
        let mut game = Game::from_position(start);
        for text in &self.moves {
            game.play_text(text)?;
        }
        Ok(game)
    }
}

/// A position that was looked at.
#[derive(Debug, Serialize, ToSchema)]
struct LookJson {
    variant: VariantJson,
    /// The pieces at the start.
    start: String,
    history: Vec<MoveJson>,
    position: PositionJson,
}

/// How a game stands after some moves. If one is refused, the message says why.
#[utoipa::path(post, path = "/api/positions", request_body = Line, tag = "analysis",
    responses((status = 200, body = LookJson), (status = 400, body = ErrorJson),
              (status = 422, body = ErrorJson)))]
async fn look(
    State(state): State<AppState>,
    from: Address,
    Given(line): Given<Line>,
) -> Result<Json<LookJson>, ApiError> {
    let look = move || {
        let game = line.play()?;
        Ok(Json(LookJson {
            variant: VariantJson::new(game.variant()),
            start: board_text(game.start()),
            history: history(&game),
            position: PositionJson::new(&game),
        }))
    };
    state.rules.run(from.0, look).await?
}

/// A question to the engine.
#[derive(Debug, Deserialize, ToSchema)]
struct Question {
    #[serde(flatten)]
    line: Line,
    /// How long to think, in milliseconds; 2,000 at most.
    #[serde(default = "half_a_second")]
    ms: u64,
    /// How many lines to give; 4 at most.
    #[serde(default = "one")]
    lines: u8,
}

fn half_a_second() -> u64 {
    500
}

fn one() -> u8 {
    1
}

/// What the engine thinks of a position. One question at a time for each person.
#[utoipa::path(post, path = "/api/advice", request_body = Question, tag = "analysis",
    responses((status = 200, body = AdviceJson), (status = 400, body = ErrorJson),
              (status = 422, body = ErrorJson), (status = 429, body = ErrorJson)))]
async fn advise(
    State(state): State<AppState>,
    me: Option<Me>,
    from: Address,
    Given(question): Given<Question>,
) -> Result<Json<AdviceJson>, ApiError> {
    let line = question.line;
    let game = state.rules.run(from.0, move || line.play()).await??;
    let asker = me.map_or_else(|| from.0.to_string(), |me| me.0.id.to_string());
    let time = std::time::Duration::from_millis(question.ms.clamp(10, 2_000));
    let lines = usize::from(question.lines.clamp(1, 4));
    let advice = state
        .hall
        .computer
        .advise((asker, from.0), game, time, lines);
    let advice = advice.await?;
    Ok(Json(advice))
}

/// A position to think about.
#[derive(Debug, Deserialize, ToSchema)]
struct Study {
    #[serde(flatten)]
    line: Line,
    /// How many lines to give; 4 at most.
    #[serde(default = "one")]
    lines: u8,
}

/// What the engine thinks of a position, deeper and deeper: lines of JSON, until whoever asks hangs
/// up, nothing is left to find, or five minutes have been spent. Whoever else waits for the engine
/// gets their turn meanwhile. Empty lines keep the connection alive.
#[utoipa::path(post, path = "/api/analysis", request_body = Study, tag = "analysis",
    responses((status = 200, body = AdviceJson, content_type = "application/x-ndjson"),
              (status = 400, body = ErrorJson), (status = 422, body = ErrorJson),
              (status = 429, body = ErrorJson)))]
async fn analyse(
    State(state): State<AppState>,
    from: Address,
    Given(study): Given<Study>,
) -> Result<impl IntoResponse, ApiError> {
    let line = study.line;
    let game = state.rules.run(from.0, move || line.play()).await??;
    let lines = usize::from(study.lines.clamp(1, 4));
    let analysis = state.hall.computer.analyse(from.0, game, lines)?;
    let stopping = state.stopping.subscribe();
    let lines = stream::unfold((analysis, stopping), |(mut analysis, mut stopping)| async {
        let line = tokio::select! {
            line = analysis.next_line() => line?,
            _ = stopping.wait_for(|stopping| *stopping) => return None,
        };
        Some((Ok::<_, Infallible>(line), (analysis, stopping)))
    });
    let kind = (header::CONTENT_TYPE, "application/x-ndjson");
    Ok(([kind], Body::from_stream(lines)))
}

/// What the endgame tables say of a position: nothing if they don't have it.
#[utoipa::path(post, path = "/api/tables", request_body = Line, tag = "analysis",
    responses((status = 200, body = Option<VerdictJson>), (status = 400, body = ErrorJson),
              (status = 422, body = ErrorJson)))]
async fn tables(
    State(state): State<AppState>,
    from: Address,
    Given(line): Given<Line>,
) -> Result<Json<Option<VerdictJson>>, ApiError> {
    let game = state.rules.run(from.0, move || line.play()).await??;
    let position = game.position().clone();
    Ok(Json(state.hall.computer.endings.verdict(position).await))
}

/// A PDN text.
#[derive(Debug, Deserialize, ToSchema)]
struct PdnText {
    /// The rules of games whose tags don't say.
    #[serde(flatten)]
    variant: VariantChoice,
    pdn: String,
    /// Which of its games to read, counted from 0; all if there is none.
    only: Option<usize>,
}

/// Reads games: 2,000 at most. Larger files are listed in pieces.
#[utoipa::path(post, path = "/api/pdn/read", request_body = PdnText, tag = "analysis",
    responses((status = 200, body = Vec<ImportJson>), (status = 400, body = ErrorJson)))]
async fn read_pdn(
    State(state): State<AppState>,
    from: Address,
    Given(text): Given<PdnText>,
) -> Result<impl IntoResponse, ApiError> {
    let import = move || pdn::import(&text.pdn, text.only, &text.variant);
    let games = state.rules.run(from.0, import).await??;
    Ok(([(header::CONTENT_TYPE, "application/json")], games))
}

/// A piece of a PDN file of any size.
#[derive(Debug, Deserialize, ToSchema)]
struct PdnPiece {
    /// The rules of games whose tags don't say.
    #[serde(flatten)]
    variant: VariantChoice,
    /// The text; its lines end with `\n`.
    pdn: String,
    /// Whether more of the file follows.
    #[serde(default)]
    more: bool,
    /// How many lines of the file come before.
    #[serde(default)]
    line: usize,
    /// What the answer to the piece before says.
    #[serde(default)]
    inside: bool,
}

/// Lists the games of a piece of a file: who played, by which rules, and what had to be skipped. The
/// next piece begins after what was `used`. A game is read by its piece and its `index`.
#[utoipa::path(post, path = "/api/pdn/list", request_body = PdnPiece, tag = "analysis",
    responses((status = 200, body = ListJson), (status = 400, body = ErrorJson)))]
async fn list_pdn(
    State(state): State<AppState>,
    from: Address,
    Given(given): Given<PdnPiece>,
) -> Result<Json<ListJson>, ApiError> {
    let list = move || {
        let piece = Piece {
            text: &given.pdn,
            line: given.line,
            more: given.more,
            inside: given.inside,
        };
        pdn::list(piece, &given.variant)
    };
    Ok(Json(state.rules.run(from.0, list).await??))
}

/// A text.
#[derive(Debug, Serialize, ToSchema)]
struct TextJson {
    text: String,
}

/// Writes a game as PDN, with its variations and comments.
#[utoipa::path(post, path = "/api/pdn/write", request_body = PaperGame, tag = "analysis",
    responses((status = 200, body = TextJson), (status = 400, body = ErrorJson),
              (status = 422, body = ErrorJson)))]
async fn write_pdn(
    State(state): State<AppState>,
    from: Address,
    Given(game): Given<PaperGame>,
) -> Result<Json<TextJson>, ApiError> {
    let text = state.rules.run(from.0, move || game.text()).await??;
    Ok(Json(TextJson { text }))
}
