//! Open tables, and what they say of a position.

use std::any::Any;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::OnceLock;

use kingme_rules::movegen::{self, MoveList};
use kingme_rules::{
    BitMove, BitPosition, Bits, Move, Position, Ruleset, RulesetVisitor, Side, Variant, Visitor,
};

use super::TableError;
use super::build::{BuildConfig, build, quick_pieces};
use super::cache::Cache;
use super::checksum::checksum;
use super::ends::Ends;
use super::file::TableFile;
use super::format::Section;
use super::index::SliceIndex;
use super::packed::verdict_in;
use super::place::Place;
use super::slice::{MOST_PIECES, Slice};
use super::solved::Pieces;
use super::verdict::{Probe, Verdict};
use super::view::Geometry;
use crate::compiled;

/// The endgame tables of a game.
///
/// Cheap to ask, by any number of threads at once. Tables take no notice of the counters and
/// repetitions that make draws.
pub struct Tables {
    ends: Ends,
    /// A [`Geometry`] in the width of the game's board.
    geometry: Box<dyn Any + Send + Sync>,
    symmetric: bool,
    files: Vec<TableFile>,
    slices: [Vec<Option<Found>>; 2],
    cache: Cache,
    faults: Vec<TableError>,
    damage: OnceLock<String>,
}

/// Which tables they are: whoever has others may play other games.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TableSum {
    /// Up to how many pieces there are tables.
    pub pieces: usize,
    /// A checksum of all that is in them.
    pub sum: u64,
}

/// Where a slice is.
struct Found {
    file: usize,
    entry: usize,
    index: SliceIndex,
}

/// A legal move with what it leads to, as the side that makes it sees it.
#[derive(Copy, Clone, Debug)]
pub struct RootMove<B> {
    /// The move.
    pub mv: BitMove<B>,
    /// Its verdict, and the plies to the next capture, promotion or end, itself included.
    pub probe: Probe,
}

