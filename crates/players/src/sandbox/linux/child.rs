//! What happens in the new process between fork and exec.

#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::{BorrowedFd, OwnedFd};

use landlock::RulesetCreated;
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::sched::{CloneFlags, unshare};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::resource::{Resource, setrlimit};

use super::filter::Filters;
use super::keeper::{Realm, fork_and_wait, fork_with_keeper};
use super::root::NewRoot;
use super::{Isolation, Sandbox, processes};

/// So many more processes may the user's other programs start before a bot feels it.
const SPARE_PROCESSES: u64 = 200;

/// Everything that is needed between fork and exec, made before.
pub(super) struct Plan {
    /// Where the bot's keeper hears our orders.
    hears: OwnedFd,
    limits: Vec<(Resource, u64)>,
    pub namespaces: Option<Namespaces>,
    pub landlock: Option<RulesetCreated>,
    /// `None` where another program puts them in force.
    pub filters: Option<Filters>,
    /// Where it joins its control group.
    pub group: Option<File>,
    /// Files that the program is told of by their numbers.
    pub inherited: Vec<OwnedFd>,
}

/// Namespaces to be made.
pub(super) struct Namespaces {
    root: NewRoot,
    id_maps: Option<[(&'static CStr, CString); 3]>,
    most_pids: Option<CString>,
}

impl Namespaces {
    pub fn new(root: NewRoot, sandbox: &Sandbox) -> Namespaces {
        let (uid, gid) = (nix::unistd::getuid(), nix::unistd::getgid());
        let text = |text: String| CString::new(text).expect("digits and blanks");
        // Root keeps its own user namespace, where alone it may limit the number of processes: by
        // their numbers, of which the system keeps the first 300 for itself.
        let limits_numbers = uid.is_root() && numbers_are_its_own();
        Namespaces {
            root,
            id_maps: (!uid.is_root()).then(|| {
                [
                    (c"/proc/self/setgroups", c"deny".to_owned()),
                    (c"/proc/self/uid_map", text(format!("{uid} {uid} 1"))),
                    (c"/proc/self/gid_map", text(format!("{gid} {gid} 1"))),
                ]
            }),
            most_pids: limits_numbers.then(|| text(format!("{}", 301 + sandbox.processes))),
        }
    }

    /// Leaves three processes: one that waits for the second, which is the first in the new
    /// namespace and the keeper of the third, which goes on.
    fn enter(&self, hears: &OwnedFd) -> io::Result<()> {
        let mut flags = CloneFlags::CLONE_NEWPID
            | CloneFlags::CLONE_NEWNS
            | CloneFlags::CLONE_NEWNET
            | CloneFlags::CLONE_NEWIPC
            | CloneFlags::CLONE_NEWUTS;
        if self.id_maps.is_some() {
            flags |= CloneFlags::CLONE_NEWUSER;
        }
        unshare(flags)?;
        for (file, text) in self.id_maps.iter().flatten() {
            write_file(file, text)?;
        }
        fork_and_wait()?;
        nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL)?;
        self.root.enter(self.most_pids.as_deref())?;
        fork_with_keeper(Realm::Namespace, hears)
    }
}

impl Plan {
    pub(super) fn new(sandbox: &Sandbox, isolation: Isolation, hears: OwnedFd) -> Plan {
        let mut limits = vec![
            (Resource::RLIMIT_AS, sandbox.memory),
            (Resource::RLIMIT_FSIZE, sandbox.file_size),
            (Resource::RLIMIT_NOFILE, sandbox.open_files),
            (Resource::RLIMIT_CORE, 0),
        ];
        // Elsewhere the user's other programs are counted too, and may become more.
        let others = match isolation {
            Isolation::Namespaces => 0,
            _ => processes::count_of(nix::unistd::getuid()) + SPARE_PROCESSES,
        };
        limits.push((Resource::RLIMIT_NPROC, others + sandbox.processes));
        Plan {
            hears,
            limits,
            namespaces: None,
            landlock: None,
            filters: None,
            group: None,
            inherited: Vec::new(),
        }
    }

    /// Makes system calls only.
    pub(super) fn carry_out(&mut self) -> io::Result<()> {
        nix::unistd::setsid()?;
        match &self.namespaces {
            Some(namespaces) => namespaces.enter(&self.hears)?,
            None => fork_with_keeper(Realm::Children, &self.hears)?,
        }
        // Away from its keeper, whom a signal to its own group would reach.
        nix::unistd::setsid()?;
        if let Some(door) = &mut self.group {
            door.write_all(b"0")?;
        }
        if self.filters.is_some() {
            drop_capabilities();
        }
        for &(resource, limit) in &self.limits {
            let (_, most) = nix::sys::resource::getrlimit(resource)?;
            setrlimit(resource, limit.min(most), limit.min(most))?;
        }
        for file in &self.inherited {
            fcntl(file, FcntlArg::F_SETFD(FdFlag::empty()))?;
        }
        nix::sys::prctl::set_no_new_privs()?;
        if let Some(ruleset) = self.landlock.take() {
            let restricted = ruleset.restrict_self().map(drop);
            restricted.map_err(|_| io::Error::from(io::ErrorKind::PermissionDenied))?;
        }
        match &self.filters {
            Some(filters) => filters.apply(),
            None => Ok(()),
        }
    }
}

/// Whether each process namespace counts its processes by itself, as since Linux 6.14. Before, the
/// limit would be the whole system's.
fn numbers_are_its_own() -> bool {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(|letter: char| !letter.is_ascii_digit());
    let mut next = || numbers.next().and_then(|number| number.parse::<u32>().ok());
    (next(), next()) >= (Some(6), Some(14))
}

/// Root without capabilities can do little more than anybody else.
fn drop_capabilities() {
    for capability in 0..64 {
        // SAFETY: a plain system call; who has none can't drop any, and numbers beyond the last
        // capability are refused.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
}

pub(super) fn write_file(path: &CStr, text: &CStr) -> io::Result<()> {
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

/// A file in memory with these bytes.
pub(super) fn file_with(bytes: &[u8]) -> io::Result<OwnedFd> {
    let mut file = File::from(memfd_create(c"kingme", MFdFlags::MFD_CLOEXEC)?);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file.into())
}

/// Reads and writes on our end return at once.
pub(super) fn never_block(file: BorrowedFd) -> io::Result<()> {
    let flags = OFlag::from_bits_retain(fcntl(file, FcntlArg::F_GETFL)?);
    fcntl(file, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(())
}
