//! A variant that is ready to be played.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::{Definition, Fault, Obligation, VariantError, check, shipped};
use crate::bits::{Bits, Wide};
use crate::grid::GridRules;
use crate::layout::{Layout, bits_needed};
use crate::ruleset::{AnyLayout, RulesetVisitor};
use crate::{Board, Position, Setup, Side, Square};

/// A game that can be played: its definition, its board and all that is computed from them.
/// Cloning is cheap.
///
/// ```
/// let english = kingme_rules::Variant::named("english")?;
/// assert_eq!(english.start().legal_moves().len(), 7);
/// let small = english.sized(6)?;
/// assert_eq!(small.board().len(), 18);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Variant(Arc<Inner>);

struct Inner {
    definition: Definition,
    board: Board,
    layout: AnyLayout,
    start: OnceLock<Setup>,
    relaxed: OnceLock<Variant>,
}

/// There is no game of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no game `{name}`{}", suggestion.map_or_else(String::new, |near| format!("; did you mean `{near}`?")))]
pub struct UnknownVariant {
    /// What was asked for.
    pub name: String,
    /// The nearest name, if there is one.
    pub suggestion: Option<&'static str>,
}

/// A game can't be played on a board of this size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// The game has one size.
    #[error("`{name}` has one size, {columns}x{rows}; it can't be played on {size}x{size}")]
    Single {
        /// The game.
        name: String,
        /// Its columns.
        columns: u8,
        /// Its rows.
        rows: u8,
        /// What was asked for.
        size: u32,
    },
    /// The size is odd, too small or too large.
    #[error("`{name}` can be played on even sizes from {from} to {to}, not {size}")]
    Range {
        /// The game.
        name: String,
        /// The smallest size.
        from: u8,
        /// The largest size.
        to: u8,
        /// What was asked for.
        size: u32,
    },
}

impl Variant {
    /// A game that comes with the program.
    ///
    /// # Errors
    ///
    /// If there is none of this name.
    pub fn named(name: &str) -> Result<Variant, UnknownVariant> {
        static LOADED: OnceLock<Vec<(&'static str, OnceLock<Variant>)>> = OnceLock::new();
        let loaded = LOADED.get_or_init(|| {
            shipped::names()
                .map(|name| (name, OnceLock::new()))
                .collect()
        });
        let usual = shipped::usual(name);
        let slot = loaded.iter().find(|(shipped, _)| *shipped == usual);
        let variant = slot.and_then(|(name, slot)| {
            let text = shipped::text(name)?;
            // The tests load every shipped file, so this one is sound.
            Some(slot.get_or_init(|| Variant::from_toml(text).expect("a shipped variant loads")))
        });
        variant.cloned().ok_or_else(|| UnknownVariant {
            name: name.to_owned(),
            suggestion: crate::nearest(name, shipped::names()),
        })
    }

    /// The names of the games that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        shipped::names()
    }

    /// Reads a variant file.
    ///
    /// # Errors
    ///
    /// All that is wrong with the file, each fault with its line, key and reason.
    pub fn from_toml(text: &str) -> Result<Variant, VariantError> {
        Definition::from_toml(text).map(Variant::build)
    }

    /// A variant made by a program.
    ///
    /// # Errors
    ///
    /// The keys that contradict each other.
    pub fn from_definition(definition: Definition) -> Result<Variant, VariantError> {
        let faults: Vec<Fault> = check::contradictions(&definition)
            .into_iter()
            .map(|(key, reason)| Fault {
                line: None,
                key,
                reason,
            })
            .collect();
        if faults.is_empty() {
            Ok(Variant::build(definition))
        } else {
            Err(VariantError { faults })
        }
    }

