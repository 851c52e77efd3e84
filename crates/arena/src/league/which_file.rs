//! Which file a path leads to: another one may be put in its place.

use std::path::Path;

/// What tells a file from others.
pub(super) type Identity = (u64, u64);

/// The file at a path; `None` if there is none.
#[cfg(unix)]
pub(super) fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let data = path.metadata().ok()?;
    Some((data.dev(), data.ino()))
}

/// The file at a path, told by when it was made; `None` if there is none.
#[cfg(not(unix))]
pub(super) fn identity(path: &Path) -> Option<Identity> {
    let made = path.metadata().ok()?.created().ok()?;
    let since = made.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some((since.as_secs(), u64::from(since.subsec_nanos())))
}
