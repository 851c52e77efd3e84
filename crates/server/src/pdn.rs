//! Games as PDN, in and out, with their variations and what is said about the moves.

use kingme_play::Seat;
use kingme_rules::pdn::{
    MoveNode, PdnGame, Reader, ReplayError, ReplayFault, ResultToken, Tag, from_game, nodes_after,
    replay, replay_line, to_text,
};
use kingme_rules::{Game, Move, Position, Side, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::cards::VariantChoice;
use crate::error::ApiError;
use crate::said::Said;
use crate::wire::json;

/// Most games that one import may have.
pub const MOST_GAMES: usize = 2_000;
/// Longest text of a game that is read, in bytes: some thirty thousand moves.
const LONGEST_GAME: usize = 256 << 10;
/// Variations within variations beyond these are left out: no request can be nested deeper.
const DEEPEST: usize = 30;

/// The name of whoever sits there, as PDN writes it.
pub fn seat_name(seat: &Seat) -> String {
    match seat {
        Seat::Person { name, .. } | Seat::Program { name } if !name.is_empty() => name.clone(),
        Seat::Computer { level: 0 } => "random".to_owned(),
        Seat::Computer { level } => format!("kingme level {level}"),
        Seat::Person { .. } | Seat::Program { .. } | Seat::Open => "?".to_owned(),
    }
}

/// A game as PDN; `ending` has the winner if the game is over.
pub fn export(game: &Game, names: &[String; 2], ending: Option<Option<Side>>) -> String {
    let mut tags = vec![
        Tag::new("Event", game.variant().definition().title.clone()),
        Tag::new("White", names[0].clone()),
        Tag::new("Black", names[1].clone()),
    ];
    if let Some(winner) = ending {
        let result = ResultToken::won_by(game.variant(), winner);
        tags.push(Tag::new("Result", result.as_str()));
    }
    to_text(&from_game(game, tags))
}

/// A game on paper: what reading gives, writing takes.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PaperGame {
    /// Its rules.
    #[serde(flatten)]
    pub rules: VariantChoice,
    /// Where it starts, if not at the start.
    pub fen: Option<String>,
    /// What the file says about it: players, event, result.
    #[serde(default)]
    pub tags: Vec<TagJson>,
    /// The main line.
    #[serde(default)]
    pub line: Vec<NodeJson>,
}

/// A tag of a PDN file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TagJson {
    /// Such as `White`.
    pub name: String,
    /// Such as `Sijbrands`.
    pub value: String,
}

/// A move on paper, with all that is said about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct NodeJson {
    /// As the game writes it; needs not be given.
    pub text: String,
    /// Every square of it, with hyphens between them.
    pub squares: String,
    /// Numeric annotation glyphs: 1 is `!`, 2 is `?`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u16>,
    /// What is said before the move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub before: String,
    /// What is said after it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Lines that could have been played instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    pub variations: Vec<Vec<NodeJson>>,
}

/// A game that was read.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ImportJson {
    /// The game.
    #[serde(flatten)]
    pub game: PaperGame,
    /// Who played and where, as far as the file says.
    pub title: String,
    /// The result as written.
    pub result: Option<String>,
    /// What stopped the reading, if something did.
    pub fault: Option<String>,
}

/// The games of a text, played through by their rules; those of `otherwise` where tags name none.
/// They are the JSON of a list of [`ImportJson`], written game by game: no more than one of them is
/// in memory as a tree of moves.
///
/// # Errors
///
/// If there is no game in it that can be read.
pub fn import(text: &str, otherwise: &VariantChoice) -> Result<String, ApiError> {
    let fallback = otherwise.load()?;
    let mut list = String::from("[");
    let mut unreadable = None;
    let reader = Reader::new(text.as_bytes()).longest_game(LONGEST_GAME);
    for game in reader.take(MOST_GAMES) {
        match game {
            // Any text is a game without moves and tags to a lenient reader.
            Ok(game) if game.tags.is_empty() && game.moves.is_empty() => (),
            Ok(game) => {
                let game = match game.variant() {
                    Some(variant) => read(&game, &variant, VariantChoice::of(&variant)),
                    None => read(&game, &fallback, otherwise.clone()),
                };
                list.push_str(if list.len() > 1 { "," } else { "" });
                list.push_str(&json(&game));
            }
            Err(error) => unreadable = unreadable.or(Some(error)),
        }
    }
    match unreadable {
        _ if list.len() > 1 => Ok(list + "]"),
        Some(error) => Err(ApiError::Bad(error.to_string().into())),
        None => Err(ApiError::Bad(Said::new(
            "no_game_in_text",
            "there is no game in this text",
        ))),
    }
}

