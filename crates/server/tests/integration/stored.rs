//! Data bases of earlier versions open, and their games are what they were.

use kingme_server::{AppState, Config, Store, app};
use serde_json::{Value, json};

use crate::client::Client;

/// Written by the version of November 2026, before sessions: some games of Ada and Bob.
const GAMES: &str = include_str!("../fixtures/games-1.sql");

fn open(folder: &tempfile::TempDir) -> Client {
    let path = folder.path().join("kingme.db");
    if !path.exists() {
        let connection = rusqlite::Connection::open(&path).unwrap();
        // The dump has its tables in the order of their names.
        let unordered = "PRAGMA foreign_keys = OFF;";
        connection.execute_batch(unordered).unwrap();
        connection.execute_batch(GAMES).unwrap();
    }
    let store = Store::open(&path).unwrap();
    Client::new(&app(AppState::new(store, &Config::default())))
}

async fn game(client: &Client, id: &str) -> Value {
    let mut client = client.clone();
    let answer = client.get(&format!("/api/games/{id}")).await;
    answer.body["game"].clone()
}

/// What is asked of each game: its events, moves, end and clocks in milliseconds.
type Expected = (
    &'static str,
    u64,
    u64,
    Option<&'static str>,
    Option<[u64; 2]>,
);

const EXPECTED: [Expected; 7] = [
    // id, events, moves, end, clocks
    (
        "enpdvexn7jvf",
        8,
        4,
        Some("resigned"),
        Some([61_698, 60_798]),
    ),
    ("5ey7skuhjcd8", 0, 0, None, Some([60_000, 60_000])),
    ("59qtfui2ba2d", 9, 1, Some("agreed"), None),
    ("fimtb8p8ubyx", 3, 1, Some("out_of_time"), Some([0, 1_000])),
    ("j3vq7rcdbmws", 4, 2, None, Some([59_498, 60_000])),
    ("erqq4347vci9", 2, 2, None, None),
    ("jh9iw9fi66tq", 1, 1, None, None),
];

#[tokio::test]
async fn games_of_before_are_what_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let client = open(&folder);
    for (id, seq, ply, end, clocks) in EXPECTED {
        let game = game(&client, id).await;
        assert_eq!(
            (&game["seq"], &game["ply"]),
            (&json!(seq), &json!(ply)),
            "{id}"
        );
        assert_eq!(game["over"]["said"]["key"].as_str(), end, "{id}");
        let Some([white, black]) = clocks else {
            assert_eq!(game["clock"], Value::Null, "{id}");
            continue;
        };
        assert_eq!(game["clock"]["white"], white, "{id}");
        // The running clock has gone on by a moment, since the server is back.
        let shown = game["clock"]["black"].as_u64().unwrap();
        assert!(shown <= black && shown + 10_000 > black, "{id}: {shown}");
    }
    let over = game(&client, "enpdvexn7jvf").await;
    assert_eq!(over["over"]["winner"], "black");
    assert_eq!(over["rematch"], "5ey7skuhjcd8");
}

#[tokio::test]
async fn a_game_of_before_goes_on_and_opens_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = open(&folder);
    let login = json!({ "name": "Ada", "password": "password1" });
    assert_eq!(client.post("/api/session", login).await.status, 200);
    let mv = json!({ "move": "15x22" });
    let moved = client.post("/api/games/j3vq7rcdbmws/moves", mv).await;
    assert_eq!(moved.status, 200, "{}", moved.text);
    assert_eq!(moved.body["seq"], 5);
    let me = client.get("/api/me").await;
    assert_eq!(me.body["ratings"][0]["rating"], 1662);
    let again = game(&open(&folder), "j3vq7rcdbmws").await;
    assert_eq!((&again["seq"], &again["ply"]), (&json!(5), &json!(3)));
    assert_eq!(again["clock"]["running"], "white");
}
