//! What every request passes: headers, origins, hosts and rates.

use std::net::IpAddr;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::state::{Address, AppState, bearer, check};

/// The headers of every answer. No script, style or connection from anywhere but here, and no
/// text that becomes markup.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; media-src 'self'; manifest-src 'self'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
         trusted-types 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Lets a request pass or answers why not: it comes from another site's page, asks for another
/// host, or comes too often.
pub async fn guard(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let answer = admit(&state, request, next).await;
    let answer = answer.into_response();
    state.hall.metrics.answer(answer.status(), began.elapsed());
    answer
}

async fn admit(state: &AppState, request: Request, next: Next) -> Result<Response, ApiError> {
    let safe = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let (headers, proxy) = (request.headers(), state.behind_proxy);
    let from = Address::of(headers, request.extensions(), proxy);
    check(&state.reads, from)?;
    if !safe {
        if bearer(headers).is_none() && !is_own_origin(headers, proxy) {
            let message = "the Origin of this request is not this server";
            return Err(ApiError::Forbidden(message.into()));
        }
        check(&state.requests, from)?;
    }
    Ok(next.run(request).await)
}

/// Adds the headers of every answer.
pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        let headers = response.headers_mut();
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Whether a request's page came from this server. A missing origin is a foreign one. A proxy in
/// front may have asked for another host than the page did, and then says so.
pub fn is_own_origin(headers: &HeaderMap, behind_proxy: bool) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let asked = text(HeaderName::from_static("x-forwarded-host")).filter(|_| behind_proxy);
    let (Some(origin), Some(host)) = (text(header::ORIGIN), asked.or(text(header::HOST))) else {
        return false;
    };
    origin
        .split_once("://")
        .is_some_and(|(scheme, rest)| matches!(scheme, "http" | "https") && rest == host)
}

/// Refuses names that are not this machine's, where only this machine can be meant: a page of
/// another site whose name was pointed at 127.0.0.1 gets nothing.
///
/// # Errors
///
/// If the request names another host.
pub async fn loopback_only(request: Request, next: Next) -> Result<Response, ApiError> {
    let host = request.headers().get(header::HOST);
    if host
        .and_then(|host| host.to_str().ok())
        .is_some_and(is_loopback)
    {
        Ok(next.run(request).await)
    } else {
        Err(ApiError::Forbidden(
            "this server answers to localhost only".into(),
        ))
    }
}

fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name == "localhost"
        || name
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_loopback() {
        for host in ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:80"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["example.org", "127.0.0.1.example.org:80", "192.168.0.1", ""] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn an_origin_must_name_the_host_with_its_port() {
        let check = |origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("localhost:8080"));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            is_own_origin(&headers, false)
        };
        assert!(check(Some("http://localhost:8080")));
        assert!(!check(Some("http://localhost:8081")));
        assert!(!check(Some("http://evil.example")));
        assert!(!check(Some("null")));
        assert!(!check(None));
    }

    #[test]
    fn only_a_proxy_may_name_another_host() {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8080"));
        headers.insert("x-forwarded-host", HeaderValue::from_static("king.example"));
        headers.insert(
            header::ORIGIN,
            HeaderValue::from_static("https://king.example"),
        );
        assert!(is_own_origin(&headers, true));
        assert!(!is_own_origin(&headers, false));
    }
}
