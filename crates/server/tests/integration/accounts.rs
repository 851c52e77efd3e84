//! Accounts, sessions and tokens.

use axum::http::{StatusCode, header};
use serde_json::json;

use crate::client::{Client, id, me, router};

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
