//! Bytes to text: encodings, line ends, and no more than one game in memory.

use std::io::{self, BufRead};

use super::encoding::Encoding;
use super::error::PdnFault;
use super::{PdnError, Place};

/// The longest text of one game, unless told otherwise. Its moves may take some fifty times as much
/// memory.
const LONGEST_GAME: usize = 4 << 20;
/// A line that is longer is decoded in pieces.
const LONGEST_LINE: usize = 64 << 10;

/// Text that is read on as it is needed.
pub(super) struct Source<R> {
    input: R,
    /// The longest text of one game.
    pub longest_game: usize,
    /// Decoded text; what lies before `begin` is done with.
    text: String,
    /// How much of the text came before what is in `text`.
    gone: usize,
    /// Where the current game begins in `text`.
    begin: usize,
    /// The next byte to look at.
    pub at: usize,
    /// The place of the byte `seen` of `text`; `seen` follows `at`.
    seen: usize,
    place: Place,
    /// Bytes of a line whose end has not been read.
    rest: Vec<u8>,
    ended: bool,
    fresh: bool,
    /// What has been met that is not UTF-8; Cyrillic lines tell it for those that don't.
    pub encoding: Option<Encoding>,
}

/// A point to go back to.
#[derive(Copy, Clone)]
pub(super) struct Mark {
    at: usize,
    seen: usize,
    place: Place,
}

impl<R: BufRead> Source<R> {
    pub fn new(input: R) -> Source<R> {
        Source {
            input,
            longest_game: LONGEST_GAME,
            text: String::new(),
            gone: 0,
            begin: 0,
            at: 0,
            seen: 0,
            place: Place::START,
            rest: Vec::new(),
            ended: false,
            fresh: true,
            encoding: None,
        }
    }

    /// Starts a game at the next byte: what came before may be forgotten. By how much all indices
    /// have become smaller.
    pub fn begin_game(&mut self) -> usize {
        self.place();
        self.begin = self.at;
        // Only when it halves the text: moving the rest to the front must not cost more than
        // reading it did.
        if self.at <= self.text.len() / 2 {
            return 0;
        }
        self.text.drain(..self.at);
        self.gone += self.at;
        (self.begin, self.seen) = (0, 0);
        std::mem::take(&mut self.at)
    }

    /// How many bytes of the text come before the next one.
    pub fn offset(&self) -> usize {
        self.gone + self.at
    }

    pub fn mark(&self) -> Mark {
        Mark {
            at: self.at,
            seen: self.seen,
            place: self.place,
        }
    }

    /// Goes back to a point in the same game.
    pub fn rewind(&mut self, mark: Mark) {
        (self.at, self.seen, self.place) = (mark.at, mark.seen, mark.place);
    }

    /// The place of the next byte.
    pub fn place(&mut self) -> Place {
        for &byte in &self.text.as_bytes()[self.seen..self.at] {
            if byte == b'\n' {
                self.place = Place {
                    line: self.place.line + 1,
                    column: 1,
                };
            } else if byte & 0xC0 != 0x80 {
                self.place.column += 1; // Bytes that continue a character don't count.
            }
        }
        self.seen = self.at;
        self.place
    }

    /// The byte at an index, read if need be; `None` where the file ends.
    #[inline]
    pub fn byte(&mut self, index: usize) -> Result<Option<u8>, PdnError> {
        while index >= self.text.len() {
            if !self.fill()? {
                return Ok(None);
            }
        }
        Ok(Some(self.text.as_bytes()[index]))
    }

    /// The index of the next byte from `index` on that `stop` accepts, or of the end.
    #[inline]
    pub fn find(&mut self, index: usize, stop: impl Fn(u8) -> bool) -> Result<usize, PdnError> {
        let mut from = index;
        loop {
            let bytes = self.text.as_bytes().get(from..).unwrap_or_default();
            if let Some(offset) = bytes.iter().position(|&byte| stop(byte)) {
                return Ok(from + offset);
            }
            from = from.max(self.text.len());
            if !self.fill()? {
                return Ok(from);
            }
        }
    }

    /// The text between two indices. Both must be at ASCII characters or at the end.
    pub fn slice(&self, from: usize, to: usize) -> &str {
        &self.text[from..to]
    }

    /// Throws away the rest of a game that is too long, up to a line that starts with a tag.
    pub fn skip_game(&mut self) -> Result<(), PdnError> {
        while !self.skip_loaded() {
            self.begin_game();
            if !self.fill()? {
                self.at = self.text.len();
                break;
            }
        }
        self.begin_game();
        Ok(())
    }

