//! What a search remembers of positions, shared by its threads without locks.

use memmap2::MmapMut;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::score::{Depth, Score};

/// Whether the score of an entry is exact.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Exact,
    /// The true score may be higher.
    Lower,
    /// The true score may be lower.
    Upper,
}

/// What is known of a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub score: Score,
    /// The evaluation of the position itself, if it was made.
    pub evaluation: Option<Score>,
    pub depth: Depth,
    pub bound: Bound,
    /// Signature of the best move; see `order::signature`.
    pub best: u16,
}

/// A remembered position: two words, the first mixed with the second. If two threads write at
/// once, the words don't fit each other and the entry is taken for another position's.
#[derive(Default)]
struct Slot {
    key: AtomicU64,
    data: AtomicU64,
}

const SLOTS: usize = 4;

/// Slots that share a line of the processor's cache.
#[repr(align(64))]
#[derive(Default)]
struct Cluster([Slot; SLOTS]);

/// The table.
pub(crate) struct Transpositions {
    /// Zeros at first, in large pages where the system has them: with small ones the processor
    /// spends a third of a search on finding out where the table is.
    memory: MmapMut,
    count: usize,
    /// Counts searches; six bits of it are in every entry.
    age: u8,
    enabled: bool,
}

const AGES: u8 = 64;
/// Stands for an evaluation that was not made.
const NO_EVALUATION: u16 = 0x8000;

impl Transpositions {
    /// A table of so many megabytes.
    pub fn new(megabytes: usize) -> Transpositions {
        let count = (megabytes.max(1) << 20) / size_of::<Cluster>();
        let memory = MmapMut::map_anon(count * size_of::<Cluster>())
            .expect("memory for the table of positions");
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Transpositions {
            memory,
            count,
            age: 0,
            enabled: true,
        }
    }

    /// A table that remembers nothing.
    #[cfg(test)]
    pub fn off() -> Transpositions {
        Transpositions {
            enabled: false,
            ..Transpositions::new(1)
        }
    }

    /// A new search begins: what older ones left is worth less.
    pub fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for slot in self.clusters().iter().flat_map(|cluster| &cluster.0) {
            slot.key.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
        self.age = 0;
    }

