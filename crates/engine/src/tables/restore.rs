//! Verdicts that a table leaves out because captures decide them.

use kingme_rules::movegen::MoveList;
use kingme_rules::{Ruleset, Side};
use rayon::prelude::*;

use super::index::{Cursor, SliceIndex, Unrank};
use super::solved::Context;
use super::verdict::Verdict;

/// Fills in the verdicts of the positions that captures decide, in packed bytes.
pub(super) fn captures<R: Ruleset>(
    context: &Context<'_, R>,
    side: Side,
    index: &SliceIndex,
    verdicts: &mut [u8],
) {
    let slice = index.slice;
    let decided = context
        .ends
        .over(slice)
        .or(context.ends.stopped(slice))
        .is_some();
    if !context.ends.obligatory || decided {
        return;
    }
    let view = &context.geometry.views[side];
    let unrank = Unrank::new(context.geometry, view, index);
    verdicts
        .par_chunks_mut(CHUNK / 4)
        .enumerate()
        .for_each_init(
            || (Cursor::new(&unrank), MoveList::new()),
            |(cursor, list), (chunk, bytes)| {
                let first = chunk * CHUNK;
                let mut row = usize::MAX;
                for at in first..(first + CHUNK).min(index.len) {
                    if at / index.row != row {
                        row = at / index.row;
                        cursor.seek(row);
                    }
                    if let Some(verdict) =
                        context.by_captures(&cursor.position(at % index.row), list)
                    {
                        put(bytes, at - first, verdict);
                    }
                }
            },
        );
}

/// Positions that a thread works on at once.
const CHUNK: usize = 1 << 14;

fn put(bytes: &mut [u8], at: usize, verdict: Verdict) {
    let shift = at % 4 * 2;
    let byte = &mut bytes[at / 4];
    *byte = *byte & !(3 << shift) | verdict.code() << shift;
}
