//! A root of its own for a bot: what it sees is mounted there, read-only, with a scratch folder in
//! memory that has a limited size, and everything else is gone.

#![allow(unsafe_code)]

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use nix::fcntl::{OFlag, open};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::stat::Mode;

use super::Sandbox;
use super::view::View;

/// Devices that everybody may use.
pub(super) const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];
/// What programs expect to find beside them.
const DEVICE_LINKS: &[(&str, &str)] = &[
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
];
/// Each file or folder takes memory too.
const BYTES_A_FILE: u64 = 16 << 10;

/// Anybody may look into a folder.
const FOLDER: Mode = Mode::from_bits_truncate(0o755);

const NONE: Option<&CStr> = None;

/// A root to be made, with all that has to be in memory for it.
#[derive(Debug)]
pub(super) struct NewRoot {
    /// Where it is put together: a folder that nobody needs in the meantime.
    base: CString,
    steps: Vec<Step>,
    proc: CString,
    pid_max: CString,
    scratch: CString,
    scratch_size: CString,
    folder: CString,
}

#[derive(Debug)]
enum Step {
    Folder(CString),
    File(CString),
    Link { to: CString, path: CString },
    Show { what: CString, place: CString },
}

impl NewRoot {
    /// `scratch` is an empty folder, in whose place the bot has one in memory.
    pub fn new(view: &View, scratch: &Path, sandbox: &Sandbox) -> io::Result<NewRoot> {
        let within = |path: &Path| {
            let inside = path.strip_prefix("/").unwrap_or(path);
            text(scratch.join(inside).as_os_str())
        };
        let steps = steps(view, scratch, within)?;
        let files = sandbox.scratch / BYTES_A_FILE;
        let size = format!("size={},nr_inodes={files},mode=700", sandbox.scratch);
        Ok(NewRoot {
            base: text(scratch.as_os_str())?,
            steps,
            proc: within(Path::new("/proc"))?,
            pid_max: within(Path::new("/proc/sys/kernel/pid_max"))?,
            scratch: within(scratch)?,
            scratch_size: text(OsStr::new(&size))?,
            folder: text(view.folder.as_os_str())?,
        })
    }

    /// Makes it the root of this process, in a mount namespace of its own. Makes system calls only.
    pub fn enter(&self, most_pids: Option<&CStr>) -> io::Result<()> {
        mount(
            NONE,
            c"/",
            NONE,
            MsFlags::MS_REC | MsFlags::MS_PRIVATE,
            NONE,
        )?;
        new_mount(c"tmpfs", &self.base, Some(c"size=16m,mode=755"))?;
        for step in &self.steps {
            step.take()?;
        }
        new_mount(c"proc", &self.proc, None)?;
        if let Some(most) = most_pids {
            super::child::write_file(&self.pid_max, most)?;
        }
        make_read_only(&self.proc)?;
        new_mount(c"tmpfs", &self.scratch, Some(&self.scratch_size))?;
        nix::unistd::chdir(self.base.as_c_str())?;
        nix::unistd::pivot_root(c".", c".")?;
        // The old root lies over the new one now.
        umount2(c".", MntFlags::MNT_DETACH)?;
        set_attributes(c"/", 0)?;
        nix::unistd::chdir(self.folder.as_c_str())?;
        Ok(())
    }
}

/// What is made under the new root, in this order; `within` says where.
fn steps(
    view: &View,
    scratch: &Path,
    within: impl Fn(&Path) -> io::Result<CString>,
) -> io::Result<Vec<Step>> {
    let mut steps = Vec::new();
    for folder in folders(view, scratch) {
        steps.push(Step::Folder(within(&folder)?));
    }
    let devices = DEVICES.iter().map(PathBuf::from);
    let devices: Vec<PathBuf> = devices.filter(|device| device.exists()).collect();
    for path in view.visible.iter().chain(&devices) {
        let (what, place) = (text(path.as_os_str())?, within(path)?);
        steps.push(if path.is_dir() {
            Step::Folder(place.clone())
        } else {
            Step::File(place.clone())
        });
        steps.push(Step::Show { what, place });
    }
    let device_links = DEVICE_LINKS
        .iter()
        .map(|(path, to)| (Path::new(path), Path::new(to)));
    let links = view
        .links
        .iter()
        .map(|(path, to)| (path.as_path(), to.as_path()));
    for (path, to) in links.chain(device_links) {
        let (to, path) = (text(to.as_os_str())?, within(path)?);
        steps.push(Step::Link { to, path });
    }
    Ok(steps)
}

/// All folders that have to be there before anything is mounted, those above first.
fn folders(view: &View, scratch: &Path) -> BTreeSet<PathBuf> {
    let ends = [scratch, &view.folder, Path::new("/proc"), Path::new("/dev")];
    let above = view.visible.iter().chain(view.links.keys());
    let above = above.flat_map(|path| path.ancestors().skip(1));
    let all = ends.iter().flat_map(|path| path.ancestors()).chain(above);
    let is_shown = |path: &Path| path.ancestors().any(|path| view.visible.contains(path));
    all.filter(|path| !is_shown(path))
        .map(Path::to_owned)
        .collect()
}

impl Step {
    fn take(&self) -> io::Result<()> {
        match self {
            Step::Folder(path) => match nix::unistd::mkdir(path.as_c_str(), FOLDER) {
                Ok(()) | Err(nix::Error::EEXIST) => Ok(()),
                Err(error) => Err(error.into()),
            },
            Step::File(path) => {
                let flags = OFlag::O_CREAT | OFlag::O_WRONLY | OFlag::O_CLOEXEC;
                open(path.as_c_str(), flags, Mode::S_IRUSR).map(drop)?;
                Ok(())
            }
            Step::Link { to, path } => {
                // SAFETY: both are live, terminated text.
                match unsafe { libc::symlink(to.as_ptr(), path.as_ptr()) } {
                    0 => Ok(()),
                    _ => Err(io::Error::last_os_error()),
                }
            }
            Step::Show { what, place } => {
                let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
                mount(Some(what.as_c_str()), place.as_c_str(), NONE, flags, NONE)?;
                make_read_only(place)
            }
        }
    }
}

fn new_mount(kind: &CStr, place: &CStr, data: Option<&CStr>) -> io::Result<()> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(Some(kind), place, Some(kind), flags, data)?;
    Ok(())
}

/// Nothing at or below a place can be changed any more, nor can anybody gain rights there.
fn make_read_only(place: &CStr) -> io::Result<()> {
    set_attributes(place, libc::AT_RECURSIVE)
}

fn set_attributes(place: &CStr, flags: libc::c_int) -> io::Result<()> {
    let mut attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    // SAFETY: the place is terminated text, and the record has the size that is given.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            place.as_ptr(),
            flags,
            &raw mut attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    if done == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

pub(super) fn text(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::other)
}
