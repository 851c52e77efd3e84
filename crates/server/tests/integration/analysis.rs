//! Positions, PDN and variants.

use axum::http::StatusCode;
use serde_json::json;

use crate::client::{Client, router};

#[tokio::test]
async fn a_line_is_played_through_and_its_end_described() {
    let mut anna = Client::new(&router());
    let line = json!({ "variant": "international", "moves": ["32-28", "19-23", "28x19"] });
    let look = anna.post("/api/positions", line).await.body;
    assert_eq!(look["history"].as_array().unwrap().len(), 3);
    assert_eq!(look["position"]["turn"], "black");
    let again = look["position"]["fen"].clone();
    let fen = json!({ "variant": "international", "fen": again });
    let same = anna.post("/api/positions", fen).await.body;
    assert_eq!(same["position"], look["position"]);
}

#[tokio::test]
async fn a_refused_move_of_a_line_is_explained() {
    let mut anna = Client::new(&router());
    let line = json!({ "variant": "english", "moves": ["11-15", "22-18", "8-11"] });
    let answer = anna.post("/api/positions", line).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(answer.message(), "there is a capture with 15");
}

#[tokio::test]
async fn pdn_comes_back_as_it_went() {
    let mut anna = Client::new(&router());
    let line = json!({ "variant": "english", "moves": ["11-15", "22-18", "15x22"] });
    let text = anna.post("/api/pdn/write", line).await.body["text"].clone();
    let read = anna
        .post(
            "/api/pdn/read",
            json!({ "variant": "international", "pdn": text }),
        )
        .await;
    assert_eq!(read.body[0]["variant"], "english", "{}", read.text);
    assert_eq!(read.body[0]["moves"], json!(["11-15", "22-18", "15x22"]));
    assert_eq!(read.body[0]["fault"], json!(null));
}

#[tokio::test]
async fn a_pdn_with_an_illegal_move_is_read_up_to_it() {
    let mut anna = Client::new(&router());
    let pdn = "[GameType \"21\"]\n1. 11-15 22-18 2. 8-11 *";
    let read = anna
        .post("/api/pdn/read", json!({ "variant": "english", "pdn": pdn }))
        .await
        .body;
    assert_eq!(read[0]["moves"], json!(["11-15", "22-18"]));
    assert_eq!(
        read[0]["fault"],
        "8-11 is not possible: there is a capture with 15"
    );
}

#[tokio::test]
async fn the_engine_gives_lines_that_can_be_played() {
    let mut anna = Client::new(&router());
    let question = json!({ "variant": "english", "fen": "W:W18:B15", "ms": 1_000, "lines": 2 });
    let advice = anna.post("/api/advice", question).await;
    assert_eq!(advice.status, StatusCode::OK, "{}", advice.text);
    assert_eq!(advice.body["lines"][0]["moves"][0]["text"], "18x11");
    assert!(
        advice.body["lines"][0]["score"].as_f64().unwrap() > 0.0,
        "{}",
        advice.text
    );
}

#[tokio::test]
async fn every_game_has_a_card_and_rules_in_words() {
    let mut anna = Client::new(&router());
    let cards = anna.get("/api/variants").await.body;
    let cards = cards.as_array().unwrap();
    assert!(cards.len() > 30);
    for card in cards {
        let name = card["name"].as_str().unwrap();
        let variant = anna.get(&format!("/api/variants/{name}")).await.body;
        assert!(
            variant["words"].as_str().unwrap().contains("Board:"),
            "{name}"
        );
        let squares = variant["squares"].as_array().unwrap().len();
        let rows = card["grid"].as_array().unwrap();
        let drawn: usize = rows
            .iter()
            .map(|row| row.as_str().unwrap().replace(['_', '#'], "").len())
            .sum();
        assert_eq!(squares, drawn, "{name}");
    }
}

#[tokio::test]
async fn a_faulty_file_is_told_key_by_key() {
    let mut anna = Client::new(&router());
    let toml = "extends = \"english\"\nname = \"mine\"\n[capture]\nobligation = \"perhaps\"\n";
    let answer = anna
        .post("/api/variants/check", json!({ "toml": toml }))
        .await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(answer.body["faults"][0]["key"], "capture.obligation");
    assert_eq!(answer.body["faults"][0]["line"], 4);
    let shipped = anna.get("/api/variants/frisian/toml").await.text;
    let checked = anna
        .post("/api/variants/check", json!({ "toml": shipped }))
        .await;
    assert_eq!(checked.body["name"], "frisian");
}

#[tokio::test]
async fn without_a_data_folder_there_are_no_tables() {
    let mut anna = Client::new(&router());
    let line = json!({ "variant": "english", "fen": "W:WK18,K19:BK4" });
    let answer = anna.post("/api/tables", line).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.body.is_null());
}

#[tokio::test]
async fn the_keys_of_a_game_are_those_of_its_parents_too() {
    let mut anna = Client::new(&router());
    let keys = anna.get("/api/variants/draughts/keys").await.body;
    assert_eq!(keys["board"]["squares"], "even");
    // From the game that it extends.
    assert_eq!(keys["pieces"]["king"]["range"], "step");
    assert_eq!(keys["extends"], json!(null));
    let own =
        json!({ "toml": "extends = \"english\"\nname = \"mine\"\n[end]\nstuck = \"wins\"\n" });
    let read = anna.post("/api/variants/check", own).await.body;
    assert_eq!(read["keys"]["end"]["stuck"], "wins");
    assert_eq!(read["keys"]["name"], "mine");
    let missing = anna.get("/api/variants/nothing/keys").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_text_without_a_game_is_none() {
    let mut anna = Client::new(&router());
    for text in ["", "no game at all", "hello 12 ["] {
        let answer = anna
            .post(
                "/api/pdn/read",
                json!({ "variant": "english", "pdn": text }),
            )
            .await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{text}");
        assert_eq!(answer.message(), "there is no game in this text");
    }
}
