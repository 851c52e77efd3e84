//! Secrets: random, and stored only as hashes.

use std::fmt::Write;

use rand::RngExt;
use sha2::{Digest, Sha256};

/// A new random secret of 128 bits.
pub fn new_secret() -> String {
    hex(&rand::rng().random::<[u8; 16]>())
}

/// A new identifier of a game: short enough for a link, too long to guess.
pub fn new_id() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let random: [u8; 12] = rand::rng().random();
    random
        .iter()
        .map(|byte| char::from(LETTERS[usize::from(byte % 32)]))
        .collect()
}

/// What is stored of a secret. They are random already, so a plain hash is enough.
pub fn hash(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn secrets_differ_and_their_hashes_are_stable() {
        assert_ne!(super::new_secret(), super::new_secret());
        assert_eq!(super::new_id().len(), 12);
        assert_eq!(super::hash("king"), super::hash("king"));
        assert_ne!(super::hash("king"), super::hash("man"));
    }
}
