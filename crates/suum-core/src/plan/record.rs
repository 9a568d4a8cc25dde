//! The JSON of a plan without declared bounds.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::number::Number;
use crate::record::{ErrorRecord, Levels};
use crate::{Loss, Neighbors, RangePlan, UnboundedPlan};

/// The JSON of `suum plan --bounds auto`. Errors of means and sums are in standard deviations of
/// the values.
impl Serialize for UnboundedPlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let request = self.request();
        let losses: Vec<Loss> =
            self.allowed().levels().iter().map(|level| self.loss_of(level.epsilon)).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", request.asked.name())?;
        map.serialize_entry("target", &request.options.target)?;
        map.serialize_entry("neighbors", &Neighbors::ReplaceOne)?;
        map.serialize_entry("bounds", "auto")?;
        map.serialize_entry("profile", self.allowed())?;
        if let Some((unit, error)) = self.standard().any().facts().standard_error {
            map.serialize_entry("unit", unit)?;
            map.serialize_entry("error", &ErrorRecord::of(error))?;
        }
        if let Some(why) = self.no_interval() {
            map.serialize_entry("no_interval", why)?;
        }
        map.serialize_entry("chosen", RangePlan::NAME)?;
        map.serialize_entry("range", &self.search().clone().reaching(self.reach()))?;
        if let (Some(bound), Some(gap)) = (self.lower_bound(), self.gap()) {
            map.serialize_entry("lower_bound", &Number(bound))?;
            map.serialize_entry("gap", &Number(gap))?;
        }
        map.serialize_entry("privacy", &Levels::new(self.allowed(), losses))?;
        map.end()
    }
}

impl Serialize for RangePlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("shares", &self.shares())?;
        map.serialize_entry("radius_rank", &self.rank())?;
        map.serialize_entry("reach", &self.reach())?;
        map.serialize_entry("needed", &self.needed())?;
        map.end()
    }
}
