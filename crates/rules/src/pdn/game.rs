//! A game as its text tells it: tags, a tree of moves, a result.

use std::fmt;

use super::PdnError;

/// A place in a file: line and column, counted from 1, in characters.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

impl Place {
    /// Where a file starts.
    pub const START: Place = Place { line: 1, column: 1 };
}

impl Default for Place {
    fn default() -> Place {
        Place::START
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// One game of a PDN file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PdnGame {
    /// The tags in the order of the file.
    pub tags: Vec<Tag>,
    /// The main line.
    pub moves: Vec<MoveNode>,
    /// The result at the end of the moves, if the file has one.
    pub result: Option<ResultToken>,
    /// Comments after the result, or of a game without moves.
    pub comments: Vec<String>,
    /// The line the game starts on.
    pub line: usize,
    /// What the reader had to overlook.
    pub faults: Vec<PdnError>,
}

impl PdnGame {
    /// The value of a tag, its name in any case; Italian names answer for English ones.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let named = |name: &str| {
            let found = self
                .tags
                .iter()
                .find(|tag| tag.name.eq_ignore_ascii_case(name));
            found.map(|tag| tag.value.as_str())
        };
        named(name).or_else(|| aliases(name).iter().find_map(|alias| named(alias)))
    }
}

/// What Italian files call a tag.
fn aliases(name: &str) -> &'static [&'static str] {
    const ALIASES: [(&str, &[&str]); 7] = [
        ("White", &["Bianco"]),
        ("Black", &["Nero"]),
        ("Result", &["Risultato"]),
        ("Event", &["Evento", "Torneo", "Dati"]),
        ("Date", &["Data", "Anno"]),
        ("Opening", &["Apertura"]),
        ("Round", &["Turno"]),
    ];
    let found = ALIASES
        .iter()
        .find(|(english, _)| english.eq_ignore_ascii_case(name));
    found.map_or(&[], |(_, aliases)| aliases)
}

/// A tag: `[White "Sijbrands"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its name, as the file spells it.
    pub name: String,
    /// Its value, without quotes and escapes.
    pub value: String,
}

impl Tag {
    /// A tag.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Tag {
        Tag {
            name: name.into(),
            value: value.into(),
        }
    }
}

/// A move with all that is said about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveNode {
    /// The move: squares joined by `-` or `x`, without spaces and leading zeros.
    /// A position set up in the middle of a game is its FEN between slashes.
    pub text: String,
    /// Where it stands.
    pub at: Place,
    /// The number before it, if there is one.
    pub number: Option<MoveNumber>,
    /// Numeric annotation glyphs; `!` is 1, `?` is 2, `!?` is 5.
    pub nags: Vec<u16>,
    /// Comments between the number, or the start of the line, and the move.
    pub before: Vec<String>,
    /// Comments after the move.
    pub comments: Vec<String>,
    /// Lines that could have been played instead of this move.
    pub variations: Vec<Vec<MoveNode>>,
}

impl MoveNode {
    /// The FEN of a position that is set up here, in place of a move.
    pub fn setup(&self) -> Option<&str> {
        self.text.strip_prefix('/')?.strip_suffix('/')
    }
}

/// The number of a move: `12.`, or `12...` before the second player's move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MoveNumber {
    /// The number.
    pub number: u32,
    /// Whether it is the second player's move.
    pub second: bool,
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.second { "..." } else { "." };
        write!(f, "{}{dots}", self.number)
    }
}

/// A result as it is written: `2-0`, `1/2-1/2`, `*`, or a club's own such as `4-6`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultToken(String);

/// What a result says. Whose figure comes first depends on the game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Score {
    /// The first figure is higher.
    First,
    /// The second figure is higher.
    Second,
    /// Equal figures.
    Draw,
    /// Both have lost.
    Nobody,
    /// Unfinished or unknown.
    Unknown,
}

impl ResultToken {
    pub(super) fn new(text: &'static str) -> ResultToken {
        ResultToken(text.to_owned())
    }

    /// `*`: nobody has won yet, or nobody knows.
    pub fn unfinished() -> ResultToken {
        ResultToken::new("*")
    }

    /// Reads a result on its own, as in the tag `Result`: any two figures, or `*`.
    pub fn parse(text: &str) -> Option<ResultToken> {
        let text: String = text.split_whitespace().collect();
        let text = match text.as_str() {
            "1/2" | "½" | "½-½" | "0.5-0.5" | "0,5-0,5" => "1/2-1/2".to_string(),
            _ => text,
        };
        (text == "*" || figures(&text).is_some()).then_some(ResultToken(text))
    }

    /// Reads a word among moves. Only what cannot be a move is a result.
    pub(super) fn among_moves(word: &str) -> Option<ResultToken> {
        match figures(word) {
            Some((first, second)) if first != second && first * second > 0 => None,
            _ if word.starts_with(|c: char| c.is_ascii_alphabetic()) => None,
            _ => ResultToken::parse(word),
        }
    }

    /// The result as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Who has won, by the figures.
    pub fn score(&self) -> Score {
        match figures(&self.0) {
            None => Score::Unknown,
            Some((0, 0)) => Score::Nobody,
            Some((first, second)) if first > second => Score::First,
            Some((first, second)) if first < second => Score::Second,
            Some(_) => Score::Draw,
        }
    }
}

impl fmt::Display for ResultToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Both figures of a result, doubled so that halves are whole.
fn figures(text: &str) -> Option<(u32, u32)> {
    let (first, second) = text.split_once('-')?;
    Some((figure(first)?, figure(second)?))
}

fn figure(text: &str) -> Option<u32> {
    if text == "1/2" {
        return Some(1);
    }
    let plain = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    plain
        .then(|| text.parse().ok())
        .flatten()
        .map(|figure: u32| 2 * figure)
}