    fn build(definition: Definition) -> Variant {
        let board = Board::new(&definition.board, definition.notation);
        let needed = bits_needed(&definition);
        let fits = |width: usize| needed.is_some_and(|needed| needed <= width);
        let layout = if fits(u64::WIDTH) {
            AnyLayout::Small(Layout::new(&definition, &board))
        } else if fits(u128::WIDTH) {
            AnyLayout::Medium(Layout::new(&definition, &board))
        } else if fits(Wide::WIDTH) {
            AnyLayout::Large(Box::new(Layout::new(&definition, &board)))
        } else {
            AnyLayout::Grid(Box::new(GridRules::new(&definition, &board)))
        };
        Variant(Arc::new(Inner {
            definition,
            board,
            layout,
            start: OnceLock::new(),
            relaxed: OnceLock::new(),
        }))
    }

    /// The same game on a board of `size` × `size` squares.
    ///
    /// # Errors
    ///
    /// If the game can't be played on such a board.
    pub fn sized(&self, size: u32) -> Result<Variant, SizeError> {
        let board = &self.definition().board;
        if u32::from(board.columns) == size && board.columns == board.rows {
            return Ok(self.clone());
        }
        let name = self.name().to_owned();
        let Some((from, to)) = self.definition().sizes() else {
            return Err(SizeError::Single {
                name,
                columns: board.columns,
                rows: board.rows,
                size,
            });
        };
        if !(u32::from(from)..=u32::from(to)).contains(&size) || size % 2 == 1 {
            return Err(SizeError::Range {
                name,
                from,
                to,
                size,
            });
        }
        let mut definition = self.definition().clone();
        definition.board.columns = size as u8;
        definition.board.rows = size as u8;
        // Counters that name squares of the usual board don't apply to another one.
        definition
            .draws
            .counters
            .retain(|counter| counter.on.is_empty());
        Variant::from_definition(definition).map_err(|_| SizeError::Range {
            name,
            from,
            to,
            size,
        })
    }

    /// The game's identifier.
    pub fn name(&self) -> &str {
        &self.0.definition.name
    }

    /// What its file says.
    pub fn definition(&self) -> &Definition {
        &self.0.definition
    }

    /// Its board.
    pub fn board(&self) -> &Board {
        &self.0.board
    }

    /// The starting position.
    pub fn start(&self) -> Position {
        let setup = self
            .0
            .start
            .get_or_init(|| Setup::start(self.definition(), self.board()));
        Position::from_sound_setup(self, setup)
    }

    /// Whether positions of this game are held in bits, so that [`Position::visit`] leads to them:
    /// on every board of 26×26 squares and on some that are larger.
    pub fn has_bits(&self) -> bool {
        self.grid().is_none()
    }

    /// Whether a side's pieces are promoted on a square.
    pub(crate) fn promotes(&self, side: Side, square: Square) -> bool {
        self.0.layout.promotes(side, square)
    }

    /// The rules of a game whose board is too large for bits.
    pub(crate) fn grid(&self) -> Option<&GridRules> {
        match &self.0.layout {
            AnyLayout::Grid(rules) => Some(rules),
            _ => None,
        }
    }

    /// Calls the visitor with the fastest rules there are for this game: code that is generic over
    /// [`Ruleset`](crate::Ruleset) is compiled for the well-known games with constant keys.
    /// Returns `None` if the board is too large for bits.
    pub fn visit<V: RulesetVisitor>(&self, visitor: V) -> Option<V::Output> {
        self.0.layout.visit(visitor)
    }

    /// Calls the visitor with rules that are read from the data, as any user's own game has them.
    /// Returns `None` if the board is too large for bits.
    pub fn visit_loaded<V: RulesetVisitor>(&self, visitor: V) -> Option<V::Output> {
        self.0.layout.visit_loaded(visitor)
    }

    /// The same game without any obligation: to explain why a move is refused.
    pub(crate) fn relaxed(&self) -> &Variant {
        self.0.relaxed.get_or_init(|| {
            let mut definition = self.definition().clone();
            definition.capture.obligation = Obligation::May;
            definition.capture.priority = Vec::new();
            definition.capture.chain_must_go_on = false;
            for kind in &mut definition.kinds {
                kind.quiet_limit = None;
            }
            Variant::build(definition)
        })
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Variant({})", self.name())
    }
}

impl PartialEq for Variant {
    fn eq(&self, other: &Variant) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.definition == other.0.definition
    }
}

impl Eq for Variant {}
