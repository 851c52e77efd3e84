//! A table file that is open: mapped into memory, its blocks decoded when they are asked for.

use std::cell::RefCell;
use std::fs::File;
use std::io::Write;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use kingme_rules::Side;
use memmap2::Mmap;
use zstd::bulk::Decompressor;

use super::TableError;
use super::encode::BLOCK_VERDICTS;
use super::format::{self, BLOCK, Block, Entry, RawEntry, RawSection, Section, block_checksum};
use super::packed::Packed;
use super::slice::Slice;

/// An open table file.
pub(super) struct TableFile {
    path: PathBuf,
    bytes: Bytes,
    pub entries: Vec<Entry>,
}

enum Bytes {
    Mapped(Mmap),
    Shipped(&'static [u8]),
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(bytes) => bytes,
            Bytes::Shipped(bytes) => bytes,
        }
    }
}

/// Tables inside the program, with the number of their pieces: what would take longer to build than
/// anybody wants to wait, and is small without distances.
const SHIPPED: [(&str, usize, &[u8]); 2] = [
    (
        "english-5.kmt",
        5,
        include_bytes!("../../tables/english-5.kmt"),
    ),
    (
        "international-4.kmt",
        4,
        include_bytes!("../../tables/international-4.kmt"),
    ),
];

impl TableFile {
    /// Opens a file of a game; `None` if there is none.
    pub fn open(path: &Path, fingerprint: u64) -> Result<Option<TableFile>, TableError> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TableError::io(path)(error)),
        };
        // SAFETY: the file is written whole under another name before it gets this one, and
        // kingme never changes it after that. Whoever truncates it by hand while we read it
        // gets the operating system's answer.
        #[allow(unsafe_code)]
        let bytes = unsafe { Mmap::map(&file) }.map_err(TableError::io(path))?;
        let entries = format::read(&bytes, fingerprint)
            .map_err(|reason| TableError::damaged(path, reason))?;
        Ok(Some(TableFile {
            path: path.to_owned(),
            bytes: Bytes::Mapped(bytes),
            entries,
        }))
    }

    /// The table of a game that is inside the program, if there is one of so many pieces.
    pub fn shipped(pieces: usize, fingerprint: u64) -> Option<TableFile> {
        let mut known = SHIPPED.iter().filter(|(_, of, _)| *of == pieces);
        known.find_map(|&(name, _, bytes)| {
            Some(TableFile {
                path: name.into(),
                bytes: Bytes::Shipped(bytes),
                entries: format::read(bytes, fingerprint).ok()?,
            })
        })
    }

    /// A checksum of all that is in it.
    pub fn sum(&self) -> u64 {
        format::sum_of(&self.bytes)
    }

    /// The entry of a slice.
    pub fn entry(&self, side: Side, slice: Slice) -> Result<&Entry, TableError> {
        let is_it = |entry: &&Entry| (entry.side, entry.slice) == (side, slice);
        let entry = self.entries.iter().find(is_it);
        entry.ok_or_else(|| TableError::missing_slice(&self.path, slice))
    }

    /// Decodes a block.
    pub fn decode(&self, block: &Block, into: &mut [u8; BLOCK]) -> Result<usize, TableError> {
        thread_local! {
            static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
        }
        let bytes = &self.bytes[block.at..block.at + block.len];
        let damaged = || TableError::damaged(&self.path, "a block is damaged (wrong checksum)");
        if block_checksum(bytes) != block.checksum {
            return Err(damaged());
        }
        DECOMPRESSOR.with_borrow_mut(|decompressor| {
            if decompressor.is_none() {
                *decompressor = Decompressor::new().ok();
            }
            let decompressor = decompressor.as_mut().ok_or_else(damaged)?;
            decompressor
                .decompress_to_buffer(bytes, &mut into[..])
                .map_err(|_| damaged())
        })
    }

    /// Reads every block.
    ///
    /// # Errors
    ///
    /// If one is damaged.
    pub fn verify(&self) -> Result<(), TableError> {
        self.entries.iter().try_for_each(|entry| {
            self.verdicts(entry)?;
            self.distances(entry).map(drop)
        })
    }

    /// All verdicts of an entry; positions that captures decide have any.
    pub fn verdicts(&self, entry: &Entry) -> Result<Vec<u8>, TableError> {
        self.whole(&entry.verdicts, Packed::bytes(entry.positions), |code| {
            code * 0b0101_0101
        })
    }

    /// All distances of an entry, if the table has them.
    pub fn distances(&self, entry: &Entry) -> Result<Option<Vec<u8>>, TableError> {
        if entry.distances == Section::Absent {
            return Ok(None);
        }
        self.whole(&entry.distances, entry.positions, |byte| byte)
            .map(Some)
    }

    fn whole(
        &self,
        section: &Section,
        len: usize,
        constant: impl Fn(u8) -> u8,
    ) -> Result<Vec<u8>, TableError> {
        let mut bytes = Vec::with_capacity(len);
        match section {
            Section::Absent => (),
            Section::Constant(byte) => bytes.resize(len, constant(*byte)),
            Section::Blocks(blocks) => {
                let mut buffer = [0; BLOCK];
                for block in blocks {
                    let decoded = self.decode(block, &mut buffer)?;
                    bytes.extend(&buffer[..decoded]);
                }
            }
        }
        if bytes.len() != len {
            let reason = format!("a slice has {} bytes instead of {len}", bytes.len());
            return Err(TableError::damaged(&self.path, reason));
        }
        Ok(bytes)
    }

    /// The compressed bytes of every slice, to be copied into another file.
    pub fn raw(&self) -> impl Iterator<Item = RawEntry> {
        let section = |section: &Section| match section {
            Section::Absent => RawSection::Absent,
            Section::Constant(byte) => RawSection::Constant(*byte),
            Section::Blocks(blocks) => RawSection::Blocks(
                blocks
                    .iter()
                    .map(|block| self.bytes[block.at..block.at + block.len].to_vec())
                    .collect(),
            ),
        };
        self.entries.iter().map(move |entry| RawEntry {
            side: entry.side,
            slice: entry.slice,
            positions: entry.positions,
            counts: entry.counts,
            verdicts: section(&entry.verdicts),
            distances: section(&entry.distances),
        })
    }

    /// Where a position's verdict is: the number of its block, and its place in it.
    pub fn verdict_place(position: usize) -> (usize, usize) {
        (position / BLOCK_VERDICTS, position % BLOCK_VERDICTS)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Writes a table file under another name first, so that a file of this name is always whole.
pub(super) fn write(path: &Path, fingerprint: u64, entries: &[RawEntry]) -> Result<(), TableError> {
    let unfinished = path.with_extension("unfinished");
    let mut file = File::create(&unfinished).map_err(TableError::io(&unfinished))?;
    file.write_all(&format::write(fingerprint, entries))
        .and_then(|()| file.sync_all())
        .map_err(TableError::io(&unfinished))?;
    std::fs::rename(&unfinished, path).map_err(TableError::io(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::place::Place;
    use kingme_rules::Variant;

    /// Wins, losses and draws as they are known from elsewhere.
    #[test]
    fn shipped_tables_have_the_known_counts() {
        for (name, pieces, expected) in [
            ("english", 5, [71_334_772, 56_993_144, 11_122_892]),
            ("international", 4, [13_020_033, 6_408_494, 22_542_673]),
        ] {
            let place = Place::new(&Variant::named(name).unwrap(), Path::new(""));
            let file = TableFile::shipped(pieces, place.fingerprint).expect(name);
            let mut sum = [0; 3];
            for entry in &file.entries {
                let counts = entry.counts;
                for (sum, count) in sum
                    .iter_mut()
                    .zip([counts.wins, counts.losses, counts.draws])
                {
                    *sum += count;
                }
                let bytes = file.verdicts(entry).unwrap();
                assert_eq!(bytes.len(), Packed::bytes(entry.positions), "{name}");
            }
            assert_eq!(sum, expected, "{name}");
        }
    }
}
