//! The data folder: one server at a time, whole or not at all, and for its owner's eyes only.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kingme_data::DataError;
use rusqlite::{Connection, OpenFlags};

use crate::schema;

/// Why there is no data base.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder or a file in it.
    #[error("can't use `{}`: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Another server.
    #[error("another kingme uses the folder `{}`", .0.display())]
    InUse(PathBuf),
    /// Not what was written.
    #[error("the data base `{}` is damaged ({why}); bring a backup back with `kingme restore`", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Servers that share it.
    #[error("a server uses the data base at {0}; stop it first")]
    Served(String),
    /// Something in it.
    #[error("{0} is not empty; nothing was changed")]
    NotEmpty(String),
    /// There is something already.
    #[error("`{}` is there already; nothing was changed", .0.display())]
    Exists(PathBuf),
    /// Anything else that `SQLite` says.
    #[error("can't use the data base: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// Anything else that is wrong with a data base.
    #[error(transparent)]
    Database(#[from] DataError),
    /// Something is wrong with a league.
    #[error(transparent)]
    League(#[from] kingme_arena::league::LeagueError),
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    |error| StoreError::File { path, error }
}

/// A folder that is ours, until this is dropped or the process ends in whatever way.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Takes a folder, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// If another process has it, or it can't be used.
    pub fn take(path: &Path) -> Result<Folder, StoreError> {
        fs::create_dir_all(path).map_err(at(path))?;
        let lock = path.join("kingme.lock");
        let file = open_private(&lock).map_err(at(&lock))?;
        match file.try_lock() {
            Ok(()) => Ok(Folder {
                path: path.to_owned(),
                _lock: file,
            }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => Err(at(&lock)(error)),
        }
    }

    /// Where its data base is.
    pub fn database(&self) -> PathBuf {
        database_in(&self.path)
    }
}

fn database_in(folder: &Path) -> PathBuf {
    folder.join("kingme.db")
}

/// Whether a folder has a data base at all.
///
/// # Errors
///
/// If it has none.
pub(crate) fn look_for(folder: &Path) -> Result<(), StoreError> {
    let file = database_in(folder);
    fs::metadata(&file).map(drop).map_err(at(&file))
}

/// Files for their owner only.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// A file that is there afterwards, with what it had.
fn open_private(path: &Path) -> io::Result<File> {
    private(OpenOptions::new().create(true).truncate(false).write(true)).open(path)
}

/// Opens the data base in a file, which is made if it is not there, and looks whether it is whole.
///
/// # Errors
///
/// If it is not.
pub(crate) fn open(path: &Path) -> Result<Connection, StoreError> {
    let file = open_private(path).map_err(at(path))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Files of before may be open to everybody; what SQLite puts beside them follows suit.
        let owner = fs::Permissions::from_mode(0o600);
        file.set_permissions(owner).map_err(at(path))?;
    }
    drop(file);
    let connection = Connection::open(path)?;
    check(&connection, path)?;
    Ok(connection)
}

/// Whether a data base is what was written, and by a program like this one.
fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let damaged = |why: String| StoreError::Damaged {
        path: path.to_owned(),
        why,
    };
    let found: rusqlite::Result<String> =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0));
    match found {
        Ok(word) if word == "ok" => is_known(connection),
        Ok(why) => Err(damaged(why)),
        Err(error) => Err(damaged(error.to_string())),
    }
}

/// Whether this program knows the tables of a file.
fn is_known(connection: &Connection) -> Result<(), StoreError> {
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let (found, known) = (found as usize, schema::TABLES.sqlite.len());
    if found > known {
        return Err(DataError::Newer { found, known }.into());
    }
    Ok(())
}

