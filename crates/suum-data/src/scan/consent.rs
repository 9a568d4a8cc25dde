//! Choices that are in a file of their own, found by a key.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::scan::identifier::halves;

/// The privacy choice of each key, as a file has them
/// ([`read_consent`](crate::read_consent)).
///
/// A key is kept as a hash of 128 bits, like an identifier of a person: some 40 bytes with its
/// choice.
#[derive(Clone, PartialEq)]
pub struct Consent {
    key: String,
    choices: FxHashMap<[u64; 2], u64>,
}

impl Consent {
    /// The bits of these choices, by the hashes of their keys; `key` is the column of the data.
    pub(crate) fn new(key: &str, choices: FxHashMap<[u64; 2], u64>) -> Self {
        Self { key: key.to_owned(), choices }
    }

    /// The column of the data with the keys.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The bits of the choice of the key with this hash.
    #[inline]
    pub(crate) fn bits(&self, hash: u128) -> Option<u64> {
        self.choices.get(&halves(hash)).copied()
    }
}

/// Nothing of what people chose.
impl fmt::Debug for Consent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Consent").field("key", &self.key).finish_non_exhaustive()
    }
}
