//! Checking tables: every position against the verdicts and distances that its moves lead to.

use std::path::Path;

use kingme_rules::movegen::{self, MoveList};
use kingme_rules::{BitPosition, Ruleset, RulesetVisitor, Side, Variant};
use rayon::prelude::*;

use super::TableError;
use super::build::{OnProgress, Progress, check_pieces, report, total};
use super::counts::Counts;
use super::ends::Ends;
use super::file::TableFile;
use super::index::{Cursor, SliceIndex, Unrank};
use super::place::Place;
use super::shelf::{Shelf, below};
use super::slice::Slice;
use super::solved::{Context, Pieces, Solved};
use super::verdict::{Probe, Verdict};
use super::view::Geometry;

/// Checks every position of the tables of a game up to so many pieces: its verdict and distance
/// must follow from those of the positions after its moves. Returns the counts by number of
/// pieces, from two.
///
/// # Errors
///
/// If a table is missing, damaged or wrong.
pub fn check(
    variant: &Variant,
    data: &Path,
    pieces: usize,
    on_progress: &mut OnProgress<'_>,
) -> Result<Vec<Counts>, TableError> {
    struct Check<'a, 'p>(&'a Variant, Ends, Place, usize, &'a mut OnProgress<'p>);
    impl RulesetVisitor for Check<'_, '_> {
        type Output = Result<Vec<Counts>, TableError>;
        fn visit<R: Ruleset>(self, rules: R) -> Self::Output {
            let Check(variant, ends, place, pieces, on_progress) = self;
            let geometry = Geometry::new(rules, variant);
            let mut checker = Checker(Shelf {
                rules,
                geometry: &geometry,
                ends: &ends,
                place: &place,
                solved: Solved::new(),
            });
            (2..=pieces)
                .map(|pieces| checker.pieces(pieces, on_progress))
                .collect()
        }
    }
    check_pieces(pieces)?;
    let place = Place::new(variant, data);
    for pieces in 2..=pieces {
        if TableFile::open(&place.file(pieces), place.fingerprint)?.is_none() {
            return Err(TableError::Missing {
                variant: variant.name().to_owned(),
                pieces,
                directory: data.to_owned(),
            });
        }
    }
    // Compiled once per board width: checking may take its time, compiling should not.
    let check = Check(variant, Ends::new(variant)?, place, pieces, on_progress);
    variant
        .visit_loaded(check)
        .ok_or_else(|| TableError::too_large(variant))?
}

struct Checker<'a, R: Ruleset>(Shelf<'a, R>);

impl<R: Ruleset> Checker<'_, R> {
    fn pieces(
        &mut self,
        pieces: usize,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<Counts, TableError> {
        let path = self.0.place.file(pieces);
        let file = TableFile::open(&path, self.0.place.fingerprint)?;
        let file = file.ok_or_else(|| TableError::damaged(&path, "the file is gone"))?;
        let counts = total(&file);
        let mut done = 0;
        let total = counts.total();
        for slice in Slice::of_pieces(pieces, self.0.ends.kings) {
            for &side in self.0.geometry.sides() {
                let slice_now = Some(slice);
                report(
                    on_progress,
                    &Progress {
                        pieces,
                        slice: slice_now,
                        done,
                        total,
                        damaged: None,
                    },
                )?;
                done += self.slice(&file, side, slice)?.total();
            }
        }
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

    fn slice(&mut self, file: &TableFile, side: Side, slice: Slice) -> Result<Counts, TableError> {
        let other = self.0.geometry.kept_under(!side);
        for below in below(slice, self.0.ends.kings).chain([slice.mirror()]) {
            self.0.load(other, below)?;
        }
        self.0.load(side, slice)?;
        let check = SliceCheck {
            context: self.0.context(),
            path: file.path(),
            distances: file.distances(file.entry(side, slice)?)?,
            other_distances: file.distances(file.entry(other, slice.mirror())?)?,
        };
        let counts = check.run(side, slice)?;
        if counts == file.entry(side, slice)?.counts {
            return Ok(counts);
        }
        let reason = format!("the pieces {slice} (men and kings) are counted wrong");
        Err(TableError::damaged(file.path(), reason))
    }
}

/// A slice that is checked, with the distances of its positions and of those its quiet moves lead
/// to.
struct SliceCheck<'a, R: Ruleset> {
    context: Context<'a, R>,
    path: &'a Path,
    distances: Option<Vec<u8>>,
    other_distances: Option<Vec<u8>>,
}

