//! Plans that hide participation, as JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{AddRemoveCandidate, AddRemovePlan};
use crate::number::Number;
use crate::record::LearningRecord;
use crate::{Asked, Estimator};

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
        map.serialize_entry("neighbors", &request.options().neighbors)?;
        match request.asked() {
            Asked::Mean | Asked::Sum | Asked::Variance => {
                map.serialize_entry("bounds", &request.inside())?;
            }
            Asked::Frequency(categories) => map.serialize_entry("categories", categories)?,
            Asked::Quantiles { cells, .. } => {
                map.serialize_entry("bounds", &request.inside())?;
                map.serialize_entry("cells", &cells.steps())?;
                map.serialize_entry("rows", &cells.rows())?;
            }
            Asked::Count | Asked::Summary { .. } => {}
        }
        map.serialize_entry("profile", self.assumed())?;
        map.serialize_entry("estimators", self.candidates())?;
        map.serialize_entry("excluded", &Excluded(self))?;
        map.serialize_entry("chosen", &self.chosen().estimator)?;
        if let Some(why) = self.no_interval() {
            map.serialize_entry("no_interval", why)?;
        }
        if let Asked::Mean | Asked::Frequency(_) = request.asked() {
            map.serialize_entry("lower_bound", &self.lower_bound().map(Number))?;
            map.serialize_entry("gap", &self.gap().map(Number))?;
        }
        map.serialize_entry("privacy", &self.chosen().privacy)?;
        if let Some(learning) = self.learning() {
            let cost = learning.iter().map(|row| LearningRecord::of(row.epsilon, &row.spent));
            map.serialize_entry("learning", &cost.collect::<Vec<_>>())?;
        }
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
