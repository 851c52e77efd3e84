//! Tokens to games.

use super::error::PdnFault;
use super::token::{Token, tidy};
use super::word;
use super::{MoveNode, MoveNumber, PdnError, PdnGame, Place, ResultToken, Tag};
use crate::quote::quoted;

/// The deepest variation within variations.
const DEEPEST: usize = 100;
/// A tag that is said twice starts another game, though the first had no moves.
const ONCE: [&str; 5] = ["Event", "White", "Black", "Result", "FEN"];
/// More faults of one game say nothing new.
const MOST_FAULTS: usize = 100;
/// The glyph of an only move, which books mark with a star.
const ONLY_MOVE: u16 = 7;

/// A game in the making.
#[derive(Default)]
pub(super) struct Builder {
    game: PdnGame,
    /// The main line and the variations that are open, innermost last.
    lines: Vec<Line>,
    /// A word that the next one may belong to, as in `32 - 28`.
    held: String,
    held_at: Place,
    /// Whether the last word was rubbish, so that the next is more of the same.
    astray: bool,
}

/// A line of moves and what will belong to its next move.
#[derive(Default)]
struct Line {
    moves: Vec<MoveNode>,
    number: Option<MoveNumber>,
    before: Vec<String>,
}

impl Builder {
    pub fn new(line: usize) -> Builder {
        Builder {
            game: PdnGame {
                line,
                ..PdnGame::default()
            },
            lines: vec![Line::default()],
            ..Builder::default()
        }
    }

    /// Whether the game is complete and this token belongs to the next one.
    pub fn ends_before(&mut self, token: &Token) -> bool {
        if !matches!(token, Token::Word(word) if self.goes_on(word)) {
            self.settle();
        }
        match token {
            Token::Tag { tag, .. } => self.has_moves() || self.is_again(tag),
            Token::Word(_) | Token::Open | Token::Setup(_) => self.game.result.is_some(),
            _ => false,
        }
    }

    fn has_moves(&self) -> bool {
        self.game.result.is_some() || self.lines.len() > 1 || !self.lines[0].moves.is_empty()
    }

    fn is_again(&self, tag: &Tag) -> bool {
        let same = |name: &str| tag.name.eq_ignore_ascii_case(name);
        ONCE.iter().any(|name| same(name)) && self.game.tags.iter().any(|tag| same(&tag.name))
    }

    /// Takes the next token.
    pub fn feed(&mut self, at: Place, token: Token) -> Result<(), PdnError> {
        self.astray &= matches!(token, Token::Word(_));
        match token {
            Token::Tag { tag, open } => {
                if let Some(sign) = open {
                    let name = quoted(&tag.name);
                    let fault = match sign {
                        '"' => PdnFault::OpenQuote(name),
                        _ => PdnFault::OpenTag(name),
                    };
                    self.fault(fault, at);
                }
                self.game.tags.push(tag);
            }
            Token::Comment { text, closed } => {
                if !closed {
                    self.fault(PdnFault::OpenComment, at);
                }
                self.comment(text);
            }
            Token::Nag(code) => self.nag(code),
            Token::Setup(fen) => self.add_move(format!("/{}/", fen.trim()), at),
            Token::Open if self.lines.len() > DEEPEST => {
                return Err(PdnFault::TooDeep(DEEPEST).at(at));
            }
            Token::Open => self.lines.push(Line::default()),
            Token::Close if self.lines.len() > 1 => self.close(at),
            Token::Close => self.fault(PdnFault::LoneBracket(')'), at),
            Token::Lone(sign) => self.fault(PdnFault::LoneBracket(sign), at),
            Token::Word(word) => self.word(word, at),
        }
        Ok(())
    }

    /// The game, or `None` if there was nothing.
    pub fn finish(mut self, at: Place) -> Option<PdnGame> {
        self.settle();
        if self.lines.len() > 1 {
            self.fault(PdnFault::OpenVariation, at);
        }
        while self.lines.len() > 1 {
            self.close(at);
        }
        let line = self.lines.pop()?;
        let (moves, rest) = complete(line);
        self.game.moves = moves;
        self.game.comments.splice(0..0, rest);
        self.take_unusual_result();
        let game = self.game;
        let empty = game.tags.is_empty()
            && game.moves.is_empty()
            && game.result.is_none()
            && game.comments.is_empty()
            && game.faults.is_empty();
        (!empty).then_some(game)
    }

    /// A last move that repeats the tag Result is the result: `4-6` in a club's own counting.
    fn take_unusual_result(&mut self) {
        let Some(last) = self.game.moves.last() else {
            return;
        };
        if self.game.result.is_some() || self.game.tag("Result") != Some(last.text.as_str()) {
            return;
        }
        self.game.result = ResultToken::parse(&last.text);
        if self.game.result.is_some() {
            let last = self.game.moves.pop().unwrap_or_default();
            self.game
                .comments
                .splice(0..0, last.before.into_iter().chain(last.comments));
        }
    }

    fn fault(&mut self, fault: PdnFault, at: Place) {
        if self.game.faults.len() < MOST_FAULTS {
            self.game.faults.push(fault.at(at));
        }
    }

    fn line(&mut self) -> &mut Line {
        let last = self.lines.len() - 1; // There always is the main line.
        &mut self.lines[last]
    }

    fn comment(&mut self, text: String) {
        if text.is_empty() {
            return;
        }
        if self.game.result.is_some() {
            self.game.comments.push(text);
            return;
        }
        let line = self.line();
        match line.moves.last_mut() {
            Some(last) if line.number.is_none() => last.comments.push(text),
            _ => line.before.push(text),
        }
    }

