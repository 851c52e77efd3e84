//! Accounts, sessions and tokens.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use kingme_server::{AppState, Config, Limits, app};
use serde_json::json;
use std::num::NonZeroU32;
use tower::ServiceExt;

use crate::client::{Client, computer, friend, id, me, new_store, router};

#[tokio::test]
async fn a_guest_who_registers_keeps_the_games() {
    let router = router();
    let mut anna = Client::new(&router);
    let game = id(&anna.begin("english", me(), me()).await);
    anna.register("Anna").await;
    let mut elsewhere = Client::new(&router);
    let claim = json!({ "name": "anna", "password": "correct horse" });
    assert_eq!(
        elsewhere.post("/api/session", claim).await.body["name"],
        "Anna"
    );
    assert_eq!(
        elsewhere.game(&game).await.body["you"],
        json!(["white", "black"])
    );
    assert_eq!(
        elsewhere.get("/api/me/games").await.body[0]["id"],
        json!(game)
    );
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_name_look_the_same() {
    let router = router();
    Client::new(&router).register("Anna").await;
    for name in ["Anna", "Nobody"] {
        let claim = json!({ "name": name, "password": "wrong" });
        let answer = Client::new(&router).post("/api/session", claim).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        assert_eq!(answer.message(), "the name or the password is wrong");
    }
}

#[tokio::test]
async fn names_are_unique_and_plain() {
    let router = router();
    Client::new(&router).register("Anna").await;
    let cases = [
        (
            "aNNa",
            "long enough",
            StatusCode::CONFLICT,
            "the name `aNNa` is taken",
        ),
        (
            "a b",
            "long enough",
            StatusCode::BAD_REQUEST,
            "`a b` is not a name; take 2 to 20 letters, digits, - or _",
        ),
        (
            "Bob",
            "short",
            StatusCode::BAD_REQUEST,
            "a password has from 8 to 200 characters",
        ),
    ];
    for (name, password, status, message) in cases {
        let body = json!({ "name": name, "password": password });
        let answer = Client::new(&router).post("/api/accounts", body).await;
        assert_eq!((answer.status, answer.message()), (status, message));
    }
}

#[tokio::test]
async fn the_cookie_is_not_for_scripts_or_other_sites() {
    let mut anna = Client::new(&router());
    let body = json!({ "variant": "english", "white": me(), "black": me() });
    let answer = anna.post("/api/games", body).await;
    let cookie = answer.headers[header::SET_COOKIE].to_str().unwrap();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
        "{cookie}"
    );
}

#[tokio::test]
async fn logging_out_ends_the_session() {
    let router = router();
    let mut anna = Client::new(&router);
    anna.register("Anna").await;
    let cookie = anna.cookie.clone();
    assert_eq!(
        anna.delete("/api/session").await.status,
        StatusCode::NO_CONTENT
    );
    anna.cookie = cookie;
    assert_eq!(anna.get("/api/me").await.body["name"], json!(null));
}

#[tokio::test]
async fn a_token_works_until_it_is_revoked_and_guests_get_none() {
    let router = router();
    let mut anna = Client::new(&router);
    anna.begin("english", me(), me()).await;
    let guest = anna.post("/api/tokens", json!({ "label": "bot" })).await;
    assert_eq!(guest.message(), "tokens need an account");
    anna.register("Anna").await;
    let made = anna
        .post("/api/tokens", json!({ "label": "bot" }))
        .await
        .body;
    let mut bot = Client::with_token(&router, made["token"].as_str().unwrap());
    assert_eq!(bot.get("/api/me").await.body["name"], "Anna");
    let listed = anna.get("/api/tokens").await.text;
    assert!(
        !listed.contains(made["token"].as_str().unwrap()),
        "the secret is told once"
    );
    anna.delete(&format!("/api/tokens/{}", made["id"])).await;
    let revoked = bot.get("/api/tokens").await;
    assert_eq!(revoked.status, StatusCode::UNAUTHORIZED);
    assert_eq!(revoked.message(), "this token is not known");
}