impl<R: Ruleset> SliceCheck<'_, R> {
    fn run(&self, side: Side, slice: Slice) -> Result<Counts, TableError> {
        let solved = self.context.solved.get(side, slice).expect("it is loaded");
        let view = &self.context.geometry.views[side];
        let unrank = Unrank::new(self.context.geometry, view, &solved.index);
        let row = solved.index.row;
        (0..solved.index.rows())
            .into_par_iter()
            .with_min_len((4096 / row.max(1)).max(1))
            .map_init(
                || (Cursor::new(&unrank), MoveList::new()),
                |(cursor, list), number| {
                    cursor.seek(number);
                    let mut counts = Counts::default();
                    for place in 0..row {
                        let at = number * row + place;
                        let verdict = solved.verdicts.get(at);
                        self.position(&solved.index, at, verdict, &cursor.position(place), list)?;
                        counts.add(verdict);
                    }
                    Ok(counts)
                },
            )
            .try_reduce(Counts::default, |mut counts, more| {
                counts += more;
                Ok(counts)
            })
    }

    fn position(
        &self,
        index: &SliceIndex,
        at: usize,
        verdict: Verdict,
        position: &BitPosition<R::Bits>,
        list: &mut MoveList<R::Bits>,
    ) -> Result<(), TableError> {
        let expected = self.expected(index.slice, position, list);
        // Where captures decide, the table's distance is not looked at.
        let by_captures = self.context.ends.obligatory
            && list.first().is_some_and(kingme_rules::BitMove::takes_off)
            && self.context.ends.stopped(index.slice).is_none();
        let found = Probe {
            verdict,
            distance: match &self.distances {
                Some(distances) if !by_captures => distances[at].checked_sub(1),
                _ => expected.distance,
            },
        };
        if found == expected {
            return Ok(());
        }
        Err(TableError::Wrong {
            path: self.path.to_owned(),
            slice: index.slice.to_string(),
            position: at,
            found: words(found),
            expected: words(expected),
        })
    }

    /// What the moves of a position make of it. The list is left with its moves.
    fn expected(
        &self,
        slice: Slice,
        position: &BitPosition<R::Bits>,
        list: &mut MoveList<R::Bits>,
    ) -> Probe {
        movegen::moves(self.context.rules, position, list);
        let ends = self.context.ends;
        let at_once = |verdict| Probe {
            verdict,
            distance: (verdict != Verdict::Draw).then_some(0),
        };
        if let Some(verdict) = ends.over(slice) {
            return at_once(verdict);
        }
        if list.is_empty() {
            return at_once(ends.stuck(slice));
        }
        let quiet = !list.iter().any(kingme_rules::BitMove::takes_off);
        let quietly = ends.stopped_quietly(slice).filter(|_| quiet);
        if let Some(verdict) = ends.stopped(slice).or(quietly) {
            return at_once(verdict);
        }
        let probes = list.iter().map(|mv| self.after(position, mv));
        probes
            .max_by_key(|probe| probe.worth())
            .expect("there is a move")
    }

    /// What a move leads to, as the side that makes it sees it.
    fn after(&self, position: &BitPosition<R::Bits>, mv: &kingme_rules::BitMove<R::Bits>) -> Probe {
        let next = position.moved(self.context.rules, mv);
        let verdict = !self.context.verdict(&next);
        let distance = match (&self.other_distances, verdict) {
            (_, Verdict::Draw) => None,
            _ if mv.takes_off() || mv.is_promotion() => Some(1),
            (Some(distances), _) => Some(self.distance(distances, &next) + 1),
            (None, _) => None,
        };
        Probe { verdict, distance }
    }

    fn distance(&self, distances: &[u8], next: &BitPosition<R::Bits>) -> u8 {
        let ends = self.context.ends;
        let pieces = Pieces::of(self.context.rules, next);
        let fixed = ends
            .over(pieces.slice)
            .or(ends.stopped(pieces.slice))
            .is_some();
        if !fixed && ends.obligatory && movegen::can_capture(self.context.rules, next) {
            return 1;
        }
        let geometry = self.context.geometry;
        let side = geometry.kept_under(next.turn());
        let solved = self
            .context
            .solved
            .get(side, pieces.slice)
            .expect("it is loaded");
        let view = &geometry.views[next.turn()];
        let at = solved
            .index
            .rank(&geometry.choose, view, pieces.men, pieces.kings);
        distances[at].saturating_sub(1)
    }
}

fn words(probe: Probe) -> String {
    match probe.distance {
        Some(distance) => format!("{} in {distance}", probe.verdict),
        None => probe.verdict.to_string(),
    }
}
