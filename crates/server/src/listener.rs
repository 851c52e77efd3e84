//! Connections: none that only keeps us waiting.

use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep};

use crate::shares::{Place, Shares};
use crate::state::Address;

/// How long connections may keep us waiting.
#[derive(Copy, Clone, Debug)]
pub struct Patience {
    /// Until the first answer: whoever sends a request letter by letter is cut off.
    pub first: Duration,
    /// From one answer to the next. Sockets and streams show by their own beat that they live.
    pub next: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            first: Duration::from_secs(40),
            next: Duration::from_secs(90),
        }
    }
}

/// Listens, and has a place for everybody who is let in.
#[derive(Debug)]
pub struct Door {
    listener: TcpListener,
    patience: Patience,
    places: Shares,
}

impl Door {
    /// A door with so many places behind it, and some patience.
    pub fn new(listener: TcpListener, places: Shares, patience: Patience) -> Door {
        Door {
            listener,
            patience,
            places,
        }
    }
}

impl Listener for Door {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            // The trait's own way with errors of a listener: wait and try again.
            let (stream, address) = Listener::accept(&mut self.listener).await;
            // Whoever is one too many is simply not answered.
            let Some(place) = self.places.take(Address::from(address.ip()).0) else {
                continue;
            };
            // A move must not wait until the one before it is acknowledged.
            let _ = stream.set_nodelay(true);
            let connection = Connection {
                stream,
                deadline: Box::pin(sleep(self.patience.first)),
                next: self.patience.next,
                _place: place,
            };
            return (connection, address);
        }
    }

    fn local_addr(&self) -> Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// Where a connection comes from.
#[derive(Copy, Clone, Debug)]
pub struct Peer(pub SocketAddr);

impl Connected<IncomingStream<'_, Door>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Peer {
        Peer(*stream.remote_addr())
    }
}

/// A connection that ends when nothing has been sent on it for too long.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    deadline: Pin<Box<Sleep>>,
    next: Duration,
    _place: Place,
}

impl Connection {
    /// Something was sent: the other side has another while.
    fn goes_on(&mut self, sent: &Poll<Result<usize>>) {
        if matches!(sent, Poll::Ready(Ok(_))) {
            let deadline = Instant::now() + self.next;
            self.deadline.as_mut().reset(deadline);
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        if self.deadline.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(Error::from(ErrorKind::TimedOut)));
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.goes_on(&sent);
        sent
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[std::io::IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.goes_on(&sent);
        sent
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    async fn door(places: Shares, patience: Patience) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Router::new().route("/", get(async || "here"));
        tokio::spawn(async move { axum::serve(Door::new(listener, places, patience), app).await });
        address
    }

    /// What comes back until the other side has closed.
    async fn ask(address: SocketAddr, text: &str) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer).await;
        answer
    }

    const REQUEST: &str = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    #[tokio::test]
    async fn half_a_request_does_not_keep_a_connection_for_ever() {
        let patience = Patience {
            first: Duration::from_millis(100),
            next: Duration::from_millis(300),
        };
        let address = door(Shares::new(100), patience).await;
        assert_eq!(ask(address, "GET / HTTP/1.1\r\nHost: loc").await, "");
        // A whole request is answered, and then the idle connection ends.
        assert!(ask(address, REQUEST).await.ends_with("here"));
    }

    #[tokio::test]
    async fn there_are_so_many_connections() {
        let address = door(Shares::unshared(2), Patience::default()).await;
        let kept = [
            TcpStream::connect(address).await.unwrap(),
            TcpStream::connect(address).await.unwrap(),
        ];
        assert_eq!(ask(address, REQUEST).await, "");
        drop(kept);
        // Places are free again once the server has noticed.
        for _ in 0..100 {
            let closing = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            if ask(address, closing).await.ends_with("here") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the places are never free again");
    }
}
