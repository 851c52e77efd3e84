//! Proving small games outright.
//!
//! Two proofs are looked for, deeper and deeper: that the first player holds at least a draw, and
//! that the second does. If both are found the game is a draw; if one is refuted, the other side
//! wins by force. Leaves are ends of the game and endgame tables only: what is not settled within
//! the depth is open, so that repetition makes no trouble.

mod key;
mod proof;

use std::path::Path;

use kingme_rules::variant::{Counter, CounterResult};
use kingme_rules::{BitPosition, Board, Ruleset, Side, Variant, Visitor};

use crate::compiled;
use crate::tables::{self, BuildConfig, Ends, TableError, Tables, Verdict};
use key::Keys;
pub use key::Symmetry;
use proof::{Held, Proof};

/// How to solve a game.
#[derive(Clone, Debug)]
pub struct SolveConfig {
    /// Tables are made up to as many pieces as have so many positions together.
    pub table_positions: u64,
    /// Positions that each proof may look at.
    pub nodes: u64,
    /// The deepest proof that is tried, in plies.
    pub depth: u16,
}

impl Default for SolveConfig {
    fn default() -> Self {
        SolveConfig {
            table_positions: 100_000_000,
            nodes: 100_000_000,
            depth: 400,
        }
    }
}

/// What is known of a game.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Who moves first.
    pub first: Side,
    /// The verdict for the first player, if it is proven.
    pub verdict: Option<Verdict>,
    /// What is proven of each side, the first player's proof first; empty if a table has the start.
    pub proofs: Vec<ProofReport>,
    /// Up to how many pieces tables were used; 0 for none.
    pub tables: usize,
    /// Which positions were taken to be the same.
    pub symmetry: Symmetry,
    /// Whether a move counter of the rules might turn a proven win into a draw.
    pub counters: bool,
}

/// How far the proof has come that a side holds at least a draw.
#[derive(Clone, Debug)]
pub struct ProofReport {
    /// The side.
    pub side: Side,
    /// Whether it holds at least a draw, if that is settled.
    pub holds: Option<bool>,
    /// The plies within which it is settled, or the deepest that were tried.
    pub depth: u16,
    /// How many positions were looked at.
    pub nodes: u64,
}

/// How far a game is solved, for those who wait.
#[derive(Debug)]
pub enum Solving<'a> {
    /// Endgame tables are made.
    Tables(&'a tables::Progress),
    /// A proof is looked for.
    Proof {
        /// That this side holds at least a draw.
        side: Side,
        /// Within so many plies.
        depth: u16,
        /// Positions looked at so far.
        nodes: u64,
    },
}

/// Hears how far a game is solved.
pub type OnSolving<'a> = dyn FnMut(&Solving<'_>) + 'a;

/// Why a game can't be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// A counter decides, and proofs don't count.
    #[error(
        "`{variant}` can't be solved: after {plies} plies without progress the side with more pieces wins, and proofs don't count plies"
    )]
    Counts {
        /// The game.
        variant: String,
        /// After how many plies.
        plies: u16,
    },
    /// The board has no bits.
    #[error("`{variant}` can't be solved on a board of {columns}×{rows}: it is too large")]
    TooLarge {
        /// The game.
        variant: String,
        /// Its columns.
        columns: u8,
        /// Its rows.
        rows: u8,
    },
    /// The tables could not be made.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Solves a game from its start. Tables are made in, or taken from, a directory.
