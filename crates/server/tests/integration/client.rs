//! A client of the router: keeps its cookie, as a browser does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, StatusCode, header};
use kingme_cluster::Cluster;
use kingme_server::{AppState, Config, Limits, Place, Store, app};
use serde_json::{Value, json};
use tower::ServiceExt;

pub const HOST: &str = "localhost:8080";
pub const ORIGIN: &str = "http://localhost:8080";

/// Somebody at a browser, or a bot with a token.
#[derive(Clone)]
pub struct Client {
    pub router: Router,
    pub cookie: Option<String>,
    pub token: Option<String>,
}

/// A new, empty data base: in memory, or with `STORE=postgres` one of a private cluster.
pub fn new_store() -> Store {
    match std::env::var("STORE").as_deref() {
        Ok("postgres") => shared_store(&Cluster::shared().database()),
        _ => Store::in_memory().expect("a data base in memory"),
    }
}

/// Where a server keeps what is in a folder otherwise: with `STORE=postgres` a data base of a
/// private cluster, one for each folder.
pub fn place_of(folder: &Path) -> Option<Place> {
    static PLACES: Mutex<BTreeMap<PathBuf, String>> = Mutex::new(BTreeMap::new());
    if std::env::var("STORE").as_deref() != Ok("postgres") {
        return None;
    }
    let mut places = PLACES.lock().unwrap();
    let url = places
        .entry(folder.to_owned())
        .or_insert_with(|| Cluster::shared().database());
    Some(url.parse().expect("our own URL"))
}

/// The data base at a URL, which others may use as well.
pub fn shared_store(url: &str) -> Store {
    match url.parse() {
        Ok(Place::Postgres(config)) => Store::postgres(&config).expect("a data base"),
        other => panic!("{url}: {other:?}"),
    }
}

/// A server of its own.
pub fn router() -> Router {
    router_with(Limits::default())
}

pub fn router_with(limits: Limits) -> Router {
    let store = new_store();
    let config = Config {
        limits,
        ..Config::default()
    };
    app(AppState::new(store, &config))
}

/// What came back.
pub struct Answer {
    pub status: StatusCode,
    pub body: Value,
    pub text: String,
    pub headers: axum::http::HeaderMap,
}

impl Answer {
    /// The sentence for people.
    pub fn message(&self) -> &str {
        self.body["message"].as_str().unwrap_or_default()
    }
}

impl Client {
    pub fn new(router: &Router) -> Client {
        Client {
            router: router.clone(),
            cookie: None,
            token: None,
        }
    }

    pub fn with_token(router: &Router, token: &str) -> Client {
        Client {
            token: Some(token.to_owned()),
            ..Client::new(router)
        }
    }

    pub async fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, None).await
    }

    pub async fn post(&mut self, path: &str, body: Value) -> Answer {
        self.send("POST", path, Some(body)).await
    }

    pub async fn delete(&mut self, path: &str) -> Answer {
        self.send("DELETE", path, None).await
    }

    async fn send(&mut self, method: &str, path: &str, body: Option<Value>) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, HOST);
        match &self.token {
            Some(token) => {
                request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
            }
            None => request = request.header(header::ORIGIN, ORIGIN),
        }
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, cookie);
        }
        let body = match body {
            Some(json) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(json.to_string())
            }
            None => Body::empty(),
        };
        let request = request.body(body).expect("a request");
        let response = self
            .router
            .clone()
            .oneshot(request)
            .await
            .expect("an answer");
        if let Some(cookie) = response.headers().get(header::SET_COOKIE) {
            let cookie = cookie.to_str().expect("a plain cookie");
            self.cookie = cookie.split(';').next().map(str::to_owned);
        }
        read(response).await
    }

    /// Begins a game and returns what the server says of it.
    pub async fn begin(&mut self, variant: &str, white: Value, black: Value) -> Value {
        let game = json!({ "variant": variant, "white": white, "black": black });
        let answer = self.post("/api/games", game).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
        answer.body
    }

    pub async fn play(&mut self, id: &str, text: &str) -> Answer {
        self.post(&format!("/api/games/{id}/moves"), json!({ "move": text }))
            .await
    }

    pub async fn act(&mut self, id: &str, action: &str) -> Answer {
        self.post(
            &format!("/api/games/{id}/actions"),
            json!({ "action": action }),
        )
        .await
    }

    pub async fn game(&mut self, id: &str) -> Answer {
        self.get(&format!("/api/games/{id}")).await
    }

    /// An account of this name.
    pub async fn register(&mut self, name: &str) {
        let body = json!({ "name": name, "password": "correct horse" });
        let answer = self.post("/api/accounts", body).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
    }
}

pub async fn read(response: Response<Body>) -> Answer {
    let (parts, body) = response.into_parts();
    let bytes = to_bytes(body, 10_000_000).await.expect("a whole body");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Answer {
        status: parts.status,
        body: serde_json::from_str(&text).unwrap_or(Value::Null),
        text,
        headers: parts.headers,
    }
}

pub fn me() -> Value {
    json!({ "type": "me" })
}

pub fn friend() -> Value {
    json!({ "type": "friend" })
}

pub fn computer(level: u8) -> Value {
    json!({ "type": "computer", "level": level })
}

pub fn id(begun: &Value) -> String {
    begun["id"].as_str().expect("an identifier").to_owned()
}
