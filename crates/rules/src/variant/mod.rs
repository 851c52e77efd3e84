//! Variants: the rules of one game as data.

mod check;
mod definition;
mod fields;
mod handle;
mod read;
mod shipped;
mod words;

pub use definition::{
    BoardDefinition, Capture, CaptureBy, Corner, Counter, CounterResult, Criterion, Definition,
    Dialogue, Directions, Draws, End, InCapture, Kind, Landing, Material, Notation, Progress,
    Promotion, PromotionSquares, Range, Reach, Results, Screen, Sides, Span, SquareNames, Squares,
    Start, Stuck, TextBoard,
};
pub use fields::Fault;
pub use handle::{SizeError, UnknownVariant, Variant};
pub use words::Language;

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

impl Definition {
    /// Reads and checks a variant file.
    ///
    /// # Errors
    ///
    /// All that is wrong with the file, each fault with its line, key and reason.
    pub fn from_toml(text: &str) -> Result<Definition, VariantError> {
        let mut faults = Vec::new();
        let definition = whole_tree(text, &mut Vec::new())
            .map_err(|fault| faults.push(fault))
            .ok()
            .and_then(|tree| {
                let definition = read::definition(tree.clone(), &mut faults)?;
                let mut fields = fields::Fields::new(tree, &mut faults);
                for (key, reason) in check::contradictions(&definition) {
                    fields.fault_path(&key, reason);
                }
                Some(definition)
            });
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
fn whole_tree(text: &str, seen: &mut Vec<String>) -> Result<fields::Tree, Fault> {
    let mut tree = fields::parse(text)?;
    let Some(parent) = fields::take_text(&mut tree, "extends")? else {
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
    Ok(fields::merge(whole_tree(text, seen)?, tree))
}
