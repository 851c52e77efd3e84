//! What all processes of a bot use together, where no control group counts it: it is looked at a
//! few times a second, and who uses more is ended.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::unistd::Pid;

use super::processes;

/// How often it is looked at.
pub(super) const PERIOD: Duration = Duration::from_millis(100);

/// A scratch folder with more files than this is full, whatever is in them.
const MOST_FILES: usize = 10_000;

/// The most that all processes of a bot may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    pub memory: u64,
    pub processes: u64,
    /// Its scratch folder and the bytes in it, where that is on a disk.
    pub scratch: Option<(PathBuf, u64)>,
}

impl Budget {
    /// What the processes below one use too much of, if anything.
    pub fn exceeded(&self, child: Pid) -> Option<String> {
        let all = processes::below(child);
        let count: u64 = all.iter().map(|&pid| threads(pid)).sum();
        if count > self.processes {
            return Some(format!("more than {} processes", self.processes));
        }
        let memory = |of: fn(Pid) -> u64| all.iter().map(|&pid| of(pid)).sum::<u64>();
        // What they share is counted with each at first, and by its share if that is too much.
        if memory(resident) > self.memory && memory(proportional) > self.memory {
            let megabytes = self.memory >> 20;
            return Some(format!(
                "more than {megabytes} MB of memory in all its processes"
            ));
        }
        let (folder, most) = self.scratch.as_ref()?;
        let (bytes, files) = contents(folder);
        let is_full = bytes > *most || files > MOST_FILES;
        is_full.then(|| format!("more than {} MB of scratch space", most >> 20))
    }
}

/// Whoever has ended uses nothing.
fn threads(pid: Pid) -> u64 {
    let threads = fs::read_dir(format!("/proc/{pid}/task"));
    threads.map_or(0, |threads| threads.count() as u64)
}

/// Bytes in memory that are in no file.
fn resident(pid: Pid) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let mut pages = text
        .split(' ')
        .skip(1)
        .filter_map(|word| word.parse::<u64>().ok());
    let (all, in_files) = (pages.next().unwrap_or(0), pages.next().unwrap_or(0));
    all.saturating_sub(in_files) * page_size()
}

/// The same, of what several have in common each its share; as above where we may not see it.
fn proportional(pid: Pid) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("Pss_Anon:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.map_or_else(|| resident(pid), |kilobytes| kilobytes << 10)
}

fn page_size() -> u64 {
    let size = nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE);
    size.ok().flatten().map_or(4096, |size| size as u64)
}

/// The bytes and the number of files in a folder, counted until there are too many.
fn contents(folder: &Path) -> (u64, usize) {
    use std::os::unix::fs::MetadataExt;
    let (mut bytes, mut files) = (0, 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            files += 1;
            if files > MOST_FILES {
                return (bytes, files);
            }
            let Ok(data) = entry.metadata() else { continue };
            bytes += data.blocks() * 512;
            if data.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    (bytes, files)
}
