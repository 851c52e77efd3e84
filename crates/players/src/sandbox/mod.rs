//! What keeps a bot from harming the machine: on Linux limits, Landlock, bubblewrap or namespaces,
//! elsewhere nothing, which is said.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::str::FromStr;

#[cfg(not(target_os = "linux"))]
use elsewhere as system;
#[cfg(target_os = "linux")]
use linux as system;

pub(crate) use system::Confined;

/// How a bot is confined, from least to most; each has all of those before it that the system
/// offers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isolation {
    /// Nothing at all: what is to be had on other systems than Linux.
    Nothing,
    /// Limits on memory, files and processes, no new privileges and no network.
    Limits,
    /// Landlock: reads its own folder, its interpreter and libraries, writes to its scratch folder.
    Landlock,
    /// Bubblewrap: there is nothing else to be read, no other process, and a scratch folder of
    /// limited size.
    Bubblewrap,
    /// Namespaces that we make ourselves: the same, with a limit to the number of processes, and
    /// nobody in between who keeps the bot's output open.
    Namespaces,
}

impl Isolation {
    const ALL: [Isolation; 5] = [
        Isolation::Nothing,
        Isolation::Limits,
        Isolation::Landlock,
        Isolation::Bubblewrap,
        Isolation::Namespaces,
    ];

    fn word(self) -> &'static str {
        match self {
            Isolation::Nothing => "none",
            Isolation::Limits => "limits",
            Isolation::Landlock => "landlock",
            Isolation::Namespaces => "namespaces",
            Isolation::Bubblewrap => "bubblewrap",
        }
    }

    /// What confines bots at this level, to be told to the user.
    pub fn in_words(self) -> String {
        match self {
            Isolation::Nothing => {
                "nothing: on this system they can do what the user can".to_owned()
            }
            Isolation::Limits => {
                let counted = Isolation::counting();
                format!("{self} alone: they can read all files of the user; {counted}")
            }
            _ => format!("{self}, {}", Isolation::counting()),
        }
    }

    /// The most that this system offers.
    pub fn available() -> Isolation {
        let best = Isolation::ALL.into_iter().rev().find(|level| level.works());
        best.unwrap_or(Isolation::Nothing)
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
            format!("there is no isolation `{text}`; it is one of none, limits, landlock, bubblewrap and namespaces")
        })
    }
}

/// What a bot may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// Bytes of memory for all its processes together.
    pub memory: u64,
    /// Processes and threads.
    pub processes: u64,
    /// Bytes in each file it writes.
    pub file_size: u64,
    /// Bytes in its scratch folder.
    pub scratch: u64,
    /// Files open at a time.
    pub open_files: u64,
    /// The folder it starts in; `None`: ours.
    pub folder: Option<PathBuf>,
    /// What it finds in its environment besides the usual.
    pub env: Vec<(String, String)>,
    /// How many cores it may use of those that its game has; `None`: all.
    pub cores: Option<usize>,
    /// The level; `None`: the most that the system offers.
    pub isolation: Option<Isolation>,
}

impl Default for Sandbox {
    fn default() -> Sandbox {
        Sandbox {
            memory: 4 << 30,
            processes: 64,
            file_size: 64 << 20,
            scratch: 256 << 20,
            open_files: 256,
            folder: None,
            env: Vec::new(),
            cores: None,
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
}
