//! From a solution to the sections of a table file.

use rayon::prelude::*;
use zstd::bulk::Compressor;

use super::counts::Counts;
use super::format::{BLOCK, RawEntry, RawSection};
use super::packed::{Packed, pack};
use super::retro::Solution;
use super::verdict::Verdict;

/// Verdicts in a block.
pub(super) const BLOCK_VERDICTS: usize = BLOCK * 4;

/// Higher levels save a tenth and take ten times as long.
const LEVEL: i32 = 3;

/// The entry of a solution in a table file.
pub(super) fn encode(solution: &Solution, with_distances: bool) -> RawEntry {
    let positions = solution.index.len;
    RawEntry {
        side: solution.side,
        slice: solution.slice(),
        positions,
        counts: count(solution),
        verdicts: section(solution, BLOCK_VERDICTS, Solution::code, |codes| {
            pack(codes.into_iter())
        }),
        distances: if with_distances {
            section(solution, BLOCK, Solution::distance, |distances| distances)
        } else {
            RawSection::Absent
        },
    }
}

/// All verdicts of a solution, for those that lead into it.
pub(super) fn packed(solution: &Solution) -> Packed {
    let positions = solution.index.len;
    let chunks: Vec<Vec<u8>> = chunks(positions, BLOCK_VERDICTS)
        .map(|range| pack(range.map(|position| solution.code(position))))
        .collect();
    Packed::new(chunks.concat())
}

fn count(solution: &Solution) -> Counts {
    let add = |mut counts: Counts, more: Counts| {
        counts += more;
        counts
    };
    chunks(solution.index.len, BLOCK_VERDICTS)
        .map(|range| {
            let mut counts = Counts::default();
            for position in range {
                // What a solution holds is a verdict.
                counts.add(Verdict::of_code(solution.code(position)).unwrap_or(Verdict::Draw));
            }
            counts
        })
        .reduce(Counts::default, add)
}

/// Compresses one byte per position. Where captures decide, the byte does not matter: it is the
/// one before, which costs nothing.
fn section(
    solution: &Solution,
    block: usize,
    byte: impl Fn(&Solution, usize) -> u8 + Sync,
    finish: impl Fn(Vec<u8>) -> Vec<u8> + Sync,
) -> RawSection {
    let positions = solution.index.len;
    let cared = |&position: &usize| !solution.is_by_captures(position);
    let first = (0..positions)
        .find(cared)
        .map_or(0, |position| byte(solution, position));
    let differs = |position: &usize| cared(position) && byte(solution, *position) != first;
    if !(0..positions)
        .into_par_iter()
        .any(|position| differs(&position))
    {
        return RawSection::Constant(first);
    }
    let blocks = chunks(positions, block)
        .map_init(compressor, |compressor, mut range| {
            let mut last = range
                .clone()
                .find(cared)
                .map_or(first, |at| byte(solution, at));
            let bytes = range.by_ref().map(|position| {
                if cared(&position) {
                    last = byte(solution, position);
                }
                last
            });
            let bytes = finish(bytes.collect());
            compressor
                .compress(&bytes)
                .expect("compressing in memory does not fail")
        })
        .collect();
    RawSection::Blocks(blocks)
}

fn compressor() -> Compressor<'static> {
    Compressor::new(LEVEL).expect("the level exists")
}

fn chunks(
    positions: usize,
    size: usize,
) -> impl IndexedParallelIterator<Item = std::ops::Range<usize>> {
    (0..positions.div_ceil(size))
        .into_par_iter()
        .map(move |chunk| chunk * size..((chunk + 1) * size).min(positions))
}
