//! The live file: every event of the games in progress, a line each, written before anybody hears
//! of it.
//!
//! It is mapped into memory, so that a line costs no system call. What is written there belongs to
//! the system at once: a process that is killed leaves it whole. The first bytes are a header with
//! the number of bytes that count; behind them there may be room for more.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use memmap2::MmapMut;

use super::LeagueError;
use super::lines::Line;
use super::place::LogPlace;

/// How often the file is made safe against a power cut.
const SYNC: Duration = Duration::from_secs(1);
/// A reader who asks whether the league is being played holds the file for a moment.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(5);
/// The file grows by so much at a time.
const STEP: usize = 64 << 10;

/// What the first bytes say: whose file it is, how often it was emptied, and how many bytes of
/// events follow. Who follows the file sees by the epoch that it has begun anew.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub league: u64,
    pub epoch: u64,
    pub bytes: u64,
}

impl Header {
    /// How long it is.
    pub const SIZE: usize = 64;
    const MARK: &[u8; 40] = b"kingme league, games in progress, v. 2\n\0";

    /// Reads the header of a file; `None` if there is none yet.
    pub fn of(file: &File) -> io::Result<Option<Header>> {
        let mut start = [0; Header::SIZE];
        let mut from_start = file;
        from_start.seek(SeekFrom::Start(0))?;
        let count = from_start.take(Header::SIZE as u64).read(&mut start)?;
        if count < Header::SIZE || start == [0; Header::SIZE] {
            return Ok(None);
        }
        if !start.starts_with(Header::MARK) {
            return Err(io::Error::other("this is not the live file of a league"));
        }
        let number = |place: usize| {
            let bytes = start[place..place + 8].try_into();
            u64::from_ne_bytes(bytes.expect("eight bytes"))
        };
        Ok(Some(Header {
            league: number(40),
            epoch: number(48),
            bytes: number(56),
        }))
    }

    fn write(self) -> [u8; Header::SIZE] {
        let mut start = [0; Header::SIZE];
        start[..40].copy_from_slice(Header::MARK);
        start[40..48].copy_from_slice(&self.league.to_ne_bytes());
        start[48..56].copy_from_slice(&self.epoch.to_ne_bytes());
        start[56..].copy_from_slice(&self.bytes.to_ne_bytes());
        start
    }
}

/// The live file in the hands of the one process that writes it.
#[derive(Debug)]
pub(super) struct LiveFile {
    shared: Arc<Shared>,
    path: PathBuf,
    map: Mutex<Map>,
    syncer: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    file: File,
    /// Something was written since the last sync.
    dirty: AtomicBool,
    /// The disk has failed; nothing is announced any more.
    broken: AtomicBool,
    done: AtomicBool,
}

/// The file in memory.
#[derive(Debug)]
struct Map {
    bytes: MmapMut,
    /// Where the next line goes.
    end: usize,
}

impl LiveFile {
    /// Opens the file of a log, and keeps all others from writing it.
    pub fn open(log: &LogPlace, league: u64) -> Result<LiveFile, LeagueError> {
        let path = log.live(league);
        let mut options = File::options();
        let options = options.create(true).truncate(false).read(true).write(true);
        let file = options.open(&path).map_err(|error| fault(&path, &error))?;
        lock(&file, log)?;
        let map = Map::new(&file).map_err(|error| fault(&path, &error))?;
        let shared = Arc::new(Shared {
            file,
            dirty: AtomicBool::new(false),
            broken: AtomicBool::new(false),
            done: AtomicBool::new(false),
        });
        let syncer = Arc::clone(&shared);
        Ok(LiveFile {
            shared,
            path,
            map: Mutex::new(map),
            syncer: Some(thread::spawn(move || syncer.keep_safe())),
        })
    }

    /// The header that a run before has left; `None` in a new file.
    pub fn header(&self) -> Result<Option<Header>, LeagueError> {
        Header::of(&self.shared.file).map_err(|error| self.fault(&error))
    }

    /// Every event that a run before has left, up to the first line that is not whole.
    pub fn each_event(&self, mut on_event: impl FnMut(Line)) {
        let map = self.map();
        let lines = map.bytes[Header::SIZE..map.end].split_inclusive(|&byte| byte == b'\n');
        for line in lines {
            match whole_line(line).and_then(Line::read) {
                Some(event) => on_event(event),
                None => return,
            }
        }
    }

    /// Begins anew: all that was written is safe elsewhere.
    pub fn reset(&self, league: u64, epoch: u64) -> Result<(), LeagueError> {
        let header = Header {
            league,
            epoch,
            bytes: 0,
        };
        let begun = self.map().begin_anew(&self.shared.file, header);
        begun.map_err(|error| self.fault(&error))
    }

