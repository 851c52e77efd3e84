//! Playing: legality, seats, offers, and what is kept.

use axum::http::StatusCode;
use serde_json::json;

use crate::client::{Client, computer, friend, id, me, router};

#[tokio::test]
async fn a_game_on_one_device_takes_legal_moves_and_says_why_not() {
    let mut anna = Client::new(&router());
    let game = id(&anna.begin("checkers", me(), me()).await);
    let refused = [
        ("17-17", "there is no piece on 17"),
        ("9-13", "the piece on 9 is Red's, and it is Black's turn"),
        ("32-32", "the man on 32 can't move"),
        ("hello", "`hello` is not a move; write it like 21-17"),
        ("21-99", "`21-99`: there is no square 99 on this board"),
    ];
    for (text, message) in refused {
        let answer = anna.play(&game, text).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{text}");
        assert_eq!(answer.message(), message, "{text}");
    }
    let answer = anna.play(&game, "21-17").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.body["turn"], "white");
    assert_eq!(answer.body["ply"], 1);
    assert_eq!(answer.body["last"]["path"], json!([20, 16]));
}

#[tokio::test]
async fn legal_moves_come_as_data() {
    let mut anna = Client::new(&router());
    let fen = "B:W15,24:B19";
    let body = json!({ "variant": "checkers", "fen": fen, "white": me(), "black": me() });
    let game = id(&anna.post("/api/games", body).await.body);
    let whole = anna.game(&game).await.body;
    assert_eq!(
        whole["game"]["board"]
            .as_str()
            .unwrap()
            .matches('r')
            .count(),
        2
    );
    let legal = &whole["game"]["legal"];
    assert_eq!(legal.as_array().unwrap().len(), 1, "{legal}");
    assert_eq!(legal[0]["captured"], json!([14]));
    assert_eq!(whole["you"], json!(["white", "black"]));
}

#[tokio::test]
async fn a_piece_that_is_huffed_is_named_with_the_move() {
    let mut anna = Client::new(&router());
    let fen = "W:W44,72:B1,38";
    let body = json!({ "variant": "malaysian", "fen": fen, "white": me(), "black": me() });
    let game = id(&anna.post("/api/games", body).await.body);
    let legal = anna.game(&game).await.body["game"]["legal"].clone();
    let huffed = |text: &str| {
        let moves = legal.as_array().unwrap();
        let mv = moves.iter().find(|mv| mv["text"] == text).unwrap();
        assert_eq!(mv.get("captured").is_some(), text.contains('x'), "{mv}");
        mv["huffed"].clone()
    };
    assert_eq!(huffed("44x33"), json!(null));
    assert_eq!(huffed("44-37"), json!(36), "where it arrives");
    assert_eq!(huffed("72-66"), json!(43), "where it stands");
}

#[tokio::test]
async fn a_link_opens_the_other_seat_once_and_only_with_its_secret() {
    let router = router();
    let (mut anna, mut bob, mut eve) = (
        Client::new(&router),
        Client::new(&router),
        Client::new(&router),
    );
    let begun = anna.begin("international", me(), friend()).await;
    let game = id(&begun);
    let path = format!("/api/games/{game}/join");
    let early = anna.play(&game, "32-28").await;
    assert_eq!(early.message(), "the other player is not here yet");
    let wrong = eve
        .post(&path, json!({ "invite": "0123456789abcdef" }))
        .await;
    assert_eq!(wrong.status, StatusCode::NOT_FOUND);
    let secret = begun["invite"].clone();
    let joined = bob.post(&path, json!({ "invite": secret })).await;
    assert_eq!(joined.status, StatusCode::NO_CONTENT);
    let late = eve.post(&path, json!({ "invite": secret })).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert_eq!(late.message(), "the seat is taken");
    assert_eq!(anna.play(&game, "32-28").await.status, StatusCode::OK);
    assert_eq!(
        anna.play(&game, "19-23").await.message(),
        "it is Black's turn"
    );
    assert_eq!(bob.play(&game, "19-23").await.status, StatusCode::OK);
}

