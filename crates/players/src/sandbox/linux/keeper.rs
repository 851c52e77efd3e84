//! The process that stays beside a bot: it hears our orders and outlives nothing that the bot has
//! started.
//!
//! In namespaces it is the first process of the bot's own, with which the system ends all others.
//! Elsewhere whatever the bot leaves behind becomes its child, and it ends them until there are
//! none.
//!
//! All of this runs in a copy of our program that was made by `fork`: system calls only.

#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use nix::fcntl::OFlag;

/// What we can tell a keeper; it also ends the bot when nobody can tell it anything any more.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Order {
    /// Nothing of the bot runs until it is told to go on.
    Halt = b'h',
    /// Go on.
    Resume = b'r',
    /// End all of it.
    End = b'e',
}

/// Our end and the keeper's end of the pipe for orders.
pub(super) fn orders() -> io::Result<(OwnedFd, OwnedFd)> {
    let (hears, tells) = nix::unistd::pipe2(OFlag::O_CLOEXEC)?;
    Ok((tells, hears))
}

/// Which processes a keeper has.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Realm {
    /// All others of a process namespace.
    Namespace,
    /// Its children, and what they leave behind.
    Children,
}

/// Goes on in a child. The parent becomes its keeper and never returns.
pub(super) fn fork_with_keeper(realm: Realm, hears: &OwnedFd) -> io::Result<()> {
    if realm == Realm::Children {
        nix::sys::prctl::set_child_subreaper(true)?;
    }
    // SAFETY: there is one thread here, and the parent makes system calls only.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(()),
        child => Keeper::new(realm, child, hears.as_raw_fd()).keep(),
    }
}

/// Goes on in a child. The parent only waits for it and ends as it did.
pub(super) fn fork_and_wait() -> io::Result<()> {
    // SAFETY: there is one thread here, and the parent makes system calls only. It closes all
    // files: the bot's pipes must have no other writer, or its end would go unnoticed.
    unsafe {
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => Ok(()),
            child => {
                close_all_but(-1);
                let mut status = 0;
                while libc::waitpid(child, &raw mut status, 0) != child {}
                libc::_exit(code_of(status));
            }
        }
    }
}

struct Keeper {
    realm: Realm,
    child: libc::pid_t,
    hears: RawFd,
    /// Can be read when a child has ended.
    deaths: RawFd,
}

impl Keeper {
    fn new(realm: Realm, child: libc::pid_t, hears: RawFd) -> Keeper {
        // SAFETY: plain system calls on values of this function; nobody uses the closed files.
        let deaths = unsafe {
            close_all_but(hears);
            // What we know and the bot must not: it may look at its own namespace.
            libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0);
            let mut signals: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut signals);
            libc::sigaddset(&raw mut signals, libc::SIGCHLD);
            libc::sigprocmask(libc::SIG_BLOCK, &raw const signals, std::ptr::null_mut());
            libc::signalfd(-1, &raw const signals, 0)
        };
        Keeper {
            realm,
            child,
            hears,
            deaths,
        }
    }

    fn keep(&self) -> ! {
        // It may have ended before its death could be heard of.
        self.reap();
        loop {
            match self.next_order() {
                None => self.reap(),
                Some(Order::Halt) => self.signal(libc::SIGSTOP),
                Some(Order::Resume) => self.signal(libc::SIGCONT),
                Some(Order::End) => self.end(128 + libc::SIGKILL),
            }
        }
    }

    /// Waits for an order or a death.
    fn next_order(&self) -> Option<Order> {
        let mut files = [self.hears, self.deaths].map(|fd| libc::pollfd {
            fd,
            events: libc::POLLIN,
            revents: 0,
        });
        // SAFETY: plain system calls on values of this function.
        unsafe {
            libc::poll(files.as_mut_ptr(), 2, -1);
            if files[1].revents != 0 {
                let mut death: libc::signalfd_siginfo = std::mem::zeroed();
                let size = size_of::<libc::signalfd_siginfo>();
                libc::read(self.deaths, (&raw mut death).cast(), size);
                return None;
            }
            if files[0].revents == 0 {
                return None;
            }
            let mut byte = 0u8;
            match libc::read(self.hears, (&raw mut byte).cast(), 1) {
                1 if byte == Order::Halt as u8 => Some(Order::Halt),
                1 if byte == Order::Resume as u8 => Some(Order::Resume),
                // We have ended, or have no more use for the bot.
                _ => Some(Order::End),
            }
        }
    }

    /// Takes note of all who have ended; with the bot itself everything ends.
    fn reap(&self) {
        loop {
            let mut status = 0;
            // SAFETY: a plain system call on a value of this function.
            let ended = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) };
            if ended == self.child {
                self.end(code_of(status));
            }
            if ended <= 0 {
                return;
            }
        }
    }

    /// Sends a signal to all at once. Where there is no namespace, who follows a bot's processes
    /// does it.
    fn signal(&self, signal: libc::c_int) {
        if self.realm == Realm::Namespace {
            // SAFETY: a plain system call; it reaches all of this namespace but ourselves.
            unsafe { libc::kill(-1, signal) };
        }
    }

    fn end(&self, code: i32) -> ! {
        if self.realm == Realm::Children {
            while kill_children() {}
        }
        // SAFETY: a plain system call. With the first process of a namespace all others end, and
        // whoever waits for it waits for them.
        unsafe { libc::_exit(code) }
    }
}

/// Ends the children of this process, whose children become ours; false if there are none.
fn kill_children() -> bool {
    // SAFETY: plain system calls on values of this function.
    unsafe {
        let mut status = 0;
        let mut ended = 1;
        while ended > 0 {
            ended = libc::waitpid(-1, &raw mut status, libc::WNOHANG);
        }
        if ended == -1 && *libc::__errno_location() == libc::ECHILD {
            return false;
        }
        let mut text = [0u8; 4096];
        let path = c"/proc/thread-self/children".as_ptr();
        let file = libc::open(path, libc::O_RDONLY | libc::O_CLOEXEC);
        let size = libc::read(file, text.as_mut_ptr().cast(), text.len());
        libc::close(file);
        for pid in numbers(&text[..size.max(0) as usize]) {
            libc::kill(pid, libc::SIGKILL);
        }
        libc::sched_yield();
        true
    }
}

/// The numbers of a list with a blank behind each. One that the end has cut off is left out.
fn numbers(text: &[u8]) -> impl Iterator<Item = i32> {
    let whole = text.iter().rposition(|&byte| byte == b' ').unwrap_or(0);
    let words = text[..whole].split(|&byte| byte == b' ');
    words.filter_map(|word| std::str::from_utf8(word).ok()?.parse().ok())
}

/// The exit status as shells count it: 128 and more are signals.
pub(super) fn code_of(status: libc::c_int) -> i32 {
    if libc::WIFSIGNALED(status) {
        128 + libc::WTERMSIG(status)
    } else {
        libc::WEXITSTATUS(status)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_was_cut_off_is_nobodys() {
        let of = |text: &[u8]| numbers(text).collect::<Vec<_>>();
        assert_eq!(of(b"12 345 "), [12, 345]);
        assert_eq!(of(b"12 345 67"), [12, 345]);
        assert_eq!(of(b""), []);
    }
}
