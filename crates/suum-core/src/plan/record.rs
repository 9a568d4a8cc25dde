//! JSON records shared by plans and releases.

use serde::Serialize;

use crate::number::Number;
use crate::{Estimator, ExpectedError, QuantileEstimator, Share, Shrinkage};

/// Expected error, in units of the statistic.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ExpectedError"))]
pub(crate) struct ErrorRecord {
    /// Standard deviation of the noise.
    noise_sd: Number,
    /// Standard deviation of the sampling error, including the effect of unequal weights.
    sampling_sd: Number,
    /// Root mean squared error of both.
    rmse: Number,
}

impl ErrorRecord {
    pub(crate) fn from_error(error: ExpectedError) -> Self {
        Self {
            noise_sd: Number(error.noise_sd),
            sampling_sd: Number(error.sampling_sd),
            rmse: Number(error.rmse),
        }
    }
}

/// Estimator that was used.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Estimator"))]
pub(crate) struct EstimatorRecord {
    /// Name of the estimator; `exact` if no noise is drawn.
    name: &'static str,
    /// Clip level τ or threshold, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    tau: Option<Number>,
}

impl EstimatorRecord {
    pub(crate) fn new(name: &'static str, tau: Option<f64>) -> Self {
        Self { name, tau: tau.map(Number) }
    }
}

/// Estimator that was compared.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct EstimatorOutline {
    /// Name of the estimator.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) name: Estimator,
    /// Expected error (root mean squared), in units of the statistic.
    pub(crate) rmse: Number,
}

/// Estimator of quantiles that was compared.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ComparedQuantiles {
    /// Name of the estimator.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) name: QuantileEstimator,
    /// Expected error of the rank, as a share of the records.
    pub(crate) rank_rmse: Number,
    /// Expected error of the quantile, on reference data.
    pub(crate) rmse: Number,
}

/// Shrinkage of an estimate towards the middle of the bounds.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Shrinkage"))]
pub(crate) struct ShrinkageRecord {
    /// Factor of the distance from the middle.
    factor: f64,
    /// Worst-case mean squared error after shrinkage.
    risk: Number,
    /// Root of the worst-case mean squared error.
    rmse: Number,
}

impl ShrinkageRecord {
    pub(crate) fn from_shrinkage(shrinkage: Shrinkage, unit: f64) -> Self {
        let risk = shrinkage.risk * unit * unit;
        Self { factor: shrinkage.factor, risk: Number(risk), rmse: Number(risk.sqrt()) }
    }
}

/// Noise in JSON: `{"distribution":"discrete-laplace","scale":"123","grid":1073741824}`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Noise"))]
pub(crate) struct NoiseRecord {
    /// Name of the distribution, one of those of the measurements, or `none`.
    pub(crate) distribution: &'static str,
    /// Scale in steps of the integer sums: the largest, if there are several. A text, since it can
    /// exceed every JSON number.
    pub(crate) scale: String,
    /// Number of steps that divide the bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) grid: Option<u64>,
}

impl NoiseRecord {
    /// Returns the record of an exact number.
    pub(crate) fn none() -> Self {
        Self { distribution: "none", scale: "0".into(), grid: None }
    }

    /// Returns noise of this distribution, or none if its scale is zero.
    pub(crate) fn from_scale(scale: String, distribution: &'static str, grid: Option<u64>) -> Self {
        Self { distribution: if scale == "0" { "none" } else { distribution }, scale, grid }
    }
}

/// One of several statistics, with its share of every budget.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ShareOfBudget {
    /// Name of the statistic.
    measured: &'static str,
    /// Share of every budget.
    share: Share,
}

impl ShareOfBudget {
    pub(crate) fn from_pair((measured, share): (&'static str, Share)) -> Self {
        Self { measured, share }
    }
}
