//! Games as PDN, in and out.

use rules::pdn::{MoveNode, MoveNumber, PdnGame, Reader, ResultToken, Tag, to_text};
use rules::variant::Results;
use rules::{Game, Position, Side, Variant};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::said::Said;
use crate::table::Seat;

/// Most games that one import may have.
pub const MOST_GAMES: usize = 2_000;

/// The name of whoever sits there, as PDN writes it.
pub fn seat_name(seat: &Seat) -> String {
    match seat {
        Seat::Person { name, .. } if !name.is_empty() => name.clone(),
        Seat::Computer { level: 0 } => "random".to_owned(),
        Seat::Computer { level } => format!("kingme level {level}"),
        Seat::Person { .. } | Seat::Open => "?".to_owned(),
    }
}

/// A game as PDN; `ending` has the winner if the game is over.
pub fn export(game: &Game, names: &[String; 2], ending: Option<Option<Side>>) -> String {
    let definition = game.variant().definition();
    let result = result(definition.notation.results, definition.sides.first, ending);
    let mut tags = vec![
        Tag::new("Event", definition.title.clone()),
        Tag::new("White", names[0].clone()),
        Tag::new("Black", names[1].clone()),
        Tag::new("Result", result),
    ];
    if let Some(number) = definition.notation.game_type {
        tags.push(Tag::new("GameType", number.to_string()));
    } else {
        tags.push(Tag::new("Variant", definition.name.clone()));
    }
    if *game.start() != game.variant().start() {
        tags.push(Tag::new("SetUp", "1"));
        tags.push(Tag::new("FEN", game.start().fen()));
    }
    let node = |(index, text): (usize, String)| MoveNode {
        text,
        number: (index % 2 == 0).then_some(MoveNumber {
            number: index as u32 / 2 + 1,
            second: false,
        }),
        ..MoveNode::default()
    };
    to_text(&PdnGame {
        tags,
        moves: game
            .move_texts()
            .into_iter()
            .enumerate()
            .map(node)
            .collect(),
        result: ResultToken::parse(result),
        ..PdnGame::default()
    })
}

/// The result as the game writes it: the figure of the side that starts comes first.
fn result(results: Results, first: Side, ending: Option<Option<Side>>) -> &'static str {
    match (ending, results) {
        (None, _) => "*",
        (Some(None), Results::TwoNil) => "1-1",
        (Some(None), Results::OneNil) => "1/2-1/2",
        (Some(Some(winner)), Results::TwoNil) if winner == first => "2-0",
        (Some(Some(_)), Results::TwoNil) => "0-2",
        (Some(Some(winner)), Results::OneNil) if winner == first => "1-0",
        (Some(Some(_)), Results::OneNil) => "0-1",
    }
}

/// A game that was read.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ImportJson {
    /// The name of the game's rules.
    pub variant: String,
    /// Who played and where, as far as the file says.
    pub title: String,
    /// The result as written.
    pub result: Option<String>,
    /// Where it starts, if not at the start.
    pub fen: Option<String>,
    /// The moves, every square of them.
    pub moves: Vec<String>,
    /// What stopped the reading, if something did.
    pub fault: Option<String>,
}

/// The games of a text, played through by their rules.
///
/// # Errors
///
/// If there is no game in it.
pub fn import(text: &str, fallback: &Variant) -> Result<Vec<ImportJson>, ApiError> {
    let games: Vec<ImportJson> = Reader::new(text.as_bytes())
        .take(MOST_GAMES)
        .filter_map(Result::ok)
        // Any text is a game without moves and tags to a lenient reader.
        .filter(|game| !game.tags.is_empty() || !game.moves.is_empty())
        .map(|game| replay(&game, fallback))
        .collect();
    if games.is_empty() {
        return Err(ApiError::Bad(Said::new(
            "no_game_in_text",
            "there is no game in this text",
        )));
    }
    Ok(games)
}

fn replay(pdn: &PdnGame, fallback: &Variant) -> ImportJson {
    let variant = variant_of(pdn).unwrap_or_else(|| fallback.clone());
    let tag = |name: &str| pdn.tag(name).map(str::to_owned);
    let mut import = ImportJson {
        variant: variant.name().to_owned(),
        title: title(pdn),
        result: tag("Result").or(pdn.result.as_ref().map(ToString::to_string)),
        fen: None,
        moves: Vec::new(),
        fault: None,
    };
    let start = match tag("FEN") {
        Some(fen) => match Position::from_fen(&variant, &fen) {
            Ok(position) => {
                import.fen = Some(position.fen());
                position
            }
            Err(error) => {
                import.fault = Some(error.to_string());
                return import;
            }
        },
        None => variant.start(),
    };
    let mut game = Game::from_position(start);
    for node in &pdn.moves {
        let before = game.position().clone();
        match game.play_text(&node.text) {
            Ok(mv) => import.moves.push(before.squares_text(&mv)),
            Err(error) => {
                import.fault = Some(error.to_string());
                break;
            }
        }
    }
    import
}

/// The game that the tags name.
fn variant_of(pdn: &PdnGame) -> Option<Variant> {
    if let Some(variant) = pdn
        .tag("Variant")
        .and_then(|name| Variant::named(name).ok())
    {
        return Some(variant);
    }
    let number: u16 = pdn
        .tag("GameType")?
        .split(',')
        .next()?
        .trim()
        .parse()
        .ok()?;
    Variant::names()
        .filter_map(|name| Variant::named(name).ok())
        .find(|variant| variant.definition().notation.game_type == Some(number))
}

fn title(pdn: &PdnGame) -> String {
    let name = |tag| pdn.tag(tag).filter(|name| !name.is_empty()).unwrap_or("?");
    let event = pdn.tag("Event").unwrap_or_default();
    format!("{} – {} {event}", name("White"), name("Black"))
        .trim()
        .to_owned()
}
