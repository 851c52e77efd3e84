//! The pages, embedded in the program.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

/// Everything under `web/`. Debug builds read it from the disk, so an edit needs no build.
#[derive(RustEmbed)]
#[folder = "web/"]
struct Web;

/// The pages by their addresses; everything else goes by its path.
pub const PAGES: [(&str, &str); 6] = [
    ("/", "index.html"),
    ("/game/{id}", "game.html"),
    ("/watch", "watch.html"),
    ("/analyse", "analyse.html"),
    ("/variants", "variants.html"),
    ("/account", "account.html"),
];

/// A page.
pub fn page(name: &'static str, headers: &HeaderMap) -> Response {
    file(name, headers)
}

/// A file that a page needs.
pub async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    // Pages have addresses of their own.
    if path.rsplit('.').next() == Some("html") {
        return missing_page();
    }
    file(&path, &headers)
}

fn file(path: &str, headers: &HeaderMap) -> Response {
    let Some(file) = Web::get(path) else {
        return missing_page();
    };
    let tag = tag(&file);
    let known = headers.get(header::IF_NONE_MATCH);
    if known.is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let kind = HeaderValue::from_static(content_type(path));
    let mut response = file.data.into_owned().into_response();
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, kind);
    // Always asked for again, seldom sent again: a new version of the program is seen at once.
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        out.insert(header::ETAG, tag);
    }
    response
}

/// For every other address.
pub async fn missing() -> Response {
    missing_page()
}

fn missing_page() -> Response {
    (StatusCode::NOT_FOUND, "There is no such page.\n").into_response()
}

/// A weak tag, for what is sent may be compressed.
fn tag(file: &EmbeddedFile) -> String {
    use std::fmt::Write;
    let hash = file.metadata.sha256_hash();
    let mut text = "W/\"".to_owned();
    for byte in &hash[..12] {
        let _ = write!(text, "{byte:02x}");
    }
    text.push('"');
    text
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}
