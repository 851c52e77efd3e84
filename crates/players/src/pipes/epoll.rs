//! Pipes that Linux waits for: that costs the same however many there are.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use kingme_play::Stop;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};

use super::Ready;
use super::waker::Waker;

/// Our ends of a bot's pipes. What comes in and our waker are known to the system.
#[derive(Debug)]
pub(crate) struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: ChildStderr,
    waker: Waker,
    epoll: Epoll,
}

const WAKER: u64 = 0;
const STDOUT: u64 = 1;
const STDERR: u64 = 2;

impl Pipes {
    /// Takes pipes that never block.
    pub fn new(stdin: ChildStdin, stdout: ChildStdout, stderr: ChildStderr) -> io::Result<Pipes> {
        let waker = Waker::new()?;
        let epoll = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?;
        let event = |data| EpollEvent::new(EpollFlags::EPOLLIN, data);
        epoll.add(&waker, event(WAKER))?;
        epoll.add(&stdout, event(STDOUT))?;
        epoll.add(&stderr, event(STDERR))?;
        Ok(Pipes {
            stdin: Some(stdin),
            stdout,
            stderr,
            waker,
            epoll,
        })
    }

    /// Wakes whoever waits when a stop is requested; only the last one counts.
    pub fn heed(&mut self, stop: &Stop) {
        self.waker.heed(stop);
    }

    /// Writes what there is room for.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.stdin {
            Some(stdin) => stdin.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Nothing more will be written.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Reads what is there; nothing, if it was closed.
    pub fn read_stdout(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        self.stdout.read(chunk)
    }

    /// Reads what is there; nothing, if it was closed.
    pub fn read_stderr(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        self.stderr.read(chunk)
    }

    /// What it has closed is never ready again.
    pub fn forget_stderr(&mut self) {
        // It was added, and nobody else takes it out.
        let forgotten = self.epoll.delete(&self.stderr);
        debug_assert!(forgotten.is_ok(), "our own pipe: {forgotten:?}");
    }

    /// Waits until there is something to read or to heed, or to write to if that is wanted.
    pub fn wait(&mut self, to_write: bool, time: Option<Duration>) -> Ready {
        match self.stdin.as_ref().filter(|_| to_write) {
            None => self.ready(time),
            // Seldom: its input is full.
            Some(stdin) => {
                let mut files = [
                    PollFd::new(stdin.as_fd(), PollFlags::POLLOUT),
                    PollFd::new(self.epoll.0.as_fd(), PollFlags::POLLIN),
                ];
                // Interrupted by a signal, nothing is ready, and the caller waits again.
                if poll(&mut files, poll_time(time)).is_err() {
                    return Ready::default();
                }
                self.ready(Some(Duration::ZERO))
            }
        }
    }

    fn ready(&self, time: Option<Duration>) -> Ready {
        let time = match time.map(rounded_up) {
            None => EpollTimeout::NONE,
            Some(millis) => EpollTimeout::try_from(millis).unwrap_or(EpollTimeout::MAX),
        };
        let mut events = [EpollEvent::empty(); 3];
        // Interrupted by a signal, nothing is ready, and the caller waits again.
        let count = self.epoll.wait(&mut events, time).unwrap_or(0);
        let any = |data| events[..count].iter().any(|event| event.data() == data);
        if any(WAKER) {
            self.waker.rest();
        }
        Ready {
            stdout: any(STDOUT),
            stderr: any(STDERR),
        }
    }
}

/// Milliseconds, rounded up, so that the last one is not spent spinning.
fn rounded_up(time: Duration) -> u128 {
    time.as_micros().div_ceil(1000)
}

fn poll_time(time: Option<Duration>) -> PollTimeout {
    match time.map(rounded_up) {
        None => PollTimeout::NONE,
        Some(millis) => PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX),
    }
}