///
/// # Errors
///
/// If a counter of the game decides by numbers, or tables can't be written.
pub fn solve(
    variant: &Variant,
    data: &Path,
    config: &SolveConfig,
    on_progress: &mut OnSolving<'_>,
) -> Result<Solved, SolveError> {
    let decides = |counter: &&Counter| counter.plies > 0 && counter.result != CounterResult::Draw;
    let counters = &variant.definition().draws.counters;
    if let Some(counter) = counters.iter().find(decides) {
        return Err(SolveError::Counts {
            variant: variant.name().to_owned(),
            plies: counter.plies,
        });
    }
    let too_large = || SolveError::TooLarge {
        variant: variant.name().to_owned(),
        columns: variant.board().columns(),
        rows: variant.board().rows(),
    };
    if !variant.has_bits() {
        return Err(too_large());
    }
    let start = variant.start();
    let symmetry = Symmetry::of(variant);
    let tables = if symmetry == Symmetry::None {
        let most = start.pieces().len();
        make_tables(variant, data, most, config.table_positions, on_progress)?
    } else {
        // So few positions differ that tables, which know no symmetry, would be more work.
        None
    };
    let mut solved = Solved {
        first: start.turn(),
        verdict: tables
            .as_ref()
            .and_then(|tables| tables.probe_position(&start))
            .map(|probe| probe.verdict),
        proofs: Vec::new(),
        tables: tables.as_ref().map_or(0, Tables::pieces),
        symmetry,
        counters: counters.iter().any(|counter| counter.plies > 0),
    };
    if solved.verdict.is_none() {
        let ends = Ends::of(variant);
        let tables = tables.as_ref();
        solved.proofs = compiled::visit(
            &start,
            Search {
                ends,
                tables,
                symmetry,
                board: variant.board(),
                config,
                on_progress,
            },
        )
        .ok_or_else(too_large)?;
        solved.verdict = conclude(&solved.proofs);
    }
    Ok(solved)
}

/// Tables up to the pieces of the start, or as many as are allowed; none for a game without.
fn make_tables(
    variant: &Variant,
    data: &Path,
    most: usize,
    positions: u64,
    on_progress: &mut OnSolving<'_>,
) -> Result<Option<Tables>, TableError> {
    let affordable = match tables::affordable_pieces(variant, positions) {
        Ok(pieces) => pieces.min(most),
        Err(TableError::Unsupported { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    if affordable < 2 {
        return Ok(None);
    }
    let config = BuildConfig {
        pieces: affordable,
        distances: 0,
        ..BuildConfig::default()
    };
    tables::build(variant, data, &config, &mut |progress| {
        on_progress(&Solving::Tables(progress));
        std::ops::ControlFlow::Continue(())
    })?;
    Tables::open(variant, data).map(Some)
}

/// What the two proofs say of the first player.
fn conclude(proofs: &[ProofReport]) -> Option<Verdict> {
    match [proofs.first()?.holds, proofs.get(1)?.holds] {
        [Some(false), _] => Some(Verdict::Loss),
        [_, Some(false)] => Some(Verdict::Win),
        [Some(true), Some(true)] => Some(Verdict::Draw),
        _ => None,
    }
}

struct Search<'a, 'b> {
    ends: Ends,
    tables: Option<&'a Tables>,
    symmetry: Symmetry,
    board: &'a Board,
    config: &'a SolveConfig,
    on_progress: &'a mut OnSolving<'b>,
}

impl Visitor for Search<'_, '_> {
    type Output = Vec<ProofReport>;

    fn visit<R: Ruleset>(mut self, rules: R, position: &BitPosition<R::Bits>) -> Vec<ProofReport> {
        let first = position.turn();
        let mut reports = Vec::new();
        for side in [first, !first] {
            let report = self.prove(rules, position, side);
            // A refuted proof says all.
            let settled = report.holds == Some(false);
            reports.push(report);
            if settled {
                let nothing = ProofReport {
                    side: !side,
                    holds: Some(true),
                    depth: 0,
                    nodes: 0,
                };
                if reports.len() < 2 {
                    reports.push(nothing);
                }
                break;
            }
        }
        reports
    }
}

impl Search<'_, '_> {
    /// Looks for the proof that a side holds at least a draw, deeper and deeper.
    fn prove<R: Ruleset>(
        &mut self,
        rules: R,
        position: &BitPosition<R::Bits>,
        side: Side,
    ) -> ProofReport {
        let keys = Keys::new(rules, self.board, self.symmetry);
        let most = self.config.nodes;
        let (ends, tables) = (&self.ends, self.tables);
        let mut proof = Proof::new(rules, ends, tables, side, keys, most, self.on_progress);
        let mut report = ProofReport {
            side,
            holds: None,
            depth: 0,
            nodes: 0,
        };
        for depth in (1..=self.config.depth).step_by(2) {
            report.depth = depth;
            let held = proof.holds(position, depth);
            report.holds = match held {
                Held::Yes => Some(true),
                Held::No => Some(false),
                Held::Open => None,
            };
            if held != Held::Open || proof.is_spent() {
                break;
            }
        }
        report.nodes = proof.nodes;
        report
    }
}
