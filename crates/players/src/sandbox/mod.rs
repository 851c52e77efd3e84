//! What keeps a bot from harming the machine: limits, Landlock, bubblewrap or namespaces.
//!
//! Every bot runs in a session of its own with limits on memory, files and processes and without a
//! way to gain privileges. Where the system allows it, Landlock lets it write to a scratch folder
//! only and keeps it off the network, and namespaces show it no other process and no network at
//! all, and end all it has started when it ends. Bubblewrap makes such namespaces where the system
//! allows it to and not us.

mod child;
mod confined;

use std::fmt;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr,
};

pub(crate) use confined::Confined;

/// How a bot is confined, from least to most; each has all of those before it that the system
/// offers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isolation {
    /// Limits on memory, files and processes, and no new privileges.
    Limits,
    /// Landlock: writes to its scratch folder only, no TCP.
    Landlock,
    /// Bubblewrap: no network, no other processes, a file system that can't be written.
    Bubblewrap,
    /// Namespaces that we make ourselves: the same, with Landlock, a limit to the number of
    /// processes, and nobody in between who keeps the bot's output open.
    Namespaces,
}

impl Isolation {
    const ALL: [Isolation; 4] = [
        Isolation::Limits,
        Isolation::Landlock,
        Isolation::Bubblewrap,
        Isolation::Namespaces,
    ];

    fn word(self) -> &'static str {
        match self {
            Isolation::Limits => "limits",
            Isolation::Landlock => "landlock",
            Isolation::Namespaces => "namespaces",
            Isolation::Bubblewrap => "bubblewrap",
        }
    }

    /// The most that this system offers.
    pub fn available() -> Isolation {
        let best = Isolation::ALL.into_iter().rev().find(|level| level.works());
        best.unwrap_or(Isolation::Limits)
    }

    /// Whether this level works here. It is tried once, with a program that does nothing: a system
    /// may have what it takes and not allow it, in a container for example.
    pub fn works(self) -> bool {
        static TRIED: [OnceLock<bool>; 4] = [const { OnceLock::new() }; 4];
        *TRIED[self as usize].get_or_init(|| Sandbox::default().try_level(self))
    }
}

impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Isolation {
    type Err = String;

    fn from_str(text: &str) -> Result<Isolation, String> {
        let level = Isolation::ALL
            .into_iter()
            .find(|level| level.word() == text);
        level.ok_or_else(|| {
            format!("there is no isolation `{text}`; it is one of limits, landlock, bubblewrap and namespaces")
        })
    }
}

/// What a bot may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// Bytes of memory for each of its processes.
    pub memory: u64,
    /// Processes and threads, where the system counts them for one bot alone.
    pub processes: u64,
    /// Bytes in each file it writes.
    pub file_size: u64,
    /// Files open at a time.
    pub open_files: u64,
    /// The folder it starts in; `None`: ours.
    pub folder: Option<PathBuf>,
    /// The level; `None`: the most that the system offers.
    pub isolation: Option<Isolation>,
}

impl Default for Sandbox {
    fn default() -> Sandbox {
        Sandbox {
            memory: 4 << 30,
            processes: 64,
            file_size: 64 << 20,
            open_files: 256,
            folder: None,
            isolation: None,
        }
    }
}

/// A started bot and our ends of its pipes, which never block.
pub(crate) type Started = (Confined, ChildStdin, ChildStdout, ChildStderr);

impl Sandbox {
    /// Starts a program.
    pub(crate) fn spawn(&self, command: &[String]) -> io::Result<Started> {
        let isolation = self.isolation.unwrap_or_else(Isolation::available);
        self.spawn_at(isolation, command)
    }

