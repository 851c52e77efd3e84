//! What happens in the new process between fork and exec.

#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::OnceLock;

use landlock::RulesetCreated;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sched::{CloneFlags, unshare};
use nix::sys::resource::{Resource, setrlimit};

use super::{Isolation, Sandbox};

/// Everything that is needed between fork and exec, made before.
pub(super) struct Plan {
    limits: Vec<(Resource, u64)>,
    landlock: Option<RulesetCreated>,
    namespaces: bool,
    is_root: bool,
    /// The reading end of a pipe whose writing end this program alone has: it ends with it.
    lifeline: Option<OwnedFd>,
    id_maps: [(&'static CStr, CString); 3],
    most_pids: CString,
}

impl Plan {
    pub(super) fn new(
        sandbox: &Sandbox,
        isolation: Isolation,
        landlock: Option<RulesetCreated>,
    ) -> Plan {
        let is_root = nix::unistd::getuid().is_root();
        let namespaces = isolation == Isolation::Namespaces;
        let mut limits = vec![
            (Resource::RLIMIT_AS, sandbox.memory),
            (Resource::RLIMIT_FSIZE, sandbox.file_size),
            (Resource::RLIMIT_NOFILE, sandbox.open_files),
            (Resource::RLIMIT_CORE, 0),
        ];
        // Elsewhere the user's other programs would be counted too.
        if namespaces {
            limits.push((Resource::RLIMIT_NPROC, sandbox.processes));
        }
        let text = |text: String| CString::new(text).expect("digits and blanks");
        let (uid, gid) = (nix::unistd::getuid(), nix::unistd::getgid());
        Plan {
            limits,
            landlock,
            namespaces,
            is_root,
            lifeline: lifeline(),
            id_maps: [
                (c"/proc/self/setgroups", c"deny".to_owned()),
                (c"/proc/self/uid_map", text(format!("{uid} {uid} 1"))),
                (c"/proc/self/gid_map", text(format!("{gid} {gid} 1"))),
            ],
            // The kernel keeps the first 300 for itself.
            most_pids: text(format!("{}", 301 + sandbox.processes)),
        }
    }

    /// Makes system calls only.
    pub(super) fn carry_out(&mut self) -> io::Result<()> {
        nix::unistd::setsid()?;
        if self.namespaces {
            self.enter_namespaces()?;
        }
        for &(resource, limit) in &self.limits {
            let (_, most) = nix::sys::resource::getrlimit(resource)?;
            setrlimit(resource, limit.min(most), limit.min(most))?;
        }
        nix::sys::prctl::set_no_new_privs()?;
        match self.landlock.take() {
            Some(ruleset) => ruleset
                .restrict_self()
                .map(drop)
                .map_err(|_| io::ErrorKind::PermissionDenied.into()),
            None => Ok(()),
        }
    }

    fn enter_namespaces(&self) -> io::Result<()> {
        let mut flags = CloneFlags::CLONE_NEWPID
            | CloneFlags::CLONE_NEWNS
            | CloneFlags::CLONE_NEWNET
            | CloneFlags::CLONE_NEWIPC;
        // Root keeps its own user namespace, where alone it may limit the number of processes.
        if !self.is_root {
            flags |= CloneFlags::CLONE_NEWUSER;
        }
        unshare(flags)?;
        if !self.is_root {
            for (file, text) in &self.id_maps {
                write_file(file, text)?;
            }
        }
        let lifeline = self.lifeline.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        become_child(lifeline)?;
        die_with_parent();
        self.hide_processes();
        become_child(-1)?;
        drop_capabilities();
        Ok(())
    }

    /// Shows the processes of this namespace only. Where that is not allowed, the others can be
    /// seen, but not reached.
    fn hide_processes(&self) {
        use nix::mount::{MsFlags, mount};
        let none: Option<&CStr> = None;
        let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
        if mount(none, c"/", none, private, none).is_ok()
            && mount(
                Some(c"proc"),
                c"/proc",
                Some(c"proc"),
                MsFlags::empty(),
                none,
            )
            .is_ok()
            && self.is_root
        {
            let _ = write_file(c"/proc/sys/kernel/pid_max", &self.most_pids);
        }
    }
}

/// A pipe that says when this program has ended, however it ended. The writing end stays open for
/// as long as the program runs.
fn lifeline() -> Option<OwnedFd> {
    static PIPE: OnceLock<Option<(OwnedFd, OwnedFd)>> = OnceLock::new();
    let pipe = PIPE.get_or_init(|| nix::unistd::pipe2(OFlag::O_CLOEXEC).ok());
    pipe.as_ref()
        .and_then(|(reading, _)| reading.try_clone().ok())
}

/// Goes on in a child; the parent only waits for it and ends as it did, or ends it when the
/// lifeline breaks. The first process of a process namespace has to stay, or no other can start;
/// with it all the others end.
fn become_child(lifeline: RawFd) -> io::Result<()> {
    // SAFETY: there is one thread here, and the parent makes system calls only.
    let child = unsafe { libc::fork() };
    match child {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(()),
        _ => wait_for(child, lifeline),
    }
}

fn wait_for(child: libc::pid_t, lifeline: RawFd) -> ! {
    // SAFETY: plain system calls on values of this function. Closing all files but one matters:
    // the bot's pipes must have no other writer, or its end would go unnoticed.
    unsafe {
        close_all_but(lifeline);
        if lifeline >= 0 {
            wait_for_either(child, lifeline);
        }
        loop {
            let mut status = 0;
            let ended = libc::waitpid(-1, &raw mut status, 0);
            if ended == child {
                libc::_exit(if libc::WIFSIGNALED(status) {
                    128 + libc::WTERMSIG(status)
                } else {
                    libc::WEXITSTATUS(status)
                });
            }
            if ended == -1 && *libc::__errno_location() != libc::EINTR {
                libc::_exit(127);
            }
        }
    }
}

/// Closes every file but one; -1 closes all.
///
/// # Safety
///
/// Nobody may use the files afterwards.
unsafe fn close_all_but(keep: RawFd) {
    // SAFETY: plain system calls; see above.
    unsafe {
        if keep > 0 {
            libc::syscall(libc::SYS_close_range, 0, keep - 1, 0);
        }
        libc::syscall(libc::SYS_close_range, keep + 1, u32::MAX, 0);
    }
}

/// Waits until the child ends or the lifeline breaks, and ends the child then.
///
/// # Safety
///
/// The child must be one, and the lifeline an open file.
unsafe fn wait_for_either(child: libc::pid_t, lifeline: RawFd) {
    // SAFETY: plain system calls on values of this function.
    unsafe {
        let watched = libc::syscall(libc::SYS_pidfd_open, child, 0) as RawFd;
        let mut files = [watched, lifeline].map(|fd| libc::pollfd {
            fd,
            events: libc::POLLIN,
            revents: 0,
        });
        // Without a handle on the child only its end can be waited for.
        while watched >= 0 && files[0].revents == 0 {
            if libc::poll(files.as_mut_ptr(), 2, -1) > 0 && files[1].revents != 0 {
                libc::kill(child, libc::SIGKILL);
                return;
            }
        }
    }
}

fn die_with_parent() {
    let _ = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL);
}

/// Root without capabilities can do little more than anybody else.
fn drop_capabilities() {
    for capability in 0..64 {
        // SAFETY: a plain system call; numbers beyond the last capability are refused.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
}

fn write_file(path: &CStr, text: &CStr) -> io::Result<()> {
    let text = text.to_bytes();
    // SAFETY: both pointers are to live, terminated text, and the file is ours alone.
    unsafe {
        let file = libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        let written = libc::write(file, text.as_ptr().cast(), text.len());
        let error = io::Error::last_os_error();
        libc::close(file);
        if written < 0 { Err(error) } else { Ok(()) }
    }
}

/// Reads and writes on our end return at once.
pub(super) fn never_block(file: BorrowedFd) -> io::Result<()> {
    let flags = OFlag::from_bits_retain(fcntl(file, FcntlArg::F_GETFL)?);
    fcntl(file, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(())
}