/// Behind a proxy that speaks https.
async fn begin_over(proto: Option<&str>, behind_proxy: bool) -> String {
    let config = Config {
        behind_proxy,
        ..Config::default()
    };
    let router = app(AppState::new(new_store(), &config));
    let body = json!({ "variant": "english", "white": me(), "black": me() }).to_string();
    let mut request = Request::post("/api/games")
        .header(header::HOST, "127.0.0.1:8080")
        .header("x-forwarded-host", "king.example")
        .header(
            header::ORIGIN,
            if behind_proxy {
                "https://king.example"
            } else {
                "http://127.0.0.1:8080"
            },
        )
        .header(header::CONTENT_TYPE, "application/json");
    if let Some(proto) = proto {
        request = request.header("x-forwarded-proto", proto);
    }
    let response = router
        .oneshot(request.body(Body::from(body)).unwrap())
        .await
        .unwrap();
    assert_eq!(response.status(), StatusCode::CREATED);
    let cookie = &response.headers()[header::SET_COOKIE];
    cookie.to_str().unwrap().to_owned()
}

#[tokio::test]
async fn over_https_no_other_site_can_set_the_cookie() {
    let cookie = begin_over(Some("https"), true).await;
    assert!(cookie.starts_with("__Host-kingme="), "{cookie}");
    assert!(cookie.ends_with("; Secure"), "{cookie}");
    assert!(cookie.contains("Path=/;"), "{cookie}");
    // Only a proxy that we know of may say so.
    for cookie in [
        begin_over(Some("https"), false).await,
        begin_over(None, true).await,
    ] {
        assert!(cookie.starts_with("kingme="), "{cookie}");
        assert!(!cookie.contains("Secure"), "{cookie}");
    }
}

#[tokio::test]
async fn a_rated_game_changes_both_ratings_once() {
    let router = router();
    let (mut anna, mut bob) = (Client::new(&router), Client::new(&router));
    anna.register("Anna").await;
    let game = json!({ "variant": "english", "white": friend(), "black": me(), "rated": true });
    let begun = anna.post("/api/games", game).await.body;
    let (game, join) = (id(&begun), json!({ "invite": begun["invite"] }));
    let path = format!("/api/games/{game}/join");
    let guest = bob.post(&path, join.clone()).await;
    assert_eq!(guest.message(), "a rated game needs an account");
    bob.register("Bob").await;
    // Nobody is drawn into a rated game without a word.
    let unasked = bob.post(&path, join).await;
    assert_eq!(unasked.message(), "this game is rated: say that you agree");
    let agreed = json!({ "invite": begun["invite"], "rated": true });
    assert_eq!(bob.post(&path, agreed).await.status, StatusCode::NO_CONTENT);
    anna.play(&game, "11-15").await;
    bob.play(&game, "22-18").await;
    let back = anna.act(&game, "take_back").await;
    assert_eq!(back.message(), "in a rated game nothing is taken back");
    let moved = format!("/api/games/{game}/ratings");
    assert_eq!(anna.get(&moved).await.body, json!(null));
    bob.act(&game, "resign").await;
    // White first: Bob.
    let changes = json!([{ "before": 1500, "after": 1338 }, { "before": 1500, "after": 1662 }]);
    assert_eq!(anna.get(&moved).await.body, changes);
    let stranger = Client::new(&router).get(&moved).await;
    assert_eq!(stranger.status, StatusCode::NOT_FOUND);
    let rating = |me: &serde_json::Value| me["ratings"][0]["rating"].as_i64().unwrap();
    let (winner, loser) = (
        anna.get("/api/me").await.body,
        bob.get("/api/me").await.body,
    );
    // The first game between two new players, by the paper's formulas.
    assert_eq!((rating(&winner), rating(&loser)), (1662, 1338));
    assert_eq!(winner["ratings"][0]["title"], "English draughts");
    assert_eq!(winner["ratings"][0]["games"], 1);
}

#[tokio::test]
async fn only_the_plain_game_is_rated_and_only_between_two_who_are_known() {
    let mut anna = Client::new(&router());
    let plain = json!({ "variant": "english", "white": computer(1), "black": me(), "rated": true });
    let guest = anna.post("/api/games", plain.clone()).await;
    assert_eq!(guest.message(), "a rated game needs an account");
    anna.register("Anna").await;
    assert_eq!(
        anna.post("/api/games", plain.clone()).await.status,
        StatusCode::CREATED
    );
    for (key, value) in [
        ("fen", json!("B:W21:B1")),
        ("moves", json!(["11-15"])),
        ("size", json!(10)),
        ("white", me()),
    ] {
        let mut game = plain.clone();
        game[key] = value;
        let answer = anna.post("/api/games", game).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{key}");
    }
}

