//! Verdicts in memory, four to a byte.

use super::verdict::Verdict;

/// One verdict per position, two bits each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packed(Box<[u8]>);

impl Packed {
    /// Bytes for so many positions.
    pub const fn bytes(positions: usize) -> usize {
        positions.div_ceil(4)
    }

    pub fn new(bytes: Vec<u8>) -> Packed {
        Packed(bytes.into_boxed_slice())
    }

    #[inline(always)]
    pub fn get(&self, position: usize) -> Verdict {
        verdict_in(&self.0, position).expect("tables hold verdicts")
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A verdict of some packed bytes, if it is one.
#[inline(always)]
pub(super) fn verdict_in(bytes: &[u8], position: usize) -> Option<Verdict> {
    Verdict::of_code(bytes[position / 4] >> (position % 4 * 2) & 3)
}

/// Packs codes of verdicts.
pub(super) fn pack(codes: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(Packed::bytes(codes.size_hint().0));
    for (position, code) in codes.enumerate() {
        if position % 4 == 0 {
            bytes.push(0);
        }
        if let Some(last) = bytes.last_mut() {
            *last |= code << (position % 4 * 2);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_found() {
        let codes = [1, 0, 2, 2, 1, 0, 0, 2, 1];
        let packed = Packed::new(pack(codes.into_iter()));
        assert_eq!(packed.as_bytes().len(), Packed::bytes(codes.len()));
        for (position, code) in codes.into_iter().enumerate() {
            assert_eq!(packed.get(position).code(), code);
        }
    }
}
