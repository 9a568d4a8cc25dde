//! Facts of a ledger about a dataset, for its page.

use crate::Account;

/// Dataset of a ledger: the remaining budgets, and the releases.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LedgerDataset {
    /// Name of the dataset.
    pub name: String,
    /// Accounts of tiers, if tiers have them.
    pub accounts: Vec<Account>,
    /// Further notes, a paragraph each.
    pub notes: Vec<String>,
    /// Remaining budgets over time, once something was released.
    pub over_time: Option<LeftOverTime>,
    /// Releases, oldest first.
    pub releases: Vec<LedgerRelease>,
}

/// Remaining budgets over time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LeftOverTime {
    /// Heading with the people and the period.
    pub heading: String,
    /// Times at which a cost became known, in seconds since the beginning of 1970, in order.
    pub times: Vec<f64>,
    /// Tiers, each with the share of what it allows that was left after each of these times.
    pub tiers: Vec<(String, Vec<f64>)>,
}

/// Release that a ledger was charged for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LedgerRelease {
    /// Number of the entry that reserved its cost.
    pub entry: u64,
    /// Time of the release.
    pub at: String,
    /// Subject of the release, and its outcome.
    pub what: String,
    /// Command that repeats the request.
    pub command: Option<String>,
    /// Cost for everybody in a tier, in ε.
    pub costs: Vec<(String, f64)>,
}
