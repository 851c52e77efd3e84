//! Which numbers of an assignment are played where, and which are to be kept next.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Numbers that are handed out in ranges, come back in any order and are kept in theirs. A range is
/// known by its first number.
#[derive(Debug)]
pub(super) struct Ranges {
    /// All numbers before are kept.
    kept: u64,
    /// Nobody has had those from here on.
    next: u64,
    /// Where they end.
    end: u64,
    /// So many numbers to a range, but for the last one.
    length: u64,
    /// What somebody has.
    out: BTreeSet<u64>,
    /// What somebody had, and has not played.
    again: BTreeSet<u64>,
    /// What was played, and by whom; nobody if it was here.
    played: BTreeMap<u64, (Option<String>, Vec<Vec<u8>>)>,
}

impl Ranges {
    pub fn new(numbers: Range<u64>, length: u64) -> Ranges {
        Ranges {
            kept: numbers.start,
            next: numbers.start,
            end: numbers.end.max(numbers.start),
            length,
            out: BTreeSet::new(),
            again: BTreeSet::new(),
            played: BTreeMap::new(),
        }
    }

    fn range(&self, first: u64) -> Range<u64> {
        first..first.saturating_add(self.length).min(self.end)
    }

    /// The lowest numbers that nobody has.
    pub fn take(&mut self) -> Option<Range<u64>> {
        loop {
            let again = self.again.pop_first();
            let range = self.range(again.unwrap_or(self.next));
            if again.is_none() {
                if range.is_empty() {
                    return None;
                }
                self.next = range.end;
            }
            let first = range.start;
            if self.wants(&range) && !self.out.contains(&first) {
                self.out.insert(first);
                return Some(range);
            }
        }
    }

    /// Whether these numbers are a range that is still wanted, whoever may have it.
    pub fn wants(&self, numbers: &Range<u64>) -> bool {
        let first = numbers.start;
        *numbers == self.range(first)
            && !numbers.is_empty()
            && first >= self.kept
            && (first - self.kept).is_multiple_of(self.length)
            && !self.played.contains_key(&first)
    }

    /// Somebody has played a range.
    pub fn bring(&mut self, first: u64, worker: Option<String>, games: Vec<Vec<u8>>) {
        self.out.remove(&first);
        if self.wants(&self.range(first)) {
            self.played.insert(first, (worker, games));
        }
    }

    /// Somebody does not play a range.
    pub fn give_back(&mut self, first: u64) {
        self.out.remove(&first);
        self.again.insert(first);
    }

    /// A worker is not believed any more: what it has brought is played again, unless it is kept.
    pub fn distrust(&mut self, worker: &str) {
        let again = &mut self.again;
        self.played.retain(|first, (by, _)| {
            let is_sound = by.as_deref() != Some(worker);
            if !is_sound {
                again.insert(*first);
            }
            is_sound
        });
    }

    /// Hands out no new numbers; ends behind the last ones that somebody has or has played.
    pub fn finish(&mut self) {
        let last = self
            .out
            .last()
            .max(self.played.last_key_value().map(|(first, _)| first));
        self.end = last.map_or(self.kept, |&first| self.range(first).end);
        self.again = self.again.split_off(&self.kept);
        self.again.retain(|first| *first < self.end);
    }

    /// Whether the next numbers can be kept.
    pub fn has_next(&self) -> bool {
        self.played.contains_key(&self.kept)
    }

    /// The numbers that are to be kept next, with their games, if they were played.
    pub fn keep(&mut self) -> Option<(Range<u64>, Vec<Vec<u8>>)> {
        let (_, games) = self.played.remove(&self.kept)?;
        let range = self.range(self.kept);
        self.kept = range.end;
        Some((range, games))
    }

    /// Whether all is kept.
    pub fn is_done(&self) -> bool {
        self.kept >= self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(ranges: &mut Ranges) -> Vec<u64> {
        std::iter::from_fn(|| ranges.take())
            .map(|range| range.start)
            .collect()
    }

    fn bring(ranges: &mut Ranges, first: u64, worker: Option<&str>) {
        ranges.bring(first, worker.map(str::to_owned), vec![vec![first as u8]]);
    }

    fn kept(ranges: &mut Ranges) -> Vec<Range<u64>> {
        std::iter::from_fn(|| ranges.keep())
            .map(|(range, _)| range)
            .collect()
    }

    #[test]
    fn what_comes_in_any_order_is_kept_in_order() {
        let mut ranges = Ranges::new(5..14, 4);
        assert_eq!(taken(&mut ranges), [5, 9, 13]);
        bring(&mut ranges, 13, None);
        bring(&mut ranges, 9, Some("ada"));
        assert_eq!(kept(&mut ranges), []);
        bring(&mut ranges, 5, Some("ada"));
        assert_eq!(kept(&mut ranges), [5..9, 9..13, 13..14]);
        assert!(ranges.is_done());
    }

    #[test]
    fn what_is_given_back_goes_first_and_what_is_there_is_not_played_again() {
        let mut ranges = Ranges::new(0..u64::MAX, 4);
        assert_eq!([ranges.take(), ranges.take()], [Some(0..4), Some(4..8)]);
        ranges.give_back(0);
        // Somebody else has had it from an earlier run.
        bring(&mut ranges, 8, Some("bob"));
        assert_eq!([ranges.take(), ranges.take()], [Some(0..4), Some(12..16)]);
        assert!(!ranges.wants(&(8..12)) && ranges.wants(&(16..20)));
        assert!(!ranges.wants(&(17..21)) && !ranges.wants(&(16..18)));
    }

    #[test]
    fn what_a_liar_has_brought_is_given_out_again() {
        let mut ranges = Ranges::new(0..12, 4);
        taken(&mut ranges);
        for (first, worker) in [(0, "liar"), (4, "ada"), (8, "liar")] {
            bring(&mut ranges, first, Some(worker));
        }
        ranges.distrust("liar");
        assert_eq!(taken(&mut ranges), [0, 8]);
    }

    #[test]
    fn at_the_end_what_was_begun_is_played() {
        let mut ranges = Ranges::new(0..u64::MAX, 4);
        for _ in 0..5 {
            ranges.take();
        }
        bring(&mut ranges, 8, Some("ada"));
        for first in [4, 12, 16] {
            ranges.give_back(first);
        }
        ranges.finish();
        assert_eq!(taken(&mut ranges), [4], "12 and 16 were not begun");
        bring(&mut ranges, 0, None);
        bring(&mut ranges, 4, None);
        assert_eq!(kept(&mut ranges), [0..4, 4..8, 8..12]);
        assert!(ranges.is_done());
    }
}
