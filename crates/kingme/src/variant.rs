//! Games and positions named on the command line.

use std::path::Path;

use kingme_rules::variant::Definition;
use kingme_rules::{Position, Variant, VariantError};

type Error = Box<dyn std::error::Error>;

/// Which game, and on which board.
#[derive(clap::Args)]
pub struct VariantArgs {
    /// A game's name (see `kingme variants`), or the path of a variant file
    pub variant: String,
    /// Play on a board of N by N squares
    #[arg(long, value_name = "N")]
    pub size: Option<u32>,
}

impl VariantArgs {
    /// The game.
    pub fn load(&self) -> Result<Variant, Error> {
        let variant = load(&self.variant)?;
        Ok(match self.size {
            Some(size) => variant.sized(size)?,
            None => variant,
        })
    }

    /// The text of the game's file.
    pub fn text(&self) -> Result<String, Error> {
        if is_file(&self.variant) {
            return read(&self.variant);
        }
        // A game may have several names, and its file has the usual one.
        let variant = Variant::named(&self.variant)?;
        let mut shipped = kingme_rules::variant::shipped();
        let found = shipped.find(|(name, _)| *name == variant.name());
        Ok(found.map_or_else(String::new, |(_, text)| text.to_owned()))
    }

    /// A position of the game: a FEN's, or the start.
    pub fn position(&self, fen: Option<&str>) -> Result<Position, Error> {
        let variant = self.load()?;
        Ok(match fen {
            Some(fen) => Position::from_fen(&variant, fen)?,
            None => variant.start(),
        })
    }
}

/// Whether this names a file rather than a game.
pub fn is_file(name: &str) -> bool {
    name.contains(['/', '\\']) || Path::new(name).extension().is_some()
}

/// The game of a name or a file.
pub fn load(name: &str) -> Result<Variant, Error> {
    if !is_file(name) {
        return Ok(Variant::named(name)?);
    }
    Variant::from_toml(&read(name)?).map_err(|error| summary(name, &error).into())
}

/// The text of a variant file.
pub fn read(path: &str) -> Result<String, Error> {
    // One byte more than a game's file may have is enough to say so.
    let most = Definition::MOST_BYTES + 1;
    kingme_arena::read_file(Path::new(path), most)
        .map_err(|error| format!("{path}: {error}").into())
}

/// The first fault in one line, and how to see the others.
fn summary(path: &str, error: &VariantError) -> String {
    let first = &error.faults[0];
    match error.faults.len() - 1 {
        0 => format!("{path}: {first}"),
        1 => format!("{path}: {first} (and another fault: see `kingme variants {path}`)"),
        more => format!("{path}: {first} (and {more} more faults: see `kingme variants {path}`)"),
    }
}