/// Whoever has planted a guest's cookie does not get the account that the guest makes.
#[tokio::test]
async fn an_account_begins_with_a_session_of_its_own() {
    let router = router();
    let mut anna = Client::new(&router);
    anna.begin("english", me(), me()).await;
    let mut eve = anna.clone();
    anna.register("Anna").await;
    assert_eq!(anna.get("/api/me").await.body["name"], "Anna");
    assert_eq!(eve.get("/api/me").await.body["name"], json!(null));
    assert_eq!(
        eve.get("/api/tokens").await.status,
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn a_new_password_logs_all_others_out() {
    let router = router();
    let mut anna = Client::new(&router);
    anna.register("Anna").await;
    let mut phone = Client::new(&router);
    let claim = json!({ "name": "Anna", "password": "correct horse" });
    phone.post("/api/session", claim).await;
    let wrong = json!({ "password": "wrong", "new": "battery staple" });
    let answer = anna.post("/api/password", wrong).await;
    assert_eq!(answer.message(), "the password is wrong");
    let right = json!({ "password": "correct horse", "new": "battery staple" });
    let answer = anna.post("/api/password", right).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text);
    assert_eq!(anna.get("/api/me").await.body["name"], "Anna");
    assert_eq!(phone.get("/api/me").await.body["name"], json!(null));
    for (password, status) in [
        ("correct horse", StatusCode::UNAUTHORIZED),
        ("battery staple", StatusCode::OK),
    ] {
        let claim = json!({ "name": "Anna", "password": password });
        assert_eq!(phone.post("/api/session", claim).await.status, status);
    }
    assert_eq!(
        anna.delete("/api/sessions").await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(phone.get("/api/me").await.body["name"], json!(null));
}

#[tokio::test]
async fn a_token_can_play_and_nothing_else() {
    let router = router();
    let mut anna = Client::new(&router);
    anna.register("Anna").await;
    let token = anna.post("/api/tokens", json!({ "label": "bot" })).await;
    let mut bot = Client::with_token(&router, token.body["token"].as_str().unwrap());
    bot.begin("english", me(), me()).await;
    let answers = [
        bot.get("/api/tokens").await,
        bot.post("/api/tokens", json!({ "label": "more" })).await,
        bot.delete("/api/tokens/1").await,
        bot.delete("/api/sessions").await,
        bot.post(
            "/api/password",
            json!({ "password": "x", "new": "long enough" }),
        )
        .await,
    ];
    for answer in answers {
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.text);
        assert_eq!(answer.message(), "a token can play, and nothing else");
    }
}

#[tokio::test]
async fn names_of_the_server_are_taken() {
    let router = router();
    for name in ["admin", "Computer", "GUEST", "kingme"] {
        let body = json!({ "name": name, "password": "long enough" });
        let answer = Client::new(&router).post("/api/accounts", body).await;
        assert_eq!(answer.status, StatusCode::CONFLICT, "{name}");
    }
}

/// Guessing at an account is slow, and does not keep its owner out where they were before.
#[tokio::test]
async fn guessing_is_slowed_down_and_locks_nobody_out() {
    let limits = Limits {
        tries_per_minute: NonZeroU32::MIN,
        ..Limits::default()
    };
    let store = new_store();
    let config = Config {
        limits,
        behind_proxy: true,
        ..Config::default()
    };
    let router = app(AppState::new(store, &config));
    let login = async |from: &str, password: &str| {
        let claim = json!({ "name": "Anna", "password": password }).to_string();
        let request = Request::post("/api/session")
            .header(header::HOST, crate::client::HOST)
            .header(header::ORIGIN, crate::client::ORIGIN)
            .header(header::CONTENT_TYPE, "application/json")
            .header("x-forwarded-for", from)
            .body(Body::from(claim));
        let answer = router.clone().oneshot(request.unwrap()).await.unwrap();
        answer.status()
    };
    // Registered from here, with no proxy's word: an address of its own.
    Client::new(&router).register("Anna").await;
    assert_eq!(login("10.0.0.1", "correct horse").await, StatusCode::OK);
    assert_eq!(
        login("10.6.6.6", "guess").await,
        StatusCode::TOO_MANY_REQUESTS
    );
    assert_eq!(
        login("10.7.7.7", "guess").await,
        StatusCode::TOO_MANY_REQUESTS
    );
    assert_eq!(login("10.0.0.1", "correct horse").await, StatusCode::OK);
}