    fn nag(&mut self, code: u16) {
        if let Some(last) = self.line().moves.last_mut() {
            last.nags.push(code);
        }
    }

    fn close(&mut self, at: Place) {
        let (moves, comments) = self.lines.pop().map(complete).unwrap_or_default();
        match self.line().moves.last_mut() {
            Some(last) if moves.is_empty() => last.comments.extend(comments),
            Some(last) => last.variations.push(moves),
            None => self.fault(PdnFault::LoneBracket('('), at),
        }
    }

    fn add_move(&mut self, text: String, at: Place) {
        let line = self.line();
        let number = line.number.take();
        let before = std::mem::take(&mut line.before);
        if let Some(last) = line.moves.last_mut()
            && goes_on_from(last, &text)
        {
            // One word per jump, perhaps with a number each: no other piece can capture from where
            // this one has just arrived.
            let from = word::squares(&text)[0].len();
            last.text.push_str(&text[from..]);
            last.comments.extend(before);
            return;
        }
        line.moves.push(MoveNode {
            text,
            at,
            number,
            before,
            ..MoveNode::default()
        });
    }

    /// Whether a word belongs to the one before it.
    fn goes_on(&self, word: &str) -> bool {
        let word = word::plain(word);
        if self.held.is_empty() {
            return false;
        }
        if word::ends_with_separator(&self.held) {
            return word.starts_with(|c: char| c.is_ascii_alphanumeric());
        }
        word::starts_with_separator(&word)
            && !word::is_column_x(&self.held, &word)
            && word::may_go_on(&self.held, word.as_bytes()[0])
    }

    fn word(&mut self, word: &str, at: Place) {
        if self.goes_on(word) {
            self.held.push_str(&word::plain(word));
            return;
        }
        let word = word::plain(word);
        let mut rest = &*word;
        if let Some((number, second, after)) = word::number(rest) {
            self.line().number = Some(MoveNumber { number, second });
            rest = after;
        }
        if word::is_blank(rest) {
            if let Some(number) = &mut self.line().number {
                number.second |= !rest.is_empty(); // `1. ... 19-23`
            }
            self.astray = false;
            return;
        }
        self.held.push_str(rest);
        self.held_at = at;
    }

    /// Decides what the held word is, now that nothing more belongs to it.
    fn settle(&mut self) {
        if self.held.is_empty() {
            return;
        }
        let held = std::mem::take(&mut self.held);
        let at = self.held_at;
        if let Some(result) = ResultToken::among_moves(&held) {
            self.result(result);
        } else if !self.moves(&held, at) {
            self.other(&held, at);
        }
        self.held = held;
        self.held.clear(); // Keeps the allocation.
    }

    fn result(&mut self, result: ResultToken) {
        self.astray = false;
        if self.lines.len() == 1 {
            self.game.result = Some(result);
        } else {
            self.comment(result.to_string());
        }
    }

    /// Adds the moves of a word, usually one; `false` if it starts with none.
    fn moves(&mut self, word: &str, at: Place) -> bool {
        let starred = word.strip_prefix('*');
        let found = word::read_move(starred.unwrap_or(word));
        let Some((text, mut rest)) = found.filter(|(text, _)| !is_result(text)) else {
            return false;
        };
        self.astray = false;
        self.add_move(text, at);
        while let Some((text, after)) = rest.strip_prefix([',', '.']).and_then(word::read_move)
            && !is_result(&text)
        {
            self.add_move(text, at);
            rest = after;
        }
        if starred.is_some() || rest.starts_with('*') {
            self.nag(ONLY_MOVE);
        }
        let said = rest.trim_matches(['*', '.', ',', '+', '#', '=', ':', '-']);
        self.comment(tidy(said));
        true
    }

    /// A move number without its dot, or rubbish.
    fn other(&mut self, word: &str, at: Place) {
        if let Some(number) = word.parse().ok().filter(|number| *number < 10_000) {
            self.line().number = Some(MoveNumber {
                number,
                second: false,
            });
            return;
        }
        if !self.astray {
            self.fault(PdnFault::Stray(quoted(word)), at);
        }
        let word = tidy(word);
        let line = self.lines.last_mut().filter(|_| self.astray);
        match line.and_then(|line| line.last_comment()) {
            Some(comment) => {
                comment.push(' ');
                comment.push_str(&word);
            }
            None => self.comment(word),
        }
        self.astray = true;
    }
}

impl Line {
    /// The comment that was added last.
    fn last_comment(&mut self) -> Option<&mut String> {
        match self.moves.last_mut() {
            Some(last) if self.number.is_none() => last.comments.last_mut(),
            _ => self.before.last_mut(),
        }
    }
}

/// The moves of a line that is over, and comments that found no move.
fn complete(line: Line) -> (Vec<MoveNode>, Vec<String>) {
    let Line {
        mut moves, before, ..
    } = line;
    match moves.last_mut() {
        Some(last) => {
            last.comments.extend(before);
            (moves, Vec::new())
        }
        None => (moves, before),
    }
}

/// Whether a move, once cleaned of zeros, would be read as a result.
fn is_result(text: &str) -> bool {
    ResultToken::among_moves(text).is_some()
}

fn goes_on_from(last: &MoveNode, text: &str) -> bool {
    let arrival = word::ends(&last.text).map(|(_, last)| last);
    let start = word::ends(text).map(|(first, _)| first);
    let captures = last.variations.is_empty() && last.setup().is_none() && word::is_capture(text);
    captures && arrival == start
}