impl Tables {
    /// Opens the tables of a game in the directory of all tables; where a file is missing, the
    /// program may have the table itself. A file that is missing or damaged ends them at fewer
    /// pieces; [`Tables::faults`] says what is wrong.
    ///
    /// # Errors
    ///
    /// If a rule of the game stands against tables.
    pub fn open(variant: &Variant, data: &Path) -> Result<Tables, TableError> {
        struct Open<'a>(&'a Variant, Ends, Place);
        impl RulesetVisitor for Open<'_> {
            type Output = Tables;
            fn visit<R: Ruleset>(self, rules: R) -> Tables {
                let geometry = Geometry::new(rules, self.0);
                let mut tables = Tables {
                    ends: self.1,
                    symmetric: geometry.symmetric,
                    geometry: Box::new(geometry.clone()),
                    files: Vec::new(),
                    slices: [(); 2].map(|()| (0..Slice::KEYS).map(|_| None).collect()),
                    cache: Cache::new(),
                    faults: Vec::new(),
                    damage: OnceLock::new(),
                };
                tables.open_files(&geometry, &self.2);
                tables
            }
        }
        let open = Open(variant, Ends::new(variant)?, Place::new(variant, data));
        variant
            .visit_loaded(open)
            .ok_or_else(|| TableError::too_large(variant))
    }

    /// Opens the tables of a game, after building those that take about a second and are missing;
    /// see [`quick_pieces`].
    ///
    /// # Errors
    ///
    /// If a rule of the game stands against tables, or the directory can't be written.
    pub fn ready(variant: &Variant, data: &Path) -> Result<Tables, TableError> {
        let tables = Tables::open(variant, data)?;
        let pieces = quick_pieces(variant)?;
        if tables.pieces() >= pieces || !tables.faults.is_empty() {
            return Ok(tables);
        }
        let config = BuildConfig {
            pieces,
            ..BuildConfig::default()
        };
        build(variant, data, &config, &mut |_| ControlFlow::Continue(()))?;
        Tables::open(variant, data)
    }

    /// Up to how many pieces [`Tables::ready`] has a game's tables: those that are built in about a
    /// second, and above them those inside the program.
    ///
    /// # Errors
    ///
    /// If a rule of the game stands against tables.
    pub fn ready_pieces(variant: &Variant) -> Result<usize, TableError> {
        let quick = quick_pieces(variant)?;
        let fingerprint = Place::new(variant, Path::new("")).fingerprint;
        let is_shipped = |&pieces: &usize| TableFile::shipped(pieces, fingerprint).is_some();
        let shipped = (quick + 1..=MOST_PIECES).take_while(is_shipped);
        Ok(shipped.last().unwrap_or(quick))
    }

    fn open_files<B: Bits>(&mut self, geometry: &Geometry<B>, place: &Place) {
        for pieces in 2..=MOST_PIECES {
            let shipped = || TableFile::shipped(pieces, place.fingerprint);
            let file = TableFile::open(&place.file(pieces), place.fingerprint);
            match file.map(|file| file.or_else(shipped)) {
                Ok(Some(file)) if self.add(geometry, &file, pieces) => self.files.push(file),
                Ok(Some(file)) => {
                    let reason = format!("it does not hold all positions of {pieces} pieces");
                    return self.faults.push(TableError::damaged(file.path(), reason));
                }
                Ok(None) => return,
                Err(fault) => return self.faults.push(fault),
            }
        }
    }

    /// Adds the slices of a file; returns whether they are all that there should be.
    fn add<B: Bits>(&mut self, geometry: &Geometry<B>, file: &TableFile, pieces: usize) -> bool {
        let expected = Slice::of_pieces(pieces, self.ends.kings).len() * geometry.sides().len();
        let mut found = Vec::new();
        for (number, entry) in file.entries.iter().enumerate() {
            if entry.slice.pieces() != pieces {
                return false;
            }
            let index = SliceIndex::new(geometry, &geometry.views[entry.side], entry.slice);
            if index.len != entry.positions {
                return false;
            }
            let file = self.files.len();
            found.push((
                entry.side,
                Found {
                    file,
                    entry: number,
                    index,
                },
            ));
        }
        if found.len() != expected {
            return false;
        }
        for (side, found) in found {
            let key = found.index.slice.key();
            self.slices[side][key] = Some(found);
        }
        true
    }

    /// Up to how many pieces there are tables; 0 if there are none.
    pub fn pieces(&self) -> usize {
        if self.files.is_empty() {
            0
        } else {
            self.files.len() + 1
        }
    }

    /// The same without those of more pieces.
    #[must_use]
    pub fn up_to(mut self, pieces: usize) -> Tables {
        self.files.truncate(pieces.saturating_sub(1));
        let files = self.files.len();
        for slot in self.slices.iter_mut().flatten() {
            slot.take_if(|found| found.file >= files);
        }
        self
    }

    /// Which tables they are; nothing if there are none.
    pub fn sum(&self) -> Option<TableSum> {
        let sums: Vec<u8> = self
            .files
            .iter()
            .flat_map(|file| file.sum().to_le_bytes())
            .collect();
        (!sums.is_empty()).then(|| TableSum {
            pieces: self.pieces(),
            sum: checksum(&sums),
        })
    }

    /// What was wrong with the files.
    pub fn faults(&self) -> impl Iterator<Item = String> {
        let late = self.damage.get().cloned();
        self.faults.iter().map(ToString::to_string).chain(late)
    }

    /// The verdict of a position, if the tables have it.
    #[inline]
    pub fn probe_bits<R: Ruleset>(
        &self,
        rules: R,
        position: &BitPosition<R::Bits>,
    ) -> Option<Verdict> {
        if position.occupied().count() as usize > self.pieces() {
            return None;
        }
        self.look_up(rules, position)
    }

    fn look_up<R: Ruleset>(&self, rules: R, position: &BitPosition<R::Bits>) -> Option<Verdict> {
        let pieces = Pieces::of(rules, position);
        let slice = pieces.slice;
        if slice.own.pieces() == 0 {
            return Some(self.ends.stuck(slice));
        }
        if slice.their.pieces() == 0 {
            return None;
        }
        let fixed = self.ends.over(slice).or(self.ends.stopped(slice)).is_some();
        if !fixed && self.ends.obligatory && movegen::can_capture(rules, position) {
            return self.by_captures(rules, position);
        }
        let (found, at) = self.place(position.turn(), &pieces)?;
        match &self.files[found.file].entries[found.entry].verdicts {
            Section::Constant(code) => Verdict::of_code(*code),
            Section::Absent => None,
            Section::Blocks(_) => {
                let (block, place) = TableFile::verdict_place(at);
                let byte = self.byte(found, false, block, place / 4)?;
                verdict_in(&[byte], place % 4)
            }
        }
    }

    fn by_captures<R: Ruleset>(
        &self,
        rules: R,
        position: &BitPosition<R::Bits>,
    ) -> Option<Verdict> {
        let mut list = MoveList::new();
        movegen::captures(rules, position, &mut list);
        let mut best = None;
        for mv in list.iter() {
            best = best.max(Some(!self.look_up(rules, &position.moved(rules, mv))?));
        }
        best
    }

    /// Where a position is.
    fn place<B: Bits>(&self, turn: Side, pieces: &Pieces<B>) -> Option<(&Found, usize)> {
        let kept_under = if self.symmetric { Side::White } else { turn };
        let found = self.slices[kept_under][pieces.slice.key()].as_ref()?;
        let geometry: &Geometry<B> = self.geometry.downcast_ref()?;
        let view = &geometry.views[turn];
        let at = found
            .index
            .rank(&geometry.choose, view, pieces.men, pieces.kings);
        Some((found, at))
    }

    /// A byte of a block; `None` if the block is damaged.
    fn byte(&self, found: &Found, distance: bool, block: usize, place: usize) -> Option<u8> {
        let file = &self.files[found.file];
        let entry = &file.entries[found.entry];
        let section = if distance {
            &entry.distances
        } else {
            &entry.verdicts
        };
        let Section::Blocks(blocks) = section else {
            return None;
        };
        let slice = (found.file << 16 | found.entry) << 1 | usize::from(distance);
        let key = (slice as u64) << 32 | block as u64;
        let decode = |into: &mut _| file.decode(&blocks[block], into);
        match self.cache.byte(key, place, decode) {
            Ok(byte) => Some(byte),
            Err(fault) => {
                // Play goes on without the block; the first fault is worth telling.
                self.damage.get_or_init(|| fault.to_string());
                None
            }
        }
    }

    /// The verdict of a position and the distance of its next step.
    pub fn probe<R: Ruleset>(&self, rules: R, position: &BitPosition<R::Bits>) -> Option<Probe> {
        let verdict = self.probe_bits(rules, position)?;
        let distance = if verdict == Verdict::Draw {
            None
        } else {
            self.distance(rules, position)
        };
        Some(Probe { verdict, distance })
    }

    fn distance<R: Ruleset>(&self, rules: R, position: &BitPosition<R::Bits>) -> Option<u8> {
        let pieces = Pieces::of(rules, position);
        if pieces.slice.own.pieces() == 0 || self.ends.over(pieces.slice).is_some() {
            return Some(0);
        }
        if self.ends.obligatory && movegen::can_capture(rules, position) {
            return Some(1);
        }
        let (found, at) = self.place(position.turn(), &pieces)?;
        let byte = match &self.files[found.file].entries[found.entry].distances {
            Section::Constant(byte) => Some(*byte),
            Section::Absent => None,
            Section::Blocks(_) => {
                let block = super::format::BLOCK;
                self.byte(found, true, at / block, at % block)
            }
        };
        byte?.checked_sub(1)
    }

    /// Every legal move with what it leads to, best first: the quickest win, then draws, then the
    /// slowest loss. `None` if the tables don't have the position.
    pub fn root_moves<R: Ruleset>(
        &self,
        rules: R,
        position: &BitPosition<R::Bits>,
    ) -> Option<Vec<RootMove<R::Bits>>> {
        self.probe_bits(rules, position)?;
        let mut list = MoveList::new();
        movegen::moves(rules, position, &mut list);
        let mut moves = Vec::with_capacity(list.len());
        for mv in list.iter() {
            let next = self.probe(rules, &position.moved(rules, mv))?;
            let settled = mv.takes_off() || mv.is_promotion();
            let distance = match !next.verdict {
                Verdict::Draw => None,
                _ if settled => Some(1),
                _ => next.distance.map(|distance| distance.saturating_add(1)),
            };
            let probe = Probe {
                verdict: !next.verdict,
                distance,
            };
            moves.push(RootMove { mv: *mv, probe });
        }
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.probe.worth()));
        Some(moves)
    }

    /// What the tables say of a position.
    pub fn probe_position(&self, position: &Position) -> Option<Probe> {
        struct Ask<'a>(&'a Tables);
        impl Visitor for Ask<'_> {
            type Output = Option<Probe>;
            fn visit<R: Ruleset>(self, rules: R, position: &BitPosition<R::Bits>) -> Option<Probe> {
                self.0.probe(rules, position)
            }
        }
        compiled::visit(position, Ask(self))?
    }

    /// The best move of a position, if the tables have it and it is not over.
    pub fn best_move(&self, position: &Position) -> Option<Move> {
        struct Best<'a>(&'a Tables);
        impl Visitor for Best<'_> {
            type Output = Option<Move>;
            fn visit<R: Ruleset>(self, rules: R, position: &BitPosition<R::Bits>) -> Option<Move> {
                let moves = self.0.root_moves(rules, position)?;
                moves
                    .first()
                    .map(|best| Move::new(rules, position, &best.mv))
            }
        }
        compiled::visit(position, Best(self))?
    }
}

impl Probe {
    /// A number that is higher the better a move is.
    pub(super) fn worth(self) -> i32 {
        // Where there are no distances, a step that can't be undone is still worth more.
        let distance = i32::from(self.distance.unwrap_or(u8::MAX));
        match self.verdict {
            Verdict::Win => 1000 - distance,
            Verdict::Draw => 0,
            Verdict::Loss => distance - 1000,
        }
    }
}
