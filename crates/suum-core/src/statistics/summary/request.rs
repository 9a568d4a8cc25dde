//! Requests for several statistics, each with its share of every budget.

use super::{Split, Statistics};
use crate::error::{for_example, option};
use crate::plan::any_statistic::AnyStatistic;
use crate::plan::checks::{check_per_person, check_used};
use crate::{
    Bounds, Cells, Error, Grid, Numbers, Options, Plan, Profile, Request, Result, Share,
    SummaryPlan, VarianceRequest,
};

/// Several statistics, which divide every budget.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryEstimands {
    /// Requested statistics.
    pub statistics: Statistics,
    /// Division of every budget among them.
    pub split: Split,
    /// Candidates of quantiles over the bounds.
    pub cells: Cells,
}

impl SummaryEstimands {
    /// Returns the request for the mean, the variance, or both, which are measured together, with
    /// the name and the parts of every budget.
    fn moments(&self, options: Options) -> Option<(&'static str, f64, Request)> {
        let (asked, split) = (&self.statistics, &self.split);
        match (asked.mean, asked.variance) {
            (true, true) => {
                let parts = split.mean + split.variance;
                Some(("mean and variance", parts, Request::variance(options)))
            }
            (false, true) => Some(("variance", split.variance, Request::variance(options))),
            (true, false) => Some(("mean", split.mean, Request::mean(options))),
            (false, false) => None,
        }
    }
}

impl AnyStatistic for SummaryEstimands {
    fn plan(&self, allowed: Profile, numbers: Numbers, options: Options) -> Result<Plan> {
        let Self { statistics, split, .. } = self.clone();
        SummaryPlan::new(statistics, numbers, allowed, split, &options).map(Plan::from)
    }

    /// Checks everything that depends neither on candidates nor on the presence of quantiles.
    fn check_options(&self, _: Option<Bounds>, options: Options) -> Result<()> {
        let options = Options { interval_share: None, whole: false, ..options };
        VarianceRequest::new(Bounds::UNIT, options).map(|_| ())
    }

    fn numbers(&self, grid: Grid, _: &Options) -> Numbers {
        self.statistics.numbers(grid, self.cells)
    }

    /// Returns enough standard deviations for a variance, which clipping reduces.
    fn least_half_width_sds(&self) -> f64 {
        5.0
    }

    fn cells(&self) -> Option<Cells> {
        (!self.statistics.quantiles.is_empty()).then_some(self.cells)
    }

    fn parts(&self, options: &Options) -> Result<Vec<(&'static str, Request)>> {
        check_used(
            options,
            "summary",
            &[option::INTERVAL_SHARE, option::STEP, option::PER_PERSON],
        )?;
        check_per_person(options, false)?;
        let of_ranks = Options { adapt: false, ..options.clone() };
        let plain = Options { interval_share: None, whole: false, ..of_ranks.clone() };
        let ranks = &self.statistics.quantiles;
        let quantiles = || {
            let request = Request::quantiles(self.cells, ranks.clone(), of_ranks);
            ("quantiles", self.split.quantile, request)
        };
        let quantiles = (!ranks.is_empty()).then(quantiles);
        let parts: Vec<_> = self.moments(plain).into_iter().chain(quantiles).collect();
        if parts.is_empty() {
            return Err(Error::parameter(option::STATISTIC, "none is named")
                .with_fix(for_example(option::STATISTIC, "mean,variance,q25,q50,q75")));
        }
        let shares: Vec<f64> = parts.iter().map(|(_, parts, _)| *parts).collect();
        let shares = Share::split(&shares)?.into_iter();
        let part = |((name, _, mut request), share): ((_, _, Request), Share)| {
            request.options.share = share.times(options.share)?;
            Ok((name, request))
        };
        parts.into_iter().zip(shares).map(part).collect()
    }
}