    #[inline(always)]
    fn clusters(&self) -> &[Cluster] {
        let first: *const Cluster = self.memory.as_ptr().cast();
        // SAFETY: the memory is `count` clusters long, aligned to a page, and any bits are a
        // cluster; nothing else refers to it.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts(first, self.count)
        }
    }

    #[inline(always)]
    fn cluster(&self, hash: u64) -> &Cluster {
        let index = (u128::from(hash) * self.count as u128) >> 64;
        &self.clusters()[index as usize]
    }

    /// Asks the processor to fetch what a later [`Transpositions::get`] will read.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn prefetch(&self, hash: u64) {
        let cluster: *const Cluster = self.cluster(hash);
        // SAFETY: a prefetch reads nothing, whatever the address; this one is valid besides.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch(cluster.cast(), _MM_HINT_T0);
        }
        // SAFETY: as above.
        #[cfg(target_arch = "aarch64")]
        unsafe {
            std::arch::asm!("prfm pldl1keep, [{0}]", in(reg) cluster, options(nostack, readonly, preserves_flags));
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = cluster;
    }

    /// What is known of a position.
    #[inline(always)]
    pub fn get(&self, hash: u64) -> Option<Entry> {
        for slot in &self.cluster(hash).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.key.load(Ordering::Relaxed) ^ data == hash && data != 0 {
                return self.enabled.then(|| unpack(data));
            }
        }
        None
    }

    /// Remembers a position, in the place of the least valuable one of its cluster.
    #[inline(always)]
    pub fn put(&self, hash: u64, mut entry: Entry) {
        if !self.enabled {
            return;
        }
        let mut victim = None;
        for slot in &self.cluster(hash).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.key.load(Ordering::Relaxed) ^ data == hash {
                if entry.best == 0 {
                    entry.best = unpack(data).best;
                }
                victim = Some((i32::MIN, slot));
                break;
            }
            let worth = self.worth(data);
            if victim.is_none_or(|(least, _)| worth < least) {
                victim = Some((worth, slot));
            }
        }
        if let Some((_, slot)) = victim {
            let data = self.pack(&entry);
            slot.key.store(hash ^ data, Ordering::Relaxed);
            slot.data.store(data, Ordering::Relaxed);
        }
    }

    fn worth(&self, data: u64) -> i32 {
        if data == 0 {
            return i32::MIN + 1;
        }
        let age = (data >> 58) as u8;
        let years = (AGES + self.age - age) % AGES;
        i32::from((data >> 48) as u8) - 4 * i32::from(years)
    }

    fn pack(&self, entry: &Entry) -> u64 {
        let bound = match entry.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let evaluation = entry.evaluation.map_or(NO_EVALUATION, Score::to_bits);
        u64::from(entry.score.to_bits())
            | u64::from(evaluation) << 16
            | u64::from(entry.best) << 32
            | (entry.depth.0.clamp(0, 255) as u64) << 48
            | bound << 56
            | u64::from(self.age) << 58
    }

    /// How full the table is with this search's positions, in thousandths, from a sample.
    pub fn permille_used(&self) -> u32 {
        let sample = self.count.min(1_000);
        let of_now = |slot: &&Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && (data >> 58) as u8 == self.age
        };
        let used = self.clusters()[..sample]
            .iter()
            .flat_map(|cluster| &cluster.0)
            .filter(of_now)
            .count();
        (used * 1_000 / (sample * SLOTS)) as u32
    }
}

fn unpack(data: u64) -> Entry {
    let evaluation = (data >> 16) as u16;
    Entry {
        score: Score::from_bits(data as u16),
        evaluation: (evaluation != NO_EVALUATION).then(|| Score::from_bits(evaluation)),
        best: (data >> 32) as u16,
        depth: Depth(i32::from((data >> 48) as u8)),
        bound: match data >> 56 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry {
            score: Score::points(-40),
            evaluation: Some(Score::points(7)),
            depth: Depth(depth),
            bound: Bound::Lower,
            best: 77,
        }
    }

    #[test]
    fn what_is_put_is_got() {
        let table = Transpositions::new(1);
        let without = Entry {
            evaluation: None,
            ..entry(5)
        };
        table.put(9, without);
        table.put(10, entry(3));
        assert_eq!(table.get(9), Some(without));
        assert_eq!(table.get(10), Some(entry(3)));
        assert_eq!(table.get(11), None);
    }

    #[test]
    fn the_shallowest_entry_makes_room_and_age_counts() {
        let mut table = Transpositions::new(1);
        for hash in 1..=4 {
            table.put(hash, entry(20 + hash as i32));
        }
        table.grow_older();
        table.put(5, entry(1));
        assert_eq!(table.get(1), None);
        table.put(6, entry(2));
        assert!(table.get(5).is_some() || table.get(2).is_some());
        assert!(table.get(6).is_some());
    }

    #[test]
    fn a_best_move_is_kept_when_none_is_known() {
        let table = Transpositions::new(1);
        table.put(3, entry(4));
        table.put(
            3,
            Entry {
                best: 0,
                ..entry(6)
            },
        );
        assert_eq!(table.get(3).unwrap().best, 77);
    }

    #[test]
    fn a_table_that_is_off_remembers_nothing() {
        let table = Transpositions::off();
        table.put(3, entry(4));
        assert_eq!(table.get(3), None);
    }

    #[test]
    fn clearing_forgets() {
        let mut table = Transpositions::new(1);
        table.put(3, entry(4));
        assert!(table.permille_used() < 1_000);
        table.clear();
        assert_eq!(table.get(3), None);
    }
}
