//! Several statistics, released in one session.

use super::{Statistics, SummaryPlan};
use crate::session::{Cost, Session};
use crate::{
    Error, Estimate, LevelTable, Measure, Procedure, Quantity, Randomness, Release, Result, Share,
    Spending, SummaryPart,
};

impl SummaryPlan {
    /// Spends the budgets: each statistic its share, from one table.
    ///
    /// # Errors
    ///
    /// Refuses a table of another profile or of other sums than the plan's.
    pub fn release(self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        let mut session = Session::known(&self.allowed, randomness);
        // All of it, before anything is drawn.
        session.check(self.costs(&session)?)?;
        self.release_in(&table, &mut session)
    }

    /// What each part costs, and its share of every budget.
    pub(crate) fn costs(&self, session: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        let mut costs = Vec::new();
        if let Some((share, plan)) = &self.mean {
            costs.push(session.part(*share, &plan.measurement())?);
        }
        if let Some((share, plan)) = &self.variance {
            costs.push(session.part(*share, &plan.measurement())?);
        }
        if let Some((share, plan)) = &self.quantiles {
            costs.push(session.part(*share, &plan.measurement())?);
        }
        Ok(costs)
    }

    /// As [`release`](Self::release), in a session that may have spent other parts of the budgets.
    pub(crate) fn release_in(
        self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let spread = self.mean.as_ref().is_some_and(|(_, plan)| plan.measures_spread());
        let squares = spread || self.variance.is_some();
        let fits = |measure: &Measure| match measure {
            Measure::Numbers(numbers) => {
                numbers.grid == self.numbers.grid
                    && (numbers.squares || !squares)
                    && (numbers.cells == self.numbers.cells || self.quantiles.is_none())
            }
            _ => false,
        };
        if !fits(table.measure()) || table.profile()? != self.allowed {
            return Err(Error::table("level table: it is not the one that the plan was made for")
                .with_hint("make the table with the same column, bounds and statistics"));
        }
        let shares = self.shares().collect::<Vec<_>>();
        let mut parts = Vec::new();
        if let Some((_, plan)) = self.mean {
            parts.push(plan.release_in(table, session)?);
        }
        if let Some((_, plan)) = self.variance {
            parts.push(plan.release_in(table, session)?);
        }
        if let Some((_, plan)) = self.quantiles {
            parts.push(plan.release_in(table, session)?);
        }
        let estimates = estimates(&self.statistics, &parts);
        let cohorts = table.cohorts().iter();
        // Each statistic weighs people in its own way.
        let privacy = cohorts
            .map(|cohort| Spending::of(cohort, session.account().spent(cohort.epsilon), None))
            .collect();
        let parts = shares.into_iter().zip(parts);
        let procedure = Procedure::Summary {
            statistics: self.statistics,
            bounds: self.numbers.grid.bounds(),
            parts: parts
                .map(|((measured, share), release)| SummaryPart { measured, share, release })
                .collect(),
        };
        let mut release = Release::new(table, session, estimates, None, privacy, procedure);
        release.charge_all(session);
        Ok(release)
    }
}

/// What was asked for of the estimates of all parts: a variance comes with a mean that may not
/// have been.
pub(crate) fn estimates<'r>(
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
