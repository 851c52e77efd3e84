//! A server in a process of its own, and its visitors.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Mutex;

use axum::body::{Body, Bytes};
use axum::http::{Request, StatusCode, header};
use futures_util::StreamExt;
use http_body_util::BodyExt;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use kingme_cluster::Cluster;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::{Child, Command};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::Error;

/// A server that is gone with this value.
pub struct Site {
    pub address: SocketAddr,
    process: Child,
    _folder: tempfile::TempDir,
    /// Connections that nobody uses at the moment.
    idle: Mutex<Vec<SendRequest<Body>>>,
}

/// Somebody with an address, and a session after the first request that needs one.
#[derive(Clone)]
pub struct Visitor {
    pub from: Ipv4Addr,
    cookie: String,
}

impl Visitor {
    pub fn new(number: usize) -> Visitor {
        let number = u32::try_from(number).expect("few visitors");
        Visitor {
            from: Ipv4Addr::from(u32::from(Ipv4Addr::new(10, 0, 0, 0)) + number),
            cookie: String::new(),
        }
    }
}

/// A socket of a page that listens.
pub struct Listener(WebSocketStream<TcpStream>);

impl Listener {
    /// The next thing that it hears.
    pub async fn hear(&mut self) -> Result<Value, Error> {
        loop {
            match self.0.next().await.ok_or("the socket is closed")?? {
                Message::Text(text) => return Ok(serde_json::from_str(&text)?),
                Message::Close(_) => return Err("the server has closed the socket".into()),
                _ => (),
            }
        }
    }

    /// The next thing, without a look at it.
    pub async fn wake(&mut self) -> Result<(), Error> {
        while !matches!(
            self.0.next().await.ok_or("the socket is closed")??,
            Message::Text(_)
        ) {}
        Ok(())
    }
}

impl Site {
    pub async fn start() -> Result<Site, Error> {
        Site::start_at(None).await
    }

    /// A server with its data at a URL, or in a folder of its own.
    pub async fn start_at(store: Option<&str>) -> Result<Site, Error> {
        let folder = tempfile::tempdir()?;
        let mut process = Command::new(program()?)
            .args(["serve", "--no-open", "--behind-proxy", "--log", "warn"])
            .args(["--listen", "127.0.0.1:18500", "--data"])
            .arg(folder.path())
            .args(store.iter().flat_map(|url| ["--store", url]))
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let output = process.stdout.take().ok_or("no output")?;
        let line = BufReader::new(output).lines().next_line().await?;
        let line = line.ok_or("the server has said nothing")?;
        let address = line
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next());
        Ok(Site {
            address: address.ok_or("the server has said no address")?.parse()?,
            process,
            _folder: folder,
            idle: Mutex::default(),
        })
    }

    /// Asks for something.
    pub async fn ask(
        &self,
        visitor: &mut Visitor,
        method: &str,
        path: &str,
        body: &str,
    ) -> Result<(StatusCode, Value), Error> {
        let (status, bytes) = self.send(visitor, method, path, body.to_owned()).await?;
        Ok((status, serde_json::from_slice(&bytes).unwrap_or_default()))
    }

    /// Sends something; what a new session is called is kept for the next time.
    pub async fn send(
        &self,
        visitor: &mut Visitor,
        method: &str,
        path: &str,
        body: String,
    ) -> Result<(StatusCode, Bytes), Error> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, self.address.to_string())
            .header(header::ORIGIN, format!("http://{}", self.address))
            .header(header::COOKIE, &visitor.cookie)
            .header(header::CONTENT_TYPE, "application/json")
            .header("x-forwarded-for", visitor.from.to_string())
            .body(Body::from(body))?;
        let free = self.idle.lock().expect("nobody panics").pop();
        let mut connection = match free.filter(|connection| !connection.is_closed()) {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        connection.ready().await?;
        let answer = connection.send_request(request).await?;
        let session = answer.headers().get(header::SET_COOKIE);
        if let Some(session) = session.and_then(|value| value.to_str().ok()) {
            let session = session.split(';').next().unwrap_or_default();
            session.clone_into(&mut visitor.cookie);
        }
        let status = answer.status();
        let bytes = answer.into_body().collect().await?.to_bytes();
        self.idle.lock().expect("nobody panics").push(connection);
        Ok((status, bytes))
    }

    async fn connect(&self) -> Result<SendRequest<Body>, Error> {
        let stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        let (requests, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(requests)
    }

    /// Opens a socket, and hears the first message on it.
    pub async fn listen(&self, visitor: &Visitor, path: &str) -> Result<Listener, Error> {
        let mut request = format!("ws://{}{path}", self.address).into_client_request()?;
        let headers = request.headers_mut();
        headers.insert("origin", format!("http://{}", self.address).parse()?);
        headers.insert("cookie", visitor.cookie.parse()?);
        headers.insert("x-forwarded-for", visitor.from.to_string().parse()?);
        // Ports are few: each thousand visitors come by another way.
        let number = u32::from(visitor.from) & 0xFF_FFFF;
        let by = Ipv4Addr::from(u32::from(Ipv4Addr::LOCALHOST) + number / 1_000);
        let way = TcpSocket::new_v4()?;
        way.bind(SocketAddr::from((by, 0)))?;
        let stream = way.connect(self.address).await?;
        let small = WebSocketConfig::default()
            .read_buffer_size(2_048)
            .write_buffer_size(0);
        let (socket, _) = client_async_with_config(request, stream, Some(small)).await?;
        let mut listener = Listener(socket);
        listener.wake().await?;
        Ok(listener)
    }

    /// What the server holds in memory, in MB.
    pub fn memory(&self) -> Result<u64, Error> {
        let process = self.process.id().ok_or("the server is gone")?;
        let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
        let held = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let held = held.and_then(|held| held.split_whitespace().next());
        Ok(held.ok_or("no size")?.parse::<u64>()? / 1_024)
    }

    /// The server's CPU time so far, in seconds.
    pub fn cpu(&self) -> Result<f64, Error> {
        let process = self.process.id().ok_or("the server is gone")?;
        Ok(stat(process)?[11..13].iter().sum::<f64>() / 100.0)
    }
}

