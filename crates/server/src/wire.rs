//! What goes over the wire about games: plain data that needs no rules to be shown.

use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use kingme_play::{End, Offer, PlayerId, Seat, Session};
use kingme_rules::{Game, Move, Position, Side, Square, Turn, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::cards::{CardJson, VariantJson};
use crate::live::Live;
use crate::said::{self, Said, SaidJson};

/// A value as JSON text that many sockets can share.
pub fn json(value: &impl Serialize) -> Utf8Bytes {
    serde_json::to_string(value)
        .expect("our own types have only text keys")
        .into()
}

/// A side on the wire.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SideJson {
    /// The side that FEN writes as `W`.
    White,
    /// The side that FEN writes as `B`.
    Black,
}

impl From<Side> for SideJson {
    fn from(side: Side) -> SideJson {
        match side {
            Side::White => SideJson::White,
            Side::Black => SideJson::Black,
        }
    }
}

impl From<SideJson> for Side {
    fn from(side: SideJson) -> Side {
        match side {
            SideJson::White => Side::White,
            SideJson::Black => Side::Black,
        }
    }
}

/// Something that needs the other side's consent.
#[derive(Copy, Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Offer)]
pub enum OfferKindJson {
    /// Call it a draw.
    Draw,
    /// Let me take my last move back.
    TakeBack,
    /// Another game, colours swapped.
    Rematch,
}

impl From<Offer> for OfferKindJson {
    fn from(offer: Offer) -> OfferKindJson {
        match offer {
            Offer::Draw => OfferKindJson::Draw,
            Offer::TakeBack => OfferKindJson::TakeBack,
            Offer::Rematch => OfferKindJson::Rematch,
        }
    }
}

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
    /// The square of the mover's own piece that is taken off after the move, since it could have
    /// captured: the last of the path if that is the piece that moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub huffed: Option<usize>,
    /// The letter of the piece afterwards, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub becomes: Option<char>,
}

impl MoveJson {
    /// A move in a position.
    pub fn new(position: &Position, mv: &Move) -> MoveJson {
        MoveJson::with_text(position, mv, position.move_text(mv))
    }

    /// All these moves of a position: the text of one depends on the others.
    pub fn all(position: &Position, moves: &[Move]) -> Vec<MoveJson> {
        let texts = position.move_texts(moves);
        let moves = moves.iter().zip(texts);
        moves
            .map(|(mv, text)| MoveJson::with_text(position, mv, text))
            .collect()
    }

    fn with_text(position: &Position, mv: &Move, text: String) -> MoveJson {
        let index = |squares: &[Square]| squares.iter().map(|square| square.index()).collect();
        let kind = &position.variant().definition().kinds[mv.becomes];
        MoveJson {
            text,
            path: index(&mv.squares()),
            captured: index(&mv.captured),
            huffed: mv.huffed.map(Square::index),
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

    fn of(end: &End, game: &Game) -> OverJson {
        OverJson::new(end.winner, &said::end(end, game), game.variant())
    }
}

impl PositionJson {
    /// How a game stands.
    pub fn new(game: &Game) -> PositionJson {
        let position = game.position();
        PositionJson {
            board: board_text(position),
            turn: position.turn().into(),
            legal: MoveJson::all(position, &game.legal_moves()),
            fen: position.fen(),
            over: game.outcome().map(|outcome| {
                let variant = game.variant();
                OverJson::new(outcome.winner, &said::why(outcome, variant), variant)
            }),
        }
    }
}

impl PositionJson {
    /// How a game in play stands.
    fn of(session: &Session) -> PositionJson {
        let game = session.game();
        let over = session.end().map(|end| OverJson::of(end, game));
        if over.is_none() {
            return PositionJson::new(game);
        }
        let position = game.position();
        PositionJson {
            board: board_text(position),
            turn: position.turn().into(),
            legal: Vec::new(),
            fen: position.fen(),
            over,
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
            Seat::Person { name, .. } | Seat::Program { name } => {
                SeatJson::Person { name: name.clone() }
            }
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
    pub offer: OfferKindJson,
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
    pub fn new(live: &Live, session: &Session) -> GameJson {
        let game = session.game();
        let now = live.now();
        let left = |side| {
            let left = session.clock().left(side, now).unwrap_or_default();
            left.as_millis() as u64
        };
        let last = game.history().last();
        GameJson {
            id: live.id.clone(),
            seq: session.seq(),
            position: PositionJson::of(session),
            ply: game.plies(),
            last: last.and_then(|(position, turn)| Some(MoveJson::new(position, turn.as_move()?))),
            seats: session.seats().each_ref().map(SeatJson::from),
            clock: live.settings.clock.is_some().then(|| ClockJson {
                white: left(Side::White),
                black: left(Side::Black),
                running: session.clock().running().map(SideJson::from),
            }),
            offer: session.offer().map(|(side, offer)| OfferJson {
                side: side.into(),
                offer: offer.into(),
            }),
            rematch: session.rematch().map(str::to_owned),
            rated: live.settings.rated,
            league: live.settings.league.clone(),
        }
    }
}

/// For how long the players of a game have had no page of it open, in milliseconds, White first: told
/// whenever somebody comes or goes.
#[derive(Copy, Clone, Debug, Serialize, ToSchema)]
pub struct AwayJson {
    away: [Option<u64>; 2],
}

impl AwayJson {
    /// The same as data.
    pub fn new(away: [Option<Duration>; 2]) -> AwayJson {
        let ms = |away: Duration| u64::try_from(away.as_millis()).unwrap_or(u64::MAX);
        AwayJson {
            away: away.map(|away| away.map(ms)),
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
    /// Who is away.
    #[serde(flatten)]
    pub away: AwayJson,
    /// How it stands.
    pub game: GameJson,
}

impl WholeGameJson {
    /// Everything about a game, for somebody.
    pub fn new(live: &Live, session: &Session, player: Option<PlayerId>) -> WholeGameJson {
        let game = session.game();
        WholeGameJson {
            variant: VariantJson::new(game.variant()),
            toml: live.settings.toml.clone(),
            size: live.settings.size,
            fen: live.settings.fen.clone(),
            start: board_text(game.start()),
            history: history(game),
            you: sides(session, player),
            away: AwayJson::new(live.away(session)),
            game: GameJson::new(live, session),
        }
    }
}

/// The sides that somebody holds.
fn sides(session: &Session, player: Option<PlayerId>) -> Vec<SideJson> {
    let sides = player
        .into_iter()
        .flat_map(|player| session.sides_of(player));
    sides.map(SideJson::from).collect()
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
    /// A game in short, for one of its players.
    pub fn new(live: &Live, player: PlayerId) -> OwnGameJson {
        let session = live.session();
        OwnGameJson {
            summary: SummaryJson::new(live, &session),
            you: sides(&session, Some(player)),
        }
    }
}

impl SummaryJson {
    /// A game in short.
    pub fn new(live: &Live, session: &Session) -> SummaryJson {
        let game = session.game();
        let squares = |mv: &Move| mv.squares().iter().map(|square| square.index()).collect();
        SummaryJson {
            id: live.id.clone(),
            card: CardJson::new(game.variant()),
            board: board_text(game.position()),
            last: game.last_move().map(squares).unwrap_or_default(),
            turn: game.turn().into(),
            seats: session.seats().each_ref().map(SeatJson::from),
            ply: game.plies(),
            over: session.end().map(|end| OverJson::of(end, game)),
        }
    }
}
