//! A league's folder as it travels to those who play its games: packed, known by its hash.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use kingme_arena::sha256;

/// What a league's file is called in its bundle, whatever it is called at home.
pub(crate) const LEAGUE: &str = ".kingme-league.toml";

/// No folder of a league is so large: programs, openings and evaluations.
const LARGEST: u64 = 64 << 20;
/// And it has no more files.
const MOST_FILES: usize = 5000;

/// Why a league's folder can't travel.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// It can't be read, or written.
    #[error("{path}: {error}")]
    Io {
        /// What.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is too large.
    #[error(
        "the folder of the league, {0}, has more than 64 MB or 5,000 files, and all of it goes to the \
         workers; give the league a folder of its own"
    )]
    TooLarge(PathBuf),
    /// It is not what was asked for.
    #[error("what came is not the folder that was asked for")]
    Damaged,
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> BundleError {
    let path = path.to_owned();
    move |error| BundleError::Io { path, error }
}

/// Packs the text of a league's file with its folder, if that is needed, and says what it is known
/// by. The same folder has the same hash. What is hidden and what belongs to logs stays at home.
///
/// # Errors
///
/// If it can't be read, or is too large.
pub fn pack(folder: Option<&Path>, league: &str) -> Result<(String, Vec<u8>), BundleError> {
    let mut files = Vec::new();
    if let Some(folder) = folder {
        gather(folder, Path::new(""), &mut files)?;
    }
    let folder = folder.unwrap_or(Path::new(""));
    files.sort();
    let mut archive = tar::Builder::new(Vec::new());
    archive.mode(tar::HeaderMode::Deterministic);
    add(&mut archive, Path::new(LEAGUE), 0o644, league.as_bytes()).map_err(at(folder))?;
    let mut total = league.len() as u64;
    for name in &files {
        let path = folder.join(name);
        let mut contents = Vec::new();
        let file = File::open(&path).map_err(at(&path))?;
        let mode = mode_of(&file).map_err(at(&path))?;
        let room = LARGEST.saturating_sub(total) + 1;
        file.take(room)
            .read_to_end(&mut contents)
            .map_err(at(&path))?;
        total += contents.len() as u64;
        if total > LARGEST {
            return Err(BundleError::TooLarge(folder.to_owned()));
        }
        add(&mut archive, name, mode, &contents).map_err(at(&path))?;
    }
    let archive = archive.into_inner().map_err(at(folder))?;
    let packed = zstd::encode_all(archive.as_slice(), 3).map_err(at(folder))?;
    Ok((sha256(&packed), packed))
}

fn add(
    archive: &mut tar::Builder<Vec<u8>>,
    name: &Path,
    mode: u32,
    contents: &[u8],
) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(contents.len() as u64);
    header.set_mode(mode);
    archive.append_data(&mut header, name, contents)
}

#[cfg(unix)]
fn mode_of(file: &File) -> io::Result<u32> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata()?.permissions().mode();
    // Whether it may be run is all that matters.
    Ok(if mode & 0o100 == 0 { 0o644 } else { 0o755 })
}

#[cfg(not(unix))]
fn mode_of(_file: &File) -> io::Result<u32> {
    Ok(0o755)
}

/// Whether a file or folder of a league stays at home.
fn stays(name: &str) -> bool {
    let is_log = [".db", ".db-wal", ".db-shm", ".db-live", ".bots"];
    let is_made = ["__pycache__", "target", "node_modules"];
    name.starts_with('.')
        || is_log.iter().any(|ending| name.ends_with(ending))
        || is_made.contains(&name)
}

fn gather(folder: &Path, below: &Path, files: &mut Vec<PathBuf>) -> Result<(), BundleError> {
    let here = folder.join(below);
    for entry in fs::read_dir(&here).map_err(at(&here))? {
        let entry = entry.map_err(at(&here))?;
        let name = entry.file_name();
        if stays(&name.to_string_lossy()) {
            continue;
        }
        let path = below.join(&name);
        // Links are followed to files only: a folder may lead back to itself.
        let kind = entry.file_type().map_err(at(&here))?;
        if kind.is_dir() {
            gather(folder, &path, files)?;
        } else if folder.join(&path).is_file() {
            files.push(path);
        }
        if files.len() > MOST_FILES {
            return Err(BundleError::TooLarge(folder.to_owned()));
        }
    }
    Ok(())
}

/// Unpacks a folder that came under a hash.
///
/// # Errors
///
/// If it is another one, or can't be written.
pub fn unpack(hash: &str, packed: &[u8], folder: &Path) -> Result<(), BundleError> {
    if sha256(packed) != hash {
        return Err(BundleError::Damaged);
    }
    let archive = zstd::Decoder::new(packed).map_err(at(folder))?;
    let archive = archive.take(2 * LARGEST);
    tar::Archive::new(archive)
        .unpack(folder)
        .map_err(at(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_comes_out_as_it_went_in() {
        let from = tempfile::tempdir().unwrap();
        let home = from.path();
        fs::create_dir_all(home.join("bots/ada")).unwrap();
        fs::write(home.join("bots/ada/bot.py"), "print()").unwrap();
        fs::write(home.join("book.pdn"), "1. 32-28 *").unwrap();
        for hidden in ["class.db", "class.db-wal", ".secret"] {
            fs::write(home.join(hidden), "x").unwrap();
        }
        let (hash, packed) = pack(Some(home), "name = \"Class\"").unwrap();
        assert_eq!(pack(Some(home), "name = \"Class\"").unwrap().0, hash);
        assert_ne!(pack(Some(home), "name = \"Other\"").unwrap().0, hash);
        let to = tempfile::tempdir().unwrap();
        unpack(&hash, &packed, to.path()).unwrap();
        let read = |name: &str| fs::read_to_string(to.path().join(name)).ok();
        assert_eq!(read("bots/ada/bot.py").as_deref(), Some("print()"));
        assert_eq!(read("book.pdn").as_deref(), Some("1. 32-28 *"));
        assert_eq!(read(LEAGUE).as_deref(), Some("name = \"Class\""));
        assert_eq!(read("class.db").or(read(".secret")), None);
        let (alone, _) = pack(None, "name = \"Class\"").unwrap();
        assert_ne!(
            alone, hash,
            "the folder makes a difference where it is needed"
        );
        let wrong = unpack(&hash, &packed[1..], to.path()).unwrap_err();
        assert!(matches!(wrong, BundleError::Damaged), "{wrong}");
    }

    #[test]
    fn a_folder_that_is_too_large_stays_at_home() {
        let from = tempfile::tempdir().unwrap();
        let large = File::create(from.path().join("large")).unwrap();
        large.set_len(LARGEST + 1).unwrap();
        let error = pack(Some(from.path()), "").unwrap_err().to_string();
        assert!(error.contains("more than 64 MB"), "{error}");
    }
}
