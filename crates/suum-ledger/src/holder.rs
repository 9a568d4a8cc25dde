//! Holder of an account.

use crate::Amount;

/// What the persons of a part allow in all; the form follows from the dataset's
/// [`Lifetime`](crate::Lifetime).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Holder {
    /// What this tier allows.
    Tier(String),
    /// What everybody allows.
    Everybody,
    /// What they say themselves.
    Own(Amount),
    /// Nothing: they withdrew their consent, or it has expired.
    NoConsent,
    /// Not known: of persons of whom only a charge from elsewhere is on record.
    Unknown,
}
