//! The games there are, and trying out one's own.

use axum::Json;
use axum::extract::Path;
use axum::http::header;
use axum::response::IntoResponse;
use rules::{Variant, variant};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::body::Given;
use crate::error::{ApiError, ErrorJson};
use crate::state::AppState;
use crate::wire::{CardJson, VariantJson, cards};

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
        .routes(routes!(toml))
        .routes(routes!(check))
}

/// All games that come with the program.
#[utoipa::path(get, path = "/api/variants", tag = "variants",
    responses((status = 200, body = Vec<CardJson>)))]
async fn list() -> Json<&'static [CardJson]> {
    Json(cards())
}

/// A game with its rules in words.
#[utoipa::path(get, path = "/api/variants/{name}", tag = "variants",
    responses((status = 200, body = VariantJson), (status = 404, body = ErrorJson)))]
async fn show(Path(name): Path<String>) -> Result<Json<VariantJson>, ApiError> {
    let variant = Variant::named(&name).map_err(|error| ApiError::Missing(error.to_string()))?;
    Ok(Json(VariantJson::new(&variant)))
}

/// A game's file.
#[utoipa::path(get, path = "/api/variants/{name}/toml", tag = "variants",
    responses((status = 200, body = String, content_type = "application/toml"),
              (status = 404, body = ErrorJson)))]
async fn toml(Path(name): Path<String>) -> Result<impl IntoResponse, ApiError> {
    let found = variant::shipped().find(|(shipped, _)| *shipped == name);
    let (_, text) = found.ok_or_else(|| ApiError::Missing(format!("there is no game `{name}`")))?;
    Ok((
        [(header::CONTENT_TYPE, "application/toml; charset=utf-8")],
        text,
    ))
}

/// A variant file.
#[derive(Debug, Deserialize, ToSchema)]
struct FileJson {
    /// Its text.
    toml: String,
}

/// Reads somebody's own game: what it is, or what is wrong with it, key by key.
#[utoipa::path(post, path = "/api/variants/check", request_body = FileJson, tag = "variants",
    responses((status = 200, body = VariantJson), (status = 422, body = ErrorJson)))]
async fn check(Given(file): Given<FileJson>) -> Result<Json<VariantJson>, ApiError> {
    let variant = Variant::from_toml(&file.toml)?;
    Ok(Json(VariantJson::new(&variant)))
}
