//! The live file: every event of the games in progress, a line each, appended with one system call
//! before anybody hears of it. A process that is killed leaves it whole.

use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::LeagueError;
use super::lines::Event;

/// How often the file is made safe against a power cut.
const SYNC: Duration = Duration::from_secs(1);
/// A reader who asks whether the league is being played holds the file for a moment.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// A header has fewer bytes than this.
const HEADER: usize = 128;

/// What the first line says: whose file it is, and how often it was emptied. Who follows the file
/// sees by that number that it has begun anew.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub league: u64,
    pub epoch: u64,
}

impl Header {
    const MARK: &str = "kingme league, live, 1";

    fn write(self) -> String {
        format!("{}\t{:016x}\t{}\n", Header::MARK, self.league, self.epoch)
    }

    fn read(line: &str) -> Option<Header> {
        let rest = line.strip_prefix(Header::MARK)?.strip_prefix('\t')?;
        let (league, epoch) = rest.trim_end().split_once('\t')?;
        Some(Header {
            league: u64::from_str_radix(league, 16).ok()?,
            epoch: epoch.parse().ok()?,
        })
    }
}

/// The live file of a log.
pub(super) fn path_of(log: &Path) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push("-live");
    PathBuf::from(name)
}

/// The live file in the hands of the one process that writes it.
#[derive(Debug)]
pub(super) struct Live {
    shared: Arc<Shared>,
    path: PathBuf,
    syncer: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    file: File,
    /// Something was written since the last sync.
    dirty: AtomicBool,
    /// A line was not written whole; nothing may follow it.
    broken: AtomicBool,
    done: AtomicBool,
}

impl Live {
    /// Opens the file, and keeps all others from writing it.
    pub fn open(log: &Path) -> Result<Live, LeagueError> {
        let path = path_of(log);
        let fault = |error| fault(&path, &error);
        let mut options = File::options();
        let options = options.create(true).read(true).append(true);
        let file = options.open(&path).map_err(fault)?;
        lock(&file, log)?;
        let shared = Arc::new(Shared {
            file,
            dirty: AtomicBool::new(false),
            broken: AtomicBool::new(false),
            done: AtomicBool::new(false),
        });
        let syncer = Arc::clone(&shared);
        Ok(Live {
            shared,
            path: path.clone(),
            syncer: Some(thread::spawn(move || syncer.keep_safe())),
        })
    }

    /// The header that a run before has left; `None` in a new file, or in one that was emptied
    /// when the power went.
    pub fn header(&self) -> Result<Option<Header>, LeagueError> {
        let line = first_line(&self.shared.file).map_err(|error| self.fault(&error))?;
        match (line.ends_with('\n'), Header::read(&line)) {
            (false, _) => Ok(None),
            (true, Some(header)) => Ok(Some(header)),
            (true, None) => Err(LeagueError::Log {
                path: self.path.display().to_string(),
                why: "this is not the live file of a league".to_owned(),
            }),
        }
    }

    /// Every event that a run before has left, up to the first line that is not whole.
    pub fn each_event(&self, mut on_event: impl FnMut(Event)) -> Result<(), LeagueError> {
        let mut file = &self.shared.file;
        let mut read = || {
            file.seek(SeekFrom::Start(0))?;
            let mut reader = BufReader::new(file);
            let mut line = Vec::new();
            reader.read_until(b'\n', &mut line)?;
            loop {
                line.clear();
                reader.read_until(b'\n', &mut line)?;
                match whole_line(&line).and_then(Event::read) {
                    Some(event) => on_event(event),
                    None => return Ok(()),
                }
            }
        };
        read().map_err(|error: io::Error| self.fault(&error))
    }

    /// Begins anew: all that was written is safe elsewhere.
    pub fn reset(&self, header: Header) -> Result<(), LeagueError> {
        let file = &self.shared.file;
        let done = file.set_len(0);
        done.map_err(|error| self.fault(&error))?;
        self.append(&header.write())?;
        file.sync_data().map_err(|error| self.fault(&error))
    }

    /// Adds whole lines. They survive the end of this process at once, and a power cut after a
    /// second.
    pub fn append(&self, lines: &str) -> Result<(), LeagueError> {
        let shared = &self.shared;
        if shared.broken.load(Ordering::Acquire) {
            let why = io::Error::other("a write has failed before");
            return Err(self.fault(&why));
        }
        // In append mode one call writes one piece, whatever other threads write.
        let written = (&shared.file).write(lines.as_bytes());
        match written {
            Ok(count) if count == lines.len() => {
                shared.dirty.store(true, Ordering::Release);
                Ok(())
            }
            partly => {
                shared.broken.store(true, Ordering::Release);
                let full = io::Error::from(io::ErrorKind::StorageFull);
                Err(self.fault(&partly.err().unwrap_or(full)))
            }
        }
    }

    /// How many bytes there are.
    pub fn bytes(&self) -> u64 {
        self.shared.file.metadata().map_or(0, |data| data.len())
    }

    fn fault(&self, error: &io::Error) -> LeagueError {
        fault(&self.path, error)
    }
}

/// The first line of a live file, or as much of it as there is.
fn first_line(file: &File) -> io::Result<String> {
    let mut start = [0; HEADER];
    let count = file.read_at(&mut start, 0)?;
    let text = String::from_utf8_lossy(&start[..count]);
    Ok(text
        .split_inclusive('\n')
        .next()
        .unwrap_or_default()
        .to_owned())
}

/// The epoch of a live file; 0 for one that is just being emptied.
pub(super) fn epoch(file: &File) -> u64 {
    let line = first_line(file).unwrap_or_default();
    Header::read(&line).map_or(0, |header| header.epoch)
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

impl Drop for Live {
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
fn lock(file: &File, log: &Path) -> Result<(), LeagueError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => return Err(fault(log, &error)),
        }
    }
    Err(LeagueError::InUse(log.display().to_string()))
}

/// Whether a process plays the league of this log now.
pub(super) fn is_taken(log: &Path) -> bool {
    // Closing the file lets go of it again.
    let file = File::open(path_of(log));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

fn fault(path: &Path, error: &io::Error) -> LeagueError {
    LeagueError::Log {
        path: path.display().to_string(),
        why: error.to_string(),
    }
}
