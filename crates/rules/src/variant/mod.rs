//! Variants: the rules of one game as data.

#[macro_use]
mod macros;

mod check;
mod choices;
mod codec;
mod definition;
mod directions;
mod fields;
mod handle;
mod schema;
mod shipped;
mod tree;
mod words;

pub use choices::{
    CaptureBy, Corner, CounterResult, Criterion, Dialogue, InCapture, Landing, Obligation,
    Progress, PromotionSquares, Range, Reach, Results, SquareNames, Squares, Stuck, TextBoard,
};
pub use definition::{
    BoardDefinition, Capture, Counter, Definition, Draws, Goal, Kind, Material, Notation,
    Promotion, Screen, Sides, Span, Start,
};
pub use directions::Directions;
pub use fields::Fault;
pub use handle::{SizeError, UnknownVariant, Variant};
pub use schema::{Key, Section, Values, Word, schema};
pub use words::Language;

use codec::Keyed;
use std::fmt;

/// The games that come with the program: names and variant files, in the order of a list.
pub fn shipped() -> impl Iterator<Item = (&'static str, &'static str)> {
    shipped::all()
}

/// Everything that is wrong with a variant file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantError {
    /// The faults, in the order of the file; at least one.
    pub faults: Vec<Fault>,
}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for VariantError {}

impl From<Fault> for VariantError {
    fn from(fault: Fault) -> VariantError {
        VariantError {
            faults: vec![fault],
        }
    }
}

impl Definition {
    /// A variant file has no more bytes than this: six times a drawn board of 100×100 squares.
    pub const MOST_BYTES: usize = 1 << 16;

    /// Reads and checks a variant file.
    ///
    /// # Errors
    ///
    /// All that is wrong with the file, each fault with its line, key and reason.
    pub fn from_toml(text: &str) -> Result<Definition, VariantError> {
        if text.len() > Definition::MOST_BYTES {
            let most = Definition::MOST_BYTES;
            return Err(VariantError::from(Fault {
                line: None,
                key: String::new(),
                reason: format!("a game's file has at most {most} bytes"),
            }));
        }
        let tree = whole_tree(text, &mut Vec::new()).map_err(VariantError::from)?;
        Definition::from_tree(tree)
    }

    /// The value of a key as TOML; the key is a path such as `pieces.king.range` or
    /// `draws.counters.0.plies`.
    pub fn get(&self, path: &str) -> Option<String> {
        tree::get(&self.tree(), path).map(tree::Value::described)
    }

    /// The same game with other values for some keys, written as [`Definition::get`] gives them.
    ///
    /// # Errors
    ///
    /// All that is wrong with the game that would be.
    pub fn with(&self, changes: &[(String, String)]) -> Result<Definition, VariantError> {
        let mut tree = self.tree();
        for (path, value) in changes {
            tree::put(&mut tree, path, tree::Value::parse(value)?);
        }
        Definition::from_tree(tree)
    }

    fn tree(&self) -> tree::Tree {
        let kinds: Vec<String> = self.kinds.iter().map(|kind| kind.name.clone()).collect();
        self.write(&kinds)
    }

    fn from_tree(tree: tree::Tree) -> Result<Definition, VariantError> {
        let mut faults = Vec::new();
        let mut fields = fields::Fields::new(tree.clone(), &mut faults);
        let definition = Definition::read(&mut fields);
        fields.finish();
        if let Some(definition) = &definition {
            let mut fields = fields::Fields::new(tree, &mut faults);
            for (key, reason) in check::contradictions(definition) {
                fields.fault_path(&key, reason);
            }
        }
        match definition {
            Some(definition) if faults.is_empty() => Ok(definition),
            _ => {
                faults.sort_by_key(|fault| fault.line.unwrap_or(usize::MAX));
                Err(VariantError { faults })
            }
        }
    }

    /// The side (0 White, 1 Black) and the kind of piece that a letter stands for on drawn boards.
    pub(crate) fn piece_of(&self, letter: char) -> Option<(usize, usize)> {
        self.kinds.iter().enumerate().find_map(|(kind, piece)| {
            let side = piece.letters.iter().position(|&l| l == letter)?;
            Some((side, kind))
        })
    }
}

/// The keys of a file together with those of the files it extends.
fn whole_tree(text: &str, seen: &mut Vec<String>) -> Result<tree::Tree, Fault> {
    let mut tree = tree::parse(text)?;
    let Some(parent) = tree::take_text(&mut tree, "extends")? else {
        return Ok(tree);
    };
    let fault = |reason| Fault {
        line: parent.line,
        key: "extends".to_owned(),
        reason,
    };
    let name = &parent.text;
    if seen.contains(name) {
        return Err(fault(format!("`{name}` extends itself")));
    }
    seen.push(name.clone());
    let Some(text) = shipped::text(name) else {
        let hint = crate::nearest(name, shipped::names())
            .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Err(fault(format!("there is no game `{name}`{hint}")));
    };
    let mut parent = whole_tree(text, seen)?;
    // Another game is not what PDN's number stands for, however close it is.
    tree::put(
        &mut parent,
        "notation.game_type",
        tree::Value::new(tree::Content::Integer(0)),
    );
    Ok(tree::merge(parent, tree))
}
