//! Reading what a person types, line by line.

use std::io::{self, BufRead};

/// Lines of input without their endings.
pub struct Lines<I> {
    input: I,
}

impl<I: BufRead> Lines<I> {
    /// Lines of an input.
    pub fn new(input: I) -> Lines<I> {
        Lines { input }
    }

    /// The next line; `None` at the end of the input. Only the line ending is taken off, LF or
    /// CRLF; a last line without one counts. What is not UTF-8 is replaced: it is no square
    /// anyway.
    pub fn next(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
            if bytes.last() == Some(&b'\r') {
                bytes.pop();
            }
        }
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_line_ending_is_taken_off() {
        let mut lines = Lines::new(&b"A1\r\n  b \n\n\xff\nC\r\nlast"[..]);
        let mut read = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            read.push(line);
        }
        assert_eq!(read, ["A1", "  b ", "", "\u{fffd}", "C", "last"]);
    }
}
