//! Building tables: slice by slice, smaller first, each stored as soon as it is solved, so that
//! whoever stops it loses one slice at most.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use kingme_rules::{Bits, Ruleset, RulesetVisitor, Side, Variant};

use super::TableError;
use super::counts::Counts;
use super::encode::{encode, packed};
use super::ends::Ends;
use super::file::{self, TableFile};
use super::format::RawEntry;
use super::index::SliceIndex;
use super::place::Place;
use super::retro::{self, BYTES_PER_POSITION, Solution};
use super::shelf::{Shelf, below};
use super::slice::{MOST_PIECES, Slice};
use super::solved::{Solved, SolvedSlice};
use super::view::Geometry;
use crate::compiled;

/// What to build.
#[derive(Clone, Debug)]
pub struct BuildConfig {
    /// Up to how many pieces.
    pub pieces: usize,
    /// Up to how many pieces with distances.
    pub distances: usize,
    /// How many bytes of memory to use for positions, at most.
    pub memory: u64,
}

impl Default for BuildConfig {
    fn default() -> Self {
        BuildConfig {
            pieces: 4,
            distances: 5,
            memory: 2_000_000_000,
        }
    }
}

/// How far a build has come.
#[derive(Clone, Debug)]
pub struct Progress {
    /// How many pieces the positions have.
    pub pieces: usize,
    /// The slice that is solved next, or `None` when all of so many pieces are.
    pub slice: Option<Slice>,
    /// Positions of so many pieces that are solved.
    pub done: u64,
    /// All positions of so many pieces.
    pub total: u64,
    /// What was wrong with the file that was there, if it is made anew.
    pub damaged: Option<String>,
}

/// A callback that hears of progress and may stop the work.
pub type OnProgress<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

/// Builds the tables of a game that are missing; returns the counts by number of pieces, from two.
///
/// Work is shared among the threads of the rayon pool it is called in.
///
/// # Errors
///
/// If a rule of the game stands against tables, memory does not suffice, or a file can't be
/// written or read.
pub fn build(
    variant: &Variant,
    data: &Path,
    config: &BuildConfig,
    on_progress: &mut OnProgress<'_>,
) -> Result<Vec<Counts>, TableError> {
    check_pieces(config.pieces)?;
    compiled::visit_rules(
        variant,
        Build {
            variant,
            ends: Ends::new(variant)?,
            place: Place::new(variant, data),
            config,
            on_progress,
        },
    )
    .ok_or_else(|| TableError::too_large(variant))?
}

struct Build<'a, 'p> {
    variant: &'a Variant,
    ends: Ends,
    place: Place,
    config: &'a BuildConfig,
    on_progress: &'a mut OnProgress<'p>,
}

impl RulesetVisitor for Build<'_, '_> {
    type Output = Result<Vec<Counts>, TableError>;

    fn visit<R: Ruleset>(self, rules: R) -> Self::Output {
        let geometry = Geometry::new(rules, self.variant);
        let mut builder = Builder {
            shelf: Shelf {
                rules,
                geometry: &geometry,
                ends: &self.ends,
                place: &self.place,
                solved: Solved::new(),
            },
            config: self.config,
        };
        (2..=self.config.pieces)
            .map(|pieces| builder.pieces(pieces, self.on_progress))
            .collect()
    }
}

/// Up to how many pieces the tables of a game have so many positions together, at most; 0 if even
/// two pieces have more.
///
/// # Errors
///
/// If a rule of the game stands against tables.
pub fn affordable_pieces(variant: &Variant, positions: u64) -> Result<usize, TableError> {
    struct Afford<'a>(&'a Variant, Ends, u64);
    impl RulesetVisitor for Afford<'_> {
        type Output = usize;
        fn visit<R: Ruleset>(self, rules: R) -> usize {
            let geometry = Geometry::new(rules, self.0);
            let mut left = self.2;
            for pieces in 2..=MOST_PIECES {
                let needed = positions_of(&geometry, &self.1, pieces);
                if needed > left {
                    return if pieces == 2 { 0 } else { pieces - 1 };
                }
                left -= needed;
            }
            MOST_PIECES
        }
    }
    let afford = Afford(variant, Ends::new(variant)?, positions);
    variant
        .visit_loaded(afford)
        .ok_or_else(|| TableError::too_large(variant))
}

