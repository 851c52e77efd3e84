//! Pipes that threads wait for, where the system has no one wait for all of them.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use kingme_play::{OnStop, Stop};

use super::Ready;

/// So much may wait to be read or written; then the bot waits, or we do.
const ROOM: usize = 64 << 10;

/// Our ends of a bot's pipes.
#[derive(Debug)]
pub(crate) struct Pipes {
    shared: Arc<Shared>,
    heeded: Option<OnStop>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stdin: Queue,
    stdout: Queue,
    stderr: Queue,
    /// Nobody asks about standard error any more.
    forgot_stderr: bool,
    woken: bool,
    /// We are gone.
    dropped: bool,
}

/// Bytes on their way between a thread and us.
#[derive(Debug, Default)]
struct Queue {
    bytes: VecDeque<u8>,
    closed: bool,
}

impl Queue {
    fn is_ready(&self) -> bool {
        self.closed || !self.bytes.is_empty()
    }

    fn take(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        if !self.is_ready() {
            return Err(ErrorKind::WouldBlock.into());
        }
        let count = self.bytes.len().min(chunk.len());
        for (place, byte) in chunk.iter_mut().zip(self.bytes.drain(..count)) {
            *place = byte;
        }
        Ok(count)
    }
}

impl Pipes {
    /// Takes pipes, and starts a thread for each of them.
    pub fn new(stdin: ChildStdin, stdout: ChildStdout, stderr: ChildStderr) -> io::Result<Pipes> {
        let shared = Arc::<Shared>::default();
        let start = |work: Box<dyn FnOnce(&Shared) + Send>| {
            let shared = Arc::clone(&shared);
            thread::Builder::new().spawn(move || work(&shared))
        };
        start(Box::new(move |shared| shared.keep_writing(stdin)))?;
        start(Box::new(move |shared| {
            shared.keep_reading(stdout, |state| &mut state.stdout);
        }))?;
        start(Box::new(move |shared| {
            shared.keep_reading(stderr, |state| &mut state.stderr);
        }))?;
        Ok(Pipes {
            shared,
            heeded: None,
        })
    }

    /// Wakes whoever waits when a stop is requested; only the last one counts.
    pub fn heed(&mut self, stop: &Stop) {
        if self.heeded.as_ref().is_some_and(|kept| kept.is_of(stop)) {
            return;
        }
        let shared = Arc::clone(&self.shared);
        self.heeded = Some(stop.on_request(move || {
            shared.lock().woken = true;
            shared.changed.notify_all();
        }));
    }

