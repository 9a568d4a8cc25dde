//! Procedures of estimates, and the facts that a release states about them.

use dashu_int::UBig;
use serde::Serialize;

use super::Release;
use super::json::Record;
use crate::answer::assumption::Assumption;
use crate::plan::facts::{Facts, HasFacts};
use crate::plan::record::{EstimatorRecord, NoiseRecord};
use crate::{AddRemoveRequest, QuantilesTogether, Rank, Statistic};

/// Procedure of the estimates of a release. Each statistic implements it; all other code uses
/// [`Procedure::any`](crate::Procedure::any).
pub(crate) trait AnyProcedure: HasFacts {
    /// Returns the assumptions of intervals, if there are any.
    fn assumptions(&self, release: &Release) -> Vec<Assumption>;

    /// Fills the JSON fields of this statistic only.
    fn fill<'a>(&'a self, release: &'a Release, record: &mut Record<'a>);

    /// Returns the factor that turns bounds of values into those of an estimate.
    fn unit(&self) -> f64 {
        1.0
    }

    /// See [`Release::no_interval`].
    fn no_interval(&self, release: &Release) -> Option<&'static str> {
        release.clipped()
    }

    /// Returns true if assumptions are listed even if no estimate has an interval.
    fn always_assumes(&self) -> bool {
        false
    }
}

/// Exact count: the number is public, and has no noise.
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

/// Procedure of estimates under add-remove.
#[derive(Debug, Clone, PartialEq)]
pub struct AddRemoveProcedure {
    /// Request.
    pub request: AddRemoveRequest,
    /// Clip level τ, the most that a record spent on the estimate.
    pub tau: f64,
    /// Noise of the estimate.
    pub noise: Noise,
    /// Part of the budget for each quantile.
    pub split: Vec<QuantileSplit>,
    /// Cost of quantiles that were asked for together; `None` if they were asked for separately.
    pub together: Option<QuantilesTogether>,
    /// Reason why some quantiles have no interval, if any.
    pub no_interval: Option<&'static str>,
}

/// Noise of an estimate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noise {
    /// Name of the distribution: `discrete-laplace`; for quantiles `permute-and-flip`, or `choices`
    /// if several are asked for together.
    pub distribution: &'static str,
    /// Integer scale of the noise; for quantiles the number of steps in one unit of ε.
    pub scale: UBig,
    /// Number G of steps of the grid, for numbers.
    pub grid: Option<u64>,
}

/// Part of one quantile in the budget for quantiles.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuantileSplit {
    /// Rank of the quantile.
    pub q: Rank,
    /// Part for the estimate; for several that are asked for [together](QuantilesTogether), the
    /// largest cost of its question.
    pub estimate: f64,
    /// Part for both ends of its interval together.
    pub interval: f64,
}
