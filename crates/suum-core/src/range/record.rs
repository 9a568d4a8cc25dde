//! The JSON of a plan without declared bounds.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::number::Number;
use crate::record::{ErrorRecord, Levels};
use crate::{Loss, Neighbors, RangePlan, UnboundedMean};

/// The JSON of `suum plan --bounds auto`. Errors are in standard deviations of the values.
impl Serialize for UnboundedMean {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let losses: Vec<Loss> =
            self.allowed().levels().iter().map(|level| self.loss(level.epsilon)).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", "mean")?;
        map.serialize_entry("target", &self.options().target)?;
        map.serialize_entry("neighbors", &Neighbors::ReplaceOne)?;
        map.serialize_entry("bounds", "auto")?;
        map.serialize_entry("profile", self.allowed())?;
        map.serialize_entry("unit", "standard deviation")?;
        map.serialize_entry("chosen", RangePlan::NAME)?;
        map.serialize_entry("error", &ErrorRecord::of(self.expected_error()))?;
        map.serialize_entry("range", self.search())?;
        map.serialize_entry("lower_bound", &Number(self.lower_bound()))?;
        map.serialize_entry("gap", &Number(self.gap()))?;
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
