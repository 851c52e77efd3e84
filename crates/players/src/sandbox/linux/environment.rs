//! The environment of a bot: empty, but for what programs need to be found and to write text.

use std::path::Path;
use std::process::Command;

use super::view::LIBRARIES;

/// Kept as they are, besides the lists of libraries: where programs are, which version of an
/// interpreter is wanted, and how letters are written.
const KEPT: &[&str] = &["PATH", "PYENV_VERSION", "LANG", "LC_ALL", "LC_CTYPE"];

/// Leaves a program nothing of ours that it has no use for; it is at home in its scratch folder.
pub(super) fn clear(process: &mut Command, scratch: &Path) {
    process.env_clear();
    for name in KEPT.iter().chain(LIBRARIES) {
        if let Some(value) = std::env::var_os(name) {
            process.env(name, value);
        }
    }
    process
        .env("HOME", scratch)
        .env("TMPDIR", scratch)
        .env("PYTHONDONTWRITEBYTECODE", "1");
}
