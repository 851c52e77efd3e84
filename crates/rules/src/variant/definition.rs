//! What a variant file says: plain data, one type per table of the file, one line per key.
//!
//! A key stands here and nowhere else: the reader, the schema and all that is made from it follow.
//! What a key does is said in `keys.rs` and the generator, or in `game.rs`; what it is called, in
//! `words/` and in the texts of the pages.

use std::fmt;

use super::choices::{
    CaptureBy, Corner, CounterResult, Criterion, Dialogue, InCapture, Landing, Obligation,
    Progress, PromotionSquares, Range, Reach, Results, SquareNames, Squares, Stuck, TextBoard,
};
use super::codec::{
    self, Codec, Compass, Counters, Either, Holes, Keyed, KindOrNothing, Kinds, Letters, Pieces,
    Sizes, Suggested, Text, Texts, Yes, any_of, none_or, number, one_of, table,
};
use super::directions::Directions;
use super::fields::Fields;
use super::schema::{Key, Values, Word};
use super::tree::Tree;
use crate::{Board, Side};

table! {
    /// The rules of one game, as its file states them.
    pub struct Definition {
        /// Identifier, such as `international`: small letters, digits and hyphens.
        name: String = "name" as Text;
        /// Name for people, such as `International draughts`.
        title: String = "title" as Text;
        /// One sentence that says what is special about the game.
        summary: String = "summary" as Text;
        /// Where the rules come from; the file's comments refer to it.
        sources: String = "sources" as Text;
        /// The board.
        board: BoardDefinition = "board" as table();
        /// The two sides.
        sides: Sides = "sides" as table();
        /// The starting position.
        start: Start = "start" as table();
        /// The kinds of pieces: man, king, then any others by name. At most four.
        kinds: Vec<Kind> = "pieces" as Pieces;
        /// What holds for all captures.
        capture: Capture = "capture" as table();
        /// How men become kings.
        promotion: Promotion = "promotion" as table();
        /// How the game is won.
        end: Goal = "end" as table();
        /// How the game is drawn, or stopped and counted.
        draws: Draws = "draws" as table();
        /// How squares, moves and results are written.
        notation: Notation = "notation" as table();
        /// How the game looks on a terminal and in the browser.
        screen: Screen = "screen" as table();
    }
}

table! {
    /// Size and squares of a board.
    pub struct BoardDefinition {
        /// Columns, counting squares that are not used.
        columns: u8 = "columns" as number(2, Board::LARGEST as u16);
        /// Rows.
        rows: u8 = "rows" as number(2, Board::LARGEST as u16);
        /// Squares that are played on, by row + column counted from 0 at the top left.
        squares: Squares = "squares" as one_of();
        /// Squares that are missing, as rows and columns from 0 at the top left.
        holes: Vec<(u8, u8)> = "holes" as Holes;
        /// Smallest and largest N of the N×N boards the game may also be played on, N even.
        sizes: Option<(u8, u8)> = "sizes" as Sizes;
    }
}

impl Definition {
    /// Smallest and largest N of the N×N boards that the game may be played on: no larger ones than
    /// its squares have names for.
    pub fn sizes(&self) -> Option<(u8, u8)> {
        let (from, to) = self.board.sizes?;
        Some((from, to.min(self.notation.squares.most_columns())))
    }
}

/// The two sides: who they are and who starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// Names, White's first: `Red`.
    pub names: [String; 2],
    /// Letters for text boards, White's first: `r`.
    pub letters: [char; 2],
    /// Who makes the first move.
    pub first: Side,
    /// Who sits at the top of the board and moves down.
    pub top: Side,
}

table! {
    /// The sides as a file has them.
    pub struct SideKeys {
        /// What White is called.
        white: String = "white" as Text;
        /// What Black is called.
        black: String = "black" as Text;
        /// One letter each for text boards.
        letters: [char; 2] = "letters" as Letters;
        /// Who makes the first move.
        first: Side = "first" as one_of();
        /// Who sits at the top of the board and moves down.
        top: Side = "top" as one_of();
    }
}

/// The starting position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// Men on every square of some rows.
    Rows {
        /// Empty rows between the two sides.
        gap: u8,
        /// Empty rows behind each side.
        offset: u8,
    },
    /// A drawn board, a text per row, a character per column; see [`Kind::letters`].
    /// A dot is an empty square, `_` one that is not played on, `#` a hole.
    Drawn(Vec<String>),
}

