//! Positions, PDN and variants.

use axum::http::StatusCode;
use serde_json::{Value, json};

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
    let line = ["11-15", "22-18", "15-22"].map(|squares| json!({ "squares": squares }));
    let game = json!({ "variant": "english", "line": line });
    let text = anna.post("/api/pdn/write", game).await.body["text"].clone();
    let read = anna
        .post(
            "/api/pdn/read",
            json!({ "variant": "international", "pdn": text }),
        )
        .await;
    assert_eq!(read.body[0]["variant"], "english", "{}", read.text);
    assert_eq!(squares(&read.body[0]), ["11-15", "22-18", "15-22"]);
    assert_eq!(read.body[0]["line"][2]["text"], "15x22");
    assert_eq!(read.body[0]["fault"], json!(null));
}

/// The moves of a game's main line.
fn squares(game: &Value) -> Vec<&str> {
    let line = game["line"].as_array().unwrap();
    let squares = line.iter().map(|node| node["squares"].as_str().unwrap());
    squares.collect()
}

/// Reads a text with one game, writes it and reads it again: the first and the second reading.
async fn there_and_back(variant: &str, pdn: &str) -> [Value; 2] {
    let mut anna = Client::new(&router());
    let text = json!({ "variant": variant, "pdn": pdn });
    let first = anna.post("/api/pdn/read", text).await.body[0].clone();
    assert_eq!(first["fault"], json!(null), "{pdn}");
    let written = anna.post("/api/pdn/write", first.clone()).await;
    assert_eq!(written.status, StatusCode::OK, "{}", written.text);
    let again = json!({ "variant": "stupid-checkers", "pdn": written.body["text"] });
    let second = anna.post("/api/pdn/read", again).await.body[0].clone();
    [first, second]
}

#[tokio::test]
async fn variations_glyphs_comments_and_tags_outlive_a_file() {
    let pdn = "[White \"Anna\"]\n[Black \"Bob\"]\n[Date \"2026.11.16\"]\n[Result \"1-0\"]\n\
               [GameType \"21,B,8,8,N1,0\"]\n\n\
               1. {the usual} 11-15 $1 {a good} {start} ( 1. 9-13 22-18 ( 1... 24-20 {too} ) \
               2. 12-16 ) ( 1. 10-14 ) 22-18 $4 2. 15x22 1-0";
    let [first, second] = there_and_back("english", pdn).await;
    assert_eq!(first, second);
    let [start, answer, _] = [0, 1, 2].map(|ply| &first["line"][ply]);
    assert_eq!(start["before"], "the usual");
    assert_eq!(start["nags"], json!([1]));
    assert_eq!(start["comment"], "a good start");
    assert_eq!(answer["nags"], json!([4]));
    let variations = &start["variations"];
    assert_eq!(variations.as_array().unwrap().len(), 2);
    assert_eq!(variations[0][0]["squares"], "9-13");
    assert_eq!(variations[0][1]["variations"][0][0]["squares"], "24-20");
    assert_eq!(variations[0][1]["variations"][0][0]["comment"], "too");
    assert_eq!(variations[0][2]["squares"], "12-16");
    assert_eq!(first["title"], "Anna – Bob");
    assert_eq!(first["result"], "1-0");
}

#[tokio::test]
async fn trees_outlive_a_file_in_every_notation() {
    for (variant, pdn) in [
        (
            "russian",
            "1. c3-d4 (1. a3-b4 b6-a5) d6-c5 2. b2-c3 (2. d4-e5) *",
        ),
        // Black begins here: his moves have numbers with three dots.
        (
            "international",
            "[SetUp \"1\"][FEN \"B:W31,32:B1,2,20\"] 1... 20-25 (1... 2-7 2. 31-26) 2. 31-26 *",
        ),
        (
            "league",
            "[Variant \"league\"] 1. 2,1-3,0 (1. 2,1-3,2 5,0-4,1) 5,0-4,1 *",
        ),
        ("english", "[Variant \"english 6x6\"] 1. 4-7 (1. 5-8) *"),
    ] {
        let [first, second] = there_and_back(variant, pdn).await;
        assert_eq!(first["line"], second["line"], "{variant}");
        assert_eq!(first["variant"], second["variant"], "{variant}");
        assert_eq!(first["size"], second["size"], "{variant}");
        assert_eq!(first["fen"], second["fen"], "{variant}");
        let nodes = first["line"].as_array().unwrap();
        let others = |node: &Value| node["variations"].as_array().map_or(0, Vec::len);
        assert!(nodes.iter().map(others).sum::<usize>() > 0, "{variant}");
    }
}

