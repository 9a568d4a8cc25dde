//! The plan of a statistic of numbers that have bounds.

use super::Plan;
use crate::summary::no_candidates;
use crate::{
    NumberRequest, Numbers, Options, Profile, QuantileRequest, Request, Result, Statistic,
    SummaryPlan, VariancePlan, VarianceRequest, WeightedPlan,
};

impl NumberRequest {
    /// The plan for records of this profile, of which so much is added up.
    ///
    /// # Errors
    ///
    /// Refuses what the statistic refuses, and quantiles without candidates.
    pub fn plan(&self, allowed: Profile, numbers: Numbers) -> Result<Plan> {
        let bounds = numbers.grid.bounds();
        let weighted = |statistic, options: &Options| {
            let request = Request::new(statistic, bounds, options.clone())?;
            WeightedPlan::new(&request, allowed.clone(), numbers).map(Plan::from)
        };
        match self {
            Self::Mean(options) => weighted(Statistic::Mean, options),
            Self::Sum(options) => weighted(Statistic::Sum, options),
            Self::Quantiles { ranks, options, .. } => {
                let cells = numbers.cells.ok_or_else(no_candidates)?;
                QuantileRequest::new(bounds, cells, ranks.clone(), options.clone())?
                    .plan(allowed)
                    .map(Plan::from)
            }
            Self::Variance(options) => {
                let request = VarianceRequest::new(bounds, options.clone())?;
                VariancePlan::new(&request, allowed, numbers.grid).map(Plan::from)
            }
            Self::Summary { statistics, split, options, .. } => {
                SummaryPlan::new(statistics.clone(), numbers, allowed, *split, options)
                    .map(Plan::from)
            }
        }
    }
}
