//! Two servers at one data base, people who play at both, and listeners that come back.

mod guide;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub use guide::check_units;

use crate::support::command;
use guide::Nginx;

/// Nothing may take longer, on any machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// Numbers that look like chance.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// Two servers.
pub struct Site {
    /// Ends first: the others' folder is its as well.
    nginx: Option<Nginx>,
    url: String,
    data: tempfile::TempDir,
    servers: [Mutex<Child>; 2],
    addresses: [String; 2],
}

impl Site {
    pub fn start(url: &str) -> Site {
        let data = tempfile::tempdir().unwrap();
        let servers = ["127.0.0.1:0"; 2].map(|listen| serve(url, data.path(), listen));
        let [first, second] = servers;
        Site {
            nginx: None,
            url: url.to_owned(),
            data,
            addresses: [first.1, second.1],
            servers: [Mutex::new(first.0), Mutex::new(second.0)],
        }
    }

    /// The same where people come by the proxy of the guide.
    pub fn behind_nginx(mut self) -> Site {
        self.nginx = Some(Nginx::start(self.data.path(), &self.addresses));
        self
    }

    /// Where people find a server.
    fn door(&self, server: usize) -> &str {
        let proxy = self.nginx.as_ref().map(Nginx::address);
        proxy.unwrap_or(&self.addresses[server])
    }

    /// What is asked for by TLS is there, but for what is for the machine itself.
    pub fn check_tls_and_what_is_private(&self) {
        let nginx = self.nginx.as_ref().expect("it is behind nginx");
        assert_eq!(nginx.status_by_tls("/healthz"), "200");
        assert_eq!(nginx.status_by_tls("/"), "200");
        assert_eq!(nginx.status_by_tls("/metrics"), "403");
    }

    /// Kills a server at once and starts it again at the same address.
    pub fn kill_and_restart(&self, number: usize) {
        let mut server = self.servers[number].lock().unwrap();
        server.kill().unwrap();
        server.wait().unwrap();
        let (child, address) = serve(&self.url, self.data.path(), &self.addresses[number]);
        *server = child;
        assert_eq!(address, self.addresses[number]);
    }

    /// A request to one of them: the status and what comes with it; none if it dies meanwhile.
    fn ask(
        &self,
        server: usize,
        who: &Who,
        (method, path): (&str, &str),
        body: Option<&Value>,
    ) -> Option<(u16, String, Value)> {
        let address = self.door(server);
        let body = body.map(Value::to_string).unwrap_or_default();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
             Cookie: {}\r\nX-Forwarded-For: 10.0.0.{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            who.cookie,
            who.number,
            body.len()
        );
        let mut stream = TcpStream::connect(address).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.write_all(text.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        // A body that was cut off is no answer.
        let body = if body.is_empty() {
            Value::Null
        } else {
            serde_json::from_str(body).ok()?
        };
        Some((status, head.to_owned(), body))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        for server in &self.servers {
            let mut server = server.lock().unwrap();
            server.kill().unwrap_or_default();
            server.wait().map(drop).unwrap_or_default();
        }
    }
}

fn serve(url: &str, data: &std::path::Path, listen: &str) -> (Child, String) {
    let mut child = command(&["serve", "--no-open", "--behind-proxy", "--listen", listen])
        .args(["--log", "off", "--store", url, "--data"])
        .arg(data)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).expect(&line);
    let address = address.split('/').next().unwrap().to_owned();
    (child, address)
}

/// Somebody at a browser.
#[derive(Clone)]
struct Who {
    number: u32,
    cookie: String,
}

/// Somebody who plays at both servers in turn, or for a while at each, alone or against the computer.
pub struct Player<'s> {
    site: &'s Site,
    who: Who,
    /// The game that is played now.
    pub game: Arc<Mutex<String>>,
    alone: bool,
    random: Random,
    /// Moves that were acknowledged, with their games and numbers.
    told: Vec<(String, u64, String)>,
    /// How long a move took from the first try until it was made.
    pub longest: Duration,
}

