//! Bad requests: foreign pages, floods, nonsense. Nothing of it may panic or pass.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use kingme_server::Limits;
use proptest::prelude::*;
use serde_json::json;
use std::num::NonZeroU32;
use tower::ServiceExt;

use crate::client::{Client, HOST, ORIGIN, id, me, read, router, router_with};

async fn post_from(origin: Option<&str>) -> StatusCode {
    let mut request = Request::post("/api/games").header(header::HOST, HOST);
    if let Some(origin) = origin {
        request = request.header(header::ORIGIN, origin);
    }
    let body = json!({ "variant": "english", "white": me(), "black": me() }).to_string();
    let request = request.header(header::CONTENT_TYPE, "application/json");
    let request = request.body(Body::from(body)).unwrap();
    router().oneshot(request).await.unwrap().status()
}

#[tokio::test]
async fn only_our_own_pages_may_change_things() {
    assert_eq!(post_from(Some(ORIGIN)).await, StatusCode::CREATED);
    assert_eq!(
        post_from(Some("http://evil.example")).await,
        StatusCode::FORBIDDEN
    );
    assert_eq!(
        post_from(Some("http://localhost:9999")).await,
        StatusCode::FORBIDDEN
    );
    assert_eq!(post_from(Some("null")).await, StatusCode::FORBIDDEN);
    assert_eq!(post_from(None).await, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_flood_of_games_gets_a_429_that_says_how_long_to_wait() {
    let costly_per_minute = NonZeroU32::new(3).unwrap();
    let limits = Limits {
        costly_per_minute,
        ..Limits::default()
    };
    let mut anna = Client::new(&router_with(limits));
    for _ in 0..3 {
        anna.begin("english", me(), me()).await;
    }
    let body = json!({ "variant": "english", "white": me(), "black": me() });
    let answer = anna.post("/api/games", body).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(answer.body["code"], "too_many_requests");
    assert_eq!(
        answer.headers[header::RETRY_AFTER].to_str().unwrap(),
        answer.body["retry_after"].to_string()
    );
}

#[tokio::test]
async fn a_flood_of_questions_is_refused_as_well() {
    let limits = Limits {
        reads_per_second: NonZeroU32::MIN,
        ..Limits::default()
    };
    let mut anna = Client::new(&router_with(limits));
    let mut refused = 0;
    for _ in 0..50 {
        let answer = anna.get("/api/games").await;
        refused += usize::from(answer.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused > 0);
}

/// A king before ten rows of men on a board of 26×26: more captures than anybody can list.
#[tokio::test]
async fn captures_without_end_are_refused_in_a_sentence() {
    let row = |row: u32| (row * 13 + 2..row * 13 + 13).map(|square| square.to_string());
    let men: Vec<String> = (1..20).step_by(2).flat_map(row).collect();
    let fen = format!("W:WK326:B{}", men.join(","));
    let mut eve = Client::new(&router());
    let bomb = json!({ "variant": "international", "size": 26, "fen": fen });
    let answer = eve.post("/api/positions", bomb).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text);
    assert_eq!(
        answer.message(),
        "FEN: this position has too many captures to list"
    );
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_refused() {
    let pdn = "1. 11-15 ".repeat(400_000);
    let mut anna = Client::new(&router());
    let answer = anna
        .post("/api/pdn/read", json!({ "variant": "english", "pdn": pdn }))
        .await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn a_guessed_cookie_is_nobody() {
    let mut eve = Client::new(&router());
    eve.cookie = Some("kingme=00000000000000000000000000000000".into());
    assert_eq!(
        eve.play("abc", "11-15").await.status,
        StatusCode::UNAUTHORIZED
    );
}

/// Every documented route, with rubbish in its path and in its body.
#[tokio::test]
async fn no_route_breaks_by_rubbish() {
    let limits = Limits {
        reads_per_second: NonZeroU32::new(100_000).unwrap(),
        requests_per_second: NonZeroU32::new(100_000).unwrap(),
        costly_per_minute: NonZeroU32::new(100_000).unwrap(),
        ..Limits::default()
    };
    let mut eve = Client::new(&router_with(limits));
    eve.begin("english", me(), me()).await;
    let document = eve.get("/api/openapi.json").await.body;
    let long = "x".repeat(3_000);
    let words = [
        "-1",
        "%00",
        "..%2f..",
        "99999999999999999999",
        "%F0%9F%99%82",
        &long,
    ];
    let deep = (0..60).fold(json!(1), |inner, _| json!([inner]));
    let bodies = [
        json!(null),
        json!([]),
        json!("text"),
        json!(-1e300),
        json!({ "variant": {}, "toml": [], "fen": 7, "moves": "x", "pdn": null, "name": [1] }),
        json!({ "variant": "english", "fen": "W:W\u{0}:B99999999999", "moves": ["x".repeat(9_000)] }),
        json!({ "variant": "english", "size": 4_000_000_000_u32, "white": me(), "black": me() }),
        json!({ "variant": "english", "white": me(), "black": me(),
                "clock": { "initial_ms": u64::MAX, "increment_ms": u64::MAX } }),
        json!({ "toml": "extends = \"english\"\n[board]\nholes = [\"255,255\"]", "pdn": "{(".repeat(5_000) }),
        json!({ "variant": deep, "move": deep, "action": deep, "label": deep, "invite": deep }),
        json!({ "variant": "international", "pdn": "[FEN \"", "ms": u64::MAX, "lines": 255 }),
    ];
    let mut asked = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            for word in words {
                let path = ["{id}", "{name}", "{number}"]
                    .iter()
                    .fold(path.clone(), |path, gap| path.replace(gap, word));
                let sent = if method == "post" { bodies.len() } else { 1 };
                for body in &bodies[..sent] {
                    let answer = match method.as_str() {
                        // A stream has no end.
                        "get" if path == "/api/bot/stream" => continue,
                        "post" if path == "/api/analysis" => continue,
                        "get" => eve.get(&path).await,
                        "post" => eve.post(&path, body.clone()).await,
                        _ => eve.delete(&path).await,
                    };
                    assert!(
                        !answer.status.is_server_error(),
                        "{method} {path} {body}: {}",
                        answer.status
                    );
                    asked += 1;
                }
                if !path.contains(word) {
                    break; // nothing to fill in
                }
            }
        }
    }
    assert!(asked > 300, "{asked}");
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is sent to whichever route, the answer is a client's fault, not ours.
    #[test]
    fn nonsense_never_breaks_the_server(
        route in prop::sample::select(vec![
            "/api/games", "/api/positions", "/api/variants/check", "/api/pdn/read",
            "/api/pdn/write", "/api/accounts", "/api/session", "/api/tokens", "/api/games/x/moves",
            "/api/tables", "/api/advice",
        ]),
        body in prop_oneof![
            ".{0,200}",
            r#"\{("(variant|toml|fen|moves|white|pdn|name|move)":("[^"\\]{0,40}"|[0-9-]{1,9}|\[\]|null|\{\}),?){0,5}\}"#,
        ],
    ) {
        let status = runtime().block_on(async {
            let request = Request::builder().method(Method::POST).uri(route)
                .header(header::HOST, HOST).header(header::ORIGIN, ORIGIN)
                .header(header::CONTENT_TYPE, "application/json")
                .body(Body::from(body)).unwrap();
            read(router().oneshot(request).await.unwrap()).await.status
        });
        prop_assert!(!status.is_server_error(), "{status}");
    }

    /// Texts of moves are read without a panic, and what is refused changes nothing.
    #[test]
    fn no_text_of_a_move_breaks_a_game(text in "[0-9a-h,;x: -]{0,20}|.{0,30}") {
        runtime().block_on(async {
            let mut anna = Client::new(&router());
            let game = id(&anna.begin("english", me(), me()).await);
            let answer = anna.play(&game, &text).await;
            let whole = anna.game(&game).await.body;
            let played = u8::from(answer.status == StatusCode::OK);
            assert_eq!(whole["game"]["ply"], played);
        });
    }
}

/// A game whose every move is hard to work out is played slowly by whoever began it, and others
/// don't feel it.
#[tokio::test]
async fn hard_games_wait_for_easy_ones() {
    // Two kings before rows of men, and any capture will do: more than a thousand of them.
    let toml = "extends = \"international\"\nname = \"hard\"\ntitle = \"Hard\"\nsummary = \"Hard.\"\n\
                [board]\ncolumns = 26\nrows = 26\n[start]\ngap = 2\n[capture]\npriority = []\n";
    let fen = "W:WK326,K327:B16,21,42,47,68,73,94,99,120,125,146,151";
    let limits = Limits {
        requests_per_second: NonZeroU32::new(100_000).unwrap(),
        ..Limits::default()
    };
    let mut eve = Client::new(&router_with(limits));
    let body = json!({ "toml": toml, "fen": fen, "white": me(), "black": me() });
    let begun = eve.post("/api/games", body).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text);
    let game = id(&begun.body);
    let mut answers = Vec::new();
    for _ in 0..3_000 {
        let status = eve.play(&game, "326-1").await.status;
        answers.push(status);
        if status == StatusCode::TOO_MANY_REQUESTS {
            return;
        }
    }
    panic!("nobody stopped it: {:?}", answers.last());
}
