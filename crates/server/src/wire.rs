//! What goes over the wire about games: plain data that needs no rules to be shown.

use kingme_rules::{Game, Move, Position, Side, Square, Turn, Variant};
use serde::Serialize;
use utoipa::ToSchema;

use crate::cards::{CardJson, VariantJson};
use crate::clock::Millis;
use crate::event::{Offer, SideJson};
use crate::said::{self, Said, SaidJson};
use crate::table::{Ending, PlayerId, Seat, Table};

/// The pieces as one letter per square, in reading order.
pub fn board_text(position: &Position) -> String {
    let mut letters = vec!['.'; position.variant().board().len()];
    for (square, piece) in position.pieces() {
        let kind = &position.variant().definition().kinds[piece.kind];
        letters[square.index()] = kind.letters[piece.side];
    }
    letters.into_iter().collect()
}

/// A move as data: what to draw and what to send back.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveJson {
    /// In the game's notation.
    pub text: String,
    /// The start and every square it lands on.
    pub path: Vec<usize>,
    /// The pieces that it takes, in the order of the path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub captured: Vec<usize>,
    /// The letter of the piece afterwards, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub becomes: Option<char>,
}

impl MoveJson {
    /// A move in a position.
    pub fn new(position: &Position, mv: &Move) -> MoveJson {
        let index = |squares: &[Square]| squares.iter().map(|square| square.index()).collect();
        let kind = &position.variant().definition().kinds[mv.becomes];
        MoveJson {
            text: position.move_text(mv),
            path: index(&mv.squares()),
            captured: index(&mv.captured),
            becomes: mv.is_promotion().then(|| kind.letters[position.turn()]),
        }
    }
}

/// How a game stands, for a board to draw.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PositionJson {
    /// The pieces as one letter per square, in reading order.
    pub board: String,
    /// Whose turn it is.
    pub turn: SideJson,
    /// The moves that can be played.
    pub legal: Vec<MoveJson>,
    /// The position as a FEN.
    pub fen: String,
    /// The sentence that ends the game, if it is over.
    pub over: Option<OverJson>,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OverJson {
    /// Who won; nobody in a draw.
    pub winner: Option<SideJson>,
    /// What the game calls the winner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The result and its reason in words.
    pub words: String,
    /// The reason for pages in other languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<SaidJson>,
}

impl OverJson {
    fn new(winner: Option<Side>, words: &Said, variant: &Variant) -> OverJson {
        OverJson {
            winner: winner.map(SideJson::from),
            name: winner.map(|side| variant.definition().sides.names[side].clone()),
            words: words.to_string(),
            said: words.json(),
        }
    }

    fn of(ending: &Ending, variant: &Variant) -> OverJson {
        OverJson::new(ending.winner(), &ending.in_words(variant), variant)
    }
}

impl PositionJson {
    /// How a game stands.
    pub fn new(game: &Game) -> PositionJson {
        let position = game.position();
        let json = |mv: &Move| MoveJson::new(position, mv);
        PositionJson {
            board: board_text(position),
            turn: position.turn().into(),
            legal: game.legal_moves().iter().map(json).collect(),
            fen: position.fen(),
            over: game.outcome().map(|outcome| {
                let variant = game.variant();
                OverJson::new(outcome.winner, &said::why(outcome, variant), variant)
            }),
        }
    }
}

/// All the moves of a game.
pub fn history(game: &Game) -> Vec<MoveJson> {
    let json =
        |(position, turn): (&Position, &Turn)| Some(MoveJson::new(position, turn.as_move()?));
    game.history().filter_map(json).collect()
}

/// Who sits on one side.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SeatJson {
    /// Nobody yet.
    Open,
    /// A person.
    Person {
        /// The name to show; empty for guests.
        name: String,
    },
    /// The computer.
    Computer {
        /// From 1 to 10; 0 moves at random.
        level: u8,
    },
}

impl From<&Seat> for SeatJson {
    fn from(seat: &Seat) -> SeatJson {
        match seat {
            Seat::Open => SeatJson::Open,
            Seat::Person { name, .. } => SeatJson::Person { name: name.clone() },
            Seat::Computer { level } => SeatJson::Computer { level: *level },
        }
    }
}

/// Both clocks at the moment of sending.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ClockJson {
    /// What White has left, in milliseconds.
    pub white: u64,
    /// What Black has left.
    pub black: u64,
    /// Whose clock runs.
    pub running: Option<SideJson>,
}

/// Something one side asks the other for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OfferJson {
    /// Who asks.
    pub side: SideJson,
    /// For what.
    pub offer: Offer,
}

