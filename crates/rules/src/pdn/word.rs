//! Words to moves: what is written between spaces, in all the ways people write it.

use std::borrow::Cow;

/// A word with the signs of other keyboards replaced by the usual ones, if it may be a move.
pub(super) fn plain(word: &str) -> Cow<'_, str> {
    if word.is_ascii() || word.starts_with(char::is_alphabetic) && !word.contains(is_digit) {
        return Cow::Borrowed(word);
    }
    let sign = |c| match c {
        '\u{2010}'..='\u{2015}' | '−' => Some('-'),
        '×' | 'х' | 'Х' => Some('x'), // The last two are Cyrillic, and so are those below.
        'а' | 'А' => Some('a'),
        'с' | 'С' => Some('c'),
        'е' | 'Е' => Some('e'),
        '\u{A0}' | '\u{FEFF}' | '\u{200B}' => None,
        _ => Some(c),
    };
    Cow::Owned(word.chars().filter_map(sign).collect())
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// Splits a move number from the word it starts: its value, whether it has two dots or more, and
/// what follows.
pub(super) fn number(word: &str) -> Option<(u32, bool, &str)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = word[digits..].strip_prefix('.')?;
    let number = word[..digits].parse().ok()?;
    let dots = rest.bytes().take_while(|&byte| byte == b'.').count();
    Some((number, dots > 0, &rest[dots..]))
}

/// Whether a word stands for a move that is not told.
pub(super) fn is_blank(word: &str) -> bool {
    word.bytes()
        .all(|byte| matches!(byte, b'.' | b'-' | b'_' | b','))
}

/// Whether the word can only be the end of a move: `-`, `x28` or `:c5`.
pub(super) fn starts_with_separator(word: &str) -> bool {
    let Some(rest) = word.strip_prefix(['-', 'x', 'X', ':']) else {
        return false;
    };
    let square = rest
        .strip_prefix(|c: char| c.is_ascii_alphabetic())
        .unwrap_or(rest);
    rest.is_empty() || square.starts_with(is_digit)
}

/// Whether the x of `x6` is a column of a wide board: where squares have letters, `c3 xe5` goes on
/// and `c3 x6` does not.
pub(super) fn is_column_x(before: &str, word: &str) -> bool {
    let lettered = before.starts_with(|c: char| c.is_ascii_alphabetic());
    let square = word.strip_prefix(['x', 'X']).unwrap_or_default();
    lettered && square.starts_with(is_digit)
}

/// Whether the word can only be the start of a move.
pub(super) fn ends_with_separator(word: &str) -> bool {
    let word = word.as_bytes();
    word.len() > 1
        && matches!(word[word.len() - 1], b'-' | b'x' | b'X' | b':')
        && word[word.len() - 2].is_ascii_digit()
}

/// Whether a separator may follow the word: it is a capture, or not yet a move.
pub(super) fn may_go_on(word: &str, separator: u8) -> bool {
    let is_separator = |byte: &u8| matches!(byte, b'-' | b'x' | b'X' | b':');
    match word.bytes().find(|byte| is_separator(byte)) {
        None => word
            .bytes()
            .next_back()
            .is_some_and(|byte| byte.is_ascii_digit()),
        Some(first) => first != b'-' && separator != b'-',
    }
}

/// Reads a move from the start of a word: the move in clean form, and what follows.
pub(super) fn read_move(word: &str) -> Option<(String, &str)> {
    let bytes = word.as_bytes();
    let mut text = String::with_capacity(bytes.len().min(16));
    let mut at = push_square(word, 0, &mut text).or_else(|| push_file(word, &mut text))?;
    let mut squares = 1;
    loop {
        let length = text.len();
        let mark = match bytes.get(at) {
            Some(b'-') => Some('-'),
            Some(b'x' | b'X' | b':' | b'*') => Some('x'),
            _ => None,
        };
        // `a3b4` needs no separator, `3228` would.
        let lettered = bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
        if mark.is_none() && !lettered {
            break;
        }
        text.push(mark.unwrap_or('-'));
        let Some(end) = push_square(word, at + usize::from(mark.is_some()), &mut text) else {
            text.truncate(length);
            break;
        };
        at = end;
        squares += 1;
    }
    (squares > 1).then(|| (text, &word[at..]))
}

/// Appends the square at an index without leading zeros; the index after it.
fn push_square(word: &str, from: usize, text: &mut String) -> Option<usize> {
    let bytes = word.as_bytes();
    let lettered = bytes.get(from)?.is_ascii_alphabetic();
    let digits_from = from + usize::from(lettered);
    let (number, end) = small_number(word, digits_from)?;
    let pair = (!lettered && bytes.get(end) == Some(&b',') && has_pairs(word))
        .then(|| small_number(word, end + 1))
        .flatten();
    if let Some((column, end)) = pair {
        text.push_str(zeroless(number));
        text.push(',');
        text.push_str(zeroless(column));
        return Some(end);
    }
    let number = zeroless(number);
    if number == "0" {
        return None;
    }
    text.push_str(&word[from..digits_from]);
    text.push_str(number);
    Some(end)
}

/// Whether squares are rows and columns, as in `2,1-3,2`; `32-28,19-23` is two moves.
fn has_pairs(word: &str) -> bool {
    word.bytes().find(|byte| !byte.is_ascii_digit()) == Some(b',')
}

/// Appends the file of the short form `ab4` or `c:e5`.
fn push_file(word: &str, text: &mut String) -> Option<usize> {
    let bytes = word.as_bytes();
    let next_is_square = |at: usize| {
        bytes.get(at).is_some_and(u8::is_ascii_lowercase)
            && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
    };
    let separated = matches!(bytes.get(1), Some(b'-' | b'x' | b':'));
    if !bytes.first().is_some_and(u8::is_ascii_lowercase)
        || !next_is_square(1 + usize::from(separated))
    {
        return None;
    }
    text.push_str(&word[..1]);
    Some(1)
}

fn small_number(word: &str, from: usize) -> Option<(&str, usize)> {
    let digits = word
        .as_bytes()
        .get(from..)?
        .iter()
        .take_while(|byte| byte.is_ascii_digit());
    // A board has ten thousand squares at most.
    let count = digits.take(6).count();
    (1..=5)
        .contains(&count)
        .then(|| (&word[from..from + count], from + count))
}

fn zeroless(number: &str) -> &str {
    let trimmed = number.trim_start_matches('0');
    if trimmed.is_empty() { "0" } else { trimmed }
}

/// The first and the last square of a clean move.
pub(super) fn ends(text: &str) -> Option<(&str, &str)> {
    let squares = squares(text);
    Some((squares.first()?, squares.last()?))
}

/// The squares of a clean move. On wide boards `x` is a column as well: only after a square it
/// separates.
pub(super) fn squares(text: &str) -> Vec<&str> {
    let mut squares = Vec::new();
    let mut rest = text;
    loop {
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest[first..].find(['-', 'x']).map(|at| first + at);
        let Some(end) = end else {
            squares.push(rest);
            return squares;
        };
        squares.push(&rest[..end]);
        rest = &rest[end + 1..];
    }
}

/// Whether a clean move is written as a capture.
pub(super) fn is_capture(text: &str) -> bool {
    let first = squares(text)[0].len();
    text.as_bytes().get(first) == Some(&b'x')
}

/// Whether a clean move has a square with a letter.
pub(super) fn is_lettered(text: &str) -> bool {
    let lettered = |square: &&str| square.starts_with(|c: char| c.is_ascii_alphabetic());
    squares(text).iter().any(lettered)
}
