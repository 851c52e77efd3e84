//! Leagues in the data folder: read while or after another process plays them.

use std::path::Path;
use std::time::Duration;

use axum::http::StatusCode;
use kingme_arena::league::{Entry, LeagueFile, Log, LogPlace, Nobody, run};
use kingme_cluster::Cluster;
use kingme_data::{Connection, Place};
use kingme_play::Stop;
use kingme_server::{AppState, Config, app};
use serde_json::json;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::client::{Client, new_store, place_of};
use crate::live::{any_port, hear, start_with};

const LEAGUE: &str = r#"
name = "Club"
variant = "english"
size = 6
format = "round-robin"
rounds = 2
time = "1s"
random_plies = 2
seed = 1
max_plies = 80

[[player]]
name = "Chance"
plays = "random"

[[player]]
name = "Other chance"
plays = "random"
"#;

/// Plays a league whose log is `club.db` in a folder, or called so in the data base that the server
/// has.
fn play(text: &str, leagues: &Path) {
    let log = match place_of(leagues) {
        Some(place) => LogPlace::shared(&place, "club", Some(leagues)).unwrap(),
        None => leagues.join("club.db").into(),
    };
    apart(|| play_into(&log, text, leagues));
}

fn play_into(log: &LogPlace, text: &str, leagues: &Path) {
    let file = LeagueFile::read(text, leagues).unwrap();
    let log = Log::open(log, &mut file.clone()).unwrap();
    let seats = |entry: &Entry, seed: u64| entry.plays.open(&file.variant, seed);
    run(&file, log, &seats, &Nobody, &Stop::new(), &mut |_| ()).unwrap();
}

/// Does what waits for a data base, which a task may not.
fn apart(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        scope.spawn(work);
    });
}

/// A server whose leagues are in a folder, or in a data base.
fn config(folder: &Path) -> Config {
    Config {
        data: Some(folder.to_owned()),
        store: place_of(&folder.join("leagues")),
        ..Config::default()
    }
}

/// Takes the log away.
fn remove(leagues: &Path) {
    for name in ["club.db", "club.db-wal", "club.db-shm", "club.db-live"] {
        std::fs::remove_file(leagues.join(name)).unwrap_or_default();
    }
    if let Some(place) = place_of(leagues) {
        apart(|| {
            let mut data = Connection::open(&place, Duration::ZERO).unwrap();
            let gone = data.change("DELETE FROM leagues WHERE name = 'club'", &[]);
            assert_eq!(gone.unwrap(), 1);
        });
    }
}

/// A league that was played, in the folder of a server's data.
fn played() -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    let leagues = folder.path().join("leagues");
    std::fs::create_dir(&leagues).unwrap();
    std::fs::write(leagues.join("no-league.db"), "not a data base").unwrap();
    play(LEAGUE, &leagues);
    let router = app(AppState::new(new_store(), &config(folder.path())));
    (folder, Client::new(&router))
}

#[tokio::test]
async fn a_league_has_standings_and_games_to_play_through() {
    let (_folder, mut anna) = played();
    let leagues = anna.get("/api/leagues").await.body;
    assert_eq!(leagues.as_array().unwrap().len(), 1, "{leagues}");
    assert_eq!(leagues[0]["id"], "club");
    assert_eq!(leagues[0]["games"], 4);
    assert_eq!(leagues[0]["running"], false);
    let league = anna.get("/api/leagues/club").await.body;
    let rows = league["table"].as_array().unwrap();
    let points: f64 = rows.iter().map(|row| row["points"].as_f64().unwrap()).sum();
    assert!((points - 4.0).abs() < 1e-9, "{league}");
    assert!(rows[0]["error"].as_f64().unwrap() > 0.0);
    let number = league["finished"][0]["number"].clone();
    let game = anna
        .get(&format!("/api/leagues/club/games/{number}"))
        .await
        .body;
    let plies = league["finished"][0]["plies"].as_u64().unwrap();
    // The opening's moves are no turns of the players.
    assert_eq!(game["history"].as_array().unwrap().len() as u64, plies + 2);
}

