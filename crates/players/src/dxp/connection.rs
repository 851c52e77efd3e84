//! Messages over TCP, each with an absolute deadline.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::fd::AsFd;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use kingme_play::Stop;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, poll};

use super::message::{LONGEST, Message, MessageError};
use crate::waker::{Waker, poll_time};

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
    waker: Waker,
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
        Ok(Connection {
            stream,
            buffer: Vec::new(),
            waker: Waker::new()?,
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
        self.waker.heed(stop);
        if stop.is_requested() {
            return Err(DxpError::Interrupted);
        }
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            return Err(DxpError::Late);
        }
        let mut files = [self.waker.as_fd(), self.stream.as_fd()]
            .map(|file| PollFd::new(file, PollFlags::POLLIN));
        match poll(&mut files, poll_time(left)) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(std::io::Error::from(error).into()),
        }
        let [woken, ready] = files.map(|file| file.any().unwrap_or(false));
        if woken {
            self.waker.rest();
        }
        if !ready {
            return Ok(());
        }
        let mut chunk = [0; 256];
        match self.stream.read(&mut chunk) {
            Ok(0) => Err(DxpError::Closed),
            Ok(count) => {
                self.buffer.extend_from_slice(&chunk[..count]);
                Ok(())
            }
            Err(error) if is_wait(&error) => Ok(()),
            Err(error) => Err(error.into()),
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

fn is_wait(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}