#[tokio::test]
async fn a_game_of_ones_own_is_read_and_written_by_its_file() {
    let mut anna = Client::new(&router());
    let toml = "extends = \"english\"\nname = \"mine\"\n[board]\nsizes = []\nholes = [\"3,0\"]\n";
    let text = json!({ "toml": toml, "pdn": "1. 10-14 (1. 11-15) *" });
    let first = anna.post("/api/pdn/read", text).await.body[0].clone();
    assert_eq!(first["toml"], toml);
    let written = anna.post("/api/pdn/write", first.clone()).await.body["text"].clone();
    let again = json!({ "toml": toml, "pdn": written });
    let second = anna.post("/api/pdn/read", again).await.body[0].clone();
    assert_eq!(first["line"], second["line"]);
}

#[tokio::test]
async fn a_fault_in_a_variation_costs_the_rest_of_the_variation_only() {
    let mut anna = Client::new(&router());
    let pdn = "[GameType \"21\"]\n1. 11-15 (1. 9-13 9-14 13-17) 22-18 2. 15x22 *";
    let text = json!({ "variant": "english", "pdn": pdn });
    let read = anna.post("/api/pdn/read", text).await.body[0].clone();
    assert_eq!(squares(&read), ["11-15", "22-18", "15-22"]);
    assert_eq!(
        read["line"][0]["variations"][0].as_array().unwrap().len(),
        1
    );
    let fault = read["fault"].as_str().unwrap();
    assert!(
        fault.starts_with("line 2, column 19: 9-14 is not possible: "),
        "{fault}"
    );
}

#[tokio::test]
async fn variations_without_end_are_cut_and_said() {
    let mut anna = Client::new(&router());
    let hopeless = json!({ "variant": "english", "pdn": "1. 11-15 (".repeat(3_000) });
    let answer = anna.post("/api/pdn/read", hopeless).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(answer.message().contains("nested"), "{}", answer.text);
    let nested = "1. 11-15 (".repeat(60);
    let text = json!({ "variant": "english", "pdn": nested });
    let read = anna.post("/api/pdn/read", text).await.body[0].clone();
    assert_eq!(read["fault"], "variations are nested deeper than 30 times");
    let written = anna.post("/api/pdn/write", read).await;
    assert_eq!(written.status, StatusCode::OK, "{}", written.text);
}

#[tokio::test]
async fn a_pdn_with_an_illegal_move_is_read_up_to_it() {
    let mut anna = Client::new(&router());
    let pdn = "[GameType \"21\"]\n1. 11-15 22-18 2. 8-11 *";
    let read = anna
        .post("/api/pdn/read", json!({ "variant": "english", "pdn": pdn }))
        .await
        .body;
    assert_eq!(squares(&read[0]), ["11-15", "22-18"]);
    assert_eq!(
        read[0]["fault"],
        "line 2, column 19: move 2 of Black: 8-11 is not possible: there is a capture with 15"
    );
}

