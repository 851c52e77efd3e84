//! The table file: a header, a directory of slices, a record for every block, the blocks.
//!
//! docs/TABLES.md describes it byte by byte.

use kingme_rules::Side;

use super::checksum::checksum;
use super::counts::Counts;
use super::slice::{Force, Slice};

const MAGIC: &[u8; 8] = b"kingmeT1";
const HEADER: usize = 40;
const ENTRY: usize = 64;
const RECORD: usize = 8;

/// Bytes of a block before compression.
pub(super) const BLOCK: usize = 4096;

/// What a section says about the positions of a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// Nothing: the table does not have it.
    Absent,
    /// The same byte everywhere.
    Constant(u8),
    /// Compressed blocks.
    Blocks(Vec<Block>),
}

/// Where a compressed block lies in the file, and its checksum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub at: usize,
    pub len: usize,
    pub checksum: u32,
}

/// A slice in a table file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub side: Side,
    pub slice: Slice,
    pub positions: usize,
    pub counts: Counts,
    /// Codes of verdicts, four to a byte.
    pub verdicts: Section,
    /// One more than the distance, 0 for a draw; a byte each.
    pub distances: Section,
}

/// A section that is to be written.
#[derive(Clone, Debug)]
pub(super) enum RawSection {
    Absent,
    Constant(u8),
    Blocks(Vec<Vec<u8>>),
}

/// A slice that is to be written.
#[derive(Clone, Debug)]
pub(super) struct RawEntry {
    pub side: Side,
    pub slice: Slice,
    pub positions: usize,
    pub counts: Counts,
    pub verdicts: RawSection,
    pub distances: RawSection,
}

/// The checksum of a block.
pub(super) fn block_checksum(bytes: &[u8]) -> u32 {
    let sum = checksum(bytes);
    (sum ^ sum >> 32) as u32
}

/// The bytes of a table file.
pub(super) fn write(fingerprint: u64, entries: &[RawEntry]) -> Vec<u8> {
    let mut directory = Vec::new();
    let mut records = Vec::new();
    let mut data = Vec::new();
    for entry in entries {
        let Slice { own, their } = entry.slice;
        let side = entry.side as u8;
        directory.extend([side, own.men, own.kings, their.men, their.kings]);
        directory.extend([0; 3]);
        let Counts {
            wins,
            losses,
            draws,
        } = entry.counts;
        for number in [entry.positions as u64, wins, losses, draws] {
            directory.extend(number.to_le_bytes());
        }
        for section in [&entry.verdicts, &entry.distances] {
            write_section(section, &mut directory, &mut records, &mut data);
        }
    }
    let length = HEADER + directory.len() + records.len() + data.len();
    let mut file = Vec::with_capacity(length);
    file.extend(MAGIC);
    file.extend(fingerprint.to_le_bytes());
    file.extend((entries.len() as u64).to_le_bytes());
    file.extend((length as u64).to_le_bytes());
    directory.extend(records);
    file.extend(checksum(&[&file[..], &directory[..]].concat()).to_le_bytes());
    file.extend(directory);
    file.extend(data);
    file
}

/// The checksum of a file that was read, which stands for all that is in it.
pub(super) fn sum_of(file: &[u8]) -> u64 {
    let sum = file.get(HEADER - 8..HEADER);
    let sum = sum.and_then(|bytes| bytes.try_into().ok());
    sum.map_or(0, u64::from_le_bytes)
}

fn write_section(
    section: &RawSection,
    directory: &mut Vec<u8>,
    records: &mut Vec<u8>,
    data: &mut Vec<u8>,
) {
    let (kind, byte, blocks): (u8, u8, &[Vec<u8>]) = match section {
        RawSection::Absent => (0, 0, &[]),
        RawSection::Constant(byte) => (1, *byte, &[]),
        RawSection::Blocks(blocks) => (2, 0, blocks),
    };
    directory.extend([kind, byte, 0, 0, 0, 0, 0, 0]);
    directory.extend((blocks.len() as u32).to_le_bytes());
    for block in blocks {
        records.extend((block.len() as u32).to_le_bytes());
        records.extend(block_checksum(block).to_le_bytes());
        data.extend(block);
    }
}

