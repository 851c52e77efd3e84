//! Several servers at one data base: whoever plays need not know which one they reach.

use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use kingme_cluster::{Cluster, PATIENCE};
use kingme_server::{AppState, Config, app};
use serde_json::{Value, json};

use crate::bots::{Ear, bot};
use crate::client::{Client, computer, friend, id, me, shared_store};
use crate::live::{Server, Socket, any_port, begin, connect_as, hear, play, request, start_with};

/// Two servers that have found each other.
struct Site {
    /// The name of their data base.
    data: String,
    servers: [AppState; 2],
    routers: [Router; 2],
}

impl Site {
    fn new() -> Site {
        let url = Cluster::shared().database();
        let servers = [(); 2].map(|()| {
            let state = AppState::new(shared_store(&url), &Config::default());
            state.join_others().expect("a data base");
            state
        });
        let routers = servers.each_ref().map(|state| app(state.clone()));
        let data = url.split(['/', '?']).nth(3).unwrap().to_owned();
        Site {
            data,
            servers,
            routers,
        }
    }

    /// The same person at the other server.
    fn at(&self, server: usize, client: &Client) -> Client {
        Client {
            router: self.routers[server].clone(),
            ..client.clone()
        }
    }
}

/// Asks until the answer is what it has to become.
async fn wait_for(client: &mut Client, path: &str, is: impl Fn(&Value) -> bool) -> Value {
    let began = std::time::Instant::now();
    loop {
        let answer = client.get(path).await;
        if is(&answer.body) {
            return answer.body;
        }
        assert!(began.elapsed() < PATIENCE, "{path}: {}", answer.text);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn seq(state: &Value) -> u64 {
    state["game"]["seq"].as_u64().unwrap_or(u64::MAX)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_at_both_servers_in_turn() {
    let site = Site::new();
    let mut first = Client::new(&site.routers[0]);
    let game = id(&first.begin("english", me(), me()).await);
    // The same cookie is known at the other.
    let mut second = site.at(1, &first);
    let path = format!("/api/games/{game}");
    assert_eq!(seq(&second.get(&path).await.body), 0);
    let moves = ["11-15", "22-18", "15x22", "25x18", "8-11", "29-25"];
    for (number, mv) in moves.iter().enumerate() {
        let client = if number % 2 == 0 {
            &mut first
        } else {
            &mut second
        };
        // Right after the other has moved: whoever has not heard yet reads it.
        let answer = client.play(&game, mv).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        assert_eq!(answer.body["seq"], number + 1);
        let other = if number % 2 == 0 {
            &mut second
        } else {
            &mut first
        };
        // And whoever looks at the other sees it, without a wait.
        assert_eq!(seq(&other.get(&path).await.body), number as u64 + 1);
    }
    for client in [&mut first, &mut second] {
        let state = wait_for(client, &path, |state| seq(state) == 6).await;
        assert_eq!(state["history"].as_array().unwrap().len(), 6);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_moves_at_once_one_is_made() {
    let site = Site::new();
    let first = Client::new(&site.routers[0]);
    for _ in 0..10 {
        let mut first = first.clone();
        let game = id(&first.begin("english", me(), me()).await);
        let mut second = site.at(1, &first);
        let path = format!("/api/games/{game}");
        second.get(&path).await;
        // Both for Black, whose turn it is: afterwards it no longer is.
        let (one, two) = tokio::join!(first.play(&game, "11-15"), second.play(&game, "11-16"));
        let made = [&one, &two].map(|answer| answer.status == StatusCode::OK);
        assert_eq!(made.iter().filter(|made| **made).count(), 1, "{made:?}");
        for client in [&mut first, &mut second] {
            wait_for(client, &path, |state| seq(state) == 1).await;
        }
    }
}

/// Two servers at real addresses.
async fn two_servers() -> [Server; 2] {
    let url = Cluster::shared().database();
    let start = async || {
        let store = Some(url.parse().unwrap());
        let listen = any_port();
        start_with(Config {
            listen,
            store,
            ..Config::default()
        })
        .await
    };
    [start().await, start().await]
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_watches_at_one_server_hears_what_happens_at_the_other() {
    let [first, second] = two_servers().await;
    let (game, cookie) = begin(first.address).await;
    let origin = format!("http://{}", second.address);
    let socket = connect_as(second.address, &game, Some(&origin), "").await;
    let mut socket = socket.unwrap();
    assert_eq!(hear(&mut socket).await["whole"]["game"]["seq"], 0);
    for (number, mv) in ["11-15", "22-18", "15x22", "25x18"].iter().enumerate() {
        play(first.address, &game, &cookie, mv).await;
        // Only by word of the first server.
        assert_eq!(hear(&mut socket).await["seq"], number + 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_computer_answers_once_whichever_server_is_asked() {
    let site = Site::new();
    let mut client = Client::new(&site.routers[0]);
    let game = id(&client.begin("english", computer(0), me()).await);
    let path = format!("/api/games/{game}");
    for turn in 0..8 {
        client = site.at(turn % 2, &client);
        let mine = |state: &Value| seq(state) >= 2 * turn as u64;
        let state = wait_for(&mut client, &path, mine).await;
        if state["game"]["over"].is_object() {
            return;
        }
        assert_eq!(seq(&state), 2 * turn as u64, "one answer to each move");
        let mv = state["game"]["legal"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned();
        let moved = client.play(&game, &mv).await;
        assert_eq!(moved.status, StatusCode::OK, "{}", moved.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flag_falls_once() {
    let site = Site::new();
    let mut first = Client::new(&site.routers[0]);
    let clock = json!({ "initial_ms": 1_000, "increment_ms": 0 });
    let new = json!({ "variant": "english", "white": me(), "black": friend(), "clock": clock });
    let begun = first.post("/api/games", new).await;
    let (game, invite) = (id(&begun.body), begun.body["invite"].clone());
    let mut second = Client::new(&site.routers[1]);
    let path = format!("/api/games/{game}");
    let joined = second
        .post(&format!("{path}/join"), json!({ "invite": invite }))
        .await;
    assert_eq!(joined.status, StatusCode::NO_CONTENT, "{}", joined.text);
    // Both have moved, so that the clock runs, and both servers have the game.
    assert_eq!(second.play(&game, "11-15").await.status, StatusCode::OK);
    assert_eq!(first.play(&game, "22-18").await.status, StatusCode::OK);
    for client in [&mut first, &mut second] {
        let over = |state: &Value| state["game"]["over"].is_object();
        let state = wait_for(client, &path, over).await;
        assert_eq!(state["game"]["over"]["said"]["key"], "out_of_time");
        assert_eq!(seq(&state), 4, "{state}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_ratings_works_and_rematches_are_the_same_at_both() {
    let site = Site::new();
    let mut ada = Client::new(&site.routers[0]);
    ada.register("Ada").await;
    let mut bob = Client::new(&site.routers[1]);
    bob.register("Bob").await;
    let taken = Client::new(&site.routers[1]);
    let body = json!({ "name": "ada", "password": "correct horse" });
    let taken = taken.clone().post("/api/accounts", body).await;
    assert_eq!(taken.status, StatusCode::CONFLICT, "{}", taken.text);
    let new = json!({ "variant": "english", "white": me(), "black": friend(), "rated": true });
    let begun = ada.post("/api/games", new).await;
    let (game, invite) = (id(&begun.body), begun.body["invite"].clone());
    let path = format!("/api/games/{game}");
    let joined = bob
        .post(
            &format!("{path}/join"),
            json!({ "invite": invite, "rated": true }),
        )
        .await;
    assert_eq!(joined.status, StatusCode::NO_CONTENT, "{}", joined.text);
    assert_eq!(bob.play(&game, "11-15").await.status, StatusCode::OK);
    assert_eq!(ada.play(&game, "22-18").await.status, StatusCode::OK);
    assert_eq!(bob.act(&game, "resign").await.status, StatusCode::OK);
    wait_for(&mut ada, &path, |state| state["game"]["over"].is_object()).await;
    let mut ada = site.at(1, &ada);
    let rating = ada.get("/api/me").await.body["ratings"][0]["rating"].clone();
    assert_eq!(rating, 1662);
    // Offered at one, accepted at the other.
    let mut ada = site.at(0, &ada);
    assert_eq!(ada.act(&game, "rematch").await.status, StatusCode::OK);
    let next = bob.act(&game, "accept").await;
    assert_eq!(next.status, StatusCode::OK, "{}", next.text);
    let next = next.body["rematch"].as_str().unwrap().to_owned();
    assert_eq!(ada.play(&next, "11-15").await.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn public_games_of_one_are_in_the_list_of_the_other() {
    let site = Site::new();
    let mut first = Client::new(&site.routers[0]);
    let new = json!({ "variant": "english", "white": me(), "black": me(), "public": true });
    let game = id(&first.post("/api/games", new).await.body);
    let mut second = Client::new(&site.routers[1]);
    let list = second.get("/api/games").await;
    assert!(list.text.contains(&game), "{}", list.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_leaves_hands_its_games_over() {
    let site = Site::new();
    let mut client = Client::new(&site.routers[0]);
    let clock = json!({ "initial_ms": 3_000, "increment_ms": 0 });
    let new = json!({ "variant": "english", "white": me(), "black": me(), "clock": clock });
    let game = id(&client.post("/api/games", new).await.body);
    assert_eq!(client.play(&game, "11-15").await.status, StatusCode::OK);
    assert_eq!(client.play(&game, "22-18").await.status, StatusCode::OK);
    let gone = site.servers[0].clone();
    let leave = move || gone.leave_others();
    tokio::task::spawn_blocking(leave).await.unwrap();
    let watch = Cluster::shared().watch(&site.data);
    // The other has never seen the game and is not asked now, and yet it takes it, and its time
    // goes on there.
    let look = move || {
        let held = "SELECT count(*) FROM holds JOIN servers ON id = server WHERE until > 0";
        (
            watch.until(held, 1),
            watch.until("SELECT count(*) FROM events", 3),
        )
    };
    let (held, fallen) = tokio::task::spawn_blocking(look).await.unwrap();
    assert!(held && fallen, "{held} {fallen}");
    let state = site.at(1, &client).game(&game).await.body;
    assert_eq!(state["game"]["over"]["said"]["key"], "out_of_time");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_listens_at_one_is_played_at_the_other() {
    let site = Site::new();
    let mut robot = bot(&site.routers[0]).await;
    let mut ear = Ear::new(&robot).await;
    assert_eq!(ear.line().await["type"], "state");
    let mut anna = Client::new(&site.routers[1]);
    let listens = |bots: &Value| *bots == json!([{ "name": "robot" }]);
    wait_for(&mut anna, "/api/bots", listens).await;
    let opponent = json!({ "type": "bot", "name": "robot" });
    let game = id(&anna.begin("english", opponent, me()).await);
    assert_eq!(ear.line().await["whole"]["game"]["seq"], 0);
    anna.play(&game, "11-15").await;
    let moved = ear.line().await;
    assert_eq!(moved["whole"]["game"]["seq"], 1);
    let text = moved["whole"]["game"]["legal"][0]["text"].as_str().unwrap();
    assert_eq!(robot.play(&game, text).await.status, StatusCode::OK);
    let path = format!("/api/games/{game}");
    wait_for(&mut anna, &path, |state| seq(state) == 2).await;
    drop(ear);
    wait_for(&mut anna, "/api/bots", |bots| *bots == json!([])).await;
}

/// The next word on who is away.
async fn away(socket: &mut Socket) -> [bool; 2] {
    loop {
        let told = hear(socket).await;
        if let Some(away) = told["away"].as_array() {
            return [&away[0], &away[1]].map(Value::is_number);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_closes_the_page_is_away_whichever_server_had_it() {
    let [first, second] = two_servers().await;
    let cookie = |head: &str| {
        let cookie = head
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "));
        cookie.unwrap().split(';').next().unwrap().to_owned()
    };
    let new = json!({ "variant": "english", "white": me(), "black": friend() }).to_string();
    let (head, begun) = request(first.address, "POST", "/api/games", "", &new).await;
    let begun: Value = serde_json::from_str(&begun).unwrap();
    let (ada, game) = (cookie(&head), id(&begun));
    let invite = json!({ "invite": begun["invite"] }).to_string();
    let path = format!("/api/games/{game}/join");
    let (head, _) = request(second.address, "POST", &path, "", &invite).await;
    let bob = cookie(&head);
    let open = async |address: std::net::SocketAddr, cookie: &str| {
        let origin = format!("http://{address}");
        let socket = connect_as(address, &game, Some(&origin), cookie).await;
        socket.unwrap()
    };
    let mut bobs = open(second.address, &bob).await;
    assert_eq!(hear(&mut bobs).await["whole"]["game"]["seq"], 1);
    let adas = open(first.address, &ada).await;
    drop(adas);
    while away(&mut bobs).await != [true, false] {}
    let adas = open(second.address, &ada).await;
    while away(&mut bobs).await != [false, false] {}
    // A second page at the other server, so that closing one of the two is no news.
    let mut more = open(first.address, &ada).await;
    hear(&mut more).await;
    drop(adas);
    drop(more);
    while away(&mut bobs).await != [true, false] {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_base_that_is_away_is_said_and_nothing_is_lost() {
    let cluster = tokio::task::spawn_blocking(|| Cluster::start(""))
        .await
        .unwrap();
    let state = AppState::new(shared_store(&cluster.database()), &Config::default());
    state.join_others().unwrap();
    let mut client = Client::new(&app(state));
    let game = id(&client.begin("english", me(), me()).await);
    assert_eq!(client.play(&game, "11-15").await.status, StatusCode::OK);
    let cluster = tokio::task::spawn_blocking(|| {
        cluster.pause();
        cluster
    });
    let cluster = cluster.await.unwrap();
    let refused = client.play(&game, "22-18").await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    let sentence = "the data base does not answer; try again in a moment";
    assert_eq!(refused.message(), sentence);
    assert_eq!(refused.headers["retry-after"], "1");
    assert_eq!(
        client.get("/healthz").await.status,
        StatusCode::SERVICE_UNAVAILABLE
    );
    let cluster = tokio::task::spawn_blocking(|| {
        cluster.resume();
        cluster
    });
    let cluster = cluster.await.unwrap();
    let path = format!("/api/games/{game}");
    let state = wait_for(&mut client, &path, |state| seq(state) == 1).await;
    assert_eq!(state["history"][0]["text"], "11-15");
    let answer = client.play(&game, "22-18").await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    drop(tokio::task::spawn_blocking(|| drop(cluster)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_are_cut_are_made_again() {
    let site = Site::new();
    let mut client = Client::new(&site.routers[0]);
    let game = id(&client.begin("english", me(), me()).await);
    let moves = ["11-15", "22-18", "15x22", "25x18"];
    for (number, mv) in moves.iter().enumerate() {
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        Cluster::shared().execute(&site.data, cut);
        let mut client = site.at(number % 2, &client);
        // The first to use it may be the one to find out: told as failed, tried again.
        let mut answer = client.play(&game, mv).await;
        if answer.status == StatusCode::SERVICE_UNAVAILABLE {
            answer = client.play(&game, mv).await;
        }
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        assert_eq!(answer.body["seq"], number + 1);
    }
    // What is said is heard again as well.
    let mut other = site.at(0, &client);
    wait_for(&mut other, &format!("/api/games/{game}"), |state| {
        seq(state) == 4
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_said_and_nothing_is_changed() {
    let site = Site::new();
    let mut client = Client::new(&site.routers[0]);
    let game = id(&client.begin("english", me(), me()).await);
    Cluster::shared().execute(
        &site.data,
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100';
         END $$;
         CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full_disk();",
    );
    let refused = client.play(&game, "11-15").await;
    assert_eq!(refused.status, StatusCode::INSUFFICIENT_STORAGE);
    let sentence = "the disk of the data base is full; nothing was changed";
    assert_eq!(refused.message(), sentence);
    assert_eq!(seq(&client.game(&game).await.body), 0);
    Cluster::shared().execute(&site.data, "DROP TRIGGER full_disk ON events");
    assert_eq!(client.play(&game, "11-15").await.status, StatusCode::OK);
}

/// Whoever listens through a time without a data base hears what happens afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn listeners_outlive_a_data_base_that_was_away() {
    let cluster = tokio::task::spawn_blocking(|| Cluster::start(""))
        .await
        .unwrap();
    let cluster = std::sync::Arc::new(cluster);
    let server = start_with(Config {
        listen: any_port(),
        store: Some(cluster.database().parse().unwrap()),
        ..Config::default()
    })
    .await;
    let (game, cookie) = begin(server.address).await;
    let origin = format!("http://{}", server.address);
    let socket = connect_as(server.address, &game, Some(&origin), "").await;
    let mut socket = socket.unwrap();
    assert_eq!(hear(&mut socket).await["whole"]["game"]["seq"], 0);
    let pause = cluster.clone();
    let paused = tokio::task::spawn_blocking(move || pause.pause());
    paused.await.unwrap();
    let path = format!("/api/games/{game}/moves");
    let mv = r#"{"move":"11-15"}"#;
    let (head, _) = request(server.address, "POST", &path, &cookie, mv).await;
    assert!(head.starts_with("HTTP/1.1 503"), "{head}");
    let resume = cluster.clone();
    let resumed = tokio::task::spawn_blocking(move || resume.resume());
    resumed.await.unwrap();
    // It is asked to try again for as long as the connections are not made again.
    loop {
        let (head, _) = request(server.address, "POST", &path, &cookie, mv).await;
        if !head.starts_with("HTTP/1.1 503") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    while hear(&mut socket).await["seq"] != 1 {}
    tokio::task::spawn_blocking(move || drop(cluster))
        .await
        .unwrap();
}
