//! Session: the only way to draw noise for a release.
//!
//! ```text
//!               cost
//! Measurement ────────► Account: does every level keep what it allows?
//!      │ exact numbers     │ yes
//!      └──────────────► noise ──► what may be published
//! ```

mod account;
mod measurement;
mod planned_mechanism;
#[cfg(test)]
mod tests;

use crate::{
    DeclaredBudgets, Epsilon, Error, Neighbors, PrivacyUnits, Profile, Randomness, Result, Share,
};

pub(crate) use account::{Account, rest};
pub(crate) use measurement::{Cost, Measurement};
pub(crate) use planned_mechanism::PlannedMechanism;

/// Release in progress: the randomness, and the account of everybody who may be in it.
///
/// Every draw is charged first, and certificates are read from the account. A session cannot check
/// that a statistic weighs records by the budgets in the account: weights come with the exact
/// numbers, from [`Account::left`].
///
/// A statistic that is one of several [begins](Self::begin) a part: then both the part and the
/// whole must suffice.
pub(crate) struct Session<'r> {
    account: Account,
    randomness: &'r mut Randomness,
}

impl<'r> Session<'r> {
    /// Returns a session with records whose profile is public.
    pub(crate) fn for_profile(allowed: &Profile, randomness: &'r mut Randomness) -> Self {
        let levels = allowed.levels().iter().map(|level| level.epsilon);
        Self::for_levels(levels, Neighbors::ReplaceOne, randomness)
    }

    /// Returns a session with records of these levels.
    pub(crate) fn for_levels(
        levels: impl IntoIterator<Item = Epsilon>,
        neighbors: Neighbors,
        randomness: &'r mut Randomness,
    ) -> Self {
        Self::new(Account::for_levels(levels.into_iter().collect(), neighbors), randomness)
    }

    /// Returns a session with records of which only the possible budgets are public.
    pub(crate) fn declared(
        budgets: DeclaredBudgets,
        neighbors: Neighbors,
        randomness: &'r mut Randomness,
    ) -> Self {
        Self::new(Account::declared(budgets, neighbors), randomness)
    }

    fn new(account: Account, randomness: &'r mut Randomness) -> Self {
        Self { account, randomness }
    }

    /// Begins a part of the release that may spend this share of every budget.
    pub(crate) fn begin(&mut self, share: Share) {
        self.account.begin(share);
    }

    /// Keeps units of what is left in this part in reserve, for every record.
    ///
    /// # Errors
    ///
    /// None: nobody loses anything.
    pub(crate) fn keep(&mut self, units: PrivacyUnits) -> Result<()> {
        self.account.charge(Cost::Kept(units))
    }

    /// Returns the account: what was spent, and what is left.
    pub(crate) fn account(&self) -> &Account {
        &self.account
    }

    /// Returns true if the noise comes from secret entropy.
    pub(crate) fn is_private(&self) -> bool {
        self.randomness.is_private()
    }

    /// Checks that these parts, each a share of every budget and its costs, can be charged one
    /// after the other.
    ///
    /// # Errors
    ///
    /// If a record could lose more than it allows: a bug, noticed before anything is drawn.
    pub(crate) fn check(&self, parts: impl IntoIterator<Item = (Share, Vec<Cost>)>) -> Result<()> {
        let mut account = self.account.clone();
        for (share, costs) in parts {
            account.begin(share);
            costs.into_iter().try_for_each(|cost| account.charge(cost))?;
        }
        Ok(())
    }

    /// Returns the cost of a measurement in this session.
    ///
    /// # Errors
    ///
    /// If it guarantees nothing for these neighbours, which is a bug.
    pub(crate) fn cost(&self, measurement: &impl Measurement) -> Result<Cost> {
        measurement
            .cost(self.account.neighbors())
            .ok_or_else(|| Error::internal("a measurement was made for other neighbours"))
    }

    /// Returns a part that consists of this measurement alone, with its share of every budget.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`cost`](Self::cost).
    pub(crate) fn part(
        &self,
        share: Share,
        measurement: &impl Measurement,
    ) -> Result<(Share, Vec<Cost>)> {
        Ok((share, vec![self.cost(measurement)?]))
    }

    /// Charges a measurement, and draws it. No noise is added if everybody who may take part is
    /// public.
    ///
    /// # Errors
    ///
    /// If a record could lose more than it allows, which is a bug; then nothing is drawn. Refuses
    /// what the measurement refuses.
    pub(crate) fn measure<M: Measurement>(
        &mut self,
        measurement: &M,
        exact: M::Exact<'_>,
    ) -> Result<M::Out> {
        let cost = self.cost(measurement)?;
        let entry = self.account.entry(measurement, &cost);
        self.account.charge(cost)?;
        self.account.list(entry);
        if self.account.is_public() {
            return measurement.draw(exact, &mut self.randomness.without_noise());
        }
        measurement.draw(exact, self.randomness)
    }
}