#[tokio::test]
async fn an_only_move_is_searched_like_any_other() {
    let mut anna = Client::new(&router());
    let question = json!({ "variant": "english", "fen": "B:W18,32,31:B15,1,2", "moves": [] });
    let advice = anna.post("/api/advice", question).await;
    assert_eq!(advice.status, StatusCode::OK, "{}", advice.text);
    assert_eq!(advice.body["lines"][0]["moves"][0]["text"], "15x22");
    assert!(advice.body["depth"].as_u64() > Some(1), "{}", advice.text);
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
        for (language, title) in [("en", "Board:"), ("nl", "Bord:")] {
            let words = variant["words"][language].as_str().unwrap();
            assert!(words.starts_with(title), "{name}: {words}");
        }
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
async fn the_schema_has_every_key_of_every_game() {
    let mut anna = Client::new(&router());
    let schema = anna.get("/api/variants/schema").await.body;
    let table = |path: &str| {
        let tables = schema["tables"].as_array().unwrap().iter();
        let found = tables
            .clone()
            .find(|table| table["path"] == path)
            .unwrap_or_else(|| panic!("there is no table `{path}`"));
        found["keys"].as_array().unwrap().clone()
    };
    let keys = anna.get("/api/variants/international/keys").await.body;
    for (name, value) in keys["capture"].as_object().unwrap() {
        let key = table("capture").into_iter().find(|key| key["key"] == *name);
        let key = key.unwrap_or_else(|| panic!("there is no key `{name}`"));
        assert!(key["sentence"].as_str().unwrap().ends_with('.'));
        if let (Some(words), Some(word)) = (key["of"].as_array(), value.as_str()) {
            assert!(words.contains(&json!(word)), "{name} = {word}");
        }
    }
    assert_eq!(table("board")[0]["to"], 100);
    assert_eq!(table("pieces.*")[0]["key"], "fen");
    let on = table("draws.counters")
        .into_iter()
        .find(|key| key["key"] == "on");
    assert_eq!(on.unwrap()["default"], "[]");
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

#[tokio::test]
async fn a_game_of_endless_variations_is_refused_and_the_others_are_read() {
    let mut anna = Client::new(&router());
    let nested = format!("{}{} ", "(1... 19-23 ".repeat(29), ")".repeat(29));
    let endless = format!("1. 32-28 19-23 {} *\n", nested.repeat(4_000));
    let read = |pdn: String| json!({ "variant": "international", "pdn": pdn });
    let answer = anna.post("/api/pdn/read", read(endless.clone())).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(
        answer
            .message()
            .ends_with("a single game is longer than 256 KiB"),
        "{}",
        answer.message()
    );
    let pdn = format!("{endless}\n\n[Event \"Short\"]\n1. 32-28 19-23 *\n");
    let answer = anna.post("/api/pdn/read", read(pdn)).await;
    assert_eq!(answer.body.as_array().unwrap().len(), 1);
}

/// Lists a text in pieces of so many letters, as the pages do: all games, all that was skipped.
async fn listed(variant: &str, text: &str, size: usize) -> (Vec<Value>, Vec<Value>) {
    let mut anna = Client::new(&router());
    let (mut games, mut skipped) = (Vec::new(), Vec::new());
    let (mut at, mut line, mut inside, mut wanted) = (0, 0, false, size);
    loop {
        let end = (at + wanted).min(text.len());
        let more = end < text.len();
        let piece = json!({
            "variant": variant, "pdn": text[at..end], "more": more, "line": line, "inside": inside,
        });
        let list = anna.post("/api/pdn/list", piece).await.body;
        games.extend(list["games"].as_array().unwrap().clone());
        skipped.extend(list["skipped"].as_array().unwrap().clone());
        let used = list["used"].as_u64().unwrap() as usize;
        at += used;
        line += list["lines"].as_u64().unwrap() as usize;
        inside = list["inside"] == true;
        wanted = if used == 0 { wanted + size } else { size };
        if !more {
            return (games, skipped);
        }
    }
}

#[tokio::test]
async fn a_file_in_pieces_has_the_games_of_the_whole() {
    let game = |number: usize| {
        format!(
            "[Event \"Cup {number}\"]\n[White \"Anna {number}\"]\n[Black \"Bob\"]\n\
             [GameType \"20\"]\n\n1. 32-28 {{a word}} 19-23\n2. 28x19 14x23 1-1\n\n"
        )
    };
    let text: String = (0..40).map(game).collect();
    let (whole, none) = listed("english", &text, text.len()).await;
    assert_eq!((whole.len(), none.len()), (40, 0));
    assert_eq!(whole[39]["white"], "Anna 39");
    assert_eq!(whole[39]["event"], "Cup 39");
    assert_eq!(whole[39]["result"], "1-1");
    assert_eq!(whole[39]["line"], 39 * 8 + 1);
    assert_eq!(whole[39]["plies"], 4);
    assert_eq!(whole[39]["assumed"], json!(null));
    for size in [400, 1_000] {
        let (games, skipped) = listed("english", &text, size).await;
        assert_eq!(skipped, none, "pieces of {size}");
        let of = |list: &[Value]| -> Vec<Value> {
            let mut list = list.to_vec();
            for game in &mut list {
                game["index"] = json!(0);
            }
            list
        };
        assert_eq!(of(&games), of(&whole), "pieces of {size}");
    }
}

#[tokio::test]
async fn what_is_skipped_is_said_with_its_line_in_pieces_too() {
    let long = format!("[Event \"Endless\"]\n1. {}*\n\n", "32-28 (".repeat(3_000));
    let longer = format!("[Event \"Longer\"]\n{}\n\n", "word ".repeat(120_000));
    let short = "[Event \"Short\"]\n[GameType \"20\"]\n1. 32-28 19-23 *\n";
    let text = format!("{long}{longer}{short}");
    for size in [text.len(), 400_000] {
        let (games, skipped) = listed("international", &text, size).await;
        assert_eq!(games.len(), 1, "{games:?}");
        assert_eq!(games[0]["event"], "Short");
        assert_eq!(games[0]["line"], 7);
        let lines: Vec<_> = skipped.iter().map(|one| one["line"].clone()).collect();
        assert_eq!(lines.len(), 2, "{skipped:?}");
        assert_eq!(lines[0], 2);
        assert!(skipped[1]["reason"].as_str().unwrap().contains("longer"));
    }
}

#[tokio::test]
async fn the_game_of_a_file_is_found_out_and_said_to_be_assumed() {
    let mut anna = Client::new(&router());
    for (chosen, pdn, read_as, assumed) in [
        // A tag says it.
        (
            "english",
            "[GameType \"25\"] 1. c3-d4 d6-c5 *",
            "russian",
            json!(null),
        ),
        // The moves do; under International these would be other squares.
        (
            "international",
            "1. c3-d4 d6-c5 2. b2-c3 *",
            "russian",
            json!("guessed"),
        ),
        (
            "english",
            "1. 32-28 19-23 2. 28x19 14x23 *",
            "international",
            json!("guessed"),
        ),
        // They are legal in the chosen game.
        (
            "international",
            "1. 32-28 19-23 *",
            "international",
            json!("chosen"),
        ),
        ("frisian", "1. 32-28 19-23 *", "frisian", json!("chosen")),
    ] {
        let text = json!({ "variant": chosen, "pdn": pdn });
        let read = anna.post("/api/pdn/read", text.clone()).await.body;
        assert_eq!(read[0]["variant"], read_as, "{pdn}");
        assert_eq!(read[0]["assumed"], assumed, "{pdn}");
        assert_eq!(read[0]["fault"], json!(null), "{pdn}");
        let list = anna.post("/api/pdn/list", text).await.body;
        assert_eq!(list["games"][0]["variant"], read_as, "{pdn}");
        assert_eq!(list["games"][0]["assumed"], assumed, "{pdn}");
    }
}

#[tokio::test]
async fn one_game_of_a_piece_is_read_by_its_index() {
    let mut anna = Client::new(&router());
    let pdn = "[White \"A\"] 1. 32-28 *\n\n[White \"B\"] 1. 31-27 *\n\n[White \"C\"] 1. 34-30 *";
    let text = json!({ "variant": "international", "pdn": pdn, "only": 1 });
    let read = anna.post("/api/pdn/read", text).await.body;
    assert_eq!(read.as_array().unwrap().len(), 1);
    assert_eq!(read[0]["title"], "B – ?");
    let text = json!({ "variant": "international", "pdn": pdn, "only": 3 });
    let none = anna.post("/api/pdn/read", text).await;
    assert_eq!(none.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn pieces_that_are_no_plain_text_are_no_fault_of_the_server() {
    let mut anna = Client::new(&router());
    for (pdn, status) in [
        ("1. 32-28\r\n19-23 *", StatusCode::BAD_REQUEST),
        ("\u{feff}1. 32-28 {é} 19-23 *", StatusCode::OK),
        ("1\0.\0 \0é\0é\0é\0é\0*\0 \0", StatusCode::OK),
        ("", StatusCode::OK),
    ] {
        for more in [false, true] {
            let piece = json!({ "variant": "international", "pdn": pdn, "more": more });
            let answer = anna.post("/api/pdn/list", piece).await;
            assert_eq!(answer.status, status, "{pdn:?}: {}", answer.text);
        }
    }
}
