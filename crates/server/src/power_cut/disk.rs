//! A disk whose power can be cut: `SQLite` writes to real files as always, and everything that it
//! writes and waits for is recorded, so that a test can have what would be left of it at any point.
#![allow(unsafe_code)]

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::sync::{LazyLock, Mutex, MutexGuard, Once, PoisonError};

use rusqlite::ffi::{
    SQLITE_OK, sqlite3_file, sqlite3_filename, sqlite3_int64, sqlite3_io_methods, sqlite3_vfs,
    sqlite3_vfs_find, sqlite3_vfs_register,
};

/// Something that happened to a file.
#[derive(Clone, Debug)]
struct Deed {
    /// The file's name, without its folder.
    file: String,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Write {
        at: usize,
        bytes: Vec<u8>,
    },
    Cut {
        to: usize,
    },
    /// The file is deleted.
    Gone,
    /// All before is on the disk.
    Sync,
}

/// What a disk may keep of a write that nobody has waited for.
const SECTOR: usize = 512;

#[derive(Default)]
struct Record {
    /// The folder that is recorded.
    folder: String,
    deeds: Vec<Deed>,
    /// Open files of that folder, with what `SQLite` would do with them.
    files: HashMap<usize, (String, &'static sqlite3_io_methods)>,
}

impl Record {
    /// The name of a file without its folder, if it is recorded.
    ///
    /// # Safety
    ///
    /// The name is a C text.
    unsafe fn name(&self, path: *const c_char) -> Option<String> {
        // SAFETY: the caller says so.
        let path = unsafe { CStr::from_ptr(path) }.to_str().ok()?;
        let folder = Some(&self.folder).filter(|folder| !folder.is_empty())?;
        Some(
            path.strip_prefix(folder)?
                .trim_start_matches('/')
                .to_owned(),
        )
    }
}

static RECORD: LazyLock<Mutex<Record>> = LazyLock::new(Mutex::default);

fn record() -> MutexGuard<'static, Record> {
    RECORD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records what is written to files of this folder from now on, for one test at a time.
pub fn watch(folder: &Path) {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(register);
    let mut record = record();
    record.folder = folder.to_str().expect("plain text").to_owned();
    record.deeds.clear();
}

/// How much has happened so far.
pub fn now() -> usize {
    record().deeds.len()
}

/// The files as they may be if the power was cut after so many deeds: what was waited for is there;
/// of every later write a part, all or nothing is, as `chance` (which part of how many) has it.
pub fn after_cut(
    deeds: usize,
    mut chance: impl FnMut(usize) -> usize,
) -> BTreeMap<String, Vec<u8>> {
    let all = record().deeds[..deeds].to_vec();
    let mut safe = BTreeMap::new();
    for (at, deed) in all.iter().enumerate() {
        if matches!(deed.what, What::Sync) {
            safe.insert(&deed.file, at);
        }
    }
    // The first wait for a new file is one for its folder, and names are written in order.
    let names = safe.values().max().copied().unwrap_or_default();
    let mut files = BTreeMap::new();
    for (at, deed) in all.iter().enumerate() {
        let is_safe = safe.get(&deed.file).is_some_and(|safe| at < *safe);
        let file: &mut Vec<u8> = files.entry(deed.file.clone()).or_default();
        match &deed.what {
            What::Write { at, bytes } => {
                let sectors = bytes.len().div_ceil(SECTOR);
                let kept = match chance(3) {
                    _ if is_safe => sectors,
                    0 => 0,
                    1 => chance(sectors + 1),
                    _ => sectors,
                };
                let bytes = &bytes[..bytes.len().min(kept * SECTOR)];
                if !bytes.is_empty() {
                    file.resize(file.len().max(at + bytes.len()), 0);
                    file[*at..at + bytes.len()].copy_from_slice(bytes);
                }
            }
            What::Cut { to } if is_safe || chance(2) == 0 => file.resize(*to, 0),
            What::Gone if at < names || chance(2) == 0 => drop(files.remove(&deed.file)),
            What::Cut { .. } | What::Gone | What::Sync => (),
        }
    }
    files
}

/// Puts ourselves between `SQLite` and the system.
fn register() {
    // SAFETY: the system's own way is never unregistered; ours is a copy of it that lives for ever
    // and differs in how files are opened.
    unsafe {
        let system = sqlite3_vfs_find(std::ptr::null());
        let ours = Box::leak(Box::new(*system));
        ours.zName = c"recorded".as_ptr();
        ours.xOpen = Some(open);
        ours.xDelete = Some(delete);
        assert_eq!(sqlite3_vfs_register(ours, 1), SQLITE_OK);
    }
}

/// Opens a file as the system does, and lies down between if it is one of ours.
unsafe extern "C" fn open(
    vfs: *mut sqlite3_vfs,
    name: sqlite3_filename,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    // SAFETY: all arguments are what SQLite would have handed to the system's own function, whose
    // place `vfs` has besides `xOpen`; a name is a C text.
    unsafe {
        let system = sqlite3_vfs_find(c"unix".as_ptr());
        let opened = (*system).xOpen.expect("a function")(vfs, name, file, flags, out);
        if opened != SQLITE_OK || name.is_null() {
            return opened;
        }
        let mut record = record();
        if let Some(short) = record.name(name) {
            let methods: &'static sqlite3_io_methods = &*(*file).pMethods;
            let ours = Box::leak(Box::new(*methods));
            ours.xWrite = Some(write);
            ours.xTruncate = Some(truncate);
            ours.xSync = Some(sync);
            ours.xClose = Some(close);
            (*file).pMethods = ours;
            record.files.insert(file as usize, (short, methods));
        }
        opened
    }
}

/// Deletes a file as the system does.
unsafe extern "C" fn delete(vfs: *mut sqlite3_vfs, name: *const c_char, sync: c_int) -> c_int {
    // SAFETY: as above.
    unsafe {
        let mut record = record();
        if let Some(file) = record.name(name) {
            let what = What::Gone;
            record.deeds.push(Deed { file, what });
        }
        drop(record);
        let system = sqlite3_vfs_find(c"unix".as_ptr());
        (*system).xDelete.expect("a function")(vfs, name, sync)
    }
}

/// The system's way with a file, after a deed is written down.
fn noted(file: *mut sqlite3_file, what: Option<What>) -> &'static sqlite3_io_methods {
    let mut record = record();
    let (name, methods) = record.files[&(file as usize)].clone();
    if let Some(what) = what {
        record.deeds.push(Deed { file: name, what });
    }
    methods
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    bytes: *const c_void,
    count: c_int,
    at: sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite says that `count` bytes are there, and calls us with files that we opened.
    unsafe {
        let told = std::slice::from_raw_parts(bytes.cast::<u8>(), count as usize).to_vec();
        let at_byte = at as usize;
        let methods = noted(
            file,
            Some(What::Write {
                at: at_byte,
                bytes: told,
            }),
        );
        methods.xWrite.expect("a function")(file, bytes, count, at)
    }
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    let methods = noted(file, Some(What::Cut { to: size as usize }));
    // SAFETY: the file is one that we opened, and the function is its own.
    unsafe { methods.xTruncate.expect("a function")(file, size) }
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    let methods = noted(file, Some(What::Sync));
    // SAFETY: the file is one that we opened, and the function is its own.
    unsafe { methods.xSync.expect("a function")(file, flags) }
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    let methods = noted(file, None);
    record().files.remove(&(file as usize));
    // SAFETY: the file is one that we opened, and the function is its own.
    unsafe { methods.xClose.expect("a function")(file) }
}
