//! What the JSON of plans and that of releases share.

use serde::Serialize;

use crate::number::Number;
use crate::{Estimator, ExpectedError, QuantileEstimator, Share, Shrinkage};

/// An expected error, in units of the statistic.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ExpectedError"))]
pub(crate) struct ErrorRecord {
    /// The standard deviation of the noise.
    noise_sd: Number,
    /// The standard deviation of the sampling error; also what unequal weights do.
    sampling_sd: Number,
    /// The root of the mean squared error of both.
    rmse: Number,
}

impl ErrorRecord {
    pub(crate) fn of(error: ExpectedError) -> Self {
        Self {
            noise_sd: Number(error.noise_sd),
            sampling_sd: Number(error.sampling_sd),
            rmse: Number(error.rmse),
        }
    }
}

/// The estimator that was used.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Estimator"))]
pub(crate) struct EstimatorRecord {
    /// Its name; `exact` where nothing is drawn.
    name: &'static str,
    /// The clip level τ, or the threshold, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    tau: Option<Number>,
}

impl EstimatorRecord {
    pub(crate) fn new(name: &'static str, tau: Option<f64>) -> Self {
        Self { name, tau: tau.map(Number) }
    }
}

/// An estimator that was compared.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct EstimatorOutline {
    /// The estimator.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) name: Estimator,
    /// Its expected error, in units of the statistic.
    pub(crate) rmse: Number,
}

/// An estimator of quantiles that was compared.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ComparedQuantiles {
    /// The estimator.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) name: QuantileEstimator,
    /// The expected error of the rank, as a share of the records.
    pub(crate) rank_rmse: Number,
    /// The expected error of the quantile, on reference data.
    pub(crate) rmse: Number,
}

/// How an estimate was moved to the middle.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Shrinkage"))]
pub(crate) struct ShrinkageRecord {
    /// The factor of the distance from the middle.
    factor: f64,
    /// The worst-case mean squared error after it.
    risk: Number,
    /// Its root.
    rmse: Number,
}

impl ShrinkageRecord {
    pub(crate) fn of(shrinkage: Shrinkage, unit: f64) -> Self {
        let risk = shrinkage.risk * unit * unit;
        Self { factor: shrinkage.factor, risk: Number(risk), rmse: Number(risk.sqrt()) }
    }
}

/// The noise as JSON shows it:
/// `{"distribution":"discrete-laplace","scale":"123","grid":1073741824}`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Noise"))]
pub(crate) struct NoiseRecord {
    /// One of those of the measurements, or `none`.
    pub(crate) distribution: &'static str,
    /// The scale, in steps of the integer sums: the largest, if there are several. A text, since it
    /// can exceed every JSON number.
    pub(crate) scale: String,
    /// Into how many steps the bounds are divided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) grid: Option<u64>,
}

impl NoiseRecord {
    /// Of what is exact.
    pub(crate) fn none() -> Self {
        Self { distribution: "none", scale: "0".into(), grid: None }
    }

    /// Noise of this distribution, unless its scale is zero.
    pub(crate) fn of_scale(scale: String, distribution: &'static str, grid: Option<u64>) -> Self {
        Self { distribution: if scale == "0" { "none" } else { distribution }, scale, grid }
    }
}

/// A statistic of several, and its share of every budget.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ShareOfBudget {
    /// What is measured.
    measured: &'static str,
    /// Its part of every budget.
    share: Share,
}

impl ShareOfBudget {
    pub(crate) fn of((measured, share): (&'static str, Share)) -> Self {
        Self { measured, share }
    }
}