fn read(pdn: &PdnGame, variant: &Variant, rules: VariantChoice) -> ImportJson {
    let replay = replay(pdn, Some(variant));
    let mut tree = TreeReader {
        fault: replay.errors.first().map(ToString::to_string),
    };
    let start = replay.game.start().clone();
    let fen = (start != variant.start()).then(|| start.fen());
    let mut line = tree.line(Game::from_position(start), &pdn.moves[replay.first..], 0);
    if let Some(last) = line.last_mut() {
        let mut said = vec![std::mem::take(&mut last.comment)];
        said.extend_from_slice(&pdn.comments);
        last.comment = joined(&said);
    }
    let tag = |tag: &Tag| TagJson {
        name: tag.name.clone(),
        value: tag.value.clone(),
    };
    let written = pdn.result.as_ref().map(ToString::to_string);
    ImportJson {
        title: title(pdn),
        result: pdn.tag("Result").map(str::to_owned).or(written),
        fault: tree.fault,
        game: PaperGame {
            rules,
            fen,
            tags: pdn.tags.iter().map(tag).collect(),
            line,
        },
    }
}

/// Reads a tree of moves by the rules, and remembers the first thing that was wrong with it.
struct TreeReader {
    fault: Option<String>,
}

impl TreeReader {
    /// A line from where a game stands, as far as it is legal.
    fn line(&mut self, mut game: Game, nodes: &[MoveNode], depth: usize) -> Vec<NodeJson> {
        let (moves, error) = replay_line(game.position(), nodes);
        let mut line = Vec::with_capacity(moves.len());
        for (node, mv) in nodes.iter().zip(&moves) {
            let variations = self.variations(&game, &node.variations, depth + 1);
            let json = NodeJson::new(game.position(), mv, node, variations);
            if let Err(error) = game.play(mv) {
                self.note(&error);
                return line;
            }
            line.push(json);
        }
        match error {
            // Moves are counted from the start of the game, and this is not where a variation begins.
            Some(ReplayError {
                at,
                fault: ReplayFault::Move { error, .. },
            }) if depth > 0 => self.note(&format!("{at}: {error}")),
            Some(error) => self.note(&error),
            None => (),
        }
        line
    }

    fn variations(
        &mut self,
        game: &Game,
        variations: &[Vec<MoveNode>],
        depth: usize,
    ) -> Vec<Vec<NodeJson>> {
        if depth > DEEPEST && !variations.is_empty() {
            self.note(&format!(
                "variations are nested deeper than {DEEPEST} times"
            ));
            return Vec::new();
        }
        let lines = variations
            .iter()
            .map(|nodes| self.line(game.clone(), nodes, depth));
        lines.filter(|line| !line.is_empty()).collect()
    }

    fn note(&mut self, fault: &impl ToString) {
        self.fault.get_or_insert_with(|| fault.to_string());
    }
}

impl NodeJson {
    fn new(
        position: &Position,
        mv: &Move,
        node: &MoveNode,
        variations: Vec<Vec<NodeJson>>,
    ) -> NodeJson {
        let board = position.variant().board();
        let names: Vec<String> = mv.squares().iter().map(|&at| board.name(at)).collect();
        NodeJson {
            text: position.move_text(mv),
            squares: names.join("-"),
            nags: node.nags.clone(),
            before: joined(&node.before),
            comment: joined(&node.comments),
            variations,
        }
    }
}

/// Several comments as one.
fn joined(comments: &[String]) -> String {
    let said = comments.iter().map(|comment| comment.trim());
    let said: Vec<&str> = said.filter(|comment| !comment.is_empty()).collect();
    said.join(" ")
}

fn title(pdn: &PdnGame) -> String {
    let name = |tag| pdn.tag(tag).filter(|name| !name.is_empty()).unwrap_or("?");
    let event = pdn.tag("Event").unwrap_or_default();
    format!("{} – {} {event}", name("White"), name("Black"))
        .trim()
        .to_owned()
}

impl PaperGame {
    /// The game as PDN.
    ///
    /// # Errors
    ///
    /// If a move of it is not legal.
    pub fn text(&self) -> Result<String, ApiError> {
        let variant = self.rules.load()?;
        let start = match &self.fen {
            Some(fen) => Position::from_fen(&variant, fen)
                .map_err(|error| ApiError::Bad(error.to_string().into()))?,
            None => variant.start(),
        };
        let mut game = Game::from_position(start);
        let moves = write_line(&mut game, &self.line)?;
        let told = self.tags.iter();
        let tags = told
            .map(|tag| Tag::new(&tag.name, &tag.value))
            .collect::<Vec<_>>();
        let pdn = from_game(&game, tags);
        Ok(to_text(&PdnGame { moves, ..pdn }))
    }
}

/// Plays a line in a game; the line with its variations as PDN has them.
fn write_line(game: &mut Game, line: &[NodeJson]) -> Result<Vec<MoveNode>, ApiError> {
    let plies = game.plies();
    let mut variations = Vec::with_capacity(line.len());
    for node in line {
        let others = node.variations.iter();
        let others: Result<Vec<_>, _> = others
            .map(|other| write_line(&mut game.clone(), other))
            .collect();
        variations.push(others?);
        game.play_text(&node.squares)?;
    }
    let mut nodes = nodes_after(game, plies);
    for ((node, told), variations) in nodes.iter_mut().zip(line).zip(variations) {
        node.nags.clone_from(&told.nags);
        node.before = vec![told.before.clone()];
        node.comments = vec![told.comment.clone()];
        node.variations = variations;
    }
    Ok(nodes)
}
