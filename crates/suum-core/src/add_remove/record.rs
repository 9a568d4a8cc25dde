//! Releases and plans that hide participation, as JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::request::Asked;
use super::{AddRemoveAnswer, AddRemoveCandidate, AddRemovePlan, AddRemoveRelease};
use crate::number::Number;
use crate::record::{ErrorRecord, EstimatorRecord, NoiseRecord, caveats};
use crate::{Estimator, Interval, Neighbors, RangePlan};

/// The JSON of a release, in the style of the others.
impl Serialize for AddRemoveRelease {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", self.statistic)?;
        map.serialize_entry("column", &self.column)?;
        if let Some(person) = &self.person {
            map.serialize_entry("person", person)?;
            map.serialize_entry("contribution", self.contribution())?;
        }
        match &self.answer {
            AddRemoveAnswer::Number { estimate, interval } => {
                map.serialize_entry("estimate", estimate)?;
                map.serialize_entry("interval", &interval.map(EndsRecord::of))?;
            }
            AddRemoveAnswer::Frequencies { frequencies, post } => {
                map.serialize_entry("frequencies", frequencies)?;
                map.serialize_entry("post", post)?;
            }
            AddRemoveAnswer::Quantiles { quantiles, .. } => {
                map.serialize_entry("quantiles", quantiles)?
            }
        }
        // Which quantiles have one depends on noisy numbers; the form of a release does not.
        let quantiles = matches!(self.answer, AddRemoveAnswer::Quantiles { .. });
        if quantiles || self.no_interval().is_some() {
            map.serialize_entry("no_interval", &self.no_interval())?;
        }
        caveats(&mut map, self)?;
        map.serialize_entry("error", &ErrorRecord::of(self.error))?;
        if let Some(range) = &self.range {
            map.serialize_entry("error_assumes", range.error_assumes())?;
        }
        let name = self.range.map_or(self.estimator.name(), |_| RangePlan::NAME);
        map.serialize_entry("estimator", &EstimatorRecord { name, tau: Some(Number(self.tau)) })?;
        if let Some(range) = &self.range {
            map.serialize_entry("range", range)?;
        }
        map.serialize_entry("target", &self.target)?;
        map.serialize_entry("neighbors", &Neighbors::AddRemove)?;
        if let Some(bounds) = &self.bounds {
            map.serialize_entry("bounds", bounds)?;
        }
        if let AddRemoveAnswer::Quantiles { cells, .. } = &self.answer {
            map.serialize_entry("cells", &cells.steps())?;
            map.serialize_entry("rows", &cells.rows())?;
        }
        map.serialize_entry("privacy", &self.privacy)?;
        let noise = NoiseRecord {
            distribution: self.noise.distribution,
            scale: self.noise.scale.to_string(),
            grid: self.noise.grid,
        };
        map.serialize_entry("noise", &noise)?;
        if let AddRemoveAnswer::Quantiles { split, .. } = &self.answer {
            map.serialize_entry("split", split)?;
        }
        map.serialize_entry("private", &self.private)?;
        map.end()
    }
}

impl AddRemoveRelease {
    /// With what a person counts who has many rows.
    fn contribution(&self) -> &'static str {
        match &self.answer {
            AddRemoveAnswer::Number { .. } => "mean of rows",
            AddRemoveAnswer::Frequencies { .. } => "most frequent category",
            AddRemoveAnswer::Quantiles { .. } => "rows by rank",
        }
    }
}

#[derive(Serialize)]
struct EndsRecord {
    confidence: f64,
    lower: Number,
    upper: Number,
}

impl EndsRecord {
    fn of(interval: Interval) -> Self {
        let Interval { confidence, lower, upper } = interval;
        Self { confidence, lower: Number(lower), upper: Number(upper) }
    }
}

/// The JSON of `suum plan`, as far as there is one for add-remove neighbours.
impl Serialize for AddRemovePlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let request = self.request();
        map.serialize_entry("statistic", request.statistic())?;
        if let Asked::Quantiles { ranks, .. } = request.asked() {
            map.serialize_entry("q", ranks)?;
        }
        map.serialize_entry("target", &request.options().target)?;
        map.serialize_entry("neighbors", &Neighbors::AddRemove)?;
        match request.asked() {
            Asked::Mean(bounds) | Asked::Sum(bounds) => map.serialize_entry("bounds", bounds)?,
            Asked::Frequency(categories) => map.serialize_entry("categories", categories)?,
            Asked::Quantiles { bounds, cells, .. } => {
                map.serialize_entry("bounds", bounds)?;
                map.serialize_entry("cells", &cells.steps())?;
                map.serialize_entry("rows", &cells.rows())?;
            }
            Asked::Count => {}
        }
        map.serialize_entry("profile", self.assumed())?;
        map.serialize_entry("estimators", self.candidates())?;
        map.serialize_entry("excluded", &Excluded(self))?;
        map.serialize_entry("chosen", &self.chosen().estimator)?;
        map.serialize_entry("privacy", &self.chosen().privacy)?;
        map.end()
    }
}

impl Serialize for AddRemoveCandidate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.estimator)?;
        map.serialize_entry("risk", &Number(self.error.rmse * self.error.rmse))?;
        map.serialize_entry("rmse", &Number(self.error.rmse))?;
        map.serialize_entry("noise_sd", &Number(self.error.noise_sd))?;
        map.serialize_entry("sampling_sd", &Number(self.error.sampling_sd))?;
        map.serialize_entry("tau", &Number(self.tau))?;
        map.end()
    }
}

struct Excluded<'a>(&'a AddRemovePlan);

#[derive(Serialize)]
struct ExcludedRecord<'a> {
    name: Estimator,
    reason: &'a str,
}

impl Serialize for Excluded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(
            self.0.excluded().iter().map(|excluded| ExcludedRecord {
                name: excluded.estimator,
                reason: &excluded.reason,
            }),
        )
    }
}
