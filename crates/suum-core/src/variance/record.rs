//! A variance as JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::VariancePlan;
use crate::record::{ErrorRecord, EstimatorRecord, Levels, NoiseRecord};

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
    map.serialize_entry("estimator", &EstimatorRecord::new("affine", Some(plan.tau())))?;
    map.serialize_entry("target", &options.target)?;
    map.serialize_entry("neighbors", &options.neighbors)?;
    map.serialize_entry("bounds", &plan.request().bounds())
}

/// The noise of the sum; that of the squares has the same scale.
pub(crate) fn noise(plan: &VariancePlan) -> NoiseRecord {
    NoiseRecord::of_scale(
        plan.mechanism().scale().to_string(),
        "discrete-laplace",
        Some(plan.grid().points()),
    )
}
