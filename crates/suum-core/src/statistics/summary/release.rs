//! Several statistics, released in one session.

use super::plan::Part;
use super::{Statistics, SummaryPlan};
use crate::private::session::{Cost, Session};
use crate::{
    Bounds, Error, Estimate, LevelTable, Measure, Procedure, Quantity, Randomness, Release, Result,
    Share, Spending, WeightedPlan,
};

/// How several statistics were released, each with its share of every budget.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryProcedure {
    /// The statistics asked for.
    pub statistics: Statistics,
    /// The declared bounds.
    pub bounds: Bounds,
    /// The releases that it is made of.
    pub parts: Vec<SummaryPart>,
}

/// One of several releases that share every budget.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryPart {
    /// What was measured: `mean`, `variance`, `mean and variance` or `quantiles`.
    pub measured: &'static str,
    /// Its share of every budget.
    pub share: Share,
    /// The release, with a certificate of this part alone.
    pub release: Release,
}

impl SummaryPlan {
    /// Spends the budgets: each statistic its share, from one table.
    ///
    /// # Errors
    ///
    /// Refuses a table of another profile or of other sums than the plan's.
    pub fn release(self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        let mut session = Session::known(&self.people, randomness);
        // All of it, before anything is drawn.
        session.check(self.costs(&session)?)?;
        self.release_in(&table, &mut session)
    }

    /// What each part costs, and its share of every budget.
    pub(crate) fn costs(&self, session: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        let mut costs = Vec::new();
        for plan in self.plans() {
            costs.extend(plan.any().costs(session)?);
        }
        Ok(costs)
    }

    /// As [`release`](Self::release), in a session that may have spent other parts of the budgets.
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
        // Each statistic weighs people in its own way.
        let privacy = by_level
            .map(|level_sums| {
                Spending::of(level_sums, session.account().spent(level_sums.epsilon), None)
            })
            .collect();
        let (statistics, bounds) = (self.statistics, self.numbers.grid.bounds());
        let procedure = Procedure::Summary(SummaryProcedure { statistics, bounds, parts });
        let mut release = Release::new(table, session, estimates, None, privacy, procedure);
        release.charge_all(session);
        Ok(release)
    }
}

/// What was asked for of the estimates of all parts: a variance comes with a mean that may not
/// have been.
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
