//! What a variant file says: plain data, one type per table of the file.

use crate::Side;

/// The rules of one game, as its file states them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Identifier, such as `international`.
    pub name: String,
    /// Name for people, such as `International draughts`.
    pub title: String,
    /// One sentence that says what is special about the game.
    pub summary: String,
    /// Where the rules come from; the file's comments refer to it.
    pub sources: String,
    /// The board.
    pub board: BoardDefinition,
    /// The two sides.
    pub sides: Sides,
    /// The starting position.
    pub start: Start,
    /// The kinds of pieces: man, king, then any others by name. At most four.
    pub kinds: Vec<Kind>,
    /// What holds for all captures.
    pub capture: Capture,
    /// How men become kings.
    pub promotion: Promotion,
    /// How the game is won.
    pub end: End,
    /// How the game is drawn, or stopped and counted.
    pub draws: Draws,
    /// How squares, moves and results are written.
    pub notation: Notation,
    /// How the game looks on a terminal and in the browser.
    pub screen: Screen,
}

/// Size and squares of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardDefinition {
    /// Columns, counting squares that are not used.
    pub columns: u8,
    /// Rows.
    pub rows: u8,
    /// Which squares are played on.
    pub squares: Squares,
    /// Squares that are missing, as (row, column) from 0 at the top left.
    pub holes: Vec<(u8, u8)>,
    /// Smallest and largest N of the N×N boards the game may also be played on, N even.
    pub sizes: Option<(u8, u8)>,
}

/// Which squares are played on, by row + column counted from 0 at the top left.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Squares {
    /// Those where the sum is even: the top left corner is used.
    Even,
    /// Those where the sum is odd.
    Odd,
    /// All of them.
    All,
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

/// A kind of piece and what it may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name: `man`, `king`, or one of the file's own.
    pub name: String,
    /// What FEN writes before the square: nothing for men, `K` for kings.
    pub fen: String,
    /// Letters on drawn boards, White's first: `w`, `b`.
    pub letters: [char; 2],
    /// Directions of moves that take nothing.
    pub moves: Directions,
    /// How far such a move goes.
    pub range: Range,
    /// Directions of captures.
    pub captures: Directions,
    /// How a capture is made.
    pub capture_by: CaptureBy,
    /// From how far a piece can be captured.
    pub reach: Reach,
    /// Where a long jump may land.
    pub landing: Landing,
    /// Indices of the kinds it may take.
    pub takes: Vec<usize>,
    /// Index of the kind it becomes on its far row, if any.
    pub becomes: Option<usize>,
    /// How many quiet moves one such piece may make in a row while its side still has men.
    pub quiet_limit: Option<u8>,
}

/// A set of directions as the mover sees them.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Directions(pub(crate) u8);

impl Directions {
    /// Names in the order of the bits: each even bit is the opposite of the next one.
    pub const NAMES: [&'static str; 8] = [
        "forward-left",
        "backward-right",
        "forward-right",
        "backward-left",
        "left",
        "right",
        "forward",
        "backward",
    ];

    /// Names for several directions at once.
    pub const GROUPS: [(&'static str, Directions); 4] = [
        ("diagonal", Directions(0b0000_1111)),
        ("orthogonal", Directions(0b1111_0000)),
        ("forward-diagonal", Directions(0b0000_0101)),
        ("all", Directions(0b1111_1111)),
    ];

    /// No direction.
    pub const NONE: Directions = Directions(0);

    /// The direction or group with this name.
    pub fn named(name: &str) -> Option<Directions> {
        let single = Directions::NAMES.iter().position(|&n| n == name);
        let group = Directions::GROUPS.iter().find(|(n, _)| *n == name);
        single
            .map(|bit| Directions(1 << bit))
            .or(group.map(|(_, directions)| *directions))
    }

    /// The names of the directions in the set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        (0..8)
            .filter(move |bit| self.0 >> bit & 1 == 1)
            .map(|bit| Directions::NAMES[bit])
    }

    /// Steps as (rows forward, columns to the right) for the mover.
    pub fn steps(self) -> impl Iterator<Item = (i8, i8)> {
        const STEPS: [(i8, i8); 8] = [
            (1, -1),
            (-1, 1),
            (1, 1),
            (-1, -1),
            (0, -1),
            (0, 1),
            (1, 0),
            (-1, 0),
        ];
        (0..8)
            .filter(move |bit| self.0 >> bit & 1 == 1)
            .map(|bit| STEPS[bit])
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Directions in either set.
    #[must_use]
    pub const fn union(self, other: Directions) -> Directions {
        Directions(self.0 | other.0)
    }
}

/// How far a move goes that takes nothing.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// To the next square.
    Step,
    /// Any number of empty squares.
    Slide,
    /// Over one piece of its own side, to the square behind it.
    Leap,
    /// To any empty square of the board; directions don't matter.
    Anywhere,
}

/// How a capture is made.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum CaptureBy {
    /// By jumping over the piece.
    Jump,
    /// By moving onto its square.
    Replacement,
}

/// From how far a piece can be captured.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Only from the square beside it.
    Short,
    /// Across any number of empty squares.
    Long,
    /// From anywhere on the board; only by replacement, directions don't matter.
    Anywhere,
}

/// Where a long jump may land.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Landing {
    /// On any empty square behind the captured piece.
    Any,
    /// Only on the square right behind it.
    Next,
    /// Right behind it if it is the last piece taken and a king; else anywhere.
    NextAfterKing,
}

