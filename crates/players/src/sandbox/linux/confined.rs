//! A started bot: how it ended, and ending it with all it has started.

#![allow(unsafe_code)]

use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::process::Child;
use std::sync::Arc;
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use nix::unistd::Pid;

use super::budget::Budget;
use super::group::Group;
use super::keeper::code_of;
use super::leash::Leash;
use super::{Isolation, Sandbox, Scratch, processes};
use crate::PlayerFault;

/// How long a bot that has closed its output has to end.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// Processes beside a bot that are not its own: keepers, and bubblewrap's.
const KEEPERS: u64 = 2;

/// A started bot with all its descendants; dropping it ends them.
#[derive(Debug)]
pub(crate) struct Confined {
    pid: Pid,
    memory: u64,
    file_size: u64,
    isolation: Isolation,
    end: Option<Exit>,
    leash: Arc<Leash>,
    group: Option<Group>,
    _scratch: Scratch,
}

/// How a process ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Exit {
    /// The exit status; 128 and more are signals, as shells count them.
    code: i32,
    /// The most bytes it had in memory.
    memory: u64,
}

impl Confined {
    pub(super) fn new(
        child: &Child,
        sandbox: &Sandbox,
        isolation: Isolation,
        orders: OwnedFd,
        scratch: Scratch,
        group: Option<Group>,
    ) -> Confined {
        let pid = Pid::from_raw(child.id() as i32);
        let on_disk = isolation < Isolation::Bubblewrap;
        let budget = Budget {
            memory: sandbox.memory,
            processes: sandbox.processes + KEEPERS,
            scratch: on_disk.then(|| (scratch.path().to_owned(), sandbox.scratch)),
        };
        let budget = Some(budget).filter(|_| group.is_none() || on_disk);
        Confined {
            pid,
            memory: sandbox.memory,
            file_size: sandbox.file_size,
            isolation,
            end: None,
            leash: Leash::new(pid, isolation.realm(), orders, budget),
            group,
            _scratch: scratch,
        }
    }

    pub(crate) fn isolation(&self) -> Isolation {
        self.isolation
    }

    /// Ends it with all it has started, and waits until nothing of it is left.
    pub(crate) fn kill(&mut self) {
        if self.end.is_some() {
            return;
        }
        self.leash.end();
        self.end = self.wait(0);
    }

    /// It may compute from now on.
    pub(crate) fn start_turn(&self) {
        self.leash.start_turn();
    }

    /// It has nothing to do any more, and is halted soon.
    pub(crate) fn end_turn(&self) {
        self.leash.end_turn();
    }

    /// What all its processes have computed.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        let counted = self.group.as_ref().and_then(Group::cpu_time);
        counted.or_else(|| Some(processes::cpu_time(self.pid)))
    }

    /// Whether it ends by itself, soon, and without an error.
    pub(super) fn ended_well(&mut self) -> bool {
        self.wait_for(Duration::from_secs(5));
        self.end.is_some_and(|end| end.code == 0)
    }

    /// It has closed its output: how it ended. If it has not, it is ended.
    pub(crate) fn end_reason(&mut self) -> PlayerFault {
        self.wait_for(LAST_WORDS);
        let Some(end) = self.end else {
            self.kill();
            return PlayerFault::Protocol("it has closed its output".to_owned());
        };
        self.reason(end)
    }

    fn reason(&self, end: Exit) -> PlayerFault {
        if let Some(excess) = self.leash.excess() {
            return PlayerFault::Resources(excess.clone());
        }
        if self.group.as_ref().is_some_and(Group::ran_out_of_memory) {
            let megabytes = self.memory >> 20;
            let words = format!("more than {megabytes} MB of memory in all its processes");
            return PlayerFault::Resources(words);
        }
        if end.code == 128 + libc::SIGXFSZ {
            return PlayerFault::Resources(format!("a file of more than {} bytes", self.file_size));
        }
        // What it could not get is not in the count; half of the limit in use says enough.
        if end.code != 0 && end.memory > self.memory / 2 {
            return PlayerFault::Resources(format!("more than {} MB of memory", self.memory >> 20));
        }
        PlayerFault::Crashed(match end.code {
            0 => "it ended by itself".to_owned(),
            code if code > 128 => match Signal::try_from(code - 128) {
                Ok(signal) => format!("it was ended by {signal}"),
                Err(_) => format!("it ended with status {code}"),
            },
            code => format!("it ended with status {code}"),
        })
    }

    /// Waits a while for its end.
    fn wait_for(&mut self, time: Duration) {
        if self.end.is_none() {
            self.end = self.wait(libc::WNOHANG);
        }
        if self.end.is_none() {
            wait_for_exit(self.pid, time);
            self.end = self.wait(libc::WNOHANG);
        }
    }

    fn wait(&self, flags: libc::c_int) -> Option<Exit> {
        let mut status = 0;
        // SAFETY: a record of integers, for which zeros are a value.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: both pointers are to values of this function; the process is our child, and
        // nobody else waits for it.
        let pid = unsafe { libc::wait4(self.pid.as_raw(), &raw mut status, flags, &raw mut usage) };
        match pid {
            0 => None,
            // Somebody else has waited for it; it is gone in any case.
            -1 => Some(Exit { code: 0, memory: 0 }),
            _ => Some(Exit {
                code: code_of(status),
                memory: usage.ru_maxrss as u64 * 1024,
            }),
        }
    }
}

impl Drop for Confined {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Waits until a child of ours has ended, so long at the most.
fn wait_for_exit(pid: Pid, time: Duration) {
    // SAFETY: it takes two numbers; the process is our child, and nobody has waited for it yet.
    let handle = unsafe { libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0) };
    if handle < 0 {
        // A system that can't tell: it has all of its time.
        return std::thread::sleep(time);
    }
    // SAFETY: it was opened just now and is nobody else's.
    let handle = unsafe { OwnedFd::from_raw_fd(handle as i32) };
    let mut ends = [PollFd::new(handle.as_fd(), PollFlags::POLLIN)];
    let timeout = PollTimeout::try_from(time).unwrap_or(PollTimeout::MAX);
    // Whether it has ended is asked afterwards, whatever woke us.
    let _ = poll(&mut ends, timeout);
}
