//! Solved slices in files, brought into memory when they are needed.

use std::sync::Arc;

use kingme_rules::{Ruleset, Side};

use super::TableError;
use super::ends::Ends;
use super::file::TableFile;
use super::index::SliceIndex;
use super::packed::Packed;
use super::place::Place;
use super::restore;
use super::slice::{Force, Slice};
use super::solved::{Context, Solved, SolvedSlice};
use super::view::Geometry;

/// A game, where its tables are, and those of its slices that are in memory.
pub(super) struct Shelf<'a, R: Ruleset> {
    pub rules: R,
    pub geometry: &'a Geometry<R::Bits>,
    pub ends: &'a Ends,
    pub place: &'a Place,
    pub solved: Solved,
}

impl<R: Ruleset> Shelf<'_, R> {
    pub fn context(&self) -> Context<'_, R> {
        Context {
            rules: self.rules,
            geometry: self.geometry,
            ends: self.ends,
            solved: &self.solved,
        }
    }

    /// A slice and the one that its quiet moves lead to, as they are kept.
    pub fn twins(&self, slice: Slice) -> Vec<(Side, Slice)> {
        let first = (Side::White, slice);
        let second = (self.geometry.kept_under(Side::Black), slice.mirror());
        if first == second {
            vec![first]
        } else {
            vec![first, second]
        }
    }

    /// Brings a solved slice into memory, after those that its captures lead to.
    pub fn load(&mut self, side: Side, slice: Slice) -> Result<(), TableError> {
        if self.solved.get(side, slice).is_some() {
            return Ok(());
        }
        for slice in below(slice, self.ends.kings) {
            self.load(self.geometry.kept_under(!side), slice)?;
        }
        let file = self.stored(slice)?;
        let entry = file.entry(side, slice)?;
        let mut verdicts = file.verdicts(entry)?;
        let index = SliceIndex::new(self.geometry, &self.geometry.views[side], slice);
        if index.len != entry.positions {
            return Err(TableError::damaged(
                file.path(),
                format!(
                    "the pieces {slice} have {} positions, not {}",
                    index.len, entry.positions
                ),
            ));
        }
        restore::captures(&self.context(), side, &index, &mut verdicts);
        let verdicts = Arc::new(Packed::new(verdicts));
        let index = Arc::new(index);
        self.solved.insert(side, SolvedSlice { index, verdicts });
        Ok(())
    }

    /// The file that has a slice.
    pub fn stored(&self, slice: Slice) -> Result<TableFile, TableError> {
        let paths = [
            self.place.file(slice.pieces()),
            self.place.part(slice),
            self.place.part(slice.mirror()),
        ];
        for path in &paths {
            if let Some(file) = TableFile::open(path, self.place.fingerprint)? {
                return Ok(file);
            }
        }
        Err(TableError::missing_slice(&paths[0], slice))
    }
}

/// The slices that a capture or a promotion leads to, as the other side sees them.
pub(super) fn below(slice: Slice, with_kings: bool) -> impl Iterator<Item = Slice> {
    let Slice { own, their } = slice;
    let promoted = (with_kings && own.men > 0).then(|| Force {
        men: own.men - 1,
        kings: own.kings + 1,
    });
    let ours = [Some(own), promoted].into_iter().flatten();
    ours.flat_map(move |ours| {
        (0..=their.men)
            .flat_map(move |men| (0..=their.kings).map(move |kings| Force { men, kings }))
            .filter(move |&left| left.pieces() > 0 && (left != their || ours != own))
            .map(move |left| Slice {
                own: left,
                their: ours,
            })
    })
}
