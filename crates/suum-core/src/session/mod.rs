//! The one door through which noise passes.
//!
//! ```text
//!               cost
//! Measurement ────────► Account: does every level keep what it allows?
//!      │ exact numbers     │ yes
//!      └──────────────► noise ──► what may be published
//! ```

mod account;
mod measurement;
mod planned;
#[cfg(test)]
mod tests;

use crate::{DeclaredBudgets, Epsilon, Profile, Randomness, Result, Share};

pub(crate) use account::Account;
pub(crate) use measurement::{Cost, Measurement};
pub(crate) use planned::Planned;

/// A release on its way: the randomness, and the account of everybody who may be in it.
///
/// Whatever is drawn is paid for first, and the certificate is the account: a statistic cannot
/// overspend, leave a stage out, or report another loss than that of what it drew.
///
/// A statistic that is one of several [begins](Self::begin) a part: then both the part and the
/// whole must suffice.
pub(crate) struct Session<'r> {
    account: Account,
    randomness: &'r mut Randomness,
}

impl<'r> Session<'r> {
    /// A session with records whose profile is public.
    pub(crate) fn known(allowed: &Profile, randomness: &'r mut Randomness) -> Self {
        Self::of_levels(allowed.levels().iter().map(|level| level.epsilon), randomness)
    }

    /// A session with records whose levels are public.
    pub(crate) fn of_levels(
        levels: impl IntoIterator<Item = Epsilon>,
        randomness: &'r mut Randomness,
    ) -> Self {
        Self::new(Account::known(levels.into_iter().collect()), randomness)
    }

    /// A session with records of which only the budgets that there can be are public.
    pub(crate) fn declared(budgets: DeclaredBudgets, randomness: &'r mut Randomness) -> Self {
        Self::new(Account::declared(budgets), randomness)
    }

    fn new(account: Account, randomness: &'r mut Randomness) -> Self {
        Self { account, randomness }
    }

    /// Begins a part of the release that may spend this share of every budget.
    pub(crate) fn begin(&mut self, share: Share) {
        self.account.begin(share);
    }

    /// What was spent, and what is left.
    pub(crate) fn account(&self) -> &Account {
        &self.account
    }

    /// Whether the noise comes from secret entropy.
    pub(crate) fn is_private(&self) -> bool {
        self.randomness.is_private()
    }

    /// Pays for a measurement, and makes it.
    ///
    /// # Errors
    ///
    /// If a record could lose more than it allows: a bug, and nothing is drawn. What the
    /// measurement refuses.
    pub(crate) fn measure<M: Measurement>(
        &mut self,
        measurement: &M,
        exact: M::Exact<'_>,
    ) -> Result<M::Out> {
        self.account.charge(measurement.cost())?;
        measurement.draw(exact, self.randomness)
    }
}