    fn spawn_at(&self, isolation: Isolation, command: &[String]) -> io::Result<Started> {
        let scratch = Scratch::new()?;
        let mut process = self.command(isolation, command, scratch.path());
        let landlock = match isolation {
            Isolation::Landlock | Isolation::Namespaces => Some(ruleset(scratch.path())?),
            // Bubblewrap has to mount, which Landlock would forbid.
            Isolation::Limits | Isolation::Bubblewrap => None,
        };
        let plan = child::Plan::new(self, isolation, landlock);
        confine(&mut process, plan);
        let mut running = process.spawn()?;
        let pipes = "the pipes were asked for";
        let stdin = running.stdin.take().expect(pipes);
        let stdout = running.stdout.take().expect(pipes);
        let stderr = running.stderr.take().expect(pipes);
        for file in [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()] {
            child::never_block(file)?;
        }
        Ok((
            Confined::new(&running, self, isolation, scratch),
            stdin,
            stdout,
            stderr,
        ))
    }

    fn command(&self, isolation: Isolation, command: &[String], scratch: &Path) -> Command {
        let mut process = if isolation == Isolation::Bubblewrap {
            bubblewrap(scratch, self.folder.as_deref(), command)
        } else {
            let mut process = Command::new(command.first().map_or("", String::as_str));
            process.args(command.iter().skip(1));
            process
        };
        if let Some(folder) = &self.folder {
            process.current_dir(folder);
        }
        process
            .env("TMPDIR", scratch)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        process
    }

    /// Whether a level works here: a program that does nothing is started in it.
    fn try_level(&self, isolation: Isolation) -> bool {
        let nothing = ["true".to_owned()];
        self.spawn_at(isolation, &nothing)
            .is_ok_and(|(mut confined, ..)| confined.ended_well())
    }
}

/// Has the plan carried out between fork and exec.
#[allow(unsafe_code)]
fn confine(process: &mut Command, mut plan: child::Plan) {
    // SAFETY: between fork and exec the plan makes system calls only; all it needs in memory was
    // made before the fork.
    unsafe {
        process.pre_exec(move || plan.carry_out());
    }
}

fn bubblewrap(scratch: &Path, folder: Option<&Path>, command: &[String]) -> Command {
    let mut process = Command::new("bwrap");
    process
        .args([
            "--unshare-user",
            "--unshare-pid",
            "--unshare-net",
            "--unshare-ipc",
            "--unshare-uts",
        ])
        .args(["--cap-drop", "ALL", "--die-with-parent", "--new-session"])
        .args(["--ro-bind", "/", "/"])
        .args(["--dev", "/dev", "--proc", "/proc"]);
    process.arg("--bind").arg(scratch).arg(scratch);
    if let Some(folder) = folder {
        process.arg("--chdir").arg(folder);
    }
    process.arg("--").args(command);
    process
}

/// Reading everywhere, writing in the scratch folder, no TCP.
fn ruleset(scratch: &Path) -> io::Result<RulesetCreated> {
    let make = || {
        let abi = ABI::V5;
        let created = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(ABI::V1))?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(abi))?
            .handle_access(AccessNet::from_all(abi))?
            .create()?;
        let writing = AccessFs::from_all(abi);
        let device = AccessFs::from_file(abi);
        let root = PathBeneath::new(PathFd::new("/")?, AccessFs::from_read(abi));
        let mut created = created
            .add_rule(root)?
            .add_rule(PathBeneath::new(PathFd::new(scratch)?, writing))?;
        for path in ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"] {
            if let Ok(file) = PathFd::new(path) {
                created = created.add_rule(PathBeneath::new(file, device))?;
            }
        }
        Ok(created)
    };
    make().map_err(|error: Box<dyn std::error::Error + Send + Sync>| io::Error::other(error))
}

/// A folder for one bot, removed with it.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    fn new() -> io::Result<Scratch> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("kingme-bot-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path)?;
        Ok(Scratch(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }

    /// What the environment of the bot says of it.
    fn mark(&self) -> Vec<u8> {
        [b"TMPDIR=", self.0.as_os_str().as_encoded_bytes()].concat()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What can't be removed is in a temporary folder anyway.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
