//! What can be wrong with a PDN file.

use super::Place;

/// Something that is wrong with a PDN file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {fault}")]
pub struct PdnError {
    /// Where it is.
    pub at: Place,
    /// What it is.
    pub fault: PdnFault,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PdnFault {
    /// The input failed.
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
    /// One game exceeds the limit of memory.
    #[error("a single game is longer than {0} KiB")]
    TooLong(usize),
    /// Variations are nested too deeply.
    #[error("variations are nested more than {0} deep")]
    TooDeep(usize),
    /// A comment runs to the end of the game.
    #[error("the comment that starts here is never closed with `}}`")]
    OpenComment,
    /// A tag has no closing bracket.
    #[error("the tag `{0}` is not closed with `]`")]
    OpenTag(String),
    /// The value of a tag has no closing quote.
    #[error("the value of the tag `{0}` is not closed with `\"`")]
    OpenQuote(String),
    /// A variation runs to the end of the game.
    #[error("a variation is not closed with `)` before the game ends")]
    OpenVariation,
    /// A bracket closes nothing, or a variation follows no move.
    #[error("`{0}` has no partner or no move to belong to")]
    LoneBracket(char),
    /// A word that is no move, number, result or comment.
    #[error("`{0}` is neither a move nor a comment in braces")]
    Stray(String),
}

impl PdnFault {
    /// Whether something may have been lost by it: what is never closed takes the rest with it.
    pub fn loses(&self) -> bool {
        !matches!(self, PdnFault::LoneBracket(_) | PdnFault::Stray(_))
    }

    /// The fault at a place.
    pub(super) fn at(self, at: Place) -> PdnError {
        PdnError { at, fault: self }
    }
}
