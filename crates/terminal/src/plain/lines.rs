//! Reading what a person types, line by line.

use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Instant;

/// What came of waiting for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its ending. Only that is taken off, LF or CRLF; a last line without one
    /// counts. What is not UTF-8 is replaced: it is no square anyway.
    Text(String),
    /// The input has ended.
    End,
    /// The time is over.
    Late,
}

/// Where lines come from.
pub trait LineSource {
    /// The next line. Those that can wait with an eye on the clock do so until `until`.
    fn next(&mut self, until: Option<Instant>) -> io::Result<Line>;
}

/// Lines of an input, waited for without an eye on the clock.
pub struct Lines<I> {
    input: I,
}

impl<I: BufRead> Lines<I> {
    /// Lines of an input.
    pub fn new(input: I) -> Lines<I> {
        Lines { input }
    }
}

impl<I: BufRead> LineSource for Lines<I> {
    fn next(&mut self, _until: Option<Instant>) -> io::Result<Line> {
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(Line::End);
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
            if bytes.last() == Some(&b'\r') {
                bytes.pop();
            }
        }
        Ok(Line::Text(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// Lines of an input that a thread of its own reads.
pub struct LiveLines {
    lines: Receiver<io::Result<Line>>,
}

impl LiveLines {
    /// Starts to read.
    pub fn new(input: impl BufRead + Send + 'static) -> LiveLines {
        // No room: the thread is at most one line ahead.
        let (send, lines) = sync_channel(0);
        std::thread::spawn(move || {
            let mut input = Lines::new(input);
            loop {
                let line = input.next(None);
                let goes_on = matches!(line, Ok(Line::Text(_)));
                if send.send(line).is_err() || !goes_on {
                    break;
                }
            }
        });
        LiveLines { lines }
    }
}

impl LineSource for LiveLines {
    fn next(&mut self, until: Option<Instant>) -> io::Result<Line> {
        let Some(until) = until else {
            return self.lines.recv().unwrap_or(Ok(Line::End));
        };
        let wait = until.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(wait) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => Ok(Line::Late),
            Err(RecvTimeoutError::Disconnected) => Ok(Line::End),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn all(mut lines: impl LineSource) -> Vec<String> {
        let mut read = Vec::new();
        while let Line::Text(line) = lines.next(None).unwrap() {
            read.push(line);
        }
        read
    }

    #[test]
    fn only_the_line_ending_is_taken_off() {
        let typed = &b"A1\r\n  b \n\n\xff\nC\r\nlast"[..];
        let expected = ["A1", "  b ", "", "\u{fffd}", "C", "last"];
        assert_eq!(all(Lines::new(typed)), expected);
        assert_eq!(all(LiveLines::new(typed)), expected);
    }

    #[test]
    fn who_types_nothing_is_late() {
        let (reader, writer) = io::pipe().unwrap();
        let mut lines = LiveLines::new(io::BufReader::new(reader));
        let soon = Instant::now() + Duration::from_millis(20);
        assert_eq!(lines.next(Some(soon)).unwrap(), Line::Late);
        drop(writer);
        assert_eq!(lines.next(None).unwrap(), Line::End);
        assert_eq!(lines.next(None).unwrap(), Line::End);
    }
}