table! {
    /// The start as a file has it.
    pub struct StartKeys {
        /// Empty rows between the sides; the rest is men.
        gap: u8 = "gap" as number(0, Board::LARGEST as u16);
        /// Empty rows behind each side.
        offset: u8 = "offset" as number(0, Board::LARGEST as u16);
        /// A drawn board instead, a text per row: the pieces' letters, `.` empty, `_` not played
        /// on, `#` a hole.
        draw: Vec<String> = "draw" as Texts(Values::Drawing);
    }
}

table! {
    /// A kind of piece and what it may do.
    pub struct Kind {
        @named /// Its name: `man`, `king`, or one of the file's own.
        name;
        /// What FEN writes before the square: nothing for men, `K` for kings.
        fen: String = "fen" as Text;
        /// Letters on drawn boards, White's first.
        letters: [char; 2] = "letters" as Letters;
        /// Directions of moves that take nothing.
        moves: Directions = "moves" as Compass;
        /// How far such a move goes.
        range: Range = "range" as one_of();
        /// Directions of captures.
        captures: Directions = "captures" as Compass;
        /// How a capture is made.
        capture_by: CaptureBy = "capture_by" as one_of();
        /// From how far a piece can be captured.
        reach: Reach = "reach" as one_of();
        /// Where a long jump may land.
        landing: Landing = "landing" as one_of();
        /// Which kinds it may take.
        takes: Vec<usize> = "takes" as Kinds;
        /// The kind that it becomes where it is promoted, if any.
        becomes: Option<usize> = "becomes" as KindOrNothing;
        /// How many quiet moves one such piece may make in a row while its side still has men; 0
        /// for no limit.
        quiet_limit: Option<u8> = "quiet_limit" as none_or(100);
    }
}

table! {
    /// What holds for all captures.
    pub struct Capture {
        /// Whether a side that can capture must.
        obligation: Obligation = "obligation" as one_of();
        /// Which captures are legal when there are several; the first criterion decides first.
        priority: Vec<Criterion> = "priority" as any_of();
        /// Whether a capture must go on while it can, or may stop after any piece.
        chain_must_go_on: bool = "chain" as Either(
            Word { word: "must", meaning: "" },
            Word { word: "may", meaning: "" },
        );
        /// When captured pieces leave the board.
        remove_at_once: bool = "removal" as Either(
            Word { word: "at-once", meaning: "One by one, as they are jumped." },
            Word { word: "after", meaning: "All at the end of the move." },
        );
        /// Whether the capturing piece may turn straight back between two jumps.
        turn_back: bool = "turn_back" as Yes;
    }
}

table! {
    /// How men become kings.
    pub struct Promotion {
        /// Where pieces promote.
        squares: PromotionSquares = "squares" as one_of();
        /// Squares on which White's pieces promote, and nowhere else; with none it is as `squares`
        /// says.
        white: Vec<String> = "white" as Texts(Values::Squares), or "[]";
        /// The same for Black's pieces.
        black: Vec<String> = "black" as Texts(Values::Squares), or "[]";
        /// What happens when such a square is reached in the middle of a capture.
        in_capture: InCapture = "in_capture" as one_of();
    }
}

impl Promotion {
    /// The names of the squares on which a side promotes, if they are listed.
    pub fn named(&self, side: Side) -> &[String] {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }
}

table! {
    /// How the game is won.
    #[derive(Copy)]
    pub struct Goal {
        /// What happens to the side to move when it has no legal move, or no piece.
        stuck: Stuck = "stuck" as one_of();
        /// Whether the first promotion wins the game.
        king_wins: bool = "king_wins" as Yes;
    }
}

table! {
    /// How the game is drawn, or stopped and counted.
    pub struct Draws {
        /// How often the same position with the same side to move makes a draw; 0 for never.
        repetition: Option<u8> = "repetition" as none_or(100);
        /// Counters of moves without progress, eight at most.
        counters: Vec<Counter> = "counters" as Counters;
    }
}

impl Draws {
    /// Searches keep a count for each in every position.
    pub const MOST_COUNTERS: usize = 8;
}

