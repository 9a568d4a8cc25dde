//! What a statistic does where it is hidden who takes part.

use super::expected::{AddRemoveCandidate, Guess};
use super::people::People;
use crate::error::OptionName;
use crate::private::session::{Account, Session};
use crate::{
    AddRemoveRequest, Estimator, LevelTable, PersonValue, Plan, Profile, Release, Result, Setting,
};

/// A statistic of people of whom nobody may tell who takes part.
pub(crate) trait AddRemoveStatistic {
    /// The options that it has use for, beside those that all have.
    fn uses(&self) -> &'static [OptionName] {
        &[]
    }

    /// Refuses what cannot be asked for.
    ///
    /// # Errors
    ///
    /// If it is no request that makes sense.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// Whether weights can be chosen: else everybody weighs as much as the least budget allows.
    fn has_estimators(&self) -> bool {
        true
    }

    /// Whether a noisy profile is bought first.
    fn buys_profile(&self, request: &AddRemoveRequest, by: Estimator, account: &Account) -> bool {
        request.needs_profile(by, account)
    }

    /// The plan for people as in `assumed`.
    ///
    /// # Errors
    ///
    /// Refuses a profile in which no declared budget allows anything.
    fn plan_for(&self, request: &AddRemoveRequest, assumed: Profile) -> Result<Plan> {
        request.expected(assumed).map(Plan::from)
    }

    /// What is expected of people as they are assumed to be.
    ///
    /// # Errors
    ///
    /// Refuses what a release refuses.
    fn expect(&self, guess: Guess<'_>) -> Result<AddRemoveCandidate>;

    /// The setting of a lower bound on every method's error, where there is one.
    fn setting(&self, _: &AddRemoveRequest, _: Profile) -> Option<Setting> {
        None
    }

    /// Refuses a table that was made for something else.
    ///
    /// # Errors
    ///
    /// By how the table was made, never by who is in it.
    fn check_table(&self, request: &AddRemoveRequest, table: &LevelTable) -> Result<()> {
        table.check_persons(PersonValue::Mean)?;
        People::with_numbers(table, request.inside(), request.cells()).map(|_| ())
    }

    /// Measures and publishes.
    ///
    /// # Errors
    ///
    /// If a measurement would cost more than is left, which is a bug.
    fn release(
        &self,
        request: &AddRemoveRequest,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release>;

    /// Whether its interval takes several noises together for normal: their law is not computed.
    fn has_normal_noise(&self) -> bool {
        false
    }

    /// Whether records are a sample, so that sampling is an error.
    fn samples(&self) -> bool {
        true
    }
}
