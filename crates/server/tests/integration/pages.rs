//! The pages and their headers.

use axum::http::{StatusCode, header};

use crate::client::{Client, router};

#[tokio::test]
async fn every_page_comes_with_a_strict_policy() {
    let mut anna = Client::new(&router());
    for page in [
        "/",
        "/game/abc",
        "/watch",
        "/analyse",
        "/variants",
        "/account",
    ] {
        let answer = anna.get(page).await;
        assert_eq!(answer.status, StatusCode::OK, "{page}");
        let policy = answer.headers[header::CONTENT_SECURITY_POLICY]
            .to_str()
            .unwrap();
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert!(
            !answer.text.contains("<style") && !answer.text.contains(" style="),
            "{page}"
        );
        assert!(
            !answer.text.contains("http://") && !answer.text.contains("https://"),
            "{page} needs another host"
        );
    }
}

#[tokio::test]
async fn an_address_that_nobody_knows_is_said_to_be_none() {
    let mut anna = Client::new(&router());
    for path in ["/nothing", "/web/nothing.js", "/game/one/two"] {
        let answer = anna.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(answer.text, "There is no such page.\n", "{path}");
    }
}

#[tokio::test]
async fn a_file_of_this_version_is_kept_for_good() {
    let mut anna = Client::new(&router());
    let page = anna.get("/account").await;
    assert_eq!(page.headers[header::CACHE_CONTROL], "no-cache");
    let named = page
        .text
        .split('"')
        .find(|text| text.ends_with("style.css"));
    let style = anna.get(named.unwrap()).await;
    assert_eq!(
        style.headers[header::CONTENT_TYPE],
        "text/css; charset=utf-8"
    );
    let cache = &style.headers[header::CACHE_CONTROL];
    assert_eq!(cache, "public, max-age=31536000, immutable");
    // A page that was opened before the program became a newer one finds its files, for now.
    for path in ["/web/style.css", "/web/0123456789abcdef/style.css"] {
        let old = anna.get(path).await;
        assert_eq!(old.text, style.text);
        assert_eq!(old.headers[header::CACHE_CONTROL], "no-cache");
    }
    assert_eq!(
        anna.get("/web/none.css").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        anna.get("/web/../Cargo.toml").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        anna.get("/web/page.html").await.status,
        StatusCode::NOT_FOUND
    );
}
