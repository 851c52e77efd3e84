//! Files that people name: nobody knows how large they are.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

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
