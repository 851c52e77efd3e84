//! Solving a slice together with its mirror: a look at every position, then backwards from what is
//! known, a ply at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

use kingme_rules::movegen::{self, MoveList};
use kingme_rules::{BitPosition, Bits, Ruleset, Side};
use rayon::prelude::*;

use super::TableError;
use super::index::{Cursor, SliceIndex, Unrank};
use super::slice::Slice;
use super::solved::Context;
use super::verdict::Verdict;

/// Positions that are looked at together, at least.
const GROUP: usize = 4096;

/// What is known of a position, in a byte. Below `NOT_LOST`: how many of its quiet moves are not
/// yet known to lose; when the last one is, the position is lost.
mod state {
    use super::Verdict;

    /// Some capture or promotion draws; a quiet move may still win.
    pub const NOT_LOST: u8 = 249;
    /// From here on the verdict is known: 250 draw, 251 win, 252 loss; three more if captures alone
    /// decided it.
    pub const KNOWN: u8 = 250;
    const BY_CAPTURES: u8 = 253;

    pub const fn known(verdict: Verdict, by_captures: bool) -> u8 {
        verdict.code() + if by_captures { BY_CAPTURES } else { KNOWN }
    }

    /// The code of the verdict; what is not known in the end is a draw.
    pub const fn code(state: u8) -> u8 {
        match state {
            BY_CAPTURES.. => state - BY_CAPTURES,
            KNOWN.. => state - KNOWN,
            _ => Verdict::Draw.code(),
        }
    }

    pub const fn is_by_captures(state: u8) -> bool {
        state >= BY_CAPTURES
    }
}

/// A slice being solved.
struct Work {
    side: Side,
    index: Arc<SliceIndex>,
    states: Vec<AtomicU8>,
    /// One more than the distance; 0 where there is none.
    distances: Vec<AtomicU8>,
    /// Rows in a group.
    group_rows: usize,
    /// By group: whether it has positions of the ply that is worked on (by its parity).
    fresh: [Vec<AtomicBool>; 2],
}

/// A solved slice, as the builder stores it.
pub(super) struct Solution {
    pub side: Side,
    pub index: Arc<SliceIndex>,
    states: Vec<AtomicU8>,
    distances: Vec<AtomicU8>,
}

impl Solution {
    pub fn slice(&self) -> Slice {
        self.index.slice
    }

    /// Whether captures alone decide a position, so that a table need not hold it.
    pub fn is_by_captures(&self, position: usize) -> bool {
        state::is_by_captures(self.states[position].load(Relaxed))
    }

    pub fn code(&self, position: usize) -> u8 {
        state::code(self.states[position].load(Relaxed))
    }

    /// One more than the distance of a position; 0 for a draw.
    pub fn distance(&self, position: usize) -> u8 {
        self.distances[position].load(Relaxed)
    }
}

/// Bytes of memory that solving takes, by position.
pub(super) const BYTES_PER_POSITION: usize = 2;

/// Solves a slice and its mirror; one solution if they are the same.
pub(super) fn solve<R: Ruleset>(
    context: &Context<'_, R>,
    side: Side,
    slice: Slice,
) -> Result<Vec<Solution>, TableError> {
    let mut works = vec![Work::new(context, side, slice)];
    let other = context.geometry.kept_under(!side);
    if (other, slice.mirror()) != (side, slice) {
        works.push(Work::new(context, other, slice.mirror()));
    }
    for work in &works {
        work.first_look(context)?;
    }
    let last = works.len() - 1;
    for ply in 0.. {
        let fresh = works.iter().any(|work| work.has_fresh(ply));
        let fresh_next = works.iter().any(|work| work.has_fresh(ply + 1));
        if !fresh && !fresh_next {
            break;
        }
        if ply > LONGEST {
            return Err(TableError::TooLong(slice.to_string()));
        }
        works[0].spread(context, &works[last], ply);
        if last > 0 {
            works[last].spread(context, &works[0], ply);
        }
    }
    Ok(works.into_iter().map(Work::finish).collect())
}