/// A game after its latest event. The last move is always there, so that a client that has seen
/// all events before needs no more.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameJson {
    /// Identifier.
    pub id: String,
    /// The number of events so far. A client that sees a gap asks for the whole state.
    pub seq: u64,
    /// How it stands.
    #[serde(flatten)]
    pub position: PositionJson,
    /// The number of moves made.
    pub ply: usize,
    /// The last of them.
    pub last: Option<MoveJson>,
    /// The seats, White's first.
    pub seats: [SeatJson; 2],
    /// The clocks, if time is limited.
    pub clock: Option<ClockJson>,
    /// What one side has offered the other.
    pub offer: Option<OfferJson>,
    /// The next game of the same two.
    pub rematch: Option<String>,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The league that it is a game of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub league: Option<String>,
}

impl GameJson {
    /// A game as it stands now.
    pub fn new(table: &Table, now: Millis) -> GameJson {
        let game = &table.game;
        let last = game.moves().last().map(|mv| {
            let before = game.position_after(game.plies() - 1);
            MoveJson::new(before.expect("a move has a position before it"), mv)
        });
        let mut position = PositionJson::new(game);
        if let Some(ending) = &table.ending {
            position.legal.clear();
            position.over = Some(OverJson::of(ending, game.variant()));
        }
        GameJson {
            id: table.id.clone(),
            seq: table.seq,
            position,
            ply: game.plies(),
            last,
            seats: Side::BOTH.map(|side| SeatJson::from(&table.seats[side])),
            clock: table.clock.as_ref().map(|clock| ClockJson {
                white: clock.left(Side::White, now),
                black: clock.left(Side::Black, now),
                running: clock.running().map(SideJson::from),
            }),
            offer: table.offer.map(|(side, offer)| OfferJson {
                side: side.into(),
                offer,
            }),
            rematch: table.rematch.clone(),
            rated: table.settings.rated,
            league: table.settings.league.clone(),
        }
    }
}

/// Everything about a game: the first message to every client, and after every doubt.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WholeGameJson {
    /// The rules and the board.
    pub variant: VariantJson,
    /// The file of the rules, if they don't come with the program.
    pub toml: Option<String>,
    /// The size of the board, if it is not the usual one.
    pub size: Option<u32>,
    /// Where it started, if not at the usual start.
    pub fen: Option<String>,
    /// The pieces at the start.
    pub start: String,
    /// All the moves.
    pub history: Vec<MoveJson>,
    /// The sides that the asker holds.
    pub you: Vec<SideJson>,
    /// How it stands.
    pub game: GameJson,
}

impl WholeGameJson {
    /// Everything about a table, for somebody who holds these sides.
    pub fn new(table: &Table, you: Vec<Side>, now: Millis) -> WholeGameJson {
        WholeGameJson {
            variant: VariantJson::new(table.game.variant()),
            toml: table.settings.toml.clone(),
            size: table.settings.size,
            fen: table.settings.fen.clone(),
            start: board_text(table.game.start()),
            history: history(&table.game),
            you: you.into_iter().map(SideJson::from).collect(),
            game: GameJson::new(table, now),
        }
    }
}

/// A game in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SummaryJson {
    /// Identifier.
    pub id: String,
    /// What is played.
    pub card: CardJson,
    /// The pieces.
    pub board: String,
    /// The last move's squares.
    pub last: Vec<usize>,
    /// Whose turn it is.
    pub turn: SideJson,
    /// The seats, White's first.
    pub seats: [SeatJson; 2],
    /// The number of moves made.
    pub ply: usize,
    /// How it ended, if it has.
    pub over: Option<OverJson>,
}

/// A game of one's own in short.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnGameJson {
    /// The game.
    #[serde(flatten)]
    pub summary: SummaryJson,
    /// One's own sides.
    pub you: Vec<SideJson>,
}

impl OwnGameJson {
    /// A table in short, for one of its players.
    pub fn new(table: &Table, player: PlayerId) -> OwnGameJson {
        let sides = table.sides_of(player).into_iter();
        OwnGameJson {
            summary: SummaryJson::new(table),
            you: sides.map(SideJson::from).collect(),
        }
    }
}

impl SummaryJson {
    /// A table in short.
    pub fn new(table: &Table) -> SummaryJson {
        let game = &table.game;
        let squares = |mv: &Move| mv.squares().iter().map(|square| square.index()).collect();
        SummaryJson {
            id: table.id.clone(),
            card: CardJson::new(game.variant()),
            board: board_text(game.position()),
            last: game.moves().last().map(squares).unwrap_or_default(),
            turn: game.turn().into(),
            seats: Side::BOTH.map(|side| SeatJson::from(&table.seats[side])),
            ply: game.plies(),
            over: (table.ending.as_ref()).map(|ending| OverJson::of(ending, game.variant())),
        }
    }
}
