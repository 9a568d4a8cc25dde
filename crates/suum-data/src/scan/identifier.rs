//! Hash of an identifier: of a person, or of a key in a consent file.

use xxhash_rust::xxh3::xxh3_128;

/// Hash of an identifier, which has no spaces around it.
///
/// Identifiers are text, so that one person is not two in files of different encodings. Among 2^32
/// persons two share a hash with probability below 2^-64; they would count as one.
#[inline]
pub(crate) fn hash(identifier: &[u8]) -> u128 {
    xxh3_128(identifier)
}

/// Halves of a hash: 128-bit integers would be aligned to 16 bytes.
#[inline]
pub(crate) fn halves(hash: u128) -> [u64; 2] {
    [(hash >> 64) as u64, hash as u64]
}