#[tokio::test]
async fn a_log_that_is_made_anew_is_another_league() {
    let (folder, mut anna) = played();
    let leagues = folder.path().join("leagues");
    assert_eq!(anna.get("/api/leagues/club").await.body["games"], 4);
    remove(&leagues);
    for path in ["/api/leagues/club", "/api/leagues/club/games/1"] {
        let gone = anna.get(path).await;
        assert_eq!(gone.status, StatusCode::NOT_FOUND, "{path}: {}", gone.text);
    }
    assert_eq!(anna.get("/api/leagues").await.body, json!([]));
    let text = LEAGUE.replace("Club", "Other club");
    play(&text.replace("rounds = 2", "rounds = 1"), &leagues);
    let league = anna.get("/api/leagues/club").await.body;
    assert_eq!(league["about"]["name"], "Other club");
    assert_eq!(league["games"], 2);
    let cards = anna.get("/api/leagues").await.body;
    assert_eq!(cards[0]["name"], "Other club");
}

#[tokio::test]
async fn nobody_gets_what_is_not_there() {
    let (_folder, mut anna) = played();
    for path in [
        "/api/leagues/none",
        "/api/leagues/no-league",
        "/api/leagues/club/games/99",
        "/api/leagues/..%2fkingme/games/1",
    ] {
        assert_eq!(anna.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    // What is no number is said as everything else is.
    let odd = anna.get("/api/leagues/club/games/first").await;
    assert_eq!(odd.status, StatusCode::BAD_REQUEST);
    assert!(odd.message().contains("first"), "{}", odd.text);
    let seat = anna.get("/api/leagues/club/seat").await.body;
    assert_eq!(seat, json!({ "name": null, "game": null, "awaited": [] }));
}

#[tokio::test]
async fn a_cup_has_its_bracket() {
    let folder = tempfile::tempdir().unwrap();
    let leagues = folder.path().join("leagues");
    std::fs::create_dir(&leagues).unwrap();
    let cup = LEAGUE.replace("round-robin", "knockout");
    play(
        &(cup + "[[player]]\nname = \"Third\"\nplays = \"random\"\n"),
        &leagues,
    );
    let router = app(AppState::new(new_store(), &config(folder.path())));
    let league = Client::new(&router).get("/api/leagues/club").await.body;
    let stages = league["bracket"]["stages"].as_array().unwrap();
    assert_eq!(stages.len(), 2, "{league}");
    assert_eq!(stages[0]["players"], 3);
    assert_eq!(stages[0]["byes"], json!(["Chance"]));
    let last = &stages[1]["meetings"][0];
    let winner = last["winner"].as_u64().unwrap() as usize;
    assert_eq!(league["bracket"]["winner"], last["players"][winner]);
    assert_eq!(league["table"][0]["name"], last["players"][winner]);
}

/// Rounds and games are there one by one, however many there are.
#[tokio::test]
async fn a_league_has_rounds_and_its_games_in_pieces() {
    let (_folder, mut anna) = played();
    let league = anna.get("/api/leagues/club").await.body;
    assert_eq!(league["round"]["number"], 2, "the last one: {league}");
    assert_eq!(league["round"]["rounds"], 2);
    let round = anna.get("/api/leagues/club/rounds/1").await.body;
    let meeting = &round["meetings"][0];
    assert_eq!(meeting["players"], json!(["Chance", "Other chance"]));
    assert_eq!(
        (&meeting["first"], &meeting["games"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(meeting["played"], 2);
    assert_eq!(round["byes"], json!([]));
    for number in ["0", "3"] {
        let path = format!("/api/leagues/club/rounds/{number}");
        assert_eq!(anna.get(&path).await.status, StatusCode::NOT_FOUND);
    }
    let mut numbers = async |query: &str| {
        let games = anna
            .get(&format!("/api/leagues/club/games{query}"))
            .await
            .body;
        let games = games.as_array().expect("a list").clone();
        let number = |game: &serde_json::Value| game["number"].as_u64().unwrap();
        games.iter().map(number).collect::<Vec<_>>()
    };
    assert_eq!(numbers("").await, [4, 3, 2, 1]);
    assert_eq!(numbers("?before=3").await, [2, 1]);
    assert_eq!(numbers("?from=2&before=4").await, [3, 2]);
    assert_eq!(numbers("?from=9&before=2").await, [0; 0]);
    let odd = anna.get("/api/leagues/club/games?before=soon").await;
    assert_eq!(odd.status, StatusCode::BAD_REQUEST);
    let wrong = anna.get("/api/leagues/club/incidents").await.body;
    assert_eq!(wrong, json!([]), "nothing went wrong");
}

#[tokio::test]
async fn a_question_that_can_not_be_read_is_refused_as_every_other_is() {
    let (_folder, mut anna) = played();
    let answer = anna.get("/api/leagues/club/games?before=soon").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_eq!(answer.body["code"], "bad_request", "{}", answer.body);
}

/// Leagues of a data base that servers share are shown beside those of a server's own folder.
#[tokio::test]
async fn leagues_of_a_data_base_are_beside_those_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let leagues = folder.path().join("leagues");
    std::fs::create_dir(&leagues).unwrap();
    let place: Place = Cluster::shared().database().parse().unwrap();
    apart(|| {
        play_into(&leagues.join("club.db").into(), LEAGUE, &leagues);
        for (name, rounds) in [("club", "rounds = 1"), ("cup", "rounds = 3")] {
            let log = LogPlace::shared(&place, name, Some(&leagues)).unwrap();
            play_into(&log, &LEAGUE.replace("rounds = 2", rounds), &leagues);
        }
    });
    let config = Config {
        data: Some(folder.path().to_owned()),
        store: Some(place),
        ..Config::default()
    };
    let router = app(AppState::new(new_store(), &config));
    let mut anna = Client::new(&router);
    let cards = anna.get("/api/leagues").await.body;
    let shown = |card: &serde_json::Value| (card["id"].clone(), card["games"].clone());
    let shown: Vec<_> = cards.as_array().unwrap().iter().map(shown).collect();
    let expected = [("club", 4), ("club@store", 2), ("cup", 6)];
    assert_eq!(shown, expected.map(|(id, games)| (json!(id), json!(games))));
    for (id, games) in expected {
        let league = anna.get(&format!("/api/leagues/{id}")).await.body;
        assert_eq!(league["games"], games, "{league}");
        let round = anna.get(&format!("/api/leagues/{id}/rounds/1")).await.body;
        assert_eq!(round["meetings"][0]["played"], 2);
        let game = anna.get(&format!("/api/leagues/{id}/games/1")).await;
        assert_eq!(game.status, StatusCode::OK);
        let wrong = anna.get(&format!("/api/leagues/{id}/incidents")).await;
        assert_eq!(wrong.body, json!([]), "nothing went wrong");
    }
}

/// What another process plays into a data base is followed, as it is in a file.
#[tokio::test]
async fn a_league_of_a_data_base_is_followed_while_it_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let place: Place = Cluster::shared().database().parse().unwrap();
    let log = LogPlace::shared(&place, "club", Some(folder.path())).unwrap();
    let shorter = LEAGUE.replace("rounds = 2", "rounds = 1");
    apart(|| play_into(&log, &shorter, folder.path()));
    let server = start_with(Config {
        listen: any_port(),
        data: Some(folder.path().to_owned()),
        store: Some(place),
        ..Config::default()
    })
    .await;
    let address = server.address;
    let url = format!("ws://{address}/api/leagues/club/socket");
    let mut request = url.into_client_request().unwrap();
    let origin = format!("http://{address}").parse().unwrap();
    request.headers_mut().insert("origin", origin);
    let (mut socket, _) = connect_async(request).await.unwrap();
    let whole = hear(&mut socket).await;
    assert_eq!(
        (&whole["games"], &whole["running"]),
        (&json!(2), &json!(false))
    );
    assert_eq!(whole["about"]["name"], "Club");
    let playing = std::thread::spawn(move || play_into(&log, LEAGUE, folder.path()));
    while hear(&mut socket).await["games"] != 4 {}
    playing.join().unwrap();
}