    /// Passes the text at hand up to a tag at the start of a line; `false` if there is none.
    fn skip_loaded(&mut self) -> bool {
        let found = self.text[self.at..].find("\n[");
        self.at = match found {
            Some(offset) => self.at + offset + 1,
            // The bracket may be the first of what is read next.
            None if self.text.ends_with('\n') => self.text.len() - 1,
            None => self.text.len(),
        };
        found.is_some()
    }

    /// Reads on; `false` where the file ends.
    fn fill(&mut self) -> Result<bool, PdnError> {
        if self.ended {
            return Ok(false);
        }
        if self.text.len() - self.begin > self.longest_game {
            return Err(PdnFault::TooLong(self.longest_game >> 10).at(self.place()));
        }
        let whole = match self.read_lines() {
            Ok(whole) => whole,
            Err(error) => {
                self.ended = true;
                return Err(PdnFault::Unreadable(error.to_string()).at(self.place()));
            }
        };
        let mut bytes = std::mem::take(&mut self.rest);
        if std::mem::take(&mut self.fresh) {
            self.encoding = Encoding::wide(&bytes);
            let marks: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF"];
            if let Some(mark) = marks.iter().find(|mark| bytes.starts_with(mark)) {
                bytes.drain(..mark.len());
            }
        }
        if let Some(wide @ (Encoding::Utf16Le | Encoding::Utf16Be)) = self.encoding {
            let mut text = String::new();
            let used = wide.decode_wide(&bytes, self.ended, &mut text);
            self.rest = bytes.split_off(used);
            self.decode(text.into_bytes());
            return Ok(true);
        }
        if !whole {
            self.rest = bytes.split_off(bytes.len() - unfinished(&bytes));
        }
        self.decode(bytes);
        Ok(true)
    }

    /// Appends bytes as text: UTF-8, or else line by line what it looks like. Every line ends with
    /// `\n`.
    fn decode(&mut self, bytes: Vec<u8>) {
        let bytes = if bytes.contains(&b'\r') {
            plain_line_ends(&bytes)
        } else {
            bytes
        };
        if let Ok(whole) = std::str::from_utf8(&bytes) {
            self.text.push_str(whole);
            return;
        }
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            match std::str::from_utf8(line) {
                Ok(line) => self.text.push_str(line),
                Err(_) => self.decode_old(line),
            }
        }
    }

    fn decode_old(&mut self, line: &[u8]) {
        let cyrillic = |known: &Encoding| *known != Encoding::Latin1;
        let encoding = self.encoding.filter(cyrillic);
        let encoding = encoding.unwrap_or_else(|| Encoding::of_line(line));
        self.encoding = Some(encoding);
        let characters = line.iter().map(|&byte| encoding.character(byte));
        self.text.extend(characters);
    }

    /// Appends to `rest` up to the end of a line, or as much as is decoded at once. Whether it is
    /// whole lines.
    fn read_lines(&mut self) -> io::Result<bool> {
        loop {
            let buffer = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            let buffer = &buffer[..buffer.len().min(LONGEST_LINE)];
            let line_end = buffer.iter().rposition(|&byte| byte == b'\n');
            let take = line_end.map_or(buffer.len(), |end| end + 1);
            self.rest.extend_from_slice(&buffer[..take]);
            self.ended = buffer.is_empty();
            self.input.consume(take);
            if self.ended || line_end.is_some() {
                return Ok(true);
            }
            if self.rest.len() >= LONGEST_LINE {
                return Ok(false);
            }
        }
    }
}

/// How many bytes at the end may be half a character or half a line end.
fn unfinished(bytes: &[u8]) -> usize {
    let half_character = (1..=bytes.len().min(3)).find(|&count| {
        let tail = &bytes[bytes.len() - count..];
        std::str::from_utf8(tail)
            .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
    });
    half_character.unwrap_or(usize::from(bytes.ends_with(b"\r")))
}

/// Turns `\r\n` and a lone `\r` into `\n`.
fn plain_line_ends(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    for (index, &byte) in bytes.iter().enumerate() {
        match byte {
            b'\r' if bytes.get(index + 1) == Some(&b'\n') => {}
            b'\r' => plain.push(b'\n'),
            _ => plain.push(byte),
        }
    }
    plain
}