/// The longest distance that a byte holds, less the ply that follows it.
const LONGEST: usize = 253;

impl Work {
    fn new<R: Ruleset>(context: &Context<'_, R>, side: Side, slice: Slice) -> Work {
        let view = &context.geometry.views[side];
        let index = SliceIndex::new(context.geometry, view, slice);
        let zeros = || (0..index.len).map(|_| AtomicU8::new(0)).collect();
        let group_rows = (GROUP / index.row.max(1)).max(1);
        let groups = index.rows().div_ceil(group_rows);
        Work {
            side,
            states: zeros(),
            distances: zeros(),
            fresh: [(); 2].map(|()| (0..groups).map(|_| AtomicBool::new(false)).collect()),
            group_rows,
            index: Arc::new(index),
        }
    }

    fn finish(self) -> Solution {
        Solution {
            side: self.side,
            index: self.index,
            states: self.states,
            distances: self.distances,
        }
    }

    fn has_fresh(&self, ply: usize) -> bool {
        self.fresh[ply % 2].iter().any(|fresh| fresh.load(Relaxed))
    }

    /// Notes that a position is known, and how far off its next step is.
    #[inline(always)]
    fn settle(&self, position: usize, ply: usize) {
        self.distances[position].store(ply as u8 + 1, Relaxed);
        let group = position / (self.index.row * self.group_rows);
        self.fresh[ply % 2][group].store(true, Relaxed);
    }

    /// The rows of a group.
    fn rows(&self, group: usize) -> std::ops::Range<usize> {
        let first = group * self.group_rows;
        first..(first + self.group_rows).min(self.index.rows())
    }

    /// Looks at the moves of every position: what captures and promotions lead to is known.
    fn first_look<R: Ruleset>(&self, context: &Context<'_, R>) -> Result<(), TableError> {
        let slice = self.index.slice;
        if let Some(verdict) = context.ends.over(slice) {
            self.settle_all(verdict);
            return Ok(());
        }
        let view = &context.geometry.views[self.side];
        let unrank = Unrank::new(context.geometry, view, &self.index);
        let stopped = context.ends.stopped(slice);
        let quietly = context.ends.stopped_quietly(slice);
        (0..self.fresh[0].len()).into_par_iter().try_for_each_init(
            || (Cursor::new(&unrank), MoveList::new()),
            |(cursor, list), group| {
                for row in self.rows(group) {
                    cursor.seek(row);
                    for place in 0..self.index.row {
                        let position = cursor.position(place);
                        let at = row * self.index.row + place;
                        self.first(context, [stopped, quietly], at, &position, list)?;
                    }
                }
                Ok(())
            },
        )
    }

    fn settle_all(&self, verdict: Verdict) {
        for (position, state) in self.states.iter().enumerate() {
            state.store(state::known(verdict, false), Relaxed);
            self.settle(position, 0);
        }
    }

    #[inline(always)]
    fn first<R: Ruleset>(
        &self,
        context: &Context<'_, R>,
        [stopped, quietly]: [Option<Verdict>; 2],
        at: usize,
        position: &BitPosition<R::Bits>,
        list: &mut MoveList<R::Bits>,
    ) -> Result<(), TableError> {
        let look = context.look(position, list);
        let captures = quietly.is_some() && movegen::can_capture(context.rules, position);
        let stopped = stopped.or(quietly.filter(|_| !captures));
        let (state, ply) = match (look.stuck, stopped, look.best) {
            (true, ..) => (state::known(context.ends.stuck(self.index.slice), false), 0),
            (_, Some(verdict), _) => (state::known(verdict, false), 0),
            (.., Some(Verdict::Win)) => (state::known(Verdict::Win, look.captures), 1),
            (.., Some(best)) if look.quiet == 0 => (state::known(best, look.captures), 1),
            (.., Some(Verdict::Draw)) => (state::NOT_LOST, 0),
            _ if look.quiet < usize::from(state::NOT_LOST) => (look.quiet as u8, 0),
            _ => return Err(TableError::TooManyMoves(self.index.slice.to_string())),
        };
        self.states[at].store(state, Relaxed);
        if state >= state::KNOWN && state::code(state) != Verdict::Draw.code() {
            self.settle(at, ply);
        }
        Ok(())
    }

