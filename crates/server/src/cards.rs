//! Games on the wire: what there is to choose, and what a request names.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use kingme_rules::variant::Language;
use kingme_rules::{Side, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::wire::SideJson;
use crate::wire::board_text;

/// A game one can choose, with its starting position.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CardJson {
    /// Identifier.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// What is special about it.
    pub summary: String,
    /// The starting position, a text per row: a letter per piece, `.` for an empty square, `_` for
    /// one that is not played on, `#` for a hole. Squares are numbered from 0 in reading order.
    pub grid: Vec<String>,
    /// The sides, White first.
    pub sides: [SideInfo; 2],
    /// Who makes the first move.
    pub first: SideJson,
    /// Who sits at the top of the grid.
    pub top: SideJson,
    /// The kinds of pieces: man, king, any others.
    pub kinds: Vec<KindJson>,
    /// Name of the colours.
    pub theme: String,
    /// Smallest and largest board it can be played on, if there are several.
    pub sizes: Option<(u8, u8)>,
}

/// A side of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SideInfo {
    /// What the game calls it.
    pub name: String,
}

/// A kind of piece.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KindJson {
    /// Its name.
    pub name: String,
    /// Its letters in boards, White's first.
    pub letters: String,
}

/// All about a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VariantJson {
    /// What its card says.
    #[serde(flatten)]
    pub card: CardJson,
    /// The names of the squares in reading order.
    pub squares: Vec<String>,
    /// The rules in words, by language: `en`, `nl`.
    pub words: BTreeMap<&'static str, String>,
    /// Where they come from.
    pub sources: String,
}

impl CardJson {
    /// The card of a game.
    pub fn new(variant: &Variant) -> CardJson {
        let definition = variant.definition();
        let side = |side: Side| SideInfo {
            name: definition.sides.names[side].clone(),
        };
        CardJson {
            name: definition.name.clone(),
            title: definition.title.clone(),
            summary: definition.summary.clone(),
            grid: grid(variant),
            sides: Side::BOTH.map(side),
            first: definition.sides.first.into(),
            top: definition.sides.top.into(),
            kinds: definition
                .kinds
                .iter()
                .map(|kind| KindJson {
                    name: kind.name.clone(),
                    letters: kind.letters.iter().collect(),
                })
                .collect(),
            theme: definition.screen.theme.clone(),
            sizes: definition.sizes(),
        }
    }
}

/// The cards of all games that come with the program, made once.
pub fn cards() -> &'static [CardJson] {
    static CARDS: OnceLock<Vec<CardJson>> = OnceLock::new();
    CARDS.get_or_init(|| {
        let variants = Variant::names().filter_map(|name| Variant::named(name).ok());
        variants.map(|variant| CardJson::new(&variant)).collect()
    })
}

impl VariantJson {
    /// All about a game.
    pub fn new(variant: &Variant) -> VariantJson {
        let board = variant.board();
        VariantJson {
            card: CardJson::new(variant),
            squares: board.squares().map(|square| board.name(square)).collect(),
            words: Language::ALL
                .map(|language| (language.code(), variant.definition().in_words_of(language)))
                .into(),
            sources: variant.definition().sources.clone(),
        }
    }
}

fn grid(variant: &Variant) -> Vec<String> {
    let board = variant.board();
    let holes = &variant.definition().board.holes;
    let letters: Vec<char> = board_text(&variant.start()).chars().collect();
    let row = |row: usize| {
        let hole = |column: usize| holes.contains(&(row as u8, column as u8));
        let unused = |column: usize| if hole(column) { '#' } else { '_' };
        let column = |column: usize| match board.at(row, column) {
            Some(square) => letters[square.index()],
            None => unused(column),
        };
        (0..usize::from(board.columns())).map(column).collect()
    };
    (0..usize::from(board.rows())).map(row).collect()
}

/// A game named in a request: one that comes with the program, or a file.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct VariantChoice {
    /// Its name.
    #[serde(default)]
    pub variant: String,
    /// Its file, instead of a name.
    pub toml: Option<String>,
    /// The size of the board, if it is not the usual one.
    pub size: Option<u32>,
}

impl VariantChoice {
    /// How to ask for a game that comes with the program, on the board it is played on.
    pub fn of(variant: &Variant) -> VariantChoice {
        let board = variant.board();
        let usual = Variant::named(variant.name()).is_ok_and(|usual| usual.board() == board);
        VariantChoice {
            variant: variant.name().to_owned(),
            toml: None,
            size: (!usual).then(|| u32::from(board.columns())),
        }
    }

    /// The game.
    ///
    /// # Errors
    ///
    /// If there is none, or its file has faults.
    pub fn load(&self) -> Result<Variant, crate::error::ApiError> {
        crate::settings::load_variant(&self.variant, self.toml.as_deref(), self.size)
    }
}
