//! How estimates were made, and what a release says of that.

use dashu_int::UBig;
use serde::Serialize;

use super::Release;
use super::json::Record;
use crate::answer::assumption::Assumption;
use crate::plan::facts::{Facts, HasFacts};
use crate::plan::record::{EstimatorRecord, NoiseRecord};
use crate::{AddRemoveRequest, QuantilesTogether, Rank, Statistic};

/// How the estimates of a release were made. Each statistic implements it beside its plan; all else
/// asks [`Procedure::any`](crate::Procedure::any).
pub(crate) trait AnyProcedure: HasFacts {
    /// What intervals take for granted, if there are any.
    fn assumptions(&self, release: &Release) -> Vec<Assumption>;

    /// Writes what there is only of this statistic.
    fn fill<'a>(&'a self, release: &'a Release, record: &mut Record<'a>);

    /// What bounds are multiplied by to be those of an estimate.
    fn unit(&self) -> f64 {
        1.0
    }

    /// See [`Release::no_interval`].
    fn no_interval(&self, release: &Release) -> Option<&'static str> {
        release.clipped()
    }

    /// Whether intervals take something for granted even if no estimate has one.
    fn always_assumes(&self) -> bool {
        false
    }
}

/// By counting: the number is public, and has no noise.
pub(crate) struct Exact;

impl HasFacts for Exact {
    fn facts(&self) -> Facts<'_> {
        Facts { statistic: Statistic::Count.name(), ..Facts::default() }
    }
}

impl AnyProcedure for Exact {
    fn assumptions(&self, _: &Release) -> Vec<Assumption> {
        Vec::new()
    }

    fn fill<'a>(&'a self, _: &'a Release, record: &mut Record<'a>) {
        record.method.estimator = Some(EstimatorRecord::new("exact", None));
        record.noise = Some(NoiseRecord::none());
    }
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
