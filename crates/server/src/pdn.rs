//! Games as PDN, in and out, with their variations and what is said about the moves.

use kingme_play::Seat;
use kingme_rules::pdn::{
    MoveNode, PdnGame, Place, Reader, Replay, ReplayError, ReplayFault, ResultToken, Tag,
    from_game, nodes_after, replay, replay_line, to_text,
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
    /// Why these rules, if no tag names them.
    pub assumed: Option<Assumed>,
}

/// Why a game is read by some rules that no tag names.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Assumed {
    /// They are the chosen ones, and its moves obey them, or no others better.
    Chosen,
    /// Its moves obey them, and not the chosen ones.
    Guessed,
}

/// A game of a list, in short.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HeadJson {
    /// Which game of its piece it is, counted from 0: those that were skipped count.
    pub index: usize,
    /// The line it begins at.
    pub line: usize,
    /// Who played White, as far as the file says.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// Where.
    pub event: String,
    /// When.
    pub date: String,
    /// The result as written.
    pub result: String,
    /// The game by whose rules it is read.
    pub variant: String,
    /// Why these rules, if no tag names them.
    pub assumed: Option<Assumed>,
    /// How many moves of the main line are legal.
    pub plies: usize,
    /// What stopped the reading, if something did.
    pub fault: Option<String>,
}

/// What could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SkippedJson {
    /// The line where that begins.
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// The games of a piece of a file.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct ListJson {
    /// The games that have been read.
    pub games: Vec<HeadJson>,
    /// What has been skipped.
    pub skipped: Vec<SkippedJson>,
    /// How much of the piece is done with, in UTF-16 units: the next one begins there.
    pub used: usize,
    /// How many lines that are.
    pub lines: usize,
    /// Whether the next piece begins within a game that is being skipped.
    pub inside: bool,
}

/// A piece of a file.
#[derive(Copy, Clone, Debug, Default)]
pub struct Piece<'a> {
    /// Its text; lines end with `\n`.
    pub text: &'a str,
    /// How many lines come before it.
    pub line: usize,
    /// Whether more follows: the last game of the piece may not be complete.
    pub more: bool,
    /// Whether it begins within a game that is being skipped.
    pub inside: bool,
}

/// The games of a piece in short, one after the other.
///
/// # Errors
///
/// If there are no such rules, or lines end otherwise: then nobody could say where the next piece
/// begins.
pub fn list(piece: Piece<'_>, otherwise: &VariantChoice) -> Result<ListJson, ApiError> {
    let fallback = otherwise.load()?;
    if piece.text.contains('\r') {
        return Err(ApiError::Bad("lines of a piece end with \\n alone".into()));
    }
    let mut list = ListJson::default();
    let whole = piece.text;
    let begin = if piece.inside {
        whole.find("\n[").map_or(whole.len(), |found| found + 1)
    } else {
        0
    };
    let text = &whole[begin..];
    let before = piece.line + lines(&whole[..begin]);
    let mut done = 0;
    let mut reader = Reader::new(text.as_bytes()).longest_game(LONGEST_GAME);
    let mut index = 0;
    while let Some(game) = reader.next() {
        let ends = reader.offset();
        // Whatever reaches the end of a piece may go on in the next one.
        let unfinished = piece.more && ends >= text.len();
        match game {
            _ if unfinished && game.is_ok() => break,
            Ok(game) if is_nothing(&game) => (),
            Ok(game) => list
                .games
                .push(head(&game, index, before, (&fallback, otherwise))),
            Err(error) => {
                list.skipped.push(SkippedJson {
                    line: before + error.at.line,
                    reason: error.fault.to_string(),
                });
                list.inside = unfinished;
            }
        }
        done = ends.min(text.len());
        index += 1;
    }
    if !piece.more {
        done = text.len();
    }
    list.inside |= piece.inside && begin == whole.len();
    // A text that looks like another encoding is read as one; its letters are not where they were.
    let used = &whole[..whole.floor_char_boundary(begin + done)];
    list.used = used.encode_utf16().count();
    list.lines = lines(used);
    Ok(list)
}

