//! The plan of a request, for values inside declared bounds.

use super::Plan;
use crate::summary::no_candidates;
use crate::{
    Asked, Bounds, Error, Grid, LevelTable, Numbers, Profile, QuantileRequest, Randomness, Release,
    Request, Result, Statistic, SummaryPlan, VariancePlan, VarianceRequest, WeightedPlan,
    WeightedRequest,
};

impl Request {
    /// The release of the records of this table, by the plan for them. A count is exact, and costs
    /// nothing; a release that hides who takes part needs declared budgets
    /// ([`hiding`](Self::hiding)).
    ///
    /// # Errors
    ///
    /// Refuses a table that lacks what the statistic needs, and what [`plan`](Self::plan) refuses.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::*;
    ///
    /// let grid = Grid::new(Bounds::new(0.0, 10.0)?);
    /// let people = Cohort {
    ///     label: Some("standard".into()),
    ///     epsilon: Epsilon::new(0.5)?,
    ///     count: 500,
    ///     sums: vec![ExactSum::from_raw(500 * i128::from(grid.points()) / 2)],
    ///     cells: Default::default(),
    /// };
    /// let measure = Measure::Numbers(grid.into());
    /// let table = LevelTable::new(Some("score".into()), measure, vec![people])?;
    /// let mean = Request::mean(Neighbors::ReplaceOne);
    /// let release = mean.release(table, &mut Randomness::insecure(1))?;
    /// assert!((0.0..=10.0).contains(&release.estimate()));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn release(&self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        let numbers = match &self.asked {
            Asked::Count => return Release::count(&table, &self.options),
            // They have no bounds.
            Asked::Frequency(_) => Grid::new(Bounds::UNIT).into(),
            _ => *table.numbers().ok_or_else(|| {
                Error::table("level table: it has counts but no sums")
                    .with_hint("make it with the column of values, and their bounds")
            })?,
        };
        self.plan(table.profile()?, numbers)?.release(table, randomness)
    }

    /// The plan for records of this profile, of which so much is added up.
    ///
    /// # Errors
    ///
    /// Refuses what the statistic refuses, quantiles without candidates, and a count, which is
    /// exact.
    pub fn plan(&self, allowed: Profile, numbers: Numbers) -> Result<Plan> {
        let (bounds, options) = (numbers.grid.bounds(), self.options.clone());
        let weighted = |statistic, options| {
            let request = WeightedRequest::new(statistic, bounds, options)?;
            WeightedPlan::new(&request, allowed.clone(), numbers).map(Plan::from)
        };
        match &self.asked {
            Asked::Mean => weighted(Statistic::Mean, options),
            Asked::Sum => weighted(Statistic::Sum, options),
            Asked::Count => Err(Error::request(
                "count: it is exact with replace-one neighbours, so there is nothing to plan",
            )
            .with_hint("choose another statistic, or other neighbours")),
            Asked::Frequency(categories) => {
                WeightedRequest::frequency(categories.clone(), options)?
                    .plan(allowed)
                    .map(Plan::from)
            }
            Asked::Quantiles { ranks, .. } => {
                let cells = numbers.cells.ok_or_else(no_candidates)?;
                QuantileRequest::new(bounds, cells, ranks.clone(), options)?
                    .plan(allowed)
                    .map(Plan::from)
            }
            Asked::Variance => {
                let request = VarianceRequest::new(bounds, options)?;
                VariancePlan::new(&request, allowed, numbers.grid).map(Plan::from)
            }
            Asked::Summary { statistics, split, .. } => {
                SummaryPlan::new(statistics.clone(), numbers, allowed, *split, &options)
                    .map(Plan::from)
            }
        }
    }
}
