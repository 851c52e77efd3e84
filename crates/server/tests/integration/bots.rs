//! The stream of lines that bots listen to.

use axum::body::Body;
use axum::http::{Request, header};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::client::{Client, HOST, id, me, router};

/// Listens as a bot does, line by line.
pub struct Ear {
    body: axum::body::BodyDataStream,
}

impl Ear {
    pub async fn new(client: &Client) -> Ear {
        Ear::at(client, "/api/bot/stream").await
    }

    async fn at(client: &Client, address: &str) -> Ear {
        let token = client.token.as_ref().expect("a bot");
        let request = Request::get(address)
            .header(header::HOST, HOST)
            .header(header::AUTHORIZATION, format!("Bearer {token}"));
        let request = request.body(Body::empty()).unwrap();
        let response = client.router.clone().oneshot(request).await.unwrap();
        assert_eq!(
            response.headers()[header::CONTENT_TYPE],
            "application/x-ndjson"
        );
        Ear {
            body: response.into_body().into_data_stream(),
        }
    }

    pub async fn line(&mut self) -> Value {
        let bytes = self.body.next().await.expect("a line").expect("no fault");
        assert!(bytes.ends_with(b"\n"));
        serde_json::from_slice(&bytes).expect("a line of JSON")
    }
}

pub async fn bot(router: &axum::Router) -> Client {
    let mut owner = Client::new(router);
    owner.register("robot").await;
    let made = owner
        .post("/api/tokens", json!({ "label": "robot" }))
        .await
        .body;
    Client::with_token(router, made["token"].as_str().unwrap())
}

#[tokio::test]
async fn a_bot_hears_of_its_games_and_moves_in_them() {
    let router = router();
    let mut robot = bot(&router).await;
    let mut ear = Ear::new(&robot).await;
    assert_eq!(ear.line().await, json!({ "type": "state", "games": [] }));
    let mut anna = Client::new(&router);
    assert_eq!(
        anna.get("/api/bots").await.body,
        json!([{ "name": "robot" }])
    );
    let opponent = json!({ "type": "bot", "name": "robot" });
    let game = id(&anna.begin("english", opponent, me()).await);
    let begun = ear.line().await;
    assert_eq!(begun["type"], "game");
    assert_eq!(begun["whole"]["you"], json!(["white"]));
    anna.play(&game, "11-15").await;
    let moved = ear.line().await;
    let text = moved["whole"]["game"]["legal"][0]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(robot.play(&game, &text).await.body["ply"], 2);
    // Whoever comes back gets everything first.
    drop(ear);
    let mut ear = Ear::new(&robot).await;
    assert_eq!(ear.line().await["games"][0]["game"]["ply"], 2);
}

#[tokio::test]
async fn rules_in_words_come_only_to_bots_that_ask_for_them() {
    let router = router();
    let mut robot = bot(&router).await;
    robot.begin("english", me(), me()).await;
    let [plain, wordy] = ["/api/bot/stream", "/api/bot/stream?words=true"];
    let [plain, wordy] = [
        Ear::at(&robot, plain).await.line().await["games"][0].clone(),
        Ear::at(&robot, wordy).await.line().await["games"][0].clone(),
    ];
    assert_eq!(plain["variant"]["words"], json!({}));
    assert!(wordy["variant"]["words"]["nl"].is_string());
    let [plain, wordy] = [&plain, &wordy].map(|game| game.to_string().len());
    assert!(
        plain < 2_500 && wordy > 2 * plain,
        "{plain} of {wordy} bytes"
    );
}

#[tokio::test]
async fn a_bot_that_does_not_listen_cannot_be_challenged() {
    let router = router();
    bot(&router).await;
    let mut anna = Client::new(&router);
    let body =
        json!({ "variant": "english", "white": me(), "black": { "type": "bot", "name": "robot" } });
    let answer = anna.post("/api/games", body).await;
    assert_eq!(answer.message(), "no bot `robot` is listening");
}
