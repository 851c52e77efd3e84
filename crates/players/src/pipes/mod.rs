//! Our ends of a bot's pipes: nothing of them ever blocks, and one wait is for all of them.

#[cfg(target_os = "linux")]
mod epoll;
#[cfg(any(test, not(target_os = "linux")))]
mod threads;
#[cfg(target_os = "linux")]
mod waker;

#[cfg(target_os = "linux")]
pub(crate) use epoll::Pipes;
#[cfg(not(target_os = "linux"))]
pub(crate) use threads::Pipes;

/// What can be read.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Ready {
    pub stdout: bool,
    pub stderr: bool,
}