/// What the system says of a process, from its third word on; what is no number is 0.
fn stat(process: u32) -> Result<Vec<f64>, Error> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    let after = text.rsplit(')').next().unwrap_or_default();
    let words = after.split_whitespace();
    Ok(words.map(|word| word.parse().unwrap_or(0.0)).collect())
}

/// One server or two, and what they keep their data in.
pub struct Sites {
    pub white: Site,
    /// Where Black is, if that is another server.
    other: Option<Site>,
    cluster: Option<Cluster>,
}

impl Sites {
    /// As `SERVERS` says.
    pub async fn start() -> Result<Sites, Error> {
        let servers = std::env::var("SERVERS").ok();
        let Some(servers) = servers else {
            return Ok(Sites {
                white: Site::start().await?,
                other: None,
                cluster: None,
            });
        };
        let start = || {
            let cluster = Cluster::start("");
            let url = cluster.database();
            (cluster, url)
        };
        let (cluster, url) = tokio::task::spawn_blocking(start).await?;
        let white = Site::start_at(Some(&url)).await?;
        let other = match servers.as_str() {
            "2" => Some(Site::start_at(Some(&url)).await?),
            _ => None,
        };
        Ok(Sites {
            white,
            other,
            cluster: Some(cluster),
        })
    }

    /// Where Black is.
    pub fn black(&self) -> &Site {
        self.other.as_ref().unwrap_or(&self.white)
    }

    /// The CPU time so far, in seconds: of the servers, and of the `PostgreSQL`.
    pub fn cpu(&self) -> Result<[f64; 2], Error> {
        let other = self.other.as_ref().map_or(Ok(0.0), Site::cpu)?;
        let mut base = 0.0;
        if let Some(cluster) = &self.cluster {
            let parent = f64::from(cluster.process());
            for entry in std::fs::read_dir("/proc")?.flatten() {
                let number = entry.file_name().to_string_lossy().parse();
                let Ok(stat) = number.map_err(Error::from).and_then(stat) else {
                    continue;
                };
                if stat[1].to_bits() == parent.to_bits() {
                    base += stat[11..13].iter().sum::<f64>() / 100.0;
                }
            }
        }
        Ok([self.white.cpu()? + other, base])
    }
}

/// The program to start: `KINGME`, or what was built beside this one.
fn program() -> Result<PathBuf, Error> {
    if let Some(named) = std::env::var_os("KINGME") {
        return Ok(named.into());
    }
    let here = std::env::current_exe()?;
    let built = here.parent().and_then(|examples| examples.parent());
    Ok(built.ok_or("no folder of programs")?.join("kingme"))
}
