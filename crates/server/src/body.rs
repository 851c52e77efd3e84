//! What requests bring, in their bodies and addresses: read, or an error of our own kind.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// What a client has sent.
#[derive(Debug)]
pub struct Given<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Given<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Given<T>, ApiError> {
        let json = Json::<T>::from_request(request, state).await;
        json.map(|Json(value)| Given(value))
            .map_err(|rejection| explain(&rejection))
    }
}

fn explain(rejection: &JsonRejection) -> ApiError {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::TooLarge,
        _ => ApiError::Bad(rejection.body_text().into()),
    }
}

/// What an address names.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, ApiError> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(value)| Path(value))
            .map_err(|rejection| ApiError::Bad(rejection.body_text().into()))
    }
}

/// What an address asks for behind its question mark.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, ApiError> {
        let query = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        query
            .map(|axum::extract::Query(value)| Query(value))
            .map_err(|rejection| ApiError::Bad(rejection.body_text().into()))
    }
}
