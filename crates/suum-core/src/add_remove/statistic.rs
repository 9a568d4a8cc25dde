//! Interface of a statistic under add-remove.

use super::expected::{AddRemoveCandidate, Guess};
use super::people::People;
use crate::error::OptionName;
use crate::private::session::{Account, Session};
use crate::{
    AddRemoveRequest, Estimator, LevelTable, PersonValue, Plan, Profile, Release, Result, Setting,
};

/// Statistic that can be released without revealing who takes part.
pub(crate) trait AddRemoveStatistic {
    /// Returns the options that it uses, besides those of all statistics.
    fn uses(&self) -> &'static [OptionName] {
        &[]
    }

    /// Refuses a request that makes no sense.
    ///
    /// # Errors
    ///
    /// If the request makes no sense.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// Returns true if weights can be chosen. Otherwise everybody weighs as much as the least
    /// budget allows.
    fn has_estimators(&self) -> bool {
        true
    }

    /// Returns true if a release first buys a noisy profile.
    fn buys_profile(&self, request: &AddRemoveRequest, by: Estimator, account: &Account) -> bool {
        request.needs_profile(by, account)
    }

    /// Returns the plan for people as in `assumed`.
    ///
    /// # Errors
    ///
    /// Refuses a profile in which no declared budget allows anything.
    fn plan_for(&self, request: &AddRemoveRequest, assumed: Profile) -> Result<Plan> {
        request.expected(assumed).map(Plan::from)
    }

    /// Returns the expected error and cost for the assumed people.
    ///
    /// # Errors
    ///
    /// Refuses what a release refuses.
    fn expect(&self, guess: Guess<'_>) -> Result<AddRemoveCandidate>;

    /// Returns the setting of a lower bound on the error of every method, if there is one.
    fn setting(&self, _: &AddRemoveRequest, _: Profile) -> Option<Setting> {
        None
    }

    /// Refuses a table that does not fit the request.
    ///
    /// # Errors
    ///
    /// If the table was made for another request; this depends on how it was made, never on its
    /// records.
    fn check_table(&self, request: &AddRemoveRequest, table: &LevelTable) -> Result<()> {
        let value = request.options().person_value(PersonValue::Rows);
        match request.cells() {
            Some(_) => table.check_ranked_persons(value)?,
            None => table.check_persons(value)?,
        }
        People::with_numbers(table, request.inside(), request.cells()).map(|_| ())
    }

    /// Measures the statistic and returns its release.
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

    /// Returns true if the interval treats the sum of several noises as normal, because its law is
    /// not computed.
    fn has_normal_noise(&self) -> bool {
        false
    }

    /// Returns true if records are a sample, so that there is sampling error.
    fn samples(&self) -> bool {
        true
    }
}