    /// Adds whole lines. They survive the end of this process at once, and a power cut after a
    /// second.
    pub fn append(&self, lines: &str) -> Result<(), LeagueError> {
        let shared = &self.shared;
        if shared.broken.load(Ordering::Acquire) {
            let why = io::Error::other("a write has failed before");
            return Err(self.fault(&why));
        }
        let written = self.map().append(&shared.file, lines.as_bytes());
        written.map_err(|error| {
            shared.broken.store(true, Ordering::Release);
            self.fault(&error)
        })?;
        shared.dirty.store(true, Ordering::Release);
        Ok(())
    }

    /// Its place.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes of events there are.
    pub fn bytes(&self) -> usize {
        self.map().end - Header::SIZE
    }

    fn map(&self) -> MutexGuard<'_, Map> {
        self.map.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fault(&self, error: &io::Error) -> LeagueError {
        fault(&self.path, error)
    }
}

impl Map {
    fn new(file: &File) -> io::Result<Map> {
        let known = Header::of(file)?.map_or(0, |header| header.bytes);
        let bytes = room_for(file, Header::SIZE)?;
        let known = usize::try_from(known).unwrap_or(usize::MAX);
        let end = known.saturating_add(Header::SIZE).min(bytes.len());
        Ok(Map { bytes, end })
    }

    fn begin_anew(&mut self, file: &File, header: Header) -> io::Result<()> {
        if self.bytes.len() > STEP {
            file.set_len(STEP as u64)?;
            self.bytes = room_for(file, Header::SIZE)?;
        }
        self.bytes[..Header::SIZE].copy_from_slice(&header.write());
        self.end = Header::SIZE;
        file.sync_data()
    }

    fn append(&mut self, file: &File, text: &[u8]) -> io::Result<()> {
        let end = self.end + text.len();
        if end > self.bytes.len() {
            self.bytes = room_for(file, end)?;
        }
        self.bytes[self.end..end].copy_from_slice(text);
        self.end = end;
        self.publish();
        Ok(())
    }

    /// Says how many bytes count, after they are there.
    #[allow(unsafe_code)]
    fn publish(&mut self) {
        let place = self.bytes[Header::SIZE - 8..].as_mut_ptr().cast();
        // SAFETY: the place is eight bytes of the map, which begins at a page, and this process
        // writes it here only.
        let count = unsafe { AtomicU64::from_ptr(place) };
        count.store((self.end - Header::SIZE) as u64, Ordering::Release);
    }
}

/// The file in memory, with room for so many bytes at least. The room is taken from the disk here,
/// so that a full disk is noticed here and not when memory is written.
#[allow(unsafe_code)]
fn room_for(file: &File, bytes: usize) -> io::Result<MmapMut> {
    let have = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    let size = have.max(bytes.next_multiple_of(STEP));
    take_room(file, size)?;
    // SAFETY: the file is locked by this process; whoever shortens it nevertheless ends the league.
    unsafe { MmapMut::map_mut(file) }
}

#[cfg(target_os = "linux")]
fn take_room(file: &File, size: usize) -> io::Result<()> {
    Ok(nix::fcntl::posix_fallocate(file, 0, size as i64)?)
}

/// Where the system can't be asked for room, it is written.
#[cfg(not(target_os = "linux"))]
fn take_room(mut file: &File, size: usize) -> io::Result<()> {
    use std::io::Write;
    let have = file.seek(SeekFrom::End(0))?;
    let more = (size as u64).saturating_sub(have);
    io::copy(&mut io::repeat(0).take(more), &mut file)?;
    file.flush()
}

/// The text of a line that was written to its end.
pub(super) fn whole_line(bytes: &[u8]) -> Option<&str> {
    let line = bytes.strip_suffix(b"\n")?;
    std::str::from_utf8(line).ok()
}

impl Shared {
    /// Makes what was written safe, again and again. A disk that fails is noticed by the next
    /// write.
    fn keep_safe(&self) {
        while !self.done.load(Ordering::Acquire) {
            if self.dirty.swap(false, Ordering::AcqRel) && self.file.sync_data().is_err() {
                self.broken.store(true, Ordering::Release);
            }
            thread::park_timeout(SYNC);
        }
    }
}

impl Drop for LiveFile {
    fn drop(&mut self) {
        self.shared.done.store(true, Ordering::Release);
        if let Some(syncer) = self.syncer.take() {
            syncer.thread().unpark();
            // It does not panic, and if it did there would be nothing left to save.
            let _ = syncer.join();
        }
        let _ = self.shared.file.sync_data();
    }
}

/// Takes the file for this process alone; the system lets go of it when the process ends.
fn lock(file: &File, log: &LogPlace) -> Result<(), LeagueError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => {
                return Err(LeagueError::Log {
                    path: log.to_string(),
                    why: error.to_string(),
                });
            }
        }
    }
    Err(LeagueError::InUse(log.to_string()))
}

/// Whether a process writes this file now.
pub(super) fn is_taken(live: &Path) -> bool {
    // Closing the file lets go of it again.
    let file = File::open(live);
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

fn fault(path: &Path, error: &io::Error) -> LeagueError {
    LeagueError::Log {
        path: path.display().to_string(),
        why: error.to_string(),
    }
}
