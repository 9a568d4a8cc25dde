//! The plan of several statistics as JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::SummaryPlan;
use crate::number::Number;
use crate::record::{Levels, ShareOfBudget};

/// The JSON of `suum plan --statistic mean,variance,q50`.
impl Serialize for SummaryPlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", "summary")?;
        map.serialize_entry("statistics", &self.statistics().names())?;
        map.serialize_entry("bounds", &self.bounds())?;
        map.serialize_entry("profile", self.allowed())?;
        map.serialize_entry("split", &self.shares().map(ShareOfBudget::of).collect::<Vec<_>>())?;
        map.serialize_entry("privacy", &Levels::new(self.allowed(), self.losses().collect()))?;
        map.serialize_entry("parts", &PlanParts(self))?;
        // Of a mean that is measured with the variance, and is no part of its own.
        if let (None, Some(rmse)) = (self.mean_plan(), self.rmse_of_mean()) {
            map.serialize_entry("rmse_of_mean", &Number(rmse))?;
        }
        map.end()
    }
}

struct PlanParts<'a>(&'a SummaryPlan);

impl Serialize for PlanParts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.plans().map(|plan| (plan.statistic(), plan)))
    }
}
