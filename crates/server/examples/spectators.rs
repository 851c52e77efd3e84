//! How long a move takes to reach everybody who watches a game:
//! `cargo run --release -p kingme-server --example spectators [SPECTATORS] [MOVES]`.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use kingme_server::{Config, Limits, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

type Error = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let spectators = numbers.next().transpose()?.unwrap_or(2_000);
    let moves = numbers.next().transpose()?.unwrap_or(40);
    let address = start().await?;
    let (id, cookie) = begin(address).await?;
    let (arrived, mut arrivals) = mpsc::unbounded_channel();
    for _ in 0..spectators {
        watch(address, &id, arrived.clone()).await?;
    }
    let mut slowest = Vec::new();
    for _ in 0..moves {
        let text = legal_move(address, &id, &cookie).await?;
        let sent = Instant::now();
        let body = format!(r#"{{"move":"{text}"}}"#);
        request(
            address,
            "POST",
            &format!("/api/games/{id}/moves"),
            &cookie,
            &body,
        )
        .await?;
        let mut last = Duration::ZERO;
        for _ in 0..spectators {
            let at: Instant = arrivals.recv().await.ok_or("the sockets are gone")?;
            last = last.max(at.duration_since(sent));
        }
        slowest.push(last);
    }
    slowest.sort();
    let at =
        |share: usize| slowest[(slowest.len() * share / 100).min(slowest.len() - 1)].as_millis();
    println!(
        "{spectators} spectators, {moves} moves: until the last has it, median {} ms, p99 {} ms",
        at(50),
        at(99)
    );
    Ok(())
}

async fn start() -> Result<SocketAddr, Error> {
    let (ready, address) = oneshot::channel();
    let config = Config {
        limits: Limits {
            // All of them come from one address here.
            reads_per_second: std::num::NonZeroU32::MAX,
            ..Limits::default()
        },
        ..Config::default()
    };
    let announce = |address| {
        let _ = ready.send(address);
    };
    tokio::spawn(serve(config, announce, std::future::pending()));
    Ok(address.await?.address)
}

/// Watches a game and tells when each move arrives.
async fn watch(
    address: SocketAddr,
    id: &str,
    arrived: mpsc::UnboundedSender<Instant>,
) -> Result<(), Error> {
    let mut request = format!("ws://{address}/api/games/{id}/socket").into_client_request()?;
    let origin = format!("http://{address}").parse()?;
    request.headers_mut().insert("origin", origin);
    let (mut socket, _) = connect_async(request).await?;
    socket.next().await.ok_or("no first message")??;
    tokio::spawn(async move {
        while let Some(Ok(message)) = socket.next().await {
            if matches!(message, Message::Text(_)) && arrived.send(Instant::now()).is_err() {
                break;
            }
        }
    });
    Ok(())
}

async fn begin(address: SocketAddr) -> Result<(String, String), Error> {
    let body =
        r#"{"variant":"international","white":{"type":"me"},"black":{"type":"me"},"public":true}"#;
    let (head, body) = request(address, "POST", "/api/games", "", body).await?;
    let cookie = head
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "));
    let cookie = cookie
        .and_then(|cookie| cookie.split(';').next())
        .ok_or("no cookie")?;
    let json: serde_json::Value = serde_json::from_str(&body)?;
    Ok((
        json["id"].as_str().ok_or("no game")?.to_owned(),
        cookie.to_owned(),
    ))
}

async fn legal_move(address: SocketAddr, id: &str, cookie: &str) -> Result<String, Error> {
    let (_, body) = request(address, "GET", &format!("/api/games/{id}"), cookie, "").await?;
    let json: serde_json::Value = serde_json::from_str(&body)?;
    let text = json["game"]["legal"][0]["text"].as_str();
    Ok(text
        .ok_or("the game is over: fewer moves, please")?
        .to_owned())
}

async fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    cookie: &str,
    body: &str,
) -> Result<(String, String), Error> {
    let mut stream = TcpStream::connect(address).await?;
    let text = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nCookie: {cookie}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(text.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
    Ok((head.to_owned(), body.to_owned()))
}
