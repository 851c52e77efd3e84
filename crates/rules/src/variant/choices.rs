//! Keys that are one of several words.

use crate::Board;

choice! {
    /// Which squares are played on, by row + column counted from 0 at the top left.
    pub enum Squares {
        /// Where the sum is even: the top left corner is used.
        Even = "even",
        /// Where the sum is odd.
        Odd = "odd",
        /// All of them.
        All = "all",
    }
}

choice! {
    /// How far a move goes that takes nothing.
    pub enum Range {
        /// To the next square.
        Step = "step",
        /// Any number of empty squares.
        Slide = "slide",
        /// Over one piece of its own side, to the square behind it.
        Leap = "leap",
        /// To any empty square of the board; directions don't matter.
        Anywhere = "anywhere",
    }
}

choice! {
    /// How a capture is made.
    pub enum CaptureBy {
        /// By jumping over the piece.
        Jump = "jump",
        /// By moving onto its square.
        Replacement = "replacement",
    }
}

choice! {
    /// From how far a piece can be captured.
    pub enum Reach {
        /// Only from the square beside it.
        Short = "short",
        /// Across any number of empty squares.
        Long = "long",
        /// From anywhere on the board; only by replacement, directions don't matter.
        Anywhere = "anywhere",
    }
}

choice! {
    /// Where a long jump may land.
    pub enum Landing {
        /// On any empty square behind the captured piece.
        Any = "any",
        /// Only on the square right behind it.
        Next = "next",
        /// Right behind it if it is the last piece taken and a king; else anywhere.
        NextAfterKing = "next-after-king",
    }
}

choice! {
    /// Whether a side that can capture must.
    pub enum Obligation {
        /// It must.
        Must = "must",
        /// It may make any other move.
        May = "may",
        /// It may, but any other move costs it a piece that could have made a legal capture: the
        /// piece that moved, taken off where it arrives, or else the first one row by row from the
        /// top left.
        Huff = "huff",
    }
}

choice! {
    /// One step in choosing the captures that are legal.
    pub enum Criterion {
        /// Most pieces captured.
        MostPieces = "most-pieces",
        /// Made by a king.
        ByKing = "by-king",
        /// Most kings captured.
        MostKings = "most-kings",
        /// Kings captured as early as possible.
        KingsFirst = "kings-first",
        /// Highest value, where a king is worth just under two men.
        MostValue = "most-value",
    }
}

choice! {
    /// Where pieces promote.
    pub enum PromotionSquares {
        /// On the row farthest from their own side.
        LastRow = "last-row",
        /// On every square that has none diagonally or straight before it.
        Edge = "edge",
    }
}

choice! {
    /// What happens to a piece that reaches its promotion square while it can still capture.
    pub enum InCapture {
        /// It is promoted and the move is over.
        Ends = "ends",
        /// It goes on as what it was, and is promoted only if it ends the move there.
        GoesOnAsMan = "goes-on-as-man",
        /// It is promoted at once and goes on as what it has become.
        GoesOnAsKing = "goes-on-as-king",
    }
}

choice! {
    /// What happens to the side to move when it has no legal move.
    pub enum Stuck {
        /// It loses.
        Loses = "loses",
        /// It wins.
        Wins = "wins",
        /// The side with more pieces wins, whoever that is.
        MostPieces = "most-pieces",
    }
}

choice! {
    /// An event that starts a counter anew.
    pub enum Progress {
        /// Something was captured.
        Capture = "capture",
        /// A piece was promoted.
        Promotion = "promotion",
        /// A man moved.
        ManMove = "man-move",
    }
}

choice! {
    /// What the result is when a counter has run out.
    pub enum CounterResult {
        /// A draw.
        Draw = "draw",
        /// The side with more pieces wins; equal numbers are a draw.
        MostPieces = "most-pieces",
        /// The side that has what `one` says wins; a draw if both have it.
        OneWins = "one-wins",
    }
}

choice! {
    /// How squares are named.
    pub enum SquareNames {
        /// 1, 2, 3 … along the rows.
        Numbers = "numbers",
        /// a1 … h8.
        Letters = "letters",
        /// A1 … H8.
        Capitals = "capitals",
        /// Row and column from 0 at the top left, such as 2,1.
        RowColumn = "row-column",
    }
}

impl SquareNames {
    /// How many columns have names.
    pub fn most_columns(self) -> u8 {
        match self {
            SquareNames::Letters | SquareNames::Capitals => Board::LETTERS,
            SquareNames::Numbers | SquareNames::RowColumn => Board::LARGEST,
        }
    }
}

choice! {
    /// A corner of the board as it is drawn.
    pub enum Corner {
        /// Bottom left.
        BottomLeft = "bottom-left",
        /// Bottom right.
        BottomRight = "bottom-right",
        /// Top left.
        TopLeft = "top-left",
        /// Top right.
        TopRight = "top-right",
    }
}

choice! {
    /// How results are written in PDN.
    pub enum Results {
        /// 2-0, 1-1, 0-2.
        TwoNil = "2-0",
        /// 1-0, 1/2-1/2, 0-1.
        OneNil = "1-0",
    }
}

choice! {
    /// How moves are asked for, line by line.
    pub enum Dialogue {
        /// A move in the game's notation, or a command.
        Moves = "moves",
        /// The square to move from, then the square to move to.
        FromTo = "from-to",
        /// Only the square to move from.
        From = "from",
        /// Lists of squares, as in the console of `CheckersLeague`.
        Turns = "turns",
    }
}

choice! {
    /// How the board is drawn as text.
    pub enum TextBoard {
        /// Compact, with square names at the edge.
        Plain = "plain",
        /// Boxes of `+---+`, as Stupid Checkers draws them.
        Grid = "grid",
        /// Cells of three columns, as the console of `CheckersLeague` draws them.
        Console = "console",
    }
}

impl super::codec::Choice for crate::Side {
    const WORDS: &'static [(&'static str, crate::Side, &'static str)] = &[
        ("white", crate::Side::White, ""),
        ("black", crate::Side::Black, ""),
    ];
}