/// Copies the data base of a folder into a file, while a server may be using it.
///
/// # Errors
///
/// If there is none, or the file can't be written; a file that is there stays as it is.
pub fn backup(folder: &Path, file: &Path) -> Result<(), StoreError> {
    let from = database_in(folder);
    look_for(folder)?;
    let connection = Connection::open_with_flags(&from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(Duration::from_secs(30))?;
    check(&connection, &from)?;
    write_whole(file, |part| {
        let part = part.to_string_lossy();
        connection.execute("VACUUM INTO ?1", [&*part])?;
        Ok(())
    })
}

/// Puts a backup into a folder that has no data base.
///
/// # Errors
///
/// If it is no backup, the folder is in use or has a data base, or the copy can't be written.
pub fn restore(file: &Path, folder: &Path) -> Result<(), StoreError> {
    fs::metadata(file).map_err(at(file))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let connection = Connection::open_with_flags(file, flags)?;
    check(&connection, file)?;
    drop(connection);
    let folder = Folder::take(folder)?;
    write_whole(&folder.database(), |part| {
        fs::copy(file, part).map(drop).map_err(at(part))
    })
}

/// Makes a file that is whole or not there.
fn write_whole(
    path: &Path,
    write: impl FnOnce(&Path) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    if path.exists() {
        return Err(StoreError::Exists(path.to_owned()));
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    // What a killed run has left behind.
    if part.exists() {
        fs::remove_file(&part).map_err(at(&part))?;
    }
    let made = private(OpenOptions::new().create_new(true).write(true)).open(&part);
    made.map_err(at(&part))?;
    let written = write(&part).and_then(|()| {
        let file = File::open(&part).map_err(at(&part))?;
        file.sync_all().map_err(at(&part))?;
        fs::rename(&part, path).map_err(at(path))
    });
    if written.is_err() {
        // The error is what matters; the next run clears this away as well.
        fs::remove_file(&part).unwrap_or_default();
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Database;
    use crate::store::Store;

    /// A folder with a data base that has a guest in it.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&database_in(folder.path())).unwrap();
        let guest = store.with_blocking(Database::add_guest);
        guest.unwrap();
        // All of it is in the one file, whenever the thread that has it lets go.
        let all = "PRAGMA wal_checkpoint(TRUNCATE)";
        store.with_blocking(|data| data.batch(all)).unwrap();
        folder
    }

    fn guests(folder: &Path) -> i64 {
        let connection = Connection::open(database_in(folder)).unwrap();
        let count = connection.query_row("SELECT count(*) FROM players", [], |row| row.get(0));
        count.unwrap()
    }

    #[test]
    fn a_folder_has_one_owner() {
        let folder = tempfile::tempdir().unwrap();
        let first = Folder::take(folder.path()).unwrap();
        let second = Folder::take(folder.path()).unwrap_err().to_string();
        let path = folder.path().display();
        assert_eq!(second, format!("another kingme uses the folder `{path}`"));
        drop(first);
        assert!(Folder::take(folder.path()).is_ok());
    }

    #[test]
    fn a_newer_data_base_is_refused_and_left_alone() {
        let folder = folder();
        let path = database_in(folder.path());
        let newer = Connection::open(&path).unwrap();
        newer.pragma_update(None, "user_version", 99).unwrap();
        drop(newer);
        let before = fs::read(&path).unwrap();
        let error = Store::open(&path).unwrap_err().to_string();
        assert!(error.starts_with("the data base is of version 99, and this kingme knows"));
        assert_eq!(fs::read(&path).unwrap(), before);
    }

    #[test]
    fn damage_is_found_at_the_start() {
        let folder = folder();
        let path = database_in(folder.path());
        let mut bytes = fs::read(&path).unwrap();
        bytes[5000..9000].fill(0xAB);
        fs::write(&path, bytes).unwrap();
        let error = Store::open(&path).unwrap_err().to_string();
        let begin = format!("the data base `{}` is damaged (", path.display());
        assert!(error.starts_with(&begin), "{error}");
        fs::write(&path, "this is no data base, and never was one").unwrap();
        let error = Store::open(&path).unwrap_err().to_string();
        assert!(error.starts_with(&begin), "{error}");
    }

    #[test]
    fn a_backup_is_made_in_use_and_brought_back() {
        let folder = folder();
        let in_use = Store::open(&database_in(folder.path())).unwrap();
        in_use.with_blocking(Database::add_guest).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let file = elsewhere.path().join("monday.db");
        backup(folder.path(), &file).unwrap();
        assert!(matches!(
            backup(folder.path(), &file),
            Err(StoreError::Exists(_))
        ));
        let new = elsewhere.path().join("new");
        restore(&file, &new).unwrap();
        assert_eq!(guests(&new), 2);
        assert!(matches!(restore(&file, &new), Err(StoreError::Exists(_))));
        assert_eq!(guests(&new), 2);
        let parts = fs::read_dir(&new).unwrap().flatten();
        assert!(!parts.into_iter().any(|entry| {
            let name = entry.file_name();
            name.to_string_lossy().ends_with(".part")
        }));
    }

    #[test]
    fn rubbish_is_not_restored() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rubbish");
        fs::write(&file, "rubbish").unwrap();
        let new = folder.path().join("new");
        assert!(matches!(
            restore(&file, &new),
            Err(StoreError::Damaged { .. })
        ));
        assert!(!database_in(&new).exists());
    }

    #[cfg(unix)]
    #[test]
    fn files_are_for_their_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder();
        let _owner = Folder::take(folder.path()).unwrap();
        let file = folder.path().join("backup");
        backup(folder.path(), &file).unwrap();
        for entry in fs::read_dir(folder.path()).unwrap().flatten() {
            let mode = entry.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{}", entry.path().display());
        }
    }
}
