//! Games to canonical PDN 3.0.

use std::fmt::{self, Write};

use super::{MoveNode, PdnGame};

/// Lines of moves and comments are not longer, if words allow.
const WIDTH: usize = 80;

/// A game as text.
pub fn to_text(game: &PdnGame) -> String {
    let mut text = String::new();
    let _ = write(game, &mut text); // Writing to a string cannot fail.
    text
}

/// Writes a game as canonical PDN: tags, an empty line, moves with all that is said about them,
/// the result, an empty line. Braces in comments become parentheses.
///
/// # Errors
///
/// Those of `out`.
pub fn write(game: &PdnGame, out: &mut impl Write) -> fmt::Result {
    for tag in &game.tags {
        writeln!(out, "[{} \"{}\"]", tag_name(&tag.name), escaped(&tag.value))?;
    }
    if !game.tags.is_empty() {
        writeln!(out)?;
    }
    let mut words = Words { out, column: 0 };
    words.line(&game.moves)?;
    words.word(game.result.as_ref().map_or("*", |result| result.as_str()))?;
    words.comments(&game.comments)?;
    write!(words.out, "\n\n")
}

fn tag_name(name: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let name: String = name
        .chars()
        .map(|c| if is_name(c) { c } else { '_' })
        .collect();
    if name.starts_with(char::is_alphabetic) {
        name
    } else {
        format!("X{name}")
    }
}

fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        if matches!(c, '"' | '\\') {
            text.push('\\');
        }
        text.push(if c.is_control() { ' ' } else { c });
    }
    text
}

/// Writes words and breaks lines between them.
struct Words<'a, W> {
    out: &'a mut W,
    column: usize,
}

impl<W: Write> Words<'_, W> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        // A line that starts with `%` would not be read.
        let breaks = self.column + 1 + length > WIDTH && !word.starts_with('%');
        if self.column > 0 {
            self.out.write_char(if breaks { '\n' } else { ' ' })?;
            self.column = if breaks { 0 } else { self.column + 1 };
        }
        self.column += length;
        self.out.write_str(word)
    }

    fn line(&mut self, moves: &[MoveNode]) -> fmt::Result {
        moves.iter().try_for_each(|node| self.node(node))
    }

    fn node(&mut self, node: &MoveNode) -> fmt::Result {
        if let Some(number) = node.number {
            self.word(&number.to_string())?;
        }
        self.comments(&node.before)?;
        self.word(&node.text)?;
        for nag in &node.nags {
            self.word(&format!("${nag}"))?;
        }
        self.comments(&node.comments)?;
        node.variations.iter().try_for_each(|variation| {
            self.word("(")?;
            self.line(variation)?;
            self.word(")")
        })
    }

    fn comments(&mut self, comments: &[String]) -> fmt::Result {
        comments
            .iter()
            .try_for_each(|comment| self.comment(comment))
    }

    fn comment(&mut self, comment: &str) -> fmt::Result {
        let plain = comment.replace('{', "(").replace('}', ")");
        let mut words: Vec<String> = plain.split_whitespace().map(String::from).collect();
        let (Some(first), last) = (words.first_mut(), "}") else {
            return Ok(());
        };
        first.insert(0, '{');
        if let Some(word) = words.last_mut() {
            word.push_str(last);
        }
        words.iter().try_for_each(|word| self.word(word))
    }
}
