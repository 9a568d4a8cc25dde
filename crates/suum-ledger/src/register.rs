//! Registers of decisions, as far as a ledger keeps evidence of them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::files::hex;

/// Register that a release or an amendment looked at: what the ledger keeps of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisterUse {
    /// The time looked at, as text.
    pub as_of: String,
    /// Digest of the decisions in force then, keyed by the ledger's key: a plain one would confirm
    /// guesses about a small register.
    pub digest: String,
    /// People of the data who were not used; none where who takes part is hidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_used: Option<NotUsed>,
}

/// Numbers of people who are not used for want of a valid decision, by the reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotUsed {
    /// Without a decision that has begun.
    pub none: u64,
    /// Whose decision was withdrawn.
    pub withdrawn: u64,
    /// Whose decision has expired.
    pub expired: u64,
}

impl NotUsed {
    /// Returns how many they are in all.
    pub fn total(self) -> u64 {
        self.none + self.withdrawn + self.expired
    }
}

/// Hasher of a register's decisions, keyed by the ledger's key; made by
/// [`Ledger::register_hasher`](crate::Ledger::register_hasher).
#[derive(Clone)]
pub struct RegisterHasher(pub(crate) blake3::Hasher);

impl RegisterHasher {
    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the digest of all bytes added, as hexadecimal digits.
    pub fn digest(&self) -> String {
        hex(&self.0.finalize().as_bytes()[..16])
    }
}

/// The key is not shown.
impl fmt::Debug for RegisterHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RegisterHasher(..)")
    }
}
