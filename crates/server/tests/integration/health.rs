//! How a server says that it is well, and what it does.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use tower::ServiceExt;

use crate::client::{Client, HOST, id, me, read, router};

#[tokio::test]
async fn a_server_with_a_data_base_is_fine() {
    let answer = Client::new(&router()).get("/healthz").await;
    assert_eq!(
        (answer.status, answer.text.as_str()),
        (StatusCode::OK, "fine")
    );
}

#[tokio::test]
async fn what_happens_is_counted() {
    let mut anna = Client::new(&router());
    let game = id(&anna.begin("english", me(), me()).await);
    anna.play(&game, "11-15").await;
    anna.play(&game, "11-15").await;
    let numbers = anna.get("/metrics").await.text;
    for line in [
        "kingme_events_total{kind=\"turn\"} 1",
        "kingme_commit_seconds_count 1",
        "kingme_answers_total{kind=\"refused\"} 1",
        "kingme_games 1",
        "kingme_sockets 0",
        "kingme_waiting{room=\"rules\"} 0",
        "kingme_log_bytes 0",
    ] {
        assert!(
            numbers.lines().any(|other| other == line),
            "{line} in {numbers}"
        );
    }
}

#[tokio::test]
async fn numbers_are_for_this_machine_only() {
    let request = Request::get("/metrics")
        .header(header::HOST, HOST)
        .header("x-forwarded-for", "127.0.0.1")
        .body(Body::empty());
    let answer = router().oneshot(request.unwrap()).await.unwrap();
    let answer = read(answer).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert_eq!(answer.message(), "these numbers are for this machine only");
}