#[tokio::test]
async fn nobody_else_sees_or_moves_in_a_private_game() {
    let router = router();
    let (mut anna, mut eve) = (Client::new(&router), Client::new(&router));
    let game = id(&anna.begin("english", me(), me()).await);
    assert_eq!(eve.game(&game).await.status, StatusCode::NOT_FOUND);
    eve.begin("english", me(), me()).await;
    assert_eq!(eve.game(&game).await.status, StatusCode::NOT_FOUND);
    assert_eq!(eve.play(&game, "11-15").await.status, StatusCode::NOT_FOUND);
    assert_eq!(eve.act(&game, "resign").await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        eve.get(&format!("/api/games/{game}/pdn")).await.status,
        StatusCode::NOT_FOUND
    );
    let list = eve.get("/api/games").await.body;
    assert_eq!(list, json!([]));
}

#[tokio::test]
async fn a_public_game_can_be_watched_but_not_touched() {
    let router = router();
    let (mut anna, mut eve) = (Client::new(&router), Client::new(&router));
    let body = json!({ "variant": "english", "white": me(), "black": me(), "public": true });
    let game = id(&anna.post("/api/games", body).await.body);
    eve.begin("english", me(), me()).await;
    let seen = eve.game(&game).await;
    assert_eq!(seen.status, StatusCode::OK);
    assert_eq!(seen.body["you"], json!([]));
    let touched = eve.play(&game, "11-15").await;
    assert_eq!(touched.status, StatusCode::FORBIDDEN);
    assert_eq!(touched.message(), "only the players can do that");
    let list = eve.get("/api/games").await.body;
    assert_eq!(list[0]["id"], json!(game));
}

