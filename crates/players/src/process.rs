//! A bot's process: lines in, lines out, each with an absolute deadline, all with byte caps.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use kingme_play::Stop;

use crate::pipes::Pipes;
use crate::sandbox::{Confined, Isolation, Sandbox};
use crate::{BotLog, LogLine, PlayerFault};

/// How much a bot may say.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Bytes in one line.
    pub line: usize,
    /// Bytes between two questions.
    pub turn: usize,
    /// Bytes on stderr between two questions.
    pub stderr: usize,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps {
            line: 64 << 10,
            turn: 1 << 20,
            stderr: 4 << 20,
        }
    }
}

/// How much is read at a time.
const CHUNK: usize = 8 << 10;
/// How much of stderr is kept to show.
const STDERR_KEPT: usize = 4 << 10;

/// A running bot. Dropping it ends it with all that it has started.
///
/// Nothing here blocks past its deadline, whatever the bot does. After a fatal fault the process
/// has been ended already.
#[derive(Debug)]
pub struct Process {
    confined: Confined,
    pipes: Pipes,
    /// It has closed its standard error.
    is_mute: bool,
    /// What comes in comes in here.
    chunk: Box<[u8; CHUNK]>,
    /// What has been read and not yet handed out, from `start`.
    buffer: Vec<u8>,
    start: usize,
    /// Up to here there is no line ending.
    scanned: usize,
    /// Nothing was read since it was told something.
    is_told: bool,
    /// The next line ending ends a line that has begun before it was asked for.
    in_unasked: bool,
    caps: Caps,
    said: usize,
    complained: usize,
    complaint: Vec<u8>,
    read_at: Instant,
    meter: Option<Meter>,
    ended: Option<PlayerFault>,
    log: Option<BotLog>,
    /// The beginning of a line on stderr, for the log.
    begun: Vec<u8>,
}

/// What all processes of a bot had computed when it was asked, and what they may until it is late.
#[derive(Copy, Clone, Debug)]
struct Meter {
    began: Duration,
    limit: Duration,
}

impl Process {
    /// Starts a program with its arguments, confined as the sandbox says.
    ///
    /// # Errors
    ///
    /// [`PlayerFault::Crashed`] if it can't be started, with the reason.
    pub fn spawn(
        command: &[String],
        sandbox: &Sandbox,
        caps: Caps,
    ) -> Result<Process, PlayerFault> {
        let failed = |error| PlayerFault::Crashed(format!("`{}`: {error}", command.join(" ")));
        let (confined, stdin, stdout, stderr) = sandbox.spawn(command).map_err(failed)?;
        let pipes = Pipes::new(stdin, stdout, stderr).map_err(failed)?;
        Ok(Process {
            confined,
            pipes,
            is_mute: false,
            chunk: Box::new([0; CHUNK]),
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            is_told: false,
            in_unasked: false,
            caps,
            said: 0,
            complained: 0,
            complaint: Vec::new(),
            read_at: Instant::now(),
            meter: None,
            ended: None,
            log: None,
            begun: Vec::new(),
        })
    }

    /// Writes down all that it is told and says from now on.
    pub fn keep_log(&mut self, log: Option<BotLog>) {
        self.log = log;
    }

    fn log(&self, what: LogLine, text: &str) {
        if let Some(log) = &self.log {
            log.write(what, text);
        }
    }

    /// Writes down whole lines of stderr; the beginning of another one waits for its end.
    fn log_stderr(&mut self, count: usize) {
        if self.log.is_none() {
            return;
        }
        self.begun.extend_from_slice(&self.chunk[..count]);
        let end = self.begun.iter().rposition(|&byte| byte == b'\n');
        let whole = match end {
            Some(end) => end + 1,
            // No line is so long.
            None if self.begun.len() > CHUNK => self.begun.len(),
            None => return,
        };
        let lines: Vec<u8> = self.begun.drain(..whole).collect();
        self.log(LogLine::Wrote, &String::from_utf8_lossy(&lines));
    }

    /// What confines it.
    pub fn isolation(&self) -> Isolation {
        self.confined.isolation()
    }

    /// A new question begins: what the bot may say is counted afresh, and it may compute.
    pub fn start_turn(&mut self) {
        self.confined.start_turn();
        self.said = self.buffer.len() - self.start;
        self.complained = 0;
    }

    /// From now on the bot is late when its processes have computed so much, if that is its time.
    pub fn limit_cpu(&mut self, limit: Option<Duration>) {
        self.meter = limit.and_then(|limit| {
            let began = self.confined.cpu_time()?;
            Some(Meter { began, limit })
        });
    }

    /// What its processes have computed since they were limited.
    pub fn cpu_used(&self) -> Option<Duration> {
        let meter = self.meter?;
        Some(self.confined.cpu_time()?.saturating_sub(meter.began))
    }

