//! Classes in Python files as players: the adapter is part of this program.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The interpreter, where nobody says otherwise.
const PYTHON: &str = "python3";
/// What names another one.
const CHOICE: &str = "KINGME_PYTHON";

macro_rules! embedded {
    ($($file:literal),* $(,)?) => {
        [$(($file, include_str!(concat!("../../python/", $file)))),*]
    };
}

/// The files of the adapter, as they lie in `python/`.
static FILES: &[(&str, &str)] = &embedded![
    "__main__.py",
    "kingme/__init__.py",
    "kingme/__main__.py",
    "kingme/bot.py",
    "kingme/clock.py",
    "kingme/console.py",
    "kingme/league.py",
    "kingme/line.py",
    "kingme/loader.py",
    "kingme/position.py",
    "kingme/sample.py",
    "kingme/search.py",
    "kingme/seat.py",
    "kingme/session.py",
];

/// The command that speaks Hub for a class in a Python file.
///
/// # Errors
///
/// If the adapter can't be written to a folder of the user's.
pub fn python_command(file: &str, class: &str) -> io::Result<Vec<String>> {
    let adapter = adapter()?.to_string_lossy().into_owned();
    Ok(vec![interpreter(), adapter, format!("{file}:{class}")])
}

fn interpreter() -> String {
    let choice = std::env::var(CHOICE).ok();
    let choice = choice.filter(|choice| !choice.is_empty());
    choice.unwrap_or_else(|| PYTHON.to_owned())
}

/// The folder with the adapter, written once for every run of this program.
fn adapter() -> io::Result<&'static Path> {
    static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| unpack().map_err(|error| error.to_string()));
    folder
        .as_deref()
        .map_err(|words| io::Error::other(words.clone()))
}

fn unpack() -> io::Result<PathBuf> {
    let folder = cache_folder().join(format!("python-{:016x}", fingerprint()));
    for (name, text) in FILES {
        let path = folder.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|there| there == *text) {
            continue;
        }
        std::fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        // Others may be writing the same file: each puts a whole one in place.
        let own = path.with_extension(format!("{}.new", std::process::id()));
        std::fs::write(&own, text)?;
        std::fs::rename(&own, &path)?;
    }
    Ok(folder)
}

/// A folder that is the user's own: in a shared one, others could put their files in place of ours.
fn cache_folder() -> PathBuf {
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let cache = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    let own = cache.map(|cache| cache.join("kingme"));
    own.filter(|folder| std::fs::create_dir_all(folder).is_ok())
        .unwrap_or_else(|| std::env::temp_dir().join(format!("kingme-{}", std::process::id())))
}

/// Differs between versions of the files, so that two of this program don't overwrite each other.
fn fingerprint() -> u64 {
    let bytes = FILES
        .iter()
        .flat_map(|(name, text)| name.bytes().chain(text.bytes()));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_package_is_embedded() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/kingme");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if Path::new(&name).extension() == Some("py".as_ref()) {
                let name = format!("kingme/{name}");
                assert!(
                    FILES.iter().any(|(file, _)| *file == name),
                    "{name} is not embedded"
                );
            }
        }
    }
}
