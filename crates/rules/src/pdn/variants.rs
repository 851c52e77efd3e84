//! Which game a file records.

use std::fmt;

use super::{GameType, PdnGame, word};
use crate::Variant;
use crate::quote::quoted;
use crate::variant::SquareNames;

impl PdnGame {
    /// The game that the tags name.
    pub fn variant(&self) -> Option<Variant> {
        by_name(self).or_else(|| by_type(self))
    }
}

/// What had to be assumed about a game, because its file does not say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// Which game it is.
    Variant {
        /// What the tag `Variant` says, if there is one.
        tag: Option<String>,
        /// The game whose rules the moves obey best.
        assumed: String,
    },
    /// That squares such as `c3` count from a1 at the bottom left, in a game of numbers.
    Letters,
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Variant { tag, assumed } => {
                match tag {
                    Some(tag) => write!(f, "the game `{}` is not known", quoted(tag))?,
                    None => f.write_str("no tag says which game this is")?,
                }
                write!(f, "; by its moves it is taken for `{assumed}`")
            }
            Assumption::Letters => f.write_str(
                "squares have letters in a game of numbers; a1 is taken to be at the bottom left",
            ),
        }
    }
}

/// Whether the tags leave the game to be guessed.
pub(super) fn is_guessed(game: &PdnGame) -> bool {
    game.variant().is_none()
}

/// The games whose rules may be meant, the likeliest first; at least one.
pub(super) fn candidates(game: &PdnGame, given: Option<&Variant>) -> Vec<Variant> {
    if let Some(variant) = given.cloned().or_else(|| game.variant()) {
        return vec![variant];
    }
    let guessed = guess(game);
    if guessed.is_empty() {
        standard().take(1).collect()
    } else {
        guessed
    }
}

/// What the tag `Variant` has to say: the name, and the board where it is not the usual one.
pub(super) fn variant_tag(variant: &Variant) -> String {
    let (name, board) = (variant.name(), variant.board());
    let usual = Variant::named(name).is_ok_and(|usual| usual.board() == board);
    if usual {
        name.to_string()
    } else {
        format!("{name} {}x{}", board.columns(), board.rows())
    }
}

/// By the tag `Variant`.
fn by_name(game: &PdnGame) -> Option<Variant> {
    let tag = game.tag("Variant")?.trim().to_lowercase();
    named(&tag).or_else(|| {
        let (name, size) = tag.rsplit_once(' ')?;
        let (columns, rows) = size.split_once('x')?;
        let size = columns.parse().ok().filter(|_| columns == rows)?;
        named(name)?.sized(size).ok()
    })
}

/// What other programs and sites call our games.
const ALIASES: [(&str, &str); 8] = [
    ("standard", "international"),
    ("american/english", "english"),
    ("american", "english"),
    ("anglo-american", "english"),
    ("frysk!", "frysk"),
    ("pool-checkers", "pool"),
    ("shashki", "russian"),
    ("dama", "turkish"),
];

fn named(name: &str) -> Option<Variant> {
    let name = name.trim().replace([' ', '_'], "-");
    let plain = |name: &str| {
        let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
        Variant::named(alias.map_or(name, |(_, ours)| ours)).ok()
    };
    let short = ["-draughts", "-checkers"];
    plain(&name).or_else(|| plain(short.iter().find_map(|end| name.strip_suffix(end))?))
}

/// By the tag `GameType`.
fn by_type(game: &PdnGame) -> Option<Variant> {
    of_type(game.tag("GameType")?)
}

/// The game of a game type: the one that fits it in every field, or else the first with its
/// number. The notation is not insisted on, because servers get it wrong.
pub(super) fn of_type(tag: &str) -> Option<Variant> {
    let number = tag.split(',').next()?.trim().parse().ok()?;
    let game_type: Option<GameType> = tag.parse().ok();
    let numbered: Vec<Variant> = Variant::names()
        .filter_map(|name| Variant::named(name).ok())
        .filter(|variant| variant.definition().notation.game_type == Some(number))
        .collect();
    let exact = numbered
        .iter()
        .find(|variant| GameType::of(variant) == game_type);
    let variant = exact.or(numbered.first())?;
    let sized = game_type
        .filter(|game_type| game_type.columns == game_type.rows)
        .and_then(|game_type| variant.sized(game_type.columns.into()).ok());
    Some(sized.unwrap_or_else(|| variant.clone()))
}

/// The games that PDN has a number for.
fn standard() -> impl Iterator<Item = Variant> {
    Variant::names()
        .filter_map(|name| Variant::named(name).ok())
        .filter(|variant| {
            let number = variant.definition().notation.game_type;
            number.and_then(GameType::standard).is_some()
        })
}

/// The games that have all the squares that are named, the smallest boards first.
fn guess(game: &PdnGame) -> Vec<Variant> {
    let moves = game.moves.iter().filter(|node| node.setup().is_none());
    let names: Vec<&str> = moves.flat_map(|node| word::squares(&node.text)).collect();
    let lettered = names
        .iter()
        .any(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
    let largest = largest_number(game.tag("FEN").unwrap_or_default());
    let fits = |variant: &Variant| {
        let board = variant.board();
        let letters = variant.definition().notation.squares != SquareNames::Numbers;
        // The short form `ab4` begins with no square.
        let has = |name: &&str| name.len() == 1 && lettered || board.parse(name).is_some();
        letters == lettered && largest <= board.len() && names.iter().all(has)
    };
    let mut found: Vec<Variant> = standard().filter(fits).collect();
    if names.is_empty() && largest == 0 {
        found.truncate(1); // Nothing to go by: the game that PDN numbers first.
    }
    found.sort_by_key(|variant| variant.board().len());
    found
}

fn largest_number(fen: &str) -> usize {
    fen.split(|c: char| !c.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .max()
        .unwrap_or(0)
}
