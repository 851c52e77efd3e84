//! Attacks from a few addresses, and what an honest player feels meanwhile.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::time::timeout;

use crate::play::Game;
use crate::site::{Site, Visitor};
use crate::{Error, runtime, told};

/// Clients of an attack, and addresses that they share.
const CLIENTS: usize = 12;
const ADDRESSES: usize = 4;
/// The attackers' addresses begin here.
const STRANGERS: usize = 1_000_000;
/// How long somebody who hangs up waits before.
const HANGS_UP_AFTER: Duration = Duration::from_millis(30);

const ATTACKS: [&str; 8] = [
    "nobody",
    "captures",
    "pdn",
    "variants",
    "computer",
    "hang-up",
    "questions",
    "sockets",
];

/// One attack, or all of them in turn, each on a server of its own.
pub async fn all(name: Option<&str>, time: Duration) -> Result<(), Error> {
    let chosen: Vec<&str> = match name {
        Some(name) => ATTACKS
            .into_iter()
            .filter(|attack| *attack == name)
            .collect(),
        None => ATTACKS.to_vec(),
    };
    if chosen.is_empty() {
        return Err(format!("attacks are {}", ATTACKS.join(", ")).into());
    }
    for attack in chosen {
        honest_player(attack, time).await?;
    }
    Ok(())
}

/// Plays a game move by move while strangers attack.
async fn honest_player(attack: &'static str, time: Duration) -> Result<(), Error> {
    let site = Arc::new(Site::start().await?);
    let mut game = Game::begin(&site, 0).await?;
    let strangers = runtime()?;
    for client in 0..if attack == "nobody" { 0 } else { CLIENTS } {
        strangers.spawn(stranger(site.clone(), attack, client));
    }
    let (began, mut times, mut number, mut most) = (Instant::now(), Vec::new(), 1, 0);
    while began.elapsed() < time {
        if let Some(time) = game.step(&site).await? {
            times.push(time);
        } else {
            game = Game::begin(&site, number).await?;
            number += 1;
        }
        most = most.max(site.memory()?);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    strangers.shutdown_background();
    println!("{attack}: {}; at most {most} MB", told(&mut times));
    Ok(())
}

/// One attacker, until nobody wants to know any more.
async fn stranger(site: Arc<Site>, attack: &str, client: usize) {
    let mut visitor = Visitor::new(STRANGERS + client % ADDRESSES);
    let (method, path, body) = match attack {
        "captures" => ("POST", "/api/positions", captures()),
        "pdn" => ("POST", "/api/pdn/read", nested()),
        "variants" => ("POST", "/api/variants/check", counters()),
        "computer" => ("POST", "/api/games", against_the_computer()),
        "hang-up" => ("POST", "/api/advice", question()),
        "questions" => ("GET", "/api/games", String::new()),
        _ => return take_sockets(&site, &visitor).await,
    };
    let patience = if attack == "hang-up" {
        HANGS_UP_AFTER
    } else {
        Duration::MAX
    };
    loop {
        let asked = site.send(&mut visitor, method, path, body.clone());
        // Whatever the answer is: the next one follows.
        let _ = timeout(patience, asked).await;
    }
}

/// Opens as many sockets as there are to be had.
async fn take_sockets(site: &Site, visitor: &Visitor) {
    let mut sockets = Vec::new();
    loop {
        match site.listen(visitor, "/api/games/socket").await {
            Ok(socket) => sockets.push(socket),
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
}

/// One king before ten rows of men: more captures than can be listed.
fn captures() -> String {
    let rows = (1..=19).step_by(2);
    let men: Vec<String> = rows
        .flat_map(|row| (1..=13).map(move |column| (row * 13 + column).to_string()))
        .collect();
    let fen = format!("W:WK326:B{}", men.join(","));
    json!({ "variant": "international", "size": 26, "fen": fen, "moves": [] }).to_string()
}

/// As many variations within variations as a request has room for.
fn nested() -> String {
    let deep = format!("{}{} ", "(1... 19-23 ".repeat(29), ")".repeat(29));
    let game = format!("[Event \"x\"]\n1. 32-28 19-23 {} *\n\n", deep.repeat(600));
    json!({ "variant": "international", "pdn": game.repeat(7) }).to_string()
}

/// A variant with more draw counters than anybody needs.
fn counters() -> String {
    let counter = "[[draw.counter]]\nplies = 10\n".repeat(2_000);
    let toml = format!("extends = \"english\"\nname = \"x\"\ntitle = \"X\"\n{counter}");
    json!({ "toml": toml }).to_string()
}

fn against_the_computer() -> String {
    let computer = json!({ "type": "computer", "level": 10 });
    json!({ "variant": "international", "white": computer, "black": { "type": "me" } }).to_string()
}

fn question() -> String {
    json!({ "variant": "international", "moves": [] }).to_string()
}
