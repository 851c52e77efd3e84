//! Lines of the protocol: `command name=value name="a value" flag`.

use std::fmt::Write;

/// A line, read as it is asked for: nothing is copied.
///
/// ```
/// use kingme_players::hub::Line;
///
/// let line = Line::new("done move=32-28 ponder=\"19-23\"");
/// assert_eq!(line.command(), "done");
/// assert_eq!(line.get("ponder"), Some("19-23"));
/// assert_eq!(line.get("score"), None);
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    command: &'a str,
    rest: &'a str,
}

impl<'a> Line<'a> {
    /// The line of a text without its line end.
    pub fn new(text: &'a str) -> Line<'a> {
        let text = text.trim();
        let (command, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        Line { command, rest }
    }

    /// The first word; empty for an empty line.
    pub fn command(self) -> &'a str {
        self.command
    }

    /// The value of an argument; flags have an empty one.
    pub fn get(self, name: &str) -> Option<&'a str> {
        self.arguments()
            .find_map(|(other, value)| (other == name).then_some(value))
    }

    /// Whether there is such an argument, with a value or without.
    pub fn has(self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// All arguments in their order. Rubbish between them is skipped, as the protocol wants
    /// everything to be skipped that one doesn't understand.
    pub fn arguments(self) -> Arguments<'a> {
        Arguments { rest: self.rest }
    }
}

/// The arguments of a line.
#[derive(Clone, Debug)]
pub struct Arguments<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Arguments<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        let text = self
            .rest
            .trim_start_matches(|c: char| c.is_whitespace() || c == '=' || c == '"');
        if text.is_empty() {
            return None;
        }
        let end = text.find(|c: char| c.is_whitespace() || c == '=' || c == '"');
        let (name, rest) = text.split_at(end.unwrap_or(text.len()));
        let (value, rest) = match rest.trim_start().strip_prefix('=') {
            Some(rest) => value(rest.trim_start()),
            None => ("", rest),
        };
        self.rest = rest;
        Some((name, value))
    }
}

/// The value at the start of a text, and what follows it.
fn value(text: &str) -> (&str, &str) {
    match text.strip_prefix('"') {
        // A missing closing mark ends with the line.
        Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
        None => text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())),
    }
}

/// Writes a line, argument by argument.
///
/// ```
/// use kingme_players::hub::LineWriter;
///
/// let line = LineWriter::new("go").flag("think").finish();
/// assert_eq!(line, "go think\n");
/// ```
#[derive(Clone, Debug)]
pub struct LineWriter(String);

impl LineWriter {
    /// A line with this command.
    pub fn new(command: &str) -> LineWriter {
        LineWriter(command.to_owned())
    }

    /// Adds an argument; its value is quoted where it has to be.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl std::fmt::Display) -> LineWriter {
        let start = self.0.len();
        let _ = write!(self.0, " {name}={value}");
        let value_start = start + name.len() + 2;
        if needs_quotes(&self.0[value_start..]) {
            let clean = self.0[value_start..]
                .replace('"', "'")
                .replace(char::is_control, " ");
            self.0.truncate(value_start);
            let _ = write!(self.0, "\"{clean}\"");
        }
        self
    }

    /// Adds an argument if there is a value.
    #[must_use]
    pub fn with_some<T: std::fmt::Display>(self, name: &str, value: Option<T>) -> LineWriter {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds an argument without a value.
    #[must_use]
    pub fn flag(mut self, name: &str) -> LineWriter {
        let _ = write!(self.0, " {name}");
        self
    }

    /// The line with its line end.
    pub fn finish(mut self) -> String {
        self.0.push('\n');
        self.0
    }
}

fn needs_quotes(value: &str) -> bool {
    let special = |c: char| c.is_whitespace() || c.is_control() || c == '=' || c == '"';
    value.is_empty() || value.contains(special)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, command: &str, arguments: &[(&str, &str)]) {
        let line = Line::new(text);
        assert_eq!(line.command(), command, "{text}");
        assert_eq!(line.arguments().collect::<Vec<_>>(), arguments, "{text}");
    }

    #[test]
    fn lines_have_a_command_and_arguments() {
        check("", "", &[]);
        check("  hub \r", "hub", &[]);
        check("go think", "go", &[("think", "")]);
        check(
            "id name=Scan version=3.1",
            "id",
            &[("name", "Scan"), ("version", "3.1")],
        );
        check(
            "pos moves=\"1-2 3-4\" x",
            "pos",
            &[("moves", "1-2 3-4"), ("x", "")],
        );
        check(
            "a b = c d= \"e f\"g=\"\"",
            "a",
            &[("b", "c"), ("d", "e f"), ("g", "")],
        );
    }

    #[test]
    fn rubbish_is_skipped() {
        check("x = = \" y", "x", &[("y", "")]);
        check("x a=\"never closed", "x", &[("a", "never closed")]);
        check("x a= ", "x", &[("a", "")]);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let line = LineWriter::new("error")
            .with("message", "a \"b\"\nc=d")
            .with("empty", "")
            .with("plain", 1.5)
            .finish();
        assert_eq!(line, "error message=\"a 'b' c=d\" empty=\"\" plain=1.5\n");
        check(
            &line,
            "error",
            &[("message", "a 'b' c=d"), ("empty", ""), ("plain", "1.5")],
        );
    }
}