#[tokio::test]
async fn a_draw_and_a_take_back_need_both_sides() {
    let router = router();
    let (mut anna, mut bob) = (Client::new(&router), Client::new(&router));
    let begun = anna.begin("english", friend(), me()).await;
    let game = id(&begun);
    let invite = json!({ "invite": begun["invite"] });
    bob.post(&format!("/api/games/{game}/join"), invite).await;
    anna.play(&game, "11-15").await;
    let asked = anna.act(&game, "take_back").await.body;
    assert_eq!(
        asked["offer"],
        json!({ "side": "black", "offer": "take_back" })
    );
    assert_eq!(asked["ply"], 1);
    assert_eq!(bob.act(&game, "accept").await.body["ply"], 0);
    bob.act(&game, "draw").await;
    let over = anna.act(&game, "accept").await.body;
    assert_eq!(over["over"]["words"], "Draw: both sides agreed.");
    let late = anna.play(&game, "11-15").await;
    assert_eq!(late.message(), "the game is over");
    bob.act(&game, "rematch").await;
    let next = anna.act(&game, "accept").await.body["rematch"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(anna.game(&next).await.body["you"], json!(["white"]));
    assert_eq!(bob.game(&next).await.body["you"], json!(["black"]));
}

#[tokio::test]
async fn the_computer_answers() {
    let mut anna = Client::new(&router());
    let game = id(&anna.begin("checkers", computer(1), me()).await);
    anna.play(&game, "21-17").await;
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(30);
    loop {
        let whole = anna.game(&game).await.body;
        if whole["game"]["ply"] == 2 {
            assert_eq!(whole["game"]["turn"], "black");
            break;
        }
        assert!(
            tokio::time::Instant::now() < deadline,
            "the computer did not move: {whole}"
        );
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_game_that_makes_no_sense_is_refused_in_words() {
    let mut anna = Client::new(&router());
    let cases = [
        (
            json!({ "variant": "chekers", "white": me(), "black": me() }),
            "there is no game `chekers`; did you mean `checkers`?",
        ),
        (
            json!({ "variant": "english", "white": friend(), "black": friend() }),
            "one side must have somebody",
        ),
        (
            json!({ "variant": "english", "white": me(), "black": computer(11) }),
            "levels go from 0 to 10, there is no level 11",
        ),
        (
            json!({ "variant": "english", "size": 7, "white": me(), "black": me() }),
            "`english` can be played on even sizes from 4 to 100, not 7",
        ),
        (
            json!({ "variant": "english", "fen": "X:W1:B2", "white": me(), "black": me() }),
            "FEN: expected the side to move, `W` or `B`, found `X`",
        ),
    ];
    for (body, message) in cases {
        assert_eq!(anna.post("/api/games", body).await.message(), message);
    }
}

#[tokio::test]
async fn a_game_of_ones_own_is_played_from_its_file() {
    let mut anna = Client::new(&router());
    let toml = "extends = \"english\"\nname = \"mine\"\ntitle = \"Mine\"\n[board]\nsizes = []\nholes = [\"3,0\"]\n";
    let body = json!({ "toml": toml, "white": me(), "black": me() });
    let game = id(&anna.post("/api/games", body).await.body);
    let whole = anna.game(&game).await.body;
    assert_eq!(whole["variant"]["squares"].as_array().unwrap().len(), 31);
}

#[tokio::test]
async fn the_game_can_be_taken_along_as_pdn() {
    let mut anna = Client::new(&router());
    let game = id(&anna.begin("english", me(), me()).await);
    anna.play(&game, "11-15").await;
    anna.act(&game, "resign").await;
    let pdn = anna.get(&format!("/api/games/{game}/pdn")).await.text;
    assert!(pdn.contains("[GameType \"21,B,8,8,N1,0\"]"), "{pdn}");
    assert!(pdn.contains("1. 11-15"), "{pdn}");
    assert!(
        pdn.contains("[Result \"1-0\"]"),
        "White resigned, Black is first: {pdn}"
    );
}

#[tokio::test]
async fn a_game_goes_on_after_moves_made_elsewhere() {
    let mut anna = Client::new(&router());
    let moves = json!(["11-15", "22-18", "15x22"]);
    let game = json!({ "variant": "english", "white": me(), "black": me(), "moves": moves });
    let begun = anna.post("/api/games", game).await.body;
    let whole = anna.game(&id(&begun)).await.body;
    assert_eq!(whole["history"].as_array().unwrap().len(), 3);
    assert_eq!(whole["game"]["turn"], "white");
    let pdn = anna.get(&format!("/api/games/{}/pdn", id(&begun))).await;
    assert!(pdn.text.contains("1. 11-15 22-18 2. 15x22"), "{}", pdn.text);
    let wrong = json!({ "variant": "english", "white": me(), "black": me(), "moves": ["11-20"] });
    let answer = anna.post("/api/games", wrong).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn level_0_answers_with_any_legal_move() {
    let mut anna = Client::new(&router());
    let game = id(&anna.begin("english", computer(0), me()).await);
    anna.play(&game, "11-15").await;
    for _ in 0..200 {
        let ply = anna.game(&game).await.body["game"]["ply"].clone();
        if ply == 2 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the computer has not moved");
}

#[tokio::test]
async fn a_refusal_has_a_key_for_other_languages() {
    let mut anna = Client::new(&router());
    let game = id(&anna.begin("english", me(), me()).await);
    let answer = anna.play(&game, "12-20").await;
    assert_eq!(answer.body["said"]["key"], "elsewhere");
    assert_eq!(
        answer.body["said"]["values"],
        json!({ "kind": "man", "square": "12", "targets": ["16"] })
    );
    let over = anna.act(&game, "resign").await.body["over"].clone();
    assert_eq!(over["name"], "White");
    assert_eq!(over["said"]["key"], "resigned");
    assert_eq!(over["said"]["values"]["side"], "Black");
}
