//! Quantiles as JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{QuantileEstimator, QuantilePlan};
use crate::QuantileMechanism;
use crate::number::Number;
use crate::record::{Levels, NoiseRecord};

/// The JSON of `suum plan --statistic quantile`.
impl Serialize for QuantilePlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let options = self.request().options();
        map.serialize_entry("statistic", "quantile")?;
        map.serialize_entry("q", self.request().ranks())?;
        map.serialize_entry("target", &options.target)?;
        map.serialize_entry("neighbors", &options.neighbors)?;
        entries(&mut map, self)?;
        map.serialize_entry("profile", self.profile())?;
        if let Some(strata) = self.stratified() {
            map.serialize_entry("strata", strata)?;
        }
        map.serialize_entry("estimators", &Estimators(self))?;
        map.serialize_entry("chosen", &self.chosen().estimator)?;
        map.serialize_entry("split", &self.split().collect::<Vec<_>>())?;
        if let Some(together) = self.together() {
            map.serialize_entry("together", &together)?;
        }
        if let Some(why) = self.no_interval() {
            map.serialize_entry("no_interval", why)?;
        }
        map.serialize_entry("privacy", &Levels::new(self.profile(), self.losses().collect()))?;
        map.serialize_entry("noise", &noise(self))?;
        map.end()
    }
}

fn entries<M: SerializeMap>(map: &mut M, plan: &QuantilePlan) -> std::result::Result<(), M::Error> {
    map.serialize_entry("bounds", &plan.request().bounds())?;
    map.serialize_entry("cells", &plan.request().cells().steps())?;
    map.serialize_entry("rows", &plan.request().cells().rows())
}

/// The noise of quantiles: the largest scale.
pub(crate) fn noise(plan: &QuantilePlan) -> NoiseRecord {
    let scale = match plan.mechanism() {
        QuantileMechanism::Joint(choice) => choice.scale().to_string(),
        QuantileMechanism::Refined(counts) => counts.scale().to_string(),
        QuantileMechanism::PerLevel(levels) => levels
            .iter()
            .map(|(_, choice)| choice.scale())
            .max()
            .map_or_else(|| "0".into(), ToString::to_string),
    };
    NoiseRecord::of_scale(scale, plan.distribution(), None)
}

/// Every estimator that was compared, with its expected error.
pub(crate) struct Compared<'a>(pub(crate) &'a QuantilePlan);

/// An estimator of quantiles that was compared.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "ComparedQuantiles")
)]
pub(crate) struct ComparedRecord {
    /// The estimator.
    name: QuantileEstimator,
    /// The expected error of the rank, as a share of the records.
    rank_rmse: Number,
    /// The expected error of the quantile, on reference data.
    rmse: Number,
}

impl Serialize for Compared<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.candidates().iter().map(|candidate| ComparedRecord {
            name: candidate.estimator,
            rank_rmse: Number(candidate.rank_error.rmse()),
            rmse: Number(candidate.risk.sqrt()),
        }))
    }
}

struct Estimators<'a>(&'a QuantilePlan);

#[derive(Serialize)]
struct CandidateRecord<'a> {
    name: QuantileEstimator,
    #[serde(skip_serializing_if = "Option::is_none")]
    betas: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tau: Option<Number>,
    rank_noise_sd: Number,
    rank_sampling_sd: Number,
    rank_rmse: Number,
    risk: Number,
    rmse: Number,
}

impl Serialize for Estimators<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.candidates().iter().map(|candidate| CandidateRecord {
            name: candidate.estimator,
            betas: candidate.betas.as_deref(),
            weights: candidate.betas.is_none().then(|| candidate.weights.per_level()),
            tau: candidate.tau.map(Number),
            rank_noise_sd: Number(candidate.rank_error.noise.sqrt()),
            rank_sampling_sd: Number(candidate.rank_error.sampling.sqrt()),
            rank_rmse: Number(candidate.rank_error.rmse()),
            risk: Number(candidate.risk),
            rmse: Number(candidate.risk.sqrt()),
        }))
    }
}
