//! Decoded blocks that were asked for lately, shared by all threads.

use std::sync::Mutex;

use super::format::BLOCK;

/// A block and what it is a block of.
struct Slot {
    key: u64,
    bytes: Box<[u8; BLOCK]>,
}

/// Blocks by key; each has one place and pushes out the one that had it.
pub(super) struct Cache {
    slots: Vec<Mutex<Option<Slot>>>,
}

impl Cache {
    /// Room for about sixteen megabytes.
    const SLOTS: usize = 4096;

    pub fn new() -> Cache {
        Cache {
            slots: (0..Cache::SLOTS).map(|_| Mutex::new(None)).collect(),
        }
    }

    /// A byte of a block, which `decode` fills in if it is not here.
    pub fn byte<E>(
        &self,
        key: u64,
        place: usize,
        decode: impl FnOnce(&mut [u8; BLOCK]) -> Result<usize, E>,
    ) -> Result<u8, E> {
        let slot = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52;
        // A thread that panicked has at worst left a slot empty.
        let mut slot = match self.slots[slot as usize].lock() {
            Ok(slot) => slot,
            Err(poisoned) => poisoned.into_inner(),
        };
        if let Some(found) = slot.as_ref().filter(|slot| slot.key == key) {
            return Ok(found.bytes[place]);
        }
        let old = slot.take().map(|slot| slot.bytes);
        let mut bytes = old.unwrap_or_else(|| Box::new([0; BLOCK]));
        decode(&mut bytes)?;
        let byte = bytes[place];
        *slot = Some(Slot { key, bytes });
        Ok(byte)
    }
}

const _: () = assert!(Cache::SLOTS == 1 << 12);
