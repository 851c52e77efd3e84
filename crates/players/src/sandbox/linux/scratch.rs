//! A folder that a bot may write to.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;

/// How the names of these folders begin; the number of our process and one of the folder follow.
const PREFIX: &str = "kingme-bot-";

/// A folder for one bot, removed with it.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new() -> io::Result<Scratch> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        static CLEARED: Once = Once::new();
        let folder = std::env::temp_dir();
        CLEARED.call_once(|| clear(&folder));
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{PREFIX}{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Scratch(std::fs::canonicalize(path)?))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Removes what runs that were killed have left behind.
fn clear(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        if is_left_behind(&entry.file_name().to_string_lossy()) {
            remove(&entry.path());
        }
    }
}

/// Whether the process that a folder is named after has ended.
fn is_left_behind(name: &str) -> bool {
    let numbers = name
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.split_once('-'));
    let process = numbers.and_then(|(process, _)| process.parse().ok());
    process.is_some_and(|process| kill(Pid::from_raw(process), None) == Err(Errno::ESRCH))
}

fn remove(path: &Path) {
    // What can't be removed is in a temporary folder anyway.
    let _ = std::fs::remove_dir_all(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_dead_have_left_is_cleared_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let mut dead = std::process::Command::new("true").spawn().unwrap();
        dead.wait().unwrap();
        let names = [
            format!("{PREFIX}{}-0", dead.id()),
            format!("{PREFIX}{}-0", std::process::id()),
            format!("{PREFIX}mine-0"),
            "kingme-0-0".to_owned(),
        ];
        for name in &names {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        std::fs::write(folder.path().join(&names[0]).join("file"), "text").unwrap();
        clear(folder.path());
        let left = names.map(|name| folder.path().join(name).exists());
        assert_eq!(left, [false, true, true, true]);
    }
}
