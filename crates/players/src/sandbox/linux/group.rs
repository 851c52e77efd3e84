//! A control group for a bot (cgroup v2): memory and processes are counted for all it has started.

#![allow(unsafe_code)]

use std::fs;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::Sandbox;

/// Both have to be there: half a limit is none.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// The group of one bot, removed with it.
#[derive(Debug)]
pub(super) struct Group(PathBuf);

impl Group {
    /// Whether we may make groups here. It is tried once, with a program that does nothing.
    pub fn works() -> bool {
        parent().is_some()
    }

    /// A new group; `None` where we may not make any.
    pub fn new(sandbox: &Sandbox) -> io::Result<Option<Group>> {
        let made = parent().map(|parent| Group::below(parent, sandbox));
        made.transpose()
    }

    fn below(parent: &Path, sandbox: &Sandbox) -> io::Result<Group> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!("kingme-bot-{}-{number}", std::process::id()));
        fs::create_dir(&folder)?;
        let group = Group(folder);
        group.limit(sandbox)?;
        Ok(group)
    }

    fn limit(&self, sandbox: &Sandbox) -> io::Result<()> {
        self.write("memory.max", sandbox.memory)?;
        self.write("pids.max", sandbox.processes)?;
        // Not every system swaps, and none has to tell one process of a group from another.
        for (file, value) in [("memory.swap.max", 0), ("memory.oom.group", 1)] {
            match self.write(file, value) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                written => written?,
            }
        }
        Ok(())
    }

    fn write(&self, file: &str, value: u64) -> io::Result<()> {
        let mut options = fs::File::options();
        let mut file = options.write(true).open(self.0.join(file))?;
        file.write_all(value.to_string().as_bytes())
    }

    /// Where a process writes `0` to join it.
    pub fn door(&self) -> io::Result<fs::File> {
        fs::File::options()
            .write(true)
            .open(self.0.join("cgroup.procs"))
    }

    /// What all its processes have computed; `None` where the system does not count that.
    pub fn cpu_time(&self) -> Option<Duration> {
        let counts = fs::read_to_string(self.0.join("cpu.stat")).ok()?;
        let mut counts = counts
            .lines()
            .filter_map(|line| line.strip_prefix("usage_usec "));
        counts
            .next()?
            .trim()
            .parse()
            .ok()
            .map(Duration::from_micros)
    }

    /// Whether a process was ended because there was no memory left for all of them.
    pub fn ran_out_of_memory(&self) -> bool {
        let events = fs::read_to_string(self.0.join("memory.events")).unwrap_or_default();
        let mut counts = events
            .lines()
            .filter_map(|line| line.strip_prefix("oom_kill "));
        counts.any(|count| count.trim() != "0")
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // It is empty by now; if it is not, somebody else has joined it, and it stays.
        let _ = fs::remove_dir(&self.0);
    }
}

/// The nearest group above us that hands both controllers on and lets us make another below it.
fn parent() -> Option<&'static Path> {
    static PARENT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = PARENT.get_or_init(|| {
        let (top, own) = own_group()?;
        let above = own.ancestors().take_while(|group| group.starts_with(&top));
        above.map(Path::to_owned).find(|group| can_be_parent(group))
    });
    found.as_deref()
}

/// Where control groups are mounted, and our own among them.
fn own_group() -> Option<(PathBuf, PathBuf)> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let line = mounts.lines().find(|line| line.contains(" - cgroup2 "))?;
    let mut fields = line.split(' ').skip(3);
    let (root, top) = (fields.next()?, PathBuf::from(fields.next()?));
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let inside = Path::new(own).strip_prefix(root).ok()?;
    let own = top.join(inside);
    Some((top, own))
}

fn can_be_parent(group: &Path) -> bool {
    let handed_on = fs::read_to_string(group.join("cgroup.subtree_control")).unwrap_or_default();
    let has = |name: &&str| handed_on.split_whitespace().any(|other| other == *name);
    CONTROLLERS.iter().all(has) && try_below(group).is_ok_and(|joined| joined)
}

/// Whether a program can be started in a group below this one.
fn try_below(parent: &Path) -> io::Result<bool> {
    let group = Group::below(parent, &Sandbox::default())?;
    let mut door = group.door()?;
    let mut nothing = Command::new("true");
    nothing.stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: one system call between fork and exec.
    unsafe { nothing.pre_exec(move || door.write_all(b"0")) };
    Ok(nothing.status()?.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plain folder in place of a group: most systems where tests run have none to write to.
    fn folder_with(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            fs::write(folder.path().join(file), "").unwrap();
        }
        folder
    }

    #[test]
    fn the_limits_are_those_of_the_sandbox() {
        let sandbox = Sandbox {
            memory: 1000,
            processes: 7,
            ..Sandbox::default()
        };
        let folder = folder_with(&["memory.max", "pids.max", "memory.oom.group"]);
        Group(folder.path().to_owned()).limit(&sandbox).unwrap();
        let read = |file| fs::read_to_string(folder.path().join(file)).unwrap();
        let limits = ["memory.max", "pids.max", "memory.oom.group"].map(read);
        assert_eq!(limits, ["1000", "7", "1"]);
    }

    #[test]
    fn a_limit_that_can_not_be_set_is_an_error() {
        let folder = folder_with(&["memory.max"]);
        let limited = Group(folder.path().to_owned()).limit(&Sandbox::default());
        assert_eq!(limited.unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn what_the_system_says_of_memory_is_read() {
        let folder = folder_with(&[]);
        let group = Group(folder.path().to_owned());
        for (events, expected) in [
            ("oom 1\noom_kill 0\n", false),
            ("oom 1\noom_kill 2\n", true),
        ] {
            fs::write(folder.path().join("memory.events"), events).unwrap();
            assert_eq!(group.ran_out_of_memory(), expected);
        }
    }

    #[test]
    fn what_the_system_says_of_time_is_read() {
        let folder = folder_with(&[]);
        let group = Group(folder.path().to_owned());
        assert_eq!(group.cpu_time(), None);
        fs::write(
            folder.path().join("cpu.stat"),
            "usage_usec 1500\nuser_usec 900\n",
        )
        .unwrap();
        assert_eq!(group.cpu_time(), Some(Duration::from_micros(1500)));
    }

    #[test]
    fn a_plain_folder_is_no_parent() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!can_be_parent(folder.path()));
        fs::write(
            folder.path().join("cgroup.subtree_control"),
            "cpu memory pids\n",
        )
        .unwrap();
        assert!(!can_be_parent(folder.path()));
    }
}
