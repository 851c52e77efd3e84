//! Files that people name: nobody knows how large they are.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// The text of a file, or its beginning if it has more than so many bytes.
///
/// # Errors
///
/// If it can't be read, or is no text.
pub fn read_file(path: &Path, most: usize) -> io::Result<String> {
    let mut text = String::new();
    let file = File::open(path)?;
    file.take(most as u64).read_to_string(&mut text)?;
    Ok(text)
}

/// What tells contents apart from any others: their SHA-256, as `sha256sum` prints it.
///
/// ```
/// let sum = kingme_arena::sha256(b"");
/// assert_eq!(&sum[..12], "e3b0c44298fc");
/// ```
pub fn sha256(contents: &[u8]) -> String {
    let hex = |byte: &u8| format!("{byte:02x}");
    Sha256::digest(contents).iter().map(hex).collect()
}