    /// How long it surely takes until it has computed too much, on all cores at once.
    fn until_too_much(&self) -> Option<Duration> {
        let left = self.meter?.limit.saturating_sub(self.cpu_used()?);
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        Some(left / cores)
    }

    /// Nothing is asked any more: the bot is halted soon, with all it has started.
    pub fn end_turn(&self) {
        self.confined.end_turn();
    }

    /// Forgets what the bot has said without being asked: it is no answer to what comes.
    ///
    /// # Errors
    ///
    /// If it has said far too much, or why it has ended.
    pub fn forget_unasked(&mut self) -> Result<(), PlayerFault> {
        self.check_alive()?;
        self.read_stdout()?;
        let unasked = &self.buffer[self.start..];
        self.log(LogLine::Said, &String::from_utf8_lossy(unasked));
        // The rest of a line that has begun belongs to it.
        self.in_unasked = match unasked.last() {
            None => self.in_unasked,
            last => last != Some(&b'\n'),
        };
        self.buffer.clear();
        (self.start, self.scanned) = (0, 0);
        Ok(())
    }

    /// Sends text, one or more whole lines with their line endings, in one piece.
    ///
    /// # Errors
    ///
    /// [`PlayerFault::Late`] if the bot does not take it in by the deadline, or why it has ended.
    pub fn send(
        &mut self,
        text: &str,
        deadline: Option<Instant>,
        stop: &Stop,
    ) -> Result<(), PlayerFault> {
        self.log(LogLine::Told, text);
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            self.check_alive()?;
            match self.pipes.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait(true, deadline, stop)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // It has closed its input; what it has said until then still counts.
                Err(_) => return Err(self.end_of_output()),
            }
        }
        self.is_told = true;
        Ok(())
    }

    /// The next line, without its ending; the deadline is one moment for all of it.
    ///
    /// # Errors
    ///
    /// [`PlayerFault::Late`] when the deadline has passed (the process goes on),
    /// [`PlayerFault::Interrupted`] when `stop` was requested, or why it has ended.
    pub fn read_line(
        &mut self,
        deadline: Option<Instant>,
        stop: &Stop,
    ) -> Result<String, PlayerFault> {
        loop {
            if let Some(line) = self.take_line()? {
                self.log(LogLine::Said, &line);
                if std::mem::take(&mut self.in_unasked) {
                    continue;
                }
                return Ok(line);
            }
            self.check_alive()?;
            // Who answers at once has often done so before we are back from telling it.
            if std::mem::take(&mut self.is_told) && self.log.is_none() && self.read_stdout()? {
                continue;
            }
            self.wait(false, deadline, stop)?;
        }
    }

    /// When the bytes that ended the last line came in.
    pub fn read_at(&self) -> Instant {
        self.read_at
    }

    /// The end of what it has written to stderr, to show to its author.
    pub fn complaint(&self) -> String {
        String::from_utf8_lossy(&self.complaint).into_owned()
    }

    /// The same, with all that it has written by now.
    pub fn whole_complaint(&mut self) -> String {
        let mut heard = usize::MAX;
        while heard != self.complained && !self.is_mute {
            heard = self.complained;
            if self.read_stderr().is_err() {
                break;
            }
        }
        self.complaint()
    }

    /// Says goodbye with a line, if there is time, and ends the process and all it has started.
    pub fn close(mut self, goodbye: &str, patience: Duration) {
        let deadline = Some(Instant::now() + patience);
        let stop = Stop::new();
        self.start_turn();
        if self.send(goodbye, deadline, &stop).is_ok() {
            self.pipes.close_stdin();
            while self.read_line(deadline, &stop).is_ok() {}
        }
    }

    /// Ends the process and all it has started, at once.
    pub fn kill(&mut self) {
        self.confined.kill();
        self.log(LogLine::Happened, "ended for want of a reaction");
        self.ended.get_or_insert(PlayerFault::Stalled);
    }

    fn check_alive(&self) -> Result<(), PlayerFault> {
        self.ended.clone().map_or(Ok(()), Err)
    }

    /// Ends the process for a reason.
    fn end(&mut self, fault: PlayerFault) -> PlayerFault {
        self.confined.kill();
        self.log(LogLine::Happened, &fault.to_string());
        self.ended.get_or_insert(fault).clone()
    }

    /// The process has closed its end: says how it ended, or ends it.
    fn end_of_output(&mut self) -> PlayerFault {
        let fault = self.confined.end_reason();
        self.read_last_words();
        self.log(LogLine::Happened, &fault.to_string());
        self.ended.get_or_insert(fault).clone()
    }

    /// What an ended process has left on stderr: a pipe holds so much and no more.
    fn read_last_words(&mut self) {
        for _ in 0..16 {
            if self.read_stderr().is_err() || self.is_mute {
                return;
            }
        }
    }

    fn take_line(&mut self) -> Result<Option<String>, PlayerFault> {
        let Some(length) = self.buffer[self.scanned..]
            .iter()
            .position(|&byte| byte == b'\n')
        else {
            self.scanned = self.buffer.len();
            if self.buffer.len() - self.start > self.caps.line {
                let cap = self.caps.line;
                return Err(self.end(PlayerFault::Protocol(format!(
                    "a line of more than {cap} bytes"
                ))));
            }
            return Ok(None);
        };
        let end = self.scanned + length;
        let line = self.buffer[self.start..end].to_vec();
        self.start = end + 1;
        self.scanned = self.start;
        if self.start == self.buffer.len() {
            self.buffer.clear();
            (self.start, self.scanned) = (0, 0);
        }
        match String::from_utf8(line) {
            Ok(mut line) => {
                line.truncate(line.trim_end_matches('\r').len());
                Ok(Some(line))
            }
            Err(_) => Err(self.end(PlayerFault::Protocol("bytes that are no text".to_owned()))),
        }
    }

    /// Waits until there is something to read (or room to write), and reads it.
    fn wait(
        &mut self,
        to_write: bool,
        deadline: Option<Instant>,
        stop: &Stop,
    ) -> Result<(), PlayerFault> {
        self.pipes.heed(stop);
        if stop.is_requested() {
            return Err(PlayerFault::Interrupted);
        }
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let left = left.into_iter().chain(self.until_too_much()).min();
        if left == Some(Duration::ZERO) {
            return Err(PlayerFault::Late);
        }
        let ready = self.pipes.wait(to_write, left);
        if ready.stderr {
            self.read_stderr()?;
        }
        if ready.stdout {
            self.read_stdout()?;
        }
        Ok(())
    }

    /// Reads what there is; whether there was anything.
    fn read_stdout(&mut self) -> Result<bool, PlayerFault> {
        // Handed-out lines make room before the buffer grows.
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        // What fills the chunk may not be all.
        let mut count = self.read_chunk()?;
        let is_any = count > 0;
        while count == CHUNK {
            count = self.read_chunk()?;
        }
        Ok(is_any)
    }

    /// Reads once; how many bytes there were.
    fn read_chunk(&mut self) -> Result<usize, PlayerFault> {
        match self.pipes.read_stdout(&mut *self.chunk) {
            Ok(0) => Err(self.end_of_output()),
            Ok(count) => {
                self.read_at = Instant::now();
                self.buffer.extend_from_slice(&self.chunk[..count]);
                self.said += count;
                if self.said > self.caps.turn {
                    let cap = self.caps.turn;
                    return Err(self.end(PlayerFault::Protocol(format!(
                        "more than {cap} bytes in one turn"
                    ))));
                }
                Ok(count)
            }
            Err(error) if would_block(&error) => Ok(0),
            Err(_) => Err(self.end_of_output()),
        }
    }

    fn read_stderr(&mut self) -> Result<(), PlayerFault> {
        if self.is_mute {
            return Ok(());
        }
        match self.pipes.read_stderr(&mut *self.chunk) {
            Ok(0) => self.fall_silent(),
            Ok(count) => {
                self.log_stderr(count);
                self.complaint.extend_from_slice(&self.chunk[..count]);
                let excess = self.complaint.len().saturating_sub(STDERR_KEPT);
                self.complaint.drain(..excess);
                self.complained += count;
                if self.complained > self.caps.stderr {
                    let cap = self.caps.stderr;
                    let fault = PlayerFault::Resources(format!(
                        "more than {cap} bytes on stderr in one turn"
                    ));
                    return Err(self.end(fault));
                }
            }
            Err(error) if would_block(&error) => {}
            Err(_) => self.fall_silent(),
        }
        Ok(())
    }

    fn fall_silent(&mut self) {
        self.is_mute = true;
        self.pipes.forget_stderr();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let begun = String::from_utf8_lossy(&self.begun);
        self.log(LogLine::Wrote, &begun);
    }
}

fn would_block(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

#[cfg(all(test, unix))]
mod tests {
    use std::thread;

    use super::*;

    /// The end of a process is noticed also if it came with its last words.
    #[test]
    fn last_words_do_not_hide_the_end() {
        let command = ["sh", "-c", "echo one; exit 3"].map(str::to_owned);
        let mut process = Process::spawn(&command, &Sandbox::default(), Caps::default()).unwrap();
        // Both are there before anybody looks.
        thread::sleep(Duration::from_millis(300));
        let deadline = Some(Instant::now() + Duration::from_mins(1));
        let mut read = || process.read_line(deadline, &Stop::new());
        assert_eq!(read().unwrap(), "one");
        let end = read().unwrap_err();
        assert!(matches!(end, PlayerFault::Crashed(_)), "{end}");
    }
}
