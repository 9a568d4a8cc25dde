//! What a ledger has to say of a dataset, for its page.

use crate::Account;

/// A dataset of a ledger: what is left to whom, and what was released.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LedgerDataset {
    /// Its name.
    pub name: String,
    /// The accounts of tiers, where tiers have them.
    pub accounts: Vec<Account>,
    /// What else there is to say, a paragraph each.
    pub notes: Vec<String>,
    /// What was left over time, once something was released.
    pub over_time: Option<LeftOverTime>,
    /// The releases, oldest first.
    pub releases: Vec<LedgerRelease>,
}

/// What was left over time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LeftOverTime {
    /// To whom, from when to when.
    pub heading: String,
    /// Tiers, each with the shares of what it allows that were left, one after the other.
    pub tiers: Vec<(String, Vec<f64>)>,
}

/// A release that a ledger was charged for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LedgerRelease {
    /// The number of the entry that reserved its cost.
    pub entry: u64,
    /// When.
    pub at: String,
    /// What was released, and what became of it.
    pub what: String,
    /// The command that asks for the same again.
    pub command: Option<String>,
    /// What it cost everybody of a tier, in ε.
    pub costs: Vec<(String, f64)>,
}