fn lines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

/// Any text is a game without moves and tags to a lenient reader.
fn is_nothing(game: &PdnGame) -> bool {
    game.tags.is_empty() && game.moves.is_empty()
}

fn head(
    pdn: &PdnGame,
    index: usize,
    before: usize,
    (fallback, otherwise): (&Variant, &VariantChoice),
) -> HeadJson {
    let (replay, _, assumed) = by_rules(pdn, fallback, otherwise);
    let tag = |name| pdn.tag(name).unwrap_or_default().to_owned();
    let fault = replay.errors.first();
    HeadJson {
        index,
        line: before + pdn.line,
        white: tag("White"),
        black: tag("Black"),
        event: tag("Event"),
        date: tag("Date"),
        result: result(pdn).unwrap_or_default(),
        variant: replay.game.variant().name().to_owned(),
        assumed,
        plies: replay.moves.len(),
        fault: fault.map(|error| {
            let line = before + error.at.line;
            let at = Place { line, ..error.at };
            format!("{at}: {}", error.fault)
        }),
    }
}

/// Plays a game by the rules that its tags name; without any by the chosen ones, or by those that its
/// moves obey if they don't obey these.
fn by_rules(
    pdn: &PdnGame,
    fallback: &Variant,
    otherwise: &VariantChoice,
) -> (Replay, VariantChoice, Option<Assumed>) {
    if let Some(variant) = pdn.variant() {
        let rules = VariantChoice::of(&variant);
        return (replay(pdn, Some(&variant)), rules, None);
    }
    let chosen = replay(pdn, Some(fallback));
    // Letters in a game of numbers can be read, but are more likely to be another game's.
    if !(chosen.errors.is_empty() && chosen.assumed.is_empty()) {
        let guess = replay(pdn, None);
        let better = guess.errors.is_empty() || guess.moves.len() > chosen.moves.len();
        if better && guess.game.variant() != fallback {
            let rules = VariantChoice::of(guess.game.variant());
            return (guess, rules, Some(Assumed::Guessed));
        }
    }
    (chosen, otherwise.clone(), Some(Assumed::Chosen))
}

fn result(pdn: &PdnGame) -> Option<String> {
    let written = pdn.result.as_ref().map(ToString::to_string);
    pdn.tag("Result").map(str::to_owned).or(written)
}

/// The games of a text, played through by their rules; those of `otherwise` where tags name none.
/// With `only`, none but the one that has this number, counted from 0. They are the JSON of a list of [`ImportJson`], written game by game: no more than one of them is
/// in memory as a tree of moves.
///
/// # Errors
///
/// If there is no game in it that can be read.
pub fn import(
    text: &str,
    only: Option<usize>,
    otherwise: &VariantChoice,
) -> Result<String, ApiError> {
    let fallback = otherwise.load()?;
    let mut list = String::from("[");
    let mut unreadable = None;
    let reader = Reader::new(text.as_bytes()).longest_game(LONGEST_GAME);
    let wanted = |&(index, _): &(usize, _)| only.is_none_or(|only| index == only);
    let most = only.map_or(MOST_GAMES, |only| only.saturating_add(1));
    for (_, game) in reader.take(most).enumerate().filter(wanted) {
        match game {
            Ok(game) if is_nothing(&game) => (),
            Ok(game) => {
                let game = read(&game, &fallback, otherwise);
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

fn read(pdn: &PdnGame, fallback: &Variant, otherwise: &VariantChoice) -> ImportJson {
    let (replay, rules, assumed) = by_rules(pdn, fallback, otherwise);
    let mut tree = TreeReader {
        fault: replay.errors.first().map(ToString::to_string),
    };
    let start = replay.game.start().clone();
    let fen = (start != start.variant().start()).then(|| start.fen());
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
    ImportJson {
        title: title(pdn),
        result: result(pdn),
        fault: tree.fault,
        assumed,
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