/// What holds for all captures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Whether a side that can capture must.
    pub obligatory: bool,
    /// Which captures are legal when there are several; the first criterion decides first.
    pub priority: Vec<Criterion>,
    /// Whether a capture must go on while it can, or may stop after any piece.
    pub chain_must_go_on: bool,
    /// Whether captured pieces leave the board one by one, or all at the end of the move.
    pub remove_at_once: bool,
    /// Whether the capturing piece may turn straight back between two jumps.
    pub turn_back: bool,
}

/// One step in choosing the captures that are legal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Criterion {
    /// Most pieces captured.
    MostPieces,
    /// Made by a king.
    ByKing,
    /// Most kings captured.
    MostKings,
    /// Kings captured as early as possible.
    KingsFirst,
    /// Highest value, where a king is worth just under two men.
    MostValue,
}

/// How men become kings.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Promotion {
    /// Where.
    pub squares: PromotionSquares,
    /// What happens when the far row is reached in the middle of a capture.
    pub in_capture: InCapture,
}

/// Where pieces promote.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PromotionSquares {
    /// On the row farthest from their own side.
    LastRow,
    /// On every square that has none diagonally or straight before it.
    Edge,
}

/// What happens to a piece that reaches its promotion square while it can still capture.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum InCapture {
    /// It is promoted and the move is over.
    Ends,
    /// It goes on as what it was, and is promoted only if it ends the move there.
    GoesOnAsMan,
    /// It is promoted at once and goes on as what it has become.
    GoesOnAsKing,
}

/// How the game is won.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// What happens to the side to move when it has no legal move, or no piece.
    pub stuck: Stuck,
    /// Whether the first promotion wins the game.
    pub king_wins: bool,
}

/// What happens to the side to move when it has no legal move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// It loses.
    Loses,
    /// It wins.
    Wins,
    /// The side with more pieces wins, whoever that is.
    MostPieces,
}

/// How the game is drawn, or stopped and counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draws {
    /// How often the same position with the same side to move makes a draw.
    pub repetition: Option<u8>,
    /// Counters of moves without progress.
    pub counters: Vec<Counter>,
}

/// A number of plies after which the game stops, counted while its conditions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The number of plies, both sides together. With 0 the game stops at once.
    pub plies: u16,
    /// What starts the count anew.
    pub restart: Vec<Progress>,
    /// Total number of pieces on the board.
    pub pieces: Option<Span>,
    /// One side's pieces, and the other's. With `other` the sides may be either way round.
    pub one: Material,
    /// The other side's pieces.
    pub other: Material,
    /// Names of the squares on which all of `one`'s pieces must stand.
    pub on: Vec<String>,
    /// What the result is.
    pub result: CounterResult,
}

/// An event that starts a counter anew.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Something was captured.
    Capture,
    /// A piece was promoted.
    Promotion,
    /// A man moved.
    ManMove,
}

/// A condition on one side's pieces; what is `None` does not matter.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Material {
    /// All pieces.
    pub pieces: Option<Span>,
    /// Men.
    pub men: Option<Span>,
    /// Kings.
    pub kings: Option<Span>,
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
    /// Whether `number` is in the range.
    pub fn contains(self, number: u32) -> bool {
        (u32::from(self.from)..=u32::from(self.to)).contains(&number)
    }
}

/// What the result is when a counter has run out.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum CounterResult {
    /// A draw.
    Draw,
    /// The side with more pieces wins; equal numbers are a draw.
    MostPieces,
}

/// How squares, moves and results are written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Notation {
    /// How squares are named.
    pub squares: SquareNames,
    /// The corner of the board with square 1 or a1.
    pub corner: Corner,
    /// The number of the game in PDN's `GameType` tag.
    pub game_type: Option<u16>,
    /// How results are written.
    pub results: Results,
}

/// How squares are named.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum SquareNames {
    /// 1, 2, 3 … along the rows.
    Numbers,
    /// a1 … h8.
    Letters,
    /// A1 … H8.
    Capitals,
    /// Row and column from 0 at the top left: `2,1`.
    RowColumn,
}

/// A corner of the board as it is drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Corner {
    /// Bottom left.
    BottomLeft,
    /// Bottom right.
    BottomRight,
    /// Top left.
    TopLeft,
    /// Top right.
    TopRight,
}

/// How results are written in PDN.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Results {
    /// 2-0, 1-1, 0-2.
    TwoNil,
    /// 1-0, 1/2-1/2, 0-1.
    OneNil,
}

/// How the game looks and how it is talked through on a plain terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    /// How moves are asked for, line by line.
    pub dialogue: Dialogue,
    /// How the board is drawn as text.
    pub text_board: TextBoard,
    /// Name of the colours in the browser.
    pub theme: String,
}

/// How moves are asked for, line by line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Dialogue {
    /// A move in the game's notation, or a command.
    Moves,
    /// The square to move from, then the square to move to.
    FromTo,
    /// Only the square to move from.
    From,
    /// Lists of squares, as in the `CheckersLeague` console.
    Turns,
}

/// How the board is drawn as text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TextBoard {
    /// Compact, with square names at the edge.
    Plain,
    /// Boxes of `+---+`, as Stupid Checkers draws them.
    Grid,
    /// Cells of three columns, as the `CheckersLeague` console draws them.
    Console,
}
