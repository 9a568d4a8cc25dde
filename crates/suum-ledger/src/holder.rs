//! Holders of allowances.

use crate::Amount;

/// Source of an allowance: a tier, or the persons of a part; the form follows from the dataset's
/// [`Lifetime`](crate::Lifetime).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Holder {
    /// Allowance of this tier.
    Tier(String),
    /// Single allowance of everybody.
    Everybody,
    /// Amount that the persons declare themselves.
    Own(Amount),
    /// Zero allowance: consent was withdrawn, or has expired.
    NoConsent,
    /// Unknown allowance of persons of whom only a charge from elsewhere is on record.
    Unknown,
}