/// Up to how many pieces the tables of a game are built in about a second, so that a program may
/// do it unasked: four in English, three in International.
///
/// # Errors
///
/// If a rule of the game stands against tables.
pub fn quick_pieces(variant: &Variant) -> Result<usize, TableError> {
    affordable_pieces(variant, 7_000_000)
}

/// How many positions of so many pieces there are.
fn positions_of<B: Bits>(geometry: &Geometry<B>, ends: &Ends, pieces: usize) -> u64 {
    let sides = geometry.sides().iter();
    sides
        .flat_map(|&side| {
            let slices = Slice::of_pieces(pieces, ends.kings).into_iter();
            slices.map(move |slice| (side, slice))
        })
        .map(|(side, slice)| SliceIndex::new(geometry, &geometry.views[side], slice).len as u64)
        .sum()
}

/// Whether tables of so many pieces are possible.
pub(super) fn check_pieces(pieces: usize) -> Result<(), TableError> {
    if (2..=MOST_PIECES).contains(&pieces) {
        Ok(())
    } else {
        let most = MOST_PIECES;
        Err(TableError::Pieces { pieces, most })
    }
}

struct Builder<'a, R: Ruleset> {
    shelf: Shelf<'a, R>,
    config: &'a BuildConfig,
}

impl<R: Ruleset> Builder<'_, R> {
    /// Makes the file of all positions with so many pieces.
    fn pieces(
        &mut self,
        pieces: usize,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<Counts, TableError> {
        let damaged = match self.existing(pieces) {
            Ok(Some(counts)) => return Ok(counts),
            Ok(None) => None,
            Err(error @ TableError::Damaged { .. }) => {
                // Else it would be read again when the new parts are put together.
                let path = self.shelf.place.file(pieces);
                std::fs::remove_file(&path).map_err(TableError::io(&path))?;
                Some(error.to_string())
            }
            Err(error) => return Err(error),
        };
        let parts = self.shelf.place.parts(pieces);
        std::fs::create_dir_all(&parts).map_err(TableError::io(&parts))?;
        let pairs = self.pairs(pieces);
        let total: u64 = pairs.iter().map(|pair| pair.positions).sum();
        let mut done = 0;
        for pair in &pairs {
            let slice = Some(pair.slice);
            report(
                on_progress,
                &Progress {
                    pieces,
                    slice,
                    done,
                    total,
                    damaged: damaged.clone().filter(|_| done == 0),
                },
            )?;
            self.part(pair)?;
            done += pair.positions;
        }
        let counts = self.merge(pieces, &pairs)?;
        report(
            on_progress,
            &Progress {
                pieces,
                slice: None,
                done,
                total,
                damaged: None,
            },
        )?;
        Ok(counts)
    }

    /// The counts of a file that is there and sound.
    fn existing(&self, pieces: usize) -> Result<Option<Counts>, TableError> {
        let path = self.shelf.place.file(pieces);
        let Some(file) = TableFile::open(&path, self.shelf.place.fingerprint)? else {
            return Ok(None);
        };
        file.verify()?;
        Ok(Some(total(&file)))
    }

    /// The slices of so many pieces, each with its mirror.
    fn pairs(&self, pieces: usize) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = Vec::new();
        for slice in Slice::of_pieces(pieces, self.shelf.ends.kings) {
            let twins = self.shelf.twins(slice);
            let is_twin =
                |pair: &Pair| self.shelf.geometry.symmetric && pair.slice == slice.mirror();
            if pairs.iter().any(is_twin) {
                continue;
            }
            let positions = |&(side, slice): &(Side, Slice)| {
                SliceIndex::new(self.shelf.geometry, &self.shelf.geometry.views[side], slice).len
                    as u64
            };
            pairs.push(Pair {
                slice,
                positions: twins.iter().map(positions).sum(),
            });
        }
        pairs
    }

    /// Makes the file of a pair, if there is none.
    fn part(&mut self, pair: &Pair) -> Result<(), TableError> {
        let path = self.shelf.place.part(pair.slice);
        // What a killed process has left behind is made anew, and so is what is damaged.
        let found = TableFile::open(&path, self.shelf.place.fingerprint);
        if found.is_ok_and(|file| file.is_some_and(|file| file.verify().is_ok())) {
            return Ok(());
        }
        self.make_room(pair)?;
        let solutions = retro::solve(&self.shelf.context(), Side::White, pair.slice)?;
        let with_distances = pair.slice.pieces() <= self.config.distances;
        let entries: Vec<RawEntry> = solutions
            .iter()
            .map(|solution| encode(solution, with_distances))
            .collect();
        file::write(&path, self.shelf.place.fingerprint, &entries)?;
        for solution in &solutions {
            self.keep(solution);
        }
        Ok(())
    }

    fn keep(&mut self, solution: &Solution) {
        let verdicts = Arc::new(packed(solution));
        let index = Arc::clone(&solution.index);
        self.shelf
            .solved
            .insert(solution.side, SolvedSlice { index, verdicts });
    }

    /// Sees to it that what a pair leads to is in memory, and that the pair has room there.
    fn make_room(&mut self, pair: &Pair) -> Result<(), TableError> {
        let own = pair.positions * BYTES_PER_POSITION as u64 + pair.positions / 2;
        let kings = self.shelf.ends.kings;
        let needed: Vec<(Side, Slice)> = self
            .shelf
            .twins(pair.slice)
            .into_iter()
            .flat_map(|(side, slice)| below(slice, kings).map(move |slice| (!side, slice)))
            .map(|(side, slice)| (self.shelf.geometry.kept_under(side), slice))
            .collect();
        if self.shelf.solved.bytes() as u64 + own > self.config.memory {
            self.shelf
                .solved
                .retain(|side, slice| needed.contains(&(side, slice)));
        }
        for &(side, slice) in &needed {
            self.shelf.load(side, slice)?;
        }
        if self.shelf.solved.bytes() as u64 + own > self.config.memory {
            self.shelf
                .solved
                .retain(|side, slice| needed.contains(&(side, slice)));
        }
        let needed = self.shelf.solved.bytes() as u64 + own;
        if needed <= self.config.memory {
            return Ok(());
        }
        Err(TableError::Memory {
            slice: pair.slice.to_string(),
            needed: needed.div_ceil(1_000_000),
            allowed: self.config.memory / 1_000_000,
        })
    }

    /// Puts the parts into one file.
    fn merge(&self, pieces: usize, pairs: &[Pair]) -> Result<Counts, TableError> {
        let mut entries = Vec::new();
        for pair in pairs {
            entries.extend(self.shelf.stored(pair.slice)?.raw());
        }
        let path = self.shelf.place.file(pieces);
        file::write(&path, self.shelf.place.fingerprint, &entries)?;
        let parts = self.shelf.place.parts(pieces);
        std::fs::remove_dir_all(&parts).map_err(TableError::io(&parts))?;
        let mut counts = Counts::default();
        for entry in &entries {
            counts += entry.counts;
        }
        Ok(counts)
    }
}

/// A slice and its mirror, solved together.
struct Pair {
    slice: Slice,
    positions: u64,
}

pub(super) fn report(
    on_progress: &mut OnProgress<'_>,
    progress: &Progress,
) -> Result<(), TableError> {
    match on_progress(progress) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(TableError::Stopped),
    }
}

/// The counts of all slices in a file.
pub(super) fn total(file: &TableFile) -> Counts {
    let mut counts = Counts::default();
    for entry in &file.entries {
        counts += entry.counts;
    }
    counts
}
