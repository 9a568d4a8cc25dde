//! The plan of several statistics.

use super::{Measured, Split, Statistics, no_candidates};
use crate::{
    Bounds, Epsilon, Loss, Neighbors, Numbers, Options, Profile, QuantileOptions, QuantilePlan,
    QuantileRequest, Request, Result, Share, Statistic, Target, VarianceOptions, VariancePlan,
    VarianceRequest, WeightedPlan,
};

/// The options of a summary, with the defaults of the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryOptions {
    /// What the statistics are meant to be those of. Default: the population.
    pub target: Target,
    /// Which datasets must not be told apart. Default: replace-one.
    pub neighbors: Neighbors,
    /// The confidence of intervals, in (0, 1). Default: 0.95.
    pub confidence: f64,
    /// The part of the quantiles' budget that buys the ends of their intervals. Default (`None`): a
    /// fifth where that costs little accuracy; see [`QuantileOptions::interval_share`].
    pub interval_share: Option<f64>,
    /// Whether values are candidates of quantiles themselves, as integers are with steps of 1.
    /// Default: no.
    pub whole: bool,
    /// The part of every budget that may be spent on all of them. Default: all.
    pub share: Share,
}

impl Default for SummaryOptions {
    fn default() -> Self {
        let QuantileOptions { target, neighbors, confidence, interval_share, whole, share, .. } =
            QuantileOptions::default();
        Self { target, neighbors, confidence, interval_share, whole, share }
    }
}

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
    ///     SummaryPlan::new(statistics, numbers, profile, split, &SummaryOptions::default())?;
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
        options: &SummaryOptions,
    ) -> Result<Self> {
        let SummaryOptions { target, neighbors, confidence, interval_share, whole, share } =
            *options;
        let bounds = numbers.grid.bounds();
        let (mut mean, mut variance, mut quantiles) = (None, None, None);
        for (measured, share) in statistics.shares(split, share)? {
            match measured {
                Measured::Mean => {
                    let options =
                        Options { target, neighbors, confidence, share, ..Options::default() };
                    let request = Request::new(Statistic::Mean, bounds, options)?;
                    mean = Some((share, WeightedPlan::new(&request, allowed.clone(), numbers)?));
                }
                Measured::Variance => {
                    let options = VarianceOptions { target, neighbors, confidence, share };
                    let request = VarianceRequest::new(bounds, options)?;
                    let plan = VariancePlan::new(&request, allowed.clone(), numbers.grid)?;
                    variance = Some((share, plan));
                }
                Measured::Quantiles => {
                    let cells = numbers.cells.ok_or_else(no_candidates)?;
                    let options = QuantileOptions {
                        target,
                        neighbors,
                        confidence,
                        interval_share,
                        whole,
                        share,
                        ..QuantileOptions::default()
                    };
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
