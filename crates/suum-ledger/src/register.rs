//! Evidence of registers of decisions, as a ledger keeps it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::files::hex;

/// Evidence of a register that a release or an amendment looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisterUse {
    /// Time for which the register was read, as text.
    pub as_of: String,
    /// Digest of the decisions in force then, keyed by the ledger's key: a plain one would confirm
    /// guesses about a small register.
    pub digest: String,
    /// Numbers of people in the data who were not used; none where participation is hidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_used: Option<NotUsed>,
}

/// Numbers of people who are not used because they have no valid decision, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotUsed {
    /// People without a decision that has begun.
    pub none: u64,
    /// People with a withdrawn decision.
    pub withdrawn: u64,
    /// People with an expired decision.
    pub expired: u64,
}

impl NotUsed {
    /// Returns the total of all reasons.
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

/// Redacted: shows no key.
impl fmt::Debug for RegisterHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RegisterHasher(..)")
    }
}
