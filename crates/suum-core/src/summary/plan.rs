//! The plan of several statistics.

use super::{Measured, Split, Statistics, no_candidates};
use crate::checks::check_used;
use crate::{
    Bounds, Epsilon, Loss, Numbers, Options, Profile, QuantilePlan, QuantileRequest, Result, Share,
    Statistic, VariancePlan, VarianceRequest, WeightedPlan, WeightedRequest,
};

/// The plan of several statistics, which share every budget.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryPlan {
    pub(super) statistics: Statistics,
    pub(super) allowed: Profile,
    pub(super) numbers: Numbers,
    pub(super) mean: Option<(Share, WeightedPlan)>,
    pub(super) variance: Option<(Share, VariancePlan)>,
    pub(super) quantiles: Option<(Share, QuantilePlan)>,
}

impl SummaryPlan {
    /// The plan for a public profile.
    ///
    /// # Errors
    ///
    /// Refuses an empty list of statistics, quantiles without candidates, and what the statistics
    /// refuse alone.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::*;
    ///
    /// let statistics: Statistics = "mean,variance,q50".parse()?;
    /// let numbers = Numbers {
    ///     grid: Grid::new(Bounds::new(0.0, 77.0)?),
    ///     squares: true,
    ///     cells: Some(Cells::new(Cells::STEPS)?),
    /// };
    /// let split = Split::even(&statistics).with("quantile=2".parse()?);
    /// let profile: Profile = "0.1:8767,1:4028,inf:560".parse()?;
    /// let plan =
    ///     SummaryPlan::new(statistics, numbers, profile, split, &Options::default())?;
    /// assert_eq!(plan.shares().map(|(_, share)| share.get()).collect::<Vec<_>>(), [0.5, 0.5]);
    /// for (level, spent) in plan.allowed().levels().iter().zip(plan.losses()) {
    ///     assert!(spent.within(level.epsilon));
    /// }
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn new(
        statistics: Statistics,
        numbers: Numbers,
        allowed: Profile,
        split: Split,
        options: &Options,
    ) -> Result<Self> {
        check_used(options, "summary", &["interval-share", "step"])?;
        let Options { target, neighbors, confidence, interval_share, whole, share, .. } = *options;
        let plain = |share| Options { target, neighbors, confidence, share, ..Options::default() };
        let bounds = numbers.grid.bounds();
        let (mut mean, mut variance, mut quantiles) = (None, None, None);
        for (measured, share) in statistics.shares(split, share)? {
            match measured {
                Measured::Mean => {
                    let request = WeightedRequest::new(Statistic::Mean, bounds, plain(share))?;
                    mean = Some((share, WeightedPlan::new(&request, allowed.clone(), numbers)?));
                }
                Measured::Variance => {
                    let request = VarianceRequest::new(bounds, plain(share))?;
                    let plan = VariancePlan::new(&request, allowed.clone(), numbers.grid)?;
                    variance = Some((share, plan));
                }
                Measured::Quantiles => {
                    let cells = numbers.cells.ok_or_else(no_candidates)?;
                    let options = Options { interval_share, whole, ..plain(share) };
                    let ranks = statistics.quantiles.clone();
                    let request = QuantileRequest::new(bounds, cells, ranks, options)?;
                    quantiles = Some((share, request.plan(allowed.clone())?));
                }
            }
        }
        Ok(Self { statistics, allowed, numbers, mean, variance, quantiles })
    }

    /// The statistics asked for.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The privacy levels, with all that they allow.
    pub fn allowed(&self) -> &Profile {
        &self.allowed
    }

    /// The declared bounds.
    pub fn bounds(&self) -> Bounds {
        self.numbers.grid.bounds()
    }

    /// The plan of the mean, where it is measured alone.
    pub fn mean_plan(&self) -> Option<&WeightedPlan> {
        self.mean.as_ref().map(|(_, plan)| plan)
    }

    /// The plan of the variance, and of the mean with it.
    pub fn variance_plan(&self) -> Option<&VariancePlan> {
        self.variance.as_ref().map(|(_, plan)| plan)
    }

    /// The plan of the quantiles.
    pub fn quantile_plan(&self) -> Option<&QuantilePlan> {
        self.quantiles.as_ref().map(|(_, plan)| plan)
    }

    /// The error of the mean in the worst case, where it is asked for: alone, or measured with the
    /// variance.
    pub fn rmse_of_mean(&self) -> Option<f64> {
        let with_variance = || self.variance_plan().map(|plan| plan.error_of_mean().rmse);
        let alone = self.mean_plan().map(|plan| plan.chosen().risk.rmse());
        self.statistics.mean.then(|| alone.or_else(with_variance)).flatten()
    }

    /// What is measured together, and its share of every budget.
    pub fn shares(&self) -> impl Iterator<Item = (&'static str, Share)> {
        let mean = self.mean.as_ref().map(|(share, _)| (Measured::Mean, *share));
        let variance = self.variance.as_ref().map(|(share, _)| (Measured::Variance, *share));
        let quantiles = self.quantiles.as_ref().map(|(share, _)| (Measured::Quantiles, *share));
        let all = [mean, variance, quantiles].into_iter().flatten();
        all.map(|(measured, share)| (self.statistics.name_of(measured), share))
    }

    /// What one record of each level loses to all statistics together, exactly, in the order of the
    /// profile.
    pub fn losses(&self) -> impl Iterator<Item = Loss> + '_ {
        self.allowed.levels().iter().map(|level| self.loss_of(level.epsilon))
    }

    /// What one record that allows this much loses to all statistics together, exactly.
    pub fn loss_of(&self, allowed: Epsilon) -> Loss {
        let mean = self.mean.as_ref().map(|(_, plan)| plan.loss_of(allowed));
        let variance = self.variance.as_ref().map(|(_, plan)| plan.loss_of(allowed));
        let quantiles = self.quantiles.as_ref().map(|(_, plan)| plan.loss_of(allowed));
        [mean, variance, quantiles]
            .into_iter()
            .flatten()
            .fold(Loss::ZERO, |sum, loss| sum.plus(&loss))
    }
}
