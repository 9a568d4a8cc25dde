//! A variance as JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{VariancePlan, VarianceRelease};
use crate::number::Number;
use crate::record::{ErrorRecord, EstimatorRecord, Levels, NoiseRecord, caveats};

/// The JSON of `suum variance`.
impl Serialize for VarianceRelease {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", "variance")?;
        map.serialize_entry("column", &self.column)?;
        if let Some(person) = &self.person {
            map.serialize_entry("person", person)?;
            map.serialize_entry("contribution", "mean of rows")?;
        }
        map.serialize_entry("estimate", &self.variance.estimate)?;
        map.serialize_entry("interval", &self.variance.interval)?;
        map.serialize_entry("deviation", &self.deviation)?;
        map.serialize_entry("mean", &self.mean)?;
        caveats(&mut map, self)?;
        map.serialize_entry("error", &ErrorRecord::of(self.error))?;
        entries(&mut map, &self.plan)?;
        map.serialize_entry("privacy", &self.privacy)?;
        map.serialize_entry("noise", &noise(&self.plan))?;
        map.serialize_entry("private", &self.private)?;
        map.end()
    }
}

/// The JSON of `suum plan --statistic variance`.
impl Serialize for VariancePlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", "variance")?;
        entries(&mut map, self)?;
        map.serialize_entry("profile", self.profile())?;
        map.serialize_entry("weights", self.weights().per_level())?;
        map.serialize_entry("error", &ErrorRecord::of(self.error()))?;
        map.serialize_entry("privacy", &Levels::new(self.profile(), self.losses().collect()))?;
        map.serialize_entry("noise", &noise(self))?;
        map.end()
    }
}

fn entries<M: SerializeMap>(map: &mut M, plan: &VariancePlan) -> std::result::Result<(), M::Error> {
    let options = plan.request().options();
    map.serialize_entry(
        "estimator",
        &EstimatorRecord { name: "affine", tau: Some(Number(plan.tau())) },
    )?;
    map.serialize_entry("target", &options.target)?;
    map.serialize_entry("neighbors", &options.neighbors)?;
    map.serialize_entry("bounds", &plan.request().bounds())
}

fn noise(plan: &VariancePlan) -> NoiseRecord {
    NoiseRecord::of_scale(
        plan.mechanism().scale().to_string(),
        "discrete-laplace",
        Some(plan.grid().points()),
    )
}
