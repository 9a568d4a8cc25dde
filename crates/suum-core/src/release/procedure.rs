//! How estimates were made.

use dashu_int::UBig;
use serde::Serialize;

use super::Release;
use crate::{
    AddRemoveRequest, Bounds, QuantilePlan, QuantilesTogether, Rank, Share, Statistics,
    VariancePlan, WeightedPlan,
};

/// How the estimates of a release were made.
#[derive(Debug, Clone, PartialEq)]
pub enum Procedure {
    /// By counting: the number is public, and has no noise.
    Exact,
    /// A mean, a sum or frequencies, by this plan.
    Weighted(Box<WeightedPlan>),
    /// Quantiles, by this plan.
    Quantiles(Box<QuantilePlan>),
    /// A variance, and the mean that is measured with it, by this plan.
    Variance(Box<VariancePlan>),
    /// Several statistics, each with its share of every budget.
    Summary {
        /// The statistics asked for.
        statistics: Statistics,
        /// The declared bounds.
        bounds: Bounds,
        /// The releases that it is made of.
        parts: Vec<SummaryPart>,
    },
    /// Any statistic of which it must not show who takes part.
    AddRemove(Box<AddRemoveProcedure>),
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

/// How estimates were made that do not tell who takes part.
#[derive(Debug, Clone, PartialEq)]
pub struct AddRemoveProcedure {
    /// What was asked for.
    pub request: AddRemoveRequest,
    /// τ: the most that anybody spent on the estimate.
    pub tau: f64,
    /// The noise of the estimate.
    pub noise: Noise,
    /// What each quantile had of the budget.
    pub split: Vec<QuantileSplit>,
    /// What all quantiles cost that were asked for together; `None` if each was asked for alone.
    pub together: Option<QuantilesTogether>,
    /// Why some quantiles have no interval, if it is so.
    pub no_interval: Option<&'static str>,
}

/// The noise of an estimate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noise {
    /// `discrete-laplace`; for quantiles `permute-and-flip`, or `choices` where several are asked
    /// for together.
    pub distribution: &'static str,
    /// The integer scale of the noise; for quantiles the steps of one unit of ε.
    pub scale: UBig,
    /// G, for numbers.
    pub grid: Option<u64>,
}

/// What one quantile has of the budget for quantiles.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuantileSplit {
    /// Which quantile.
    pub q: Rank,
    /// The part for the estimate; of several that are asked for [together](QuantilesTogether), what
    /// its question may cost.
    pub estimate: f64,
    /// The part for both ends of its interval together.
    pub interval: f64,
}
