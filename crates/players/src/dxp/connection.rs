//! Messages over TCP, each with an absolute deadline.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::{Duration, Instant};

use kingme_play::Stop;

use super::message::{LONGEST, Message, MessageError};

/// What can go wrong with a connection.
#[derive(Debug, thiserror::Error)]
pub enum DxpError {
    /// Nobody listens there, or the line is down.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The other side went away.
    #[error("the other side has closed the connection")]
    Closed,
    /// The deadline passed.
    #[error("no message in time")]
    Late,
    /// We asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// Not a message.
    #[error(transparent)]
    Message(#[from] MessageError),
    /// A move that is not legal.
    #[error("an illegal move: {0}")]
    Move(String),
    /// A game that can't be played this way.
    #[error("DamExchange has boards of 50 squares; `{game}` has {squares}")]
    Board {
        /// The game.
        game: String,
        /// What it has.
        squares: usize,
    },
}

/// A connection to another program.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    news: Receiver<News>,
    /// For whoever wakes us when a stop is requested.
    sender: SyncSender<News>,
}

/// So many pieces may wait to be heard.
const UNHEARD: usize = 16;

/// What a wait for a message may come to.
#[derive(Debug)]
enum News {
    Bytes(Vec<u8>),
    Closed(Option<std::io::Error>),
    Stopped,
}

impl Connection {
    /// Calls a program that listens.
    ///
    /// # Errors
    ///
    /// If nobody answers within `patience`, whatever takes so long: the name, or any of its
    /// addresses.
    pub fn open(host: &str, port: u16, patience: Duration) -> Result<Connection, DxpError> {
        let (sender, called) = mpsc::channel();
        let host = host.to_owned();
        // Nothing can hurry the system's search for a name: it is left alone when it takes too long.
        std::thread::spawn(move || sender.send(call(&host, port, patience)));
        let stream = called
            .recv_timeout(patience)
            .map_err(|_| nobody(patience))?;
        Connection::new(stream?)
    }

    /// A connection that stands.
    ///
    /// # Errors
    ///
    /// If it is down already.
    pub fn new(stream: TcpStream) -> Result<Connection, DxpError> {
        stream.set_nodelay(true)?;
        // A peer that takes nothing in must not hold us for ever.
        stream.set_write_timeout(Some(Duration::from_secs(5)))?;
        let (sender, news) = mpsc::sync_channel(UNHEARD);
        let (reader, heard) = (stream.try_clone()?, sender.clone());
        std::thread::Builder::new().spawn(move || keep_reading(reader, &heard))?;
        Ok(Connection {
            stream,
            buffer: Vec::new(),
            news,
            sender,
        })
    }

    /// Sends a message.
    ///
    /// # Errors
    ///
    /// If the line is down.
    pub fn send(&mut self, message: &Message) -> Result<(), DxpError> {
        let mut bytes = message.write().into_bytes();
        bytes.push(0);
        Ok(self.stream.write_all(&bytes)?)
    }

    /// The next message.
    ///
    /// # Errors
    ///
    /// If none comes by the deadline, if it is none, or if the line is down.
    pub fn receive(&mut self, deadline: Option<Instant>, stop: &Stop) -> Result<Message, DxpError> {
        loop {
            if let Some(end) = self.buffer.iter().position(|&byte| byte == 0) {
                let message: Vec<u8> = self.buffer.drain(..=end).collect();
                let text = String::from_utf8_lossy(&message[..end]).into_owned();
                return Ok(Message::read(&text)?);
            }
            if self.buffer.len() > LONGEST {
                let text = String::from_utf8_lossy(&self.buffer).into_owned();
                self.buffer.clear();
                return Err(MessageError(text).into());
            }
            self.wait(deadline, stop)?;
        }
    }

    fn wait(&mut self, deadline: Option<Instant>, stop: &Stop) -> Result<(), DxpError> {
        let sender = self.sender.clone();
        let _on_stop = stop.on_request(move || {
            // Where there is no room there is something that wakes us anyway.
            sender.try_send(News::Stopped).unwrap_or_default();
        });
        if stop.is_requested() {
            return Err(DxpError::Interrupted);
        }
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let news = match left {
            Some(Duration::ZERO) => return Err(DxpError::Late),
            Some(left) => self.news.recv_timeout(left).ok(),
            None => self.news.recv().ok(),
        };
        match news {
            Some(News::Bytes(bytes)) => self.buffer.extend(bytes),
            Some(News::Closed(None)) => return Err(DxpError::Closed),
            Some(News::Closed(Some(error))) => return Err(error.into()),
            // Why, is looked at when we wait again.
            Some(News::Stopped) | None => {}
        }
        Ok(())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // This ends the thread that reads; a line that is down already has ended it.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Hands on what comes in, until the line is down or nobody listens. A peer that floods us waits.
fn keep_reading(mut stream: TcpStream, sender: &SyncSender<News>) {
    let mut chunk = [0; 256];
    loop {
        let news = match stream.read(&mut chunk) {
            Ok(0) => News::Closed(None),
            Ok(count) => News::Bytes(chunk[..count].to_vec()),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => News::Closed(Some(error)),
        };
        let is_last = matches!(news, News::Closed(_));
        if sender.send(news).is_err() || is_last {
            return;
        }
    }
}

/// Calls the addresses of a name, one after the other.
fn call(host: &str, port: u16, patience: Duration) -> std::io::Result<TcpStream> {
    let unknown = |_| {
        let words = format!("there is no machine `{host}`");
        std::io::Error::new(ErrorKind::NotFound, words)
    };
    let mut last = nobody(patience);
    for address in (host, port).to_socket_addrs().map_err(unknown)? {
        match TcpStream::connect_timeout(&address, patience) {
            Ok(stream) => return Ok(stream),
            Err(error) if error.kind() == ErrorKind::TimedOut => {}
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn nobody(patience: Duration) -> std::io::Error {
    let words = format!("nobody answers within {} s", patience.as_secs());
    std::io::Error::new(ErrorKind::TimedOut, words)
}