table! {
    /// A number of plies after which the game stops, counted while its conditions hold.
    pub struct Counter {
        /// The number of plies, both sides together; with 0 the game stops at once.
        plies: u16 = "plies" as number(0, 1000);
        /// What starts the count anew.
        restart: Vec<Progress> = "restart" as any_of();
        /// How many pieces are on the board in all.
        pieces: Option<Span> = "pieces" as codec::Range, or "\"0+\"";
        /// What one side has, either of them.
        one: Material = "one" as table(), or "{}";
        /// What the side that is not `one` has.
        other: Material = "other" as table(), or "{}";
        /// Squares on which all pieces of `one` must stand.
        on: Vec<String> = "on" as Texts(Values::Squares), or "[]";
        /// Whether the game goes on while the side to move can capture.
        unless_capture: bool = "unless_capture" as Yes, or "false";
        /// What the result is.
        result: CounterResult = "result" as one_of();
    }
}

table! {
    /// A condition on one side's pieces; what is `None` does not matter.
    #[derive(Copy, Default)]
    pub struct Material {
        /// All pieces.
        pieces: Option<Span> = "pieces" as codec::Range, or "\"0+\"";
        /// Men.
        men: Option<Span> = "men" as codec::Range, or "\"0+\"";
        /// Kings.
        kings: Option<Span> = "kings" as codec::Range, or "\"0+\"";
    }
}

table! {
    /// How squares, moves and results are written.
    #[derive(Copy)]
    pub struct Notation {
        /// How squares are named.
        squares: SquareNames = "squares" as one_of();
        /// The corner of the board with square 1 or a1.
        corner: Corner = "corner" as one_of();
        /// The number of the game in PDN's `GameType` tag; 0 for none. It is not taken from a game
        /// that is extended.
        game_type: Option<u16> = "game_type" as none_or(999);
        /// How results are written.
        results: Results = "results" as one_of();
    }
}

table! {
    /// How the game looks and how it is talked through on a plain terminal.
    pub struct Screen {
        /// How moves are asked for, line by line.
        dialogue: Dialogue = "dialogue" as one_of();
        /// How the board is drawn as text.
        text_board: TextBoard = "text_board" as one_of();
        /// Name of the colours in the browser.
        theme: String = "theme" as Suggested(&["wood", "checkers", "draughts", "league", "paper", "night"]);
    }
}

/// A range of numbers, both ends included: `3`, `3-5` or `3+`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The smallest.
    pub from: u16,
    /// The largest.
    pub to: u16,
}

impl Span {
    /// Every number.
    pub(super) const ANY: Span = Span {
        from: 0,
        to: u16::MAX,
    };

    /// Whether `number` is in the range.
    pub fn contains(self, number: u32) -> bool {
        (u32::from(self.from)..=u32::from(self.to)).contains(&number)
    }

    pub(super) fn parse(text: &str) -> Option<Span> {
        if let Some(from) = text.strip_suffix('+') {
            let from = from.parse().ok()?;
            return Some(Span { from, to: u16::MAX });
        }
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        let (from, to) = (from.parse().ok()?, to.parse().ok()?);
        (from <= to).then_some(Span { from, to })
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to {
            u16::MAX => write!(f, "{}+", self.from),
            to if to == self.from => write!(f, "{to}"),
            to => write!(f, "{}-{to}", self.from),
        }
    }
}

/// Two names are one field.
impl Keyed for Sides {
    fn keys() -> Vec<Key> {
        SideKeys::keys()
    }

    fn read(fields: &mut Fields<'_>) -> Option<Sides> {
        let keys = SideKeys::read(fields)?;
        Some(Sides {
            names: [keys.white, keys.black],
            letters: keys.letters,
            first: keys.first,
            top: keys.top,
        })
    }

    fn write(&self, kinds: &[String]) -> Tree {
        let [white, black] = self.names.clone();
        let keys = SideKeys {
            white,
            black,
            letters: self.letters,
            first: self.first,
            top: self.top,
        };
        keys.write(kinds)
    }
}

/// A drawn board needs no rows.
impl Keyed for Start {
    fn keys() -> Vec<Key> {
        StartKeys::keys()
    }

    fn read(fields: &mut Fields<'_>) -> Option<Start> {
        let StartKeys { gap, offset, draw } = StartKeys::read(fields)?;
        Some(if draw.is_empty() {
            Start::Rows { gap, offset }
        } else {
            Start::Drawn(draw)
        })
    }

    fn write(&self, kinds: &[String]) -> Tree {
        let (gap, offset, draw) = match self {
            Start::Rows { gap, offset } => (*gap, *offset, Vec::new()),
            Start::Drawn(rows) => (0, 0, rows.clone()),
        };
        StartKeys { gap, offset, draw }.write(kinds)
    }
}
