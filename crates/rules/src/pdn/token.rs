//! Text to tokens.

use std::io::BufRead;

use super::source::Source;
use super::{PdnError, Place, Tag};

/// The longest tag, remark in brackets or `/position/` among moves.
const LONGEST: usize = 8192;

/// What a file is made of.
#[derive(Debug)]
pub(super) enum Token<'a> {
    Tag {
        tag: Tag,
        /// What is missing at its end, if anything.
        open: Option<char>,
    },
    Comment {
        text: String,
        closed: bool,
    },
    Nag(u16),
    Open,
    Close,
    Setup(&'a str),
    /// A number, a move or a part of one, a result, or rubbish.
    Word(&'a str),
    Lone(char),
}

/// Finds tokens in a source.
pub(super) struct Scanner<R> {
    pub source: Source<R>,
    /// Whether braces inside a comment are counted. Off from the first comment that never closes
    /// that way to the next game, so that no text is searched more than twice.
    nesting: bool,
    /// No value in quotes ends before this index: it has been searched in vain.
    unquoted: usize,
}

impl<R: BufRead> Scanner<R> {
    pub fn new(input: R) -> Scanner<R> {
        Scanner {
            source: Source::new(input),
            nesting: true,
            unquoted: 0,
        }
    }

    /// Starts a game at the next token.
    pub fn begin_game(&mut self) -> Result<Place, PdnError> {
        loop {
            let shift = self.source.begin_game();
            self.unquoted = self.unquoted.saturating_sub(shift);
            let before = self.source.at;
            self.skip_blank()?;
            if self.source.at == before {
                return Ok(self.source.place());
            }
        }
    }

    /// The next token and its place; `None` where the file ends.
    pub fn token(&mut self) -> Result<Option<(Place, Token<'_>)>, PdnError> {
        self.skip_blank()?;
        let place = self.source.place();
        let at = self.source.at;
        let Some(byte) = self.source.byte(at)? else {
            return Ok(None);
        };
        let token = match byte {
            b'{' => self.comment()?,
            b';' => self.line_comment()?,
            b'[' => self.bracket(place)?,
            b'(' => self.open()?,
            b'$' => self.nag()?,
            b'!' | b'?' => self.marks(at)?,
            b'/' => self.setup()?,
            b')' => self.single(Token::Close),
            b'}' | b']' | b'"' => self.single(Token::Lone(char::from(byte))),
            _ => self.word()?,
        };
        Ok(Some((place, token)))
    }

    /// Passes white space, control characters and lines that start with `%`.
    fn skip_blank(&mut self) -> Result<(), PdnError> {
        loop {
            let at = self.source.find(self.source.at, |byte| !is_blank(byte))?;
            self.source.at = at;
            if self.source.byte(at)? != Some(b'%') || self.source.place().column > 1 {
                return Ok(());
            }
            self.source.at = self.source.find(at, |byte| byte == b'\n')?;
        }
    }

    fn single<'a>(&mut self, token: Token<'a>) -> Token<'a> {
        self.source.at += 1;
        token
    }

    /// From here to `end`, exclusive; goes on after `after`.
    fn take(&mut self, from: usize, end: usize, after: usize) -> &str {
        self.source.at = after;
        self.source.slice(from, end)
    }

    fn word(&mut self) -> Result<Token<'_>, PdnError> {
        let from = self.source.at;
        let end = self.source.find(from, ends_word)?;
        // A `%` or any other sign that no token starts with is a word of its own.
        Ok(Token::Word(self.take(from, end, end)))
    }

    fn line_comment(&mut self) -> Result<Token<'_>, PdnError> {
        let from = self.source.at + 1;
        let end = self.source.find(from, |byte| byte == b'\n')?;
        Ok(Token::Comment {
            text: tidy(self.take(from, end, end)),
            closed: true,
        })
    }

    /// A comment, which may contain further braces if they balance.
    fn comment(&mut self) -> Result<Token<'_>, PdnError> {
        let from = self.source.at + 1;
        let mut depth = 1;
        let mut first_close = None;
        let mut at = from;
        let end = loop {
            match self
                .source
                .find(at, |byte| matches!(byte, b'{' | b'}' | b'\n'))
            {
                Ok(found) => at = found,
                Err(_) if first_close.is_some() => break None,
                Err(error) => return Err(error),
            }
            match self.source.byte(at)? {
                None => break None,
                Some(b'{') if self.nesting => depth += 1,
                Some(b'}') if depth == 1 => break Some(at),
                Some(b'}') => {
                    depth -= 1;
                    first_close = first_close.or(Some(at));
                }
                Some(b'\n') if self.starts_game(at)? => break None,
                Some(_) => {}
            }
            at += 1;
        };
        self.nesting &= end.is_some() || first_close.is_none();
        Ok(match end.or(first_close) {
            Some(end) => Token::Comment {
                text: tidy(self.take(from, end, end + 1)),
                closed: true,
            },
            None => Token::Comment {
                text: tidy(self.take(from, at, at)),
                closed: false,
            },
        })
    }

    /// Whether an empty line ends here and a tag follows: no comment goes on over that.
    fn starts_game(&mut self, at: usize) -> Result<bool, PdnError> {
        let empty = at > 0 && self.source.byte(at - 1)? == Some(b'\n');
        Ok(empty
            && self.source.byte(at + 1)? == Some(b'[')
            && self
                .source
                .byte(at + 2)?
                .is_some_and(|byte| byte.is_ascii_alphabetic()))
    }

    /// A tag, or a remark in brackets. Without quotes only a bracket that starts a line is a tag.
    fn bracket(&mut self, place: Place) -> Result<Token<'_>, PdnError> {
        let from = self.source.at + 1;
        let name_from = self
            .source
            .find(from, |byte| byte != b' ' && byte != b'\t')?;
        let name_end = self.source.find(name_from, |byte| !is_name(byte))?;
        let value = self
            .source
            .find(name_end, |byte| byte != b' ' && byte != b'\t')?;
        let quoted = self.source.byte(value)? == Some(b'"');
        let named = self
            .source
            .slice(name_from, name_end)
            .starts_with(char::is_alphabetic);
        let starts_line = place.column == 1 && value > name_end;
        if !named || !(quoted || starts_line) {
            let (end, after, _) = self.bracket_end(from)?;
            let text = tidy(self.take(from - 1, end.max(after), after));
            return Ok(Token::Comment { text, closed: true });
        }
        let name = self.source.slice(name_from, name_end).to_string();
        let (value, open) = self.tag_value(value, quoted)?;
        self.nesting = true;
        Ok(Token::Tag {
            tag: Tag { name, value },
            open,
        })
    }

    /// The value that starts here, and what is missing at its end, a bracket or a quote.
    fn tag_value(&mut self, from: usize, quoted: bool) -> Result<(String, Option<char>), PdnError> {
        if quoted && let Some((end, after)) = self.quote_end(from + 1)? {
            return Ok((unescape(self.take(from + 1, end, after)), None));
        }
        let (end, after, closed) = self.bracket_end(from)?;
        let text = self.take(from, end, after);
        let open_quote = quoted && text.matches('"').count() == 1;
        let value = unescape(without_quotes(text));
        let open = if closed {
            open_quote.then_some('"')
        } else {
            Some(']')
        };
        Ok((value, open))
    }

    /// Where the text in brackets ends, where to go on, and whether it is closed on its line.
    fn bracket_end(&mut self, from: usize) -> Result<(usize, usize, bool), PdnError> {
        let end = self
            .source
            .find(from, |byte| matches!(byte, b']' | b'[' | b'\n'))?;
        let closed = self.source.byte(end)? == Some(b']');
        Ok((end, end + usize::from(closed), closed))
    }

    /// The quote that ends a value, the first before a bracket that is not escaped, and the index
    /// after that bracket. It must stand on the same line.
    fn quote_end(&mut self, from: usize) -> Result<Option<(usize, usize)>, PdnError> {
        let mut at = from.max(self.unquoted);
        while at < from + LONGEST {
            at = self
                .source
                .find(at, |byte| matches!(byte, b'"' | b'\\' | b'\n'))?;
            match self.source.byte(at)? {
                Some(b'"') => {
                    let next = self
                        .source
                        .find(at + 1, |byte| byte != b' ' && byte != b'\t')?;
                    if self.source.byte(next)? == Some(b']') {
                        return Ok(Some((at, next + 1)));
                    }
                    at = next;
                }
                Some(b'\\') if self.source.byte(at + 1)? != Some(b'\n') => at += 2,
                Some(b'\\') => at += 1,
                _ => break,
            }
        }
        self.unquoted = at;
        Ok(None)
    }

    fn open(&mut self) -> Result<Token<'_>, PdnError> {
        let from = self.source.at + 1;
        let end = self
            .source
            .find(from, |byte| !matches!(byte, b'!' | b'?'))?;
        if end > from && self.source.byte(end)? == Some(b')') {
            let token = Token::Nag(code(self.source.slice(from, end)));
            self.source.at = end + 1;
            return Ok(token);
        }
        Ok(self.single(Token::Open))
    }

    fn marks(&mut self, from: usize) -> Result<Token<'_>, PdnError> {
        let end = self
            .source
            .find(from, |byte| !matches!(byte, b'!' | b'?'))?;
        Ok(Token::Nag(code(self.take(from, end, end))))
    }

    fn nag(&mut self) -> Result<Token<'_>, PdnError> {
        let from = self.source.at + 1;
        let end = self.source.find(from, |byte| !byte.is_ascii_digit())?;
        let number = self.take(from, end, end).parse();
        Ok(number.map_or(Token::Lone('$'), Token::Nag))
    }

    /// A position among moves: `/W:W31-50:B1-20/`.
    fn setup(&mut self) -> Result<Token<'_>, PdnError> {
        let from = self.source.at + 1;
        let is_position = self.source.byte(from + 1)? == Some(b':');
        if is_position {
            let end = self
                .source
                .find(from, |byte| byte == b'\n' || byte == b'/')?;
            if self.source.byte(end)? == Some(b'/') && end - from <= LONGEST {
                return Ok(Token::Setup(self.take(from, end, end + 1)));
            }
        }
        Ok(self.single(Token::Lone('/')))
    }
}

fn is_blank(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7F
}

fn ends_word(byte: u8) -> bool {
    is_blank(byte)
        || matches!(
            byte,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' | b'!' | b'?' | b'"'
        )
}

/// The numeric code of marks such as `!?`. More than two say no more than the first two.
fn code(marks: &str) -> u16 {
    match marks.get(..2).unwrap_or(marks) {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        _ => 6,
    }
}

/// Text with single spaces.
pub(super) fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if !word.is_empty() {
            if !tidy.is_empty() {
                tidy.push(' ');
            }
            tidy.push_str(word);
        }
    }
    tidy
}

/// Whether a byte may be part of a tag's name.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'_' | b'-' | b'.')
}

/// A value whose quotes are missing or confused.
fn without_quotes(value: &str) -> &str {
    let value = value.trim();
    let value = value.strip_prefix('"').unwrap_or(value);
    value.strip_suffix('"').unwrap_or(value)
}

fn unescape(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = c == '\\' && matches!(chars.peek(), Some('"' | '\\'));
        let c = if escaped {
            chars.next().unwrap_or(c)
        } else {
            c
        };
        plain.push(if c.is_control() { ' ' } else { c });
    }
    plain
}