    /// Tells the positions that lead to those of a ply what they lead to.
    fn spread<R: Ruleset>(&self, context: &Context<'_, R>, other: &Work, ply: usize) {
        let view = &context.geometry.views[self.side];
        let unrank = Unrank::new(context.geometry, view, &self.index);
        let fresh = &self.fresh[ply % 2];
        let groups: Vec<usize> = (0..fresh.len())
            .filter(|&group| fresh[group].swap(false, Relaxed))
            .collect();
        groups.into_par_iter().for_each_init(
            || Cursor::new(&unrank),
            |cursor, group| {
                for row in self.rows(group) {
                    self.spread_row(context, other, cursor, row, ply);
                }
            },
        );
    }

    fn spread_row<R: Ruleset>(
        &self,
        context: &Context<'_, R>,
        other: &Work,
        cursor: &mut Cursor<'_, R::Bits>,
        row: usize,
        ply: usize,
    ) {
        let wanted = ply as u8 + 1;
        let first = row * self.index.row;
        let distances = &self.distances[first..first + self.index.row];
        let mut sought = false;
        for (place, distance) in distances.iter().enumerate() {
            if distance.load(Relaxed) != wanted {
                continue;
            }
            if !sought {
                cursor.seek(row);
                sought = true;
            }
            let state = self.states[first + place].load(Relaxed);
            let lost = state::code(state) == Verdict::Loss.code();
            spread_position(context, other, &cursor.position(place), lost, ply);
        }
    }

    /// A position hears what one of its quiet moves leads to: a position `lost` for the other
    /// side, or one that wins for it.
    #[inline(always)]
    fn hear(&self, at: usize, lost: bool, ply: usize) {
        let state = &self.states[at];
        let mut now = state.load(Relaxed);
        loop {
            let new = match now {
                state::KNOWN.. => return,
                _ if lost => state::known(Verdict::Win, false),
                state::NOT_LOST => return,
                1 => state::known(Verdict::Loss, false),
                count => count - 1,
            };
            match state.compare_exchange_weak(now, new, Relaxed, Relaxed) {
                Ok(_) if new >= state::KNOWN => return self.settle(at, ply + 1),
                Ok(_) => return,
                Err(changed) => now = changed,
            }
        }
    }
}

/// Tells the positions that lead to one, by quiet moves of the other side, whether it is `lost` for
/// the side to move or won.
#[inline(always)]
fn spread_position<R: Ruleset>(
    context: &Context<'_, R>,
    other: &Work,
    position: &BitPosition<R::Bits>,
    lost: bool,
    ply: usize,
) {
    let rules = context.rules;
    let (us, them) = (position.turn(), !position.turn());
    let view = &context.geometry.views[them];
    let choose = &context.geometry.choose;
    let men = [them, us].map(|side| position.pieces(rules, side, 0));
    let kings = [them, us].map(|side| position.pieces(rules, side, 1));
    let all_men = men[0] | men[1];
    // Kings' moves leave the men where they are.
    let mut same_men = None;
    movegen::unquiets(rules, position, |kind, from, to| {
        let change = R::Bits::bit(from) | R::Bits::bit(to);
        let at = if kind == 0 {
            let men = [men[0] ^ change, men[1]];
            other.index.rank(choose, view, men, kings)
        } else {
            let pair = *same_men.get_or_insert_with(|| other.index.pair(choose, view, men));
            let kings = [kings[0] ^ change, kings[1]];
            other.index.within(choose, view, pair, all_men, kings)
        };
        other.hear(at, lost, ply);
    });
}
