//! Studies and games of one's own are kept, shared and nobody else's to change.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::client::{Client, id, router};

async fn keep(client: &mut Client, title: &str, body: &str) -> String {
    let work = json!({ "kind": "study", "title": title, "body": body });
    let answer = client.post("/api/works", work).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
    id(&answer.body)
}

#[tokio::test]
async fn a_guest_keeps_a_study_that_others_read_and_only_they_change() {
    let router = router();
    let (mut anna, mut bob) = (Client::new(&router), Client::new(&router));
    assert_eq!(anna.get("/api/works").await.body, json!([]));
    let id = keep(&mut anna, "Mine", "one").await;
    let address = format!("/api/works/{id}");
    let mine = anna.get(&address).await.body;
    assert_eq!(mine["yours"], true);
    let theirs = bob.get(&address).await.body;
    assert_eq!(
        [&theirs["yours"], &theirs["body"]],
        [&json!(false), &json!("one")]
    );
    let change = json!({ "title": "Still mine", "body": "two" });
    // Bob is nobody yet, and then a guest of his own.
    assert_eq!(
        bob.post(&address, change.clone()).await.status,
        StatusCode::UNAUTHORIZED
    );
    keep(&mut bob, "Bob's", "").await;
    assert_eq!(
        bob.post(&address, change.clone()).await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(bob.delete(&address).await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        anna.post(&address, change).await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(bob.get(&address).await.body["body"], "two");
    let list = anna.get("/api/works").await.body;
    assert_eq!(list[0]["title"], "Still mine");
    assert_eq!(anna.delete(&address).await.status, StatusCode::NO_CONTENT);
    assert_eq!(bob.get(&address).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_account_has_what_its_guest_kept_on_every_device() {
    let router = router();
    let mut anna = Client::new(&router);
    keep(&mut anna, "Mine", "one").await;
    anna.register("Anna").await;
    let mut elsewhere = Client::new(&router);
    let login = json!({ "name": "Anna", "password": "correct horse" });
    elsewhere.post("/api/session", login).await;
    let list = elsewhere.get("/api/works").await.body;
    assert_eq!(list[0]["title"], "Mine", "{list}");
}

#[tokio::test]
async fn works_have_limits_and_tokens_make_none() {
    let router = router();
    let mut anna = Client::new(&router);
    let most = 256 << 10;
    keep(&mut anna, "x", &"x".repeat(most)).await;
    let large = json!({ "kind": "study", "title": "x", "body": "x".repeat(most + 1) });
    let answer = anna.post("/api/works", large).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    anna.register("Anna").await;
    let token: Value = anna
        .post("/api/tokens", json!({ "label": "bot" }))
        .await
        .body;
    let mut bot = Client::with_token(&router, token["token"].as_str().unwrap());
    let work = json!({ "kind": "variant", "title": "x", "body": "x" });
    assert_eq!(
        bot.post("/api/works", work).await.status,
        StatusCode::FORBIDDEN
    );
}
