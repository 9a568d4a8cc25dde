//! The plan of a request, for values inside declared bounds.

use super::Plan;
use crate::summary::no_candidates;
use crate::{
    Asked, Error, Numbers, Profile, QuantileRequest, Request, Result, Statistic, SummaryPlan,
    VariancePlan, VarianceRequest, WeightedPlan, WeightedRequest,
};

impl Request {
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
