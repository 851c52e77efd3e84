//! Real sockets: the WebSocket, a taken port, and games that outlive the server.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use kingme_server::{Config, ServeError, serve};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::client::place_of;

pub struct Server {
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    done: JoinHandle<Result<(), ServeError>>,
}

async fn start(data: Option<&Path>, listen: SocketAddr) -> Server {
    start_with(Config {
        listen,
        data: data.map(Path::to_owned),
        store: data.and_then(place_of),
        ..Config::default()
    })
    .await
}

pub async fn start_with(config: Config) -> Server {
    let (ready, address) = oneshot::channel();
    let (stop, stopped) = oneshot::channel::<()>();
    let done = tokio::spawn(serve(
        config,
        |address| ready.send(address).expect("somebody waits"),
        async {
            let _ = stopped.await;
        },
    ));
    Server {
        address: address.await.expect("an address").address,
        stop,
        done,
    }
}

pub fn any_port() -> SocketAddr {
    "127.0.0.1:0".parse().unwrap()
}

/// A request by hand: method, path, cookie, body; answers with head and body.
pub async fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    cookie: &str,
    body: &str,
) -> (String, String) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = TcpStream::connect(address).await.unwrap();
    let text = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nCookie: {cookie}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

/// A public game of one person on both sides: its identifier and the cookie.
pub async fn begin(address: SocketAddr) -> (String, String) {
    let body = r#"{"variant":"english","white":{"type":"me"},"black":{"type":"me"},"public":true}"#;
    let (head, body) = request(address, "POST", "/api/games", "", body).await;
    let cookie = head
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "))
        .unwrap();
    let json: Value = serde_json::from_str(&body).unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    (json["id"].as_str().unwrap().to_owned(), cookie)
}

pub async fn play(address: SocketAddr, id: &str, cookie: &str, text: &str) {
    let path = format!("/api/games/{id}/moves");
    let body = format!(r#"{{"move":"{text}"}}"#);
    let (head, body) = request(address, "POST", &path, cookie, &body).await;
    assert!(head.starts_with("HTTP/1.1 200"), "{head}\n{body}");
}

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn connect(address: SocketAddr, id: &str, origin: Option<&str>) -> Result<Socket, Error> {
    connect_as(address, id, origin, "").await
}

/// The same for whoever has a cookie.
pub async fn connect_as(
    address: SocketAddr,
    id: &str,
    origin: Option<&str>,
    cookie: &str,
) -> Result<Socket, Error> {
    let url = format!("ws://{address}/api/games/{id}/socket");
    let mut request = url.into_client_request()?;
    let value = HeaderValue::from_str(cookie).unwrap();
    request.headers_mut().insert("cookie", value);
    if let Some(origin) = origin {
        let value = HeaderValue::from_str(origin).unwrap();
        request.headers_mut().insert("origin", value);
    }
    connect_async(request).await.map(|(socket, _)| socket)
}

pub async fn hear(socket: &mut Socket) -> Value {
    loop {
        match socket.next().await.expect("a message").expect("no fault") {
            Message::Text(text) => return serde_json::from_str(&text).unwrap(),
            Message::Ping(_) => (),
            other => panic!("unexpected: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_socket_tells_everything_first_and_then_each_event_in_order() {
    let server = start(None, any_port()).await;
    let address = server.address;
    let (id, cookie) = begin(address).await;
    let origin = format!("http://{address}");
    let mut socket = connect(address, &id, Some(&origin)).await.unwrap();
    assert_eq!(hear(&mut socket).await["whole"]["game"]["seq"], 0);
    play(address, &id, &cookie, "11-15").await;
    play(address, &id, &cookie, "22-18").await;
    let first = hear(&mut socket).await;
    let second = hear(&mut socket).await;
    assert_eq!(
        (first["seq"].as_u64(), second["seq"].as_u64()),
        (Some(1), Some(2))
    );
    assert_eq!(second["last"]["text"], "22-18");
    // Whoever comes back gets everything.
    let mut again = connect(address, &id, Some(&origin)).await.unwrap();
    let whole = hear(&mut again).await;
    assert_eq!(whole["whole"]["history"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_socket_is_for_our_own_pages_only() {
    let server = start(None, any_port()).await;
    let (id, _) = begin(server.address).await;
    for origin in [Some("http://evil.example"), None] {
        match connect(server.address, &id, origin).await {
            Err(Error::Http(response)) => assert_eq!(response.status(), 403),
            other => panic!("{origin:?} was let in: {other:?}"),
        }
    }
}

/// Sockets listen. Whoever talks at length, or without end, is dropped; the others notice nothing.
#[tokio::test]
async fn a_socket_that_talks_too_much_is_dropped() {
    let server = start(None, any_port()).await;
    let address = server.address;
    let (id, cookie) = begin(address).await;
    let origin = format!("http://{address}");
    let mut quiet = connect(address, &id, Some(&origin)).await.unwrap();
    hear(&mut quiet).await;
    let rubbish = [
        vec![Message::text("x".repeat(5_000))],
        vec![Message::text("{"); 2_000],
        vec![Message::Ping("?".into()); 2_000],
    ];
    for messages in rubbish {
        let mut loud = connect(address, &id, Some(&origin)).await.unwrap();
        hear(&mut loud).await;
        for message in messages {
            if loud.send(message).await.is_err() {
                break;
            }
        }
        let dropped = async { while let Some(Ok(_)) = loud.next().await {} };
        let soon = tokio::time::timeout(Duration::from_secs(10), dropped).await;
        soon.expect("whoever talks too much is dropped");
    }
    // A few words do no harm, and show a page that the server is there.
    quiet.send(Message::text("hello")).await.unwrap();
    assert_eq!(hear(&mut quiet).await, serde_json::Value::Null);
    quiet.send(Message::binary(vec![0, 255])).await.unwrap();
    play(address, &id, &cookie, "11-15").await;
    assert_eq!(hear(&mut quiet).await["seq"], 1);
}

#[tokio::test]
async fn a_taken_port_means_the_next_one() {
    let first = start(None, any_port()).await;
    let second = start(None, first.address).await;
    assert_eq!(second.address.ip(), first.address.ip());
    assert!(second.address.port() > first.address.port());
}

#[tokio::test]
async fn another_hosts_name_gets_nothing_from_a_loopback_server() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = start(None, any_port()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let text = "GET / HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n";
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
}

#[tokio::test]
async fn games_outlive_the_server_and_sockets_end_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(Some(folder.path()), any_port()).await;
    let (id, cookie) = begin(server.address).await;
    play(server.address, &id, &cookie, "11-15").await;
    let origin = format!("http://{}", server.address);
    let mut socket = connect(server.address, &id, Some(&origin)).await.unwrap();
    hear(&mut socket).await;
    server.stop.send(()).unwrap();
    server.done.await.unwrap().unwrap();
    let server = start(Some(folder.path()), any_port()).await;
    let (_, body) = request(
        server.address,
        "GET",
        &format!("/api/games/{id}"),
        &cookie,
        "",
    )
    .await;
    let whole: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(whole["history"][0]["text"], "11-15");
    assert_eq!(whole["you"], serde_json::json!(["white", "black"]));
    play(server.address, &id, &cookie, "22-18").await;
}
