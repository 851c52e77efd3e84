//! What the API answers when it can't do what was asked.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kingme_data::DataError;
use serde::Serialize;
use utoipa::openapi::{Content, OpenApi, Ref, ResponseBuilder};

use crate::said::{Said, SaidJson};

/// One error type, one mapping to a status.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The request makes no sense.
    #[error("{0}")]
    Bad(Said),
    /// Nobody is known by this cookie, token or password.
    #[error("{0}")]
    Unknown(Said),
    /// Somebody is known, but may not do this.
    #[error("{0}")]
    Forbidden(Said),
    /// There is no such thing, or it is not for these eyes.
    #[error("{0}")]
    Missing(Said),
    /// Not as the game stands now.
    #[error("{0}")]
    Conflict(Said),
    /// The rules of the game refuse it; the message says why.
    #[error("{0}")]
    Refused(Said),
    /// A variant file has faults.
    #[error("the game's file has faults")]
    Faulty(Vec<FaultJson>),
    /// More bytes than we take.
    #[error("the request is too large")]
    TooLarge,
    /// Too much is asked for at once.
    #[error("too many requests; try again in {after} s")]
    TooMany {
        /// Seconds to wait.
        after: u64,
    },
    /// Somebody else has locked the data base.
    #[error("the data base is busy; try again in a moment")]
    Busy,
    /// The data base does not answer.
    #[error("the data base does not answer; try again in a moment")]
    Away,
    /// The data base has no room.
    #[error("the disk of the data base is full; nothing was changed")]
    Full,
    /// Our fault.
    #[error("something went wrong here; it is logged")]
    Internal,
}

/// The body of every answer that is not a success.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ErrorJson {
    /// A word for programs.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// The same for pages in other languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<SaidJson>,
    /// What is wrong with a variant file, if that was it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultJson>,
    /// Seconds to wait, if that would help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

/// One thing that is wrong with a variant file.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct FaultJson {
    /// Line, counted from 1.
    pub line: Option<usize>,
    /// The key, with its tables.
    pub key: String,
    /// What is wrong.
    pub reason: String,
}

impl ApiError {
    fn status(&self) -> (StatusCode, &'static str) {
        match self {
            ApiError::Bad(_) => (StatusCode::BAD_REQUEST, "bad_request"),
            ApiError::Unknown(_) => (StatusCode::UNAUTHORIZED, "unauthorized"),
            ApiError::Forbidden(_) => (StatusCode::FORBIDDEN, "forbidden"),
            ApiError::Missing(_) => (StatusCode::NOT_FOUND, "not_found"),
            ApiError::Conflict(_) => (StatusCode::CONFLICT, "conflict"),
            ApiError::Refused(_) => (StatusCode::UNPROCESSABLE_ENTITY, "refused"),
            ApiError::Faulty(_) => (StatusCode::UNPROCESSABLE_ENTITY, "faulty_variant"),
            ApiError::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "too_large"),
            ApiError::TooMany { .. } => (StatusCode::TOO_MANY_REQUESTS, "too_many_requests"),
            ApiError::Busy | ApiError::Away => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
            ApiError::Full => (StatusCode::INSUFFICIENT_STORAGE, "full"),
            ApiError::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        }
    }
}

impl ApiError {
    fn said(&self) -> Option<SaidJson> {
        match self {
            ApiError::Bad(said)
            | ApiError::Unknown(said)
            | ApiError::Forbidden(said)
            | ApiError::Missing(said)
            | ApiError::Conflict(said)
            | ApiError::Refused(said) => said.json(),
            ApiError::TooMany { after } => {
                let said = Said::new("too_many", self.to_string());
                said.with("after", after).json()
            }
            ApiError::Busy => Said::new("busy", self.to_string()).json(),
            ApiError::Away => Said::new("data_away", self.to_string()).json(),
            ApiError::Full => Said::new("data_full", self.to_string()).json(),
            ApiError::Faulty(_) | ApiError::TooLarge | ApiError::Internal => None,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, code) = self.status();
        let message = self.to_string();
        let said = self.said();
        let (mut faults, mut retry_after) = (Vec::new(), None);
        match self {
            ApiError::Faulty(list) => faults = list,
            ApiError::TooMany { after } => retry_after = Some(after),
            ApiError::Busy | ApiError::Away => retry_after = Some(1),
            _ => (),
        }
        let body = ErrorJson {
            code,
            message,
            said,
            faults,
            retry_after,
        };
        let mut response = (status, Json(body)).into_response();
        if let Some(after) = retry_after {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from(after));
        }
        response
    }
}

impl From<DataError> for ApiError {
    fn from(error: DataError) -> ApiError {
        tracing::error!("{error}");
        match error {
            DataError::Busy(_) => ApiError::Busy,
            DataError::Lost(_) | DataError::Unreachable { .. } => ApiError::Away,
            DataError::Full(_) => ApiError::Full,
            _ => ApiError::Internal,
        }
    }
}

impl From<kingme_rules::VariantError> for ApiError {
    fn from(error: kingme_rules::VariantError) -> ApiError {
        let fault = |fault: kingme_rules::Fault| FaultJson {
            line: fault.line,
            key: fault.key,
            reason: fault.reason,
        };
        ApiError::Faulty(error.faults.into_iter().map(fault).collect())
    }
}

impl From<kingme_rules::MoveError> for ApiError {
    fn from(error: kingme_rules::MoveError) -> ApiError {
        match error {
            // The squares are on the screen already: only the reason is news.
            kingme_rules::MoveError::Illegal(illegal) => {
                ApiError::Refused((&illegal.refusal).into())
            }
            other => ApiError::Refused(other.to_string().into()),
        }
    }
}

impl From<kingme_play::Refusal> for ApiError {
    fn from(refusal: kingme_play::Refusal) -> ApiError {
        use kingme_play::Refusal as R;
        let said = Said::from(&refusal);
        match refusal {
            R::NotPlayer => ApiError::Forbidden(said),
            R::NextBegun | R::NothingOffered | R::SeatTaken | R::YouPlay => {
                ApiError::Conflict(said)
            }
            _ => ApiError::Refused(said),
        }
    }
}

/// Says of every operation that it may be refused for reasons that all have in common: a foreign
/// page, no session, unreadable JSON, too many requests, a busy data base.
pub fn document(api: &mut OpenApi) {
    let refusal = ResponseBuilder::new()
        .description("refused, and why")
        .content(
            "application/json",
            Content::new(Some(Ref::from_schema_name("ErrorJson"))),
        )
        .build();
    for path in api.paths.paths.values_mut() {
        let operations = [&mut path.get, &mut path.post, &mut path.delete];
        for operation in operations.into_iter().flatten() {
            let answers = &mut operation.responses.responses;
            answers.insert("default".to_owned(), refusal.clone().into());
        }
    }
}