/// What is wrong with a file, in words that follow its name.
type Fault = String;

/// Reads the directory of a table file and checks all but the blocks themselves.
pub(super) fn read(file: &[u8], fingerprint: u64) -> Result<Vec<Entry>, Fault> {
    if file.get(..MAGIC.len()) != Some(MAGIC) {
        return Err("this is not a table file of this version".to_owned());
    }
    let mut reader = Reader {
        file,
        at: MAGIC.len(),
    };
    if reader.u64()? != fingerprint {
        return Err("this table belongs to a game with other rules".to_owned());
    }
    let slices = reader.u64()?;
    let length = reader.u64()?;
    if length != file.len() as u64 {
        return Err(format!(
            "the file has {} bytes, but {length} belong to it",
            file.len()
        ));
    }
    let sum = reader.u64()?;
    let mut entries = Vec::new();
    for _ in 0..slices {
        entries.push(reader.entry()?);
    }
    let mut counted: Vec<(usize, usize)> = Vec::new();
    for (entry, number) in entries.iter().zip(0..) {
        for (section, blocks) in [entry.1, entry.2].into_iter().enumerate() {
            if blocks > 0 {
                counted.push((number * 2 + section, blocks));
            }
        }
    }
    let data_at = reader.at
        + counted
            .iter()
            .map(|(_, blocks)| blocks * RECORD)
            .sum::<usize>();
    let directory = file.get(HEADER..data_at).ok_or_else(|| cut_short(file))?;
    if checksum(&[&file[..HEADER - 8], directory].concat()) != sum {
        return Err("its directory is damaged (wrong checksum)".to_owned());
    }
    let mut entries: Vec<Entry> = entries.into_iter().map(|(entry, ..)| entry).collect();
    let mut at = data_at;
    for (section, blocks) in counted {
        let blocks = reader.blocks(blocks, &mut at)?;
        let entry = &mut entries[section / 2];
        let place = if section % 2 == 0 {
            &mut entry.verdicts
        } else {
            &mut entry.distances
        };
        *place = Section::Blocks(blocks);
    }
    Ok(entries)
}

fn cut_short(file: &[u8]) -> Fault {
    format!("the file ends too early, after {} bytes", file.len())
}

struct Reader<'a> {
    file: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let bytes = self.file.get(self.at..self.at + N);
        self.at += N;
        bytes
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or_else(|| cut_short(self.file))
    }

    fn u64(&mut self) -> Result<u64, Fault> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, Fault> {
        self.bytes().map(u32::from_le_bytes)
    }

    /// An entry whose blocks are still missing, and how many its sections have.
    fn entry(&mut self) -> Result<(Entry, usize, usize), Fault> {
        let [side, men, kings, their_men, their_kings, ..] = self.bytes::<8>()?;
        let positions = self.u64()? as usize;
        let counts = Counts {
            wins: self.u64()?,
            losses: self.u64()?,
            draws: self.u64()?,
        };
        let (verdicts, verdict_blocks) = self.section()?;
        let (distances, distance_blocks) = self.section()?;
        let entry = Entry {
            side: Side::BOTH[usize::from(side & 1)],
            slice: Slice {
                own: Force { men, kings },
                their: Force {
                    men: their_men,
                    kings: their_kings,
                },
            },
            positions,
            counts,
            verdicts,
            distances,
        };
        Ok((entry, verdict_blocks, distance_blocks))
    }

    fn section(&mut self) -> Result<(Section, usize), Fault> {
        let [kind, byte, ..] = self.bytes::<8>()?;
        let blocks = self.u32()? as usize;
        Ok(match kind {
            1 => (Section::Constant(byte), 0),
            2 => (Section::Absent, blocks),
            _ => (Section::Absent, 0),
        })
    }

    fn blocks(&mut self, count: usize, at: &mut usize) -> Result<Vec<Block>, Fault> {
        (0..count)
            .map(|_| {
                let block = Block {
                    at: *at,
                    len: self.u32()? as usize,
                    checksum: self.u32()?,
                };
                *at += block.len;
                if *at > self.file.len() {
                    return Err(cut_short(self.file));
                }
                Ok(block)
            })
            .collect()
    }
}

const _: () = assert!(ENTRY == 8 + 32 + 24);