impl<'s> Player<'s> {
    pub fn begin(site: &'s Site, number: u32, computer: bool) -> Player<'s> {
        let mut player = Player {
            site,
            who: Who {
                number: number + 1,
                cookie: String::new(),
            },
            game: Arc::default(),
            alone: !computer,
            random: Random(u64::from(number) + 77),
            told: Vec::new(),
            longest: Duration::ZERO,
        };
        player.begin_anew(&mut 0, Instant::now());
        player
    }

    /// Begins a game wherever it is possible.
    fn begin_anew(&mut self, server: &mut usize, began: Instant) {
        let me = json!({ "type": "me" });
        let other = if self.alone {
            me.clone()
        } else {
            json!({ "type": "computer", "level": 0 })
        };
        let new =
            json!({ "variant": "international", "white": me, "black": other, "public": true });
        loop {
            let made = ("POST", "/api/games");
            match self.site.ask(*server, &self.who, made, Some(&new)) {
                Some((201, head, game)) => {
                    let cookie = |line: &str| line.strip_prefix("set-cookie: ").map(str::to_owned);
                    if let Some(cookie) = head.lines().find_map(cookie) {
                        let value = cookie.split(';').next();
                        value.unwrap().clone_into(&mut self.who.cookie);
                    }
                    let id = game["id"].as_str().unwrap().to_owned();
                    *self.game.lock().unwrap() = id;
                    return;
                }
                Some((503, ..)) | None => *server = 1 - *server,
                Some((status, _, why)) => panic!("{status}: {why}"),
            }
            assert!(began.elapsed() < PATIENCE, "no server begins a game");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Plays until it is to stop, a game after the other.
    pub fn play(&mut self, stop: &AtomicBool) {
        let mut server = 0;
        while !stop.load(Ordering::Relaxed) {
            let began = Instant::now();
            if !self.make_a_move(&mut server, began) {
                self.begin_anew(&mut server, began);
                continue;
            }
            self.longest = self.longest.max(began.elapsed());
            thread::sleep(Duration::from_millis(30));
            // Some mostly stay where they are: only by word the other server knows what they do.
            if self.who.number.is_multiple_of(2) || self.random.below(20) == 0 {
                server = 1 - server;
            }
        }
        // An answer of the computer may be under way.
        self.wait_for_turn(&mut server);
    }

    fn now(&self) -> String {
        self.game.lock().unwrap().clone()
    }

    /// A game as one of the servers has it, whichever answers.
    fn look(&self, game: &str, server: &mut usize, began: Instant) -> Value {
        let path = format!("/api/games/{game}");
        loop {
            let found = self.site.ask(*server, &self.who, ("GET", &path), None);
            if let Some((200, _, state)) = found {
                return state;
            }
            assert!(began.elapsed() < PATIENCE, "no server answers: {found:?}");
            *server = 1 - *server;
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until it is this player's turn; none if the game is over.
    fn wait_for_turn(&self, server: &mut usize) -> Option<Value> {
        let began = Instant::now();
        loop {
            let state = self.look(&self.now(), server, began);
            if state["game"]["over"].is_object() {
                return None;
            }
            if self.alone || state["game"]["turn"] == "white" {
                return Some(state);
            }
            assert!(
                began.elapsed() < PATIENCE,
                "the computer does not move: {state}"
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Makes one move, wherever it is possible; `false` if the game is over.
    fn make_a_move(&mut self, server: &mut usize, began: Instant) -> bool {
        loop {
            let Some(state) = self.wait_for_turn(server) else {
                return false;
            };
            let legal = state["game"]["legal"].as_array().unwrap();
            let text = &legal[self.random.below(legal.len() as u64) as usize]["text"];
            let game_now = self.now();
            let path = format!("/api/games/{game_now}/moves");
            let mv = json!({ "move": text });
            let made = self
                .site
                .ask(*server, &self.who, ("POST", &path), Some(&mv));
            match made {
                Some((200, _, game)) => {
                    let last = game["last"]["text"].as_str().unwrap().to_owned();
                    let seq = game["seq"].as_u64().unwrap();
                    self.told.push((game_now, seq, last));
                    return true;
                }
                // Not acknowledged: perhaps made, perhaps not. A server that has not heard of the
                // last move yet has offered moves that are legal no more.
                Some((409 | 422 | 503, ..)) | None => *server = 1 - *server,
                Some((status, _, why)) => panic!("{status}: {why}"),
            }
            assert!(began.elapsed() < PATIENCE, "no server takes the move");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// How many events a game has, as both servers say.
    pub fn seq(&self, game: &str) -> u64 {
        let seq = [0, 1].map(|mut server| {
            let state = self.look(game, &mut server, Instant::now());
            state["game"]["seq"].as_u64().unwrap()
        });
        assert_eq!(seq[0], seq[1], "both servers");
        seq[0]
    }

    pub fn acknowledged(&self) -> usize {
        self.told.len()
    }

    /// Whether everything that was acknowledged is there, once, where it was said to be.
    pub fn check(&self) {
        assert!(!self.told.is_empty(), "nothing was played");
        for told in self.told.chunk_by(|one, next| one.0 == next.0) {
            let game = &told[0].0;
            let state = self.look(game, &mut 0, Instant::now());
            let history = state["history"].as_array().unwrap();
            assert_eq!(
                history.len() as u64,
                self.seq(game),
                "each event is a move, once"
            );
            let mut last = 0;
            for (_, number, text) in told {
                assert!(*number > last, "{number} was told twice");
                last = *number;
                assert_eq!(history[*number as usize - 1]["text"], **text, "{number}");
            }
        }
    }
}

/// Somebody who watches what a player plays, and comes back when the connection is lost.
pub struct Listener<'s> {
    site: &'s Site,
    now: Arc<Mutex<String>>,
    game: String,
    server: usize,
    seq: u64,
    /// The games that were watched, with the last number that was heard.
    pub heard: Vec<(String, u64)>,
}

impl<'s> Listener<'s> {
    pub fn new(site: &'s Site, now: &Arc<Mutex<String>>, server: usize) -> Listener<'s> {
        Listener {
            site,
            now: now.clone(),
            game: now.lock().unwrap().clone(),
            server,
            seq: 0,
            heard: Vec::new(),
        }
    }

    /// Listens until it is to stop and nothing more comes.
    pub fn listen(&mut self, stop: &AtomicBool) {
        loop {
            if self.hear(stop) {
                self.heard.push((self.game.clone(), self.seq));
                let now = self.now.lock().unwrap().clone();
                if now == self.game {
                    return;
                }
                self.game = now;
                self.seq = 0;
            } else {
                self.server = 1 - self.server;
                thread::sleep(Duration::from_millis(50));
            }
        }
    }

    /// Listens to a game on one connection; whether that was its end.
    fn hear(&mut self, stop: &AtomicBool) -> bool {
        let Some(mut socket) = self.connect() else {
            return false;
        };
        let mut first = true;
        let mut quiet = Instant::now();
        loop {
            match message(&mut socket) {
                Ok(Some(text)) => {
                    quiet = Instant::now();
                    let told: Value = serde_json::from_str(&text).unwrap();
                    let game = if told["whole"].is_object() {
                        &told["whole"]["game"]
                    } else {
                        &told
                    };
                    let Some(seq) = game["seq"].as_u64() else {
                        continue;
                    };
                    // Whoever comes back may reach a server that has not heard of the last event
                    // yet; afterwards every event comes, in order.
                    assert!(
                        first || seq == self.seq + 1 || seq == self.seq,
                        "{seq} after {}",
                        self.seq
                    );
                    self.seq = seq;
                    first = false;
                }
                Ok(None) => {
                    let over =
                        stop.load(Ordering::Relaxed) || *self.now.lock().unwrap() != self.game;
                    if over && !first && quiet.elapsed() > Duration::from_secs(3) {
                        return true;
                    }
                }
                Err(_) => return false,
            }
        }
    }

    fn connect(&self) -> Option<TcpStream> {
        let address = self.site.door(self.server);
        let mut socket = TcpStream::connect(address).ok()?;
        let text = format!(
            "GET /api/games/{}/socket HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
             Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            self.game
        );
        socket.write_all(text.as_bytes()).ok()?;
        let wait = Some(Duration::from_millis(200));
        socket.set_read_timeout(wait).ok()?;
        let mut head = Vec::new();
        let began = Instant::now();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            match socket.read(&mut byte) {
                Ok(1) => head.push(byte[0]),
                Err(error) if is_late(&error) && began.elapsed() < PATIENCE => {}
                _ => return None,
            }
        }
        head.starts_with(b"HTTP/1.1 101").then_some(socket)
    }
}

fn is_late(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{TimedOut, WouldBlock};
    matches!(error.kind(), TimedOut | WouldBlock)
}

/// The next text; none if nothing comes for a moment. Heartbeats are answered, as a browser does.
fn message(socket: &mut TcpStream) -> std::io::Result<Option<String>> {
    let mut head = [0; 2];
    match socket.read(&mut head[..1]) {
        Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
        Ok(_) => {}
        Err(error) if is_late(&error) => return Ok(None),
        Err(error) => return Err(error),
    }
    read_all(socket, &mut head[1..])?;
    let mut length = u64::from(head[1] & 0x7F);
    if length >= 126 {
        let mut long = [0; 8];
        let bytes = if length == 126 { 6 } else { 0 };
        read_all(socket, &mut long[bytes..])?;
        length = u64::from_be_bytes(long);
    }
    let mut body = vec![0; length as usize];
    read_all(socket, &mut body)?;
    match head[0] & 0x0F {
        1 => Ok(Some(String::from_utf8_lossy(&body).into_owned())),
        8 => Err(std::io::ErrorKind::ConnectionAborted.into()),
        9 => {
            socket.write_all(&[0x8A, 0x80, 0, 0, 0, 0])?;
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// All of what has begun to come, however slowly it does.
fn read_all(socket: &mut TcpStream, mut bytes: &mut [u8]) -> std::io::Result<()> {
    let began = Instant::now();
    while !bytes.is_empty() {
        match socket.read(bytes) {
            Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => bytes = &mut bytes[count..],
            Err(error) if is_late(&error) && began.elapsed() < PATIENCE => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
