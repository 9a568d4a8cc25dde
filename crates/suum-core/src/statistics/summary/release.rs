//! Releases of several statistics in one session.

use super::plan::Part;
use super::{Statistics, SummaryPlan};
use crate::private::session::{Cost, Session};
use crate::{
    Bounds, Error, Estimate, LevelTable, Measure, Procedure, Quantity, Randomness, Release, Result,
    Share, Spending, WeightedPlan,
};

/// Procedure of several statistics, each with its share of every budget.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryProcedure {
    /// Requested statistics.
    pub statistics: Statistics,
    /// Declared bounds.
    pub bounds: Bounds,
    /// Releases of the parts.
    pub parts: Vec<SummaryPart>,
}

/// Release of one part of several statistics, with its share of every budget.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryPart {
    /// Name of the part: `mean`, `variance`, `mean and variance` or `quantiles`.
    pub measured: &'static str,
    /// Share of every budget.
    pub share: Share,
    /// Release, with a certificate of this part alone.
    pub release: Release,
}

impl SummaryPlan {
    /// Spends the budgets: each statistic its share, from one table.
    ///
    /// # Errors
    ///
    /// Refuses a table of another profile or of other sums than the plan's.
    pub fn release(self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        let mut session = Session::for_profile(&self.people, randomness);
        // All costs are checked before anything is drawn.
        session.check(self.costs(&session)?)?;
        self.release_in(&table, &mut session)
    }

    /// Returns the costs of each part, with its share of every budget.
    pub(crate) fn costs(&self, session: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        let mut costs = Vec::new();
        for plan in self.plans() {
            costs.extend(plan.any().costs(session)?);
        }
        Ok(costs)
    }

    /// Releases the statistics in a session that may have spent other parts of the budgets; see
    /// [`release`](Self::release).
    pub(crate) fn release_in(
        self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let spread = self.mean_plan().is_some_and(WeightedPlan::measures_spread);
        let squares = spread || self.variance_plan().is_some();
        let ranks = self.quantile_plan().is_some();
        let fits = |measure: &Measure| match measure {
            Measure::Numbers(numbers) => {
                numbers.grid == self.numbers.grid
                    && (numbers.squares || !squares)
                    && (numbers.cells == self.numbers.cells || !ranks)
            }
            _ => false,
        };
        if !fits(table.measure()) || table.profile()? != self.people {
            return Err(Error::table(
                "level table",
                "it is not the one that the plan was made for",
            )
            .with_fix("make the table with the same column, bounds and statistics"));
        }
        let mut parts = Vec::new();
        for Part { measured, share, plan } in self.parts {
            let release = plan.release_in(table, session)?;
            parts.push(SummaryPart { measured, share, release });
        }
        let estimates = estimates(&self.statistics, parts.iter().map(|part| &part.release));
        let by_level = table.by_level().iter();
        // Each statistic weighs people in its own way, so there is no common weight.
        let privacy = by_level
            .map(|level_sums| {
                Spending::new(level_sums, session.account().spent(level_sums.epsilon), None)
            })
            .collect();
        let (statistics, bounds) = (self.statistics, self.numbers.grid.bounds());
        let procedure = Procedure::Summary(SummaryProcedure { statistics, bounds, parts });
        let mut release = Release::new(table, session, estimates, None, privacy, procedure);
        release.charge_all(session);
        Ok(release)
    }
}

/// Returns the requested estimates of all parts: a variance comes with a mean that may not have
/// been requested.
pub(super) fn estimates<'r>(
    asked: &Statistics,
    parts: impl IntoIterator<Item = &'r Release>,
) -> Vec<Estimate> {
    let all = parts.into_iter().flat_map(|part| &part.estimates);
    let (mut means, others): (Vec<_>, Vec<_>) =
        all.cloned().partition(|one| one.of == Quantity::Mean);
    if !asked.mean {
        means.clear();
    }
    means.into_iter().chain(others).collect()
}
