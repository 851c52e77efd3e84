//! The games there are, and trying out one's own.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use kingme_rules::{Variant, variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::body::{Given, Path};
use crate::cards::{CardJson, VariantJson, cards};
use crate::error::{ApiError, ErrorJson};
use crate::keys::SchemaJson;
use crate::state::{Address, AppState};

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(schema))
        .routes(routes!(show))
        .routes(routes!(toml))
        .routes(routes!(keys))
        .routes(routes!(check))
}

/// All games that come with the program.
#[utoipa::path(get, path = "/api/variants", tag = "variants",
    responses((status = 200, body = Vec<CardJson>)))]
async fn list() -> Json<&'static [CardJson]> {
    Json(cards())
}

/// Every key that a variant file may have: its values, what holds without it, what it means.
#[utoipa::path(get, path = "/api/variants/schema", tag = "variants",
    responses((status = 200, body = SchemaJson)))]
async fn schema() -> Json<SchemaJson> {
    Json(crate::keys::schema())
}

/// A game with its rules in words.
#[utoipa::path(get, path = "/api/variants/{name}", tag = "variants",
    responses((status = 200, body = VariantJson), (status = 404, body = ErrorJson)))]
async fn show(Path(name): Path<String>) -> Result<Json<VariantJson>, ApiError> {
    let variant =
        Variant::named(&name).map_err(|error| ApiError::Missing(error.to_string().into()))?;
    Ok(Json(VariantJson::new(&variant)))
}

/// A game's file.
#[utoipa::path(get, path = "/api/variants/{name}/toml", tag = "variants",
    responses((status = 200, body = String, content_type = "application/toml"),
              (status = 404, body = ErrorJson)))]
async fn toml(Path(name): Path<String>) -> Result<impl IntoResponse, ApiError> {
    let found = variant::shipped().find(|(shipped, _)| *shipped == name);
    let (_, text) =
        found.ok_or_else(|| ApiError::Missing(format!("there is no game `{name}`").into()))?;
    Ok((
        [(header::CONTENT_TYPE, "application/toml; charset=utf-8")],
        text,
    ))
}

/// Every key of a game with its value, those of the games it extends included.
#[utoipa::path(get, path = "/api/variants/{name}/keys", tag = "variants",
    responses((status = 200, body = Object), (status = 404, body = ErrorJson)))]
async fn keys(Path(name): Path<String>) -> Result<Json<serde_json::Value>, ApiError> {
    let keys = crate::keys::of_shipped(&name);
    keys.map(Json)
        .ok_or_else(|| ApiError::Missing(format!("there is no game `{name}`").into()))
}

/// A variant file.
#[derive(Debug, Deserialize, ToSchema)]
struct FileJson {
    /// Its text.
    toml: String,
}

/// A game that somebody has made.
#[derive(Debug, Serialize, ToSchema)]
struct OwnVariantJson {
    #[serde(flatten)]
    variant: VariantJson,
    /// Every key with its value, those of the games it extends included.
    #[schema(value_type = Object)]
    keys: serde_json::Value,
}

/// Reads somebody's own game: what it is, or what is wrong with it, key by key.
#[utoipa::path(post, path = "/api/variants/check", request_body = FileJson, tag = "variants",
    responses((status = 200, body = OwnVariantJson), (status = 422, body = ErrorJson)))]
async fn check(
    State(state): State<AppState>,
    from: Address,
    Given(file): Given<FileJson>,
) -> Result<Json<OwnVariantJson>, ApiError> {
    let check = move || {
        let variant = Variant::from_toml(&file.toml)?;
        Ok(Json(OwnVariantJson {
            variant: VariantJson::new(&variant),
            keys: crate::keys::of_text(&file.toml).unwrap_or_default(),
        }))
    };
    state.rules.run(from.0, check).await?
}