    /// Writes what there is room for.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.shared.lock();
        if state.stdin.closed {
            return Err(ErrorKind::BrokenPipe.into());
        }
        let count = bytes.len().min(ROOM - state.stdin.bytes.len().min(ROOM));
        if count == 0 && !bytes.is_empty() {
            return Err(ErrorKind::WouldBlock.into());
        }
        state.stdin.bytes.extend(&bytes[..count]);
        self.shared.changed.notify_all();
        Ok(count)
    }

    /// Nothing more will be written.
    pub fn close_stdin(&mut self) {
        self.shared.lock().stdin.closed = true;
        self.shared.changed.notify_all();
    }

    /// Reads what is there; nothing, if it was closed.
    pub fn read_stdout(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        self.take(chunk, |state| &mut state.stdout)
    }

    /// Reads what is there; nothing, if it was closed.
    pub fn read_stderr(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        self.take(chunk, |state| &mut state.stderr)
    }

    fn take(&self, chunk: &mut [u8], queue: fn(&mut State) -> &mut Queue) -> io::Result<usize> {
        let count = queue(&mut self.shared.lock()).take(chunk)?;
        self.shared.changed.notify_all();
        Ok(count)
    }

    /// What it has closed is never ready again.
    pub fn forget_stderr(&mut self) {
        self.shared.lock().forgot_stderr = true;
    }

    /// Waits until there is something to read or to heed, or to write to if that is wanted.
    pub fn wait(&mut self, to_write: bool, time: Option<Duration>) -> Ready {
        let until = time.and_then(|time| Instant::now().checked_add(time));
        let mut state = self.shared.lock();
        loop {
            let ready = Ready {
                stdout: state.stdout.is_ready(),
                stderr: state.stderr.is_ready() && !state.forgot_stderr,
            };
            let has_room = to_write && (state.stdin.closed || state.stdin.bytes.len() < ROOM);
            if ready.stdout || ready.stderr || has_room || std::mem::take(&mut state.woken) {
                return ready;
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            state = match left {
                Some(Duration::ZERO) => return ready,
                Some(left) => {
                    let woken = self.shared.changed.wait_timeout(state, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.shared.wait(state),
            };
        }
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        self.shared.lock().dropped = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let woken = self.changed.wait(state);
        woken.unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands on what comes in until it is closed, or we are gone.
    fn keep_reading(&self, mut pipe: impl Read, queue: fn(&mut State) -> &mut Queue) {
        let mut chunk = [0; 4096];
        loop {
            let count = match pipe.read(&mut chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // An error is an end, too.
                read => read.unwrap_or(0),
            };
            let mut state = self.lock();
            while queue(&mut state).bytes.len() > ROOM && !state.dropped {
                state = self.wait(state);
            }
            queue(&mut state).bytes.extend(&chunk[..count]);
            queue(&mut state).closed = count == 0;
            self.changed.notify_all();
            if count == 0 || state.dropped {
                return;
            }
        }
    }

    /// Hands on what we write until we close it, or the bot does, or we are gone.
    fn keep_writing(&self, mut pipe: impl Write) {
        loop {
            let mut state = self.lock();
            while state.stdin.bytes.is_empty() && !state.stdin.closed && !state.dropped {
                state = self.wait(state);
            }
            let bytes: Vec<u8> = state.stdin.bytes.drain(..).collect();
            let is_last = state.stdin.closed || state.dropped;
            drop(state);
            let written = pipe.write_all(&bytes).and_then(|()| pipe.flush());
            if is_last {
                return;
            }
            if written.is_err() {
                self.lock().stdin.closed = true;
            }
            self.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    fn start(script: &str) -> (Child, Pipes) {
        let mut child = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let stderr = child.stderr.take().unwrap();
        (child, Pipes::new(stdin, stdout, stderr).unwrap())
    }

    /// All that it says until it has closed its output.
    fn said(pipes: &mut Pipes) -> Vec<u8> {
        let mut all = Vec::new();
        let mut chunk = [0; 1000];
        loop {
            match pipes.read_stdout(&mut chunk) {
                Ok(0) => return all,
                Ok(count) => all.extend(&chunk[..count]),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::WouldBlock);
                    pipes.wait(false, Some(LONG));
                }
            }
        }
    }

    #[test]
    fn what_is_written_comes_back() {
        let (mut child, mut pipes) = start("cat");
        let text = "a line\n".repeat(100_000);
        let mut rest = text.as_bytes();
        let mut all = Vec::new();
        let mut chunk = [0; 5000];
        while !rest.is_empty() {
            match pipes.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::WouldBlock);
                    if pipes.wait(true, Some(LONG)).stdout {
                        let count = pipes.read_stdout(&mut chunk).unwrap();
                        all.extend(&chunk[..count]);
                    }
                }
            }
        }
        pipes.close_stdin();
        all.extend(said(&mut pipes));
        assert!(
            all == text.as_bytes(),
            "{} of {} bytes",
            all.len(),
            text.len()
        );
        assert!(child.wait().unwrap().success());
    }

    #[test]
    fn a_stop_ends_a_wait() {
        let (mut child, mut pipes) = start("cat");
        let stop = Stop::new();
        pipes.heed(&stop);
        let asked = stop.clone();
        thread::spawn(move || asked.request());
        while !stop.is_requested() {
            pipes.wait(false, None);
        }
        pipes.close_stdin();
        child.wait().unwrap();
    }

    #[test]
    fn who_says_too_much_waits_until_it_is_read() {
        let (mut child, mut pipes) = start("yes | head -c 3000000; echo no >&2");
        while !pipes.wait(false, Some(LONG)).stdout {}
        assert!(pipes.shared.lock().stdout.bytes.len() <= ROOM + 4096);
        assert_eq!(said(&mut pipes).len(), 3_000_000);
        while !pipes.wait(false, Some(LONG)).stderr {}
        let mut chunk = [0; 100];
        assert_eq!(pipes.read_stderr(&mut chunk).unwrap(), 3);
        pipes.forget_stderr();
        assert!(
            !pipes.wait(false, Some(LONG)).stderr,
            "its output is closed, too"
        );
        child.wait().unwrap();
    }
}
