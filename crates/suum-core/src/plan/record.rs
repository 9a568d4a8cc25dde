//! The JSON of a plan without declared bounds.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::AnyPlan;
use crate::number::Number;
use crate::record::{ErrorRecord, Levels};
use crate::{Profile, RangePlan, UnboundedPlan, Unit};

/// What people of this profile would lose, or who has one of the declared budgets.
pub(crate) fn levels_of(plan: &dyn AnyPlan, people: &Profile) -> Levels {
    let losses = || people.levels().iter().map(|level| plan.loss_of(level.epsilon));
    plan.declared().map_or_else(|| Levels::new(people, losses()), Levels::Declared)
}

/// The JSON of `suum plan --bounds auto`. Errors of means and sums are in standard deviations of
/// the values.
impl Serialize for UnboundedPlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let request = self.request();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", request.asked.name())?;
        map.serialize_entry("target", &request.options.target)?;
        map.serialize_entry("neighbors", &request.options.neighbors)?;
        map.serialize_entry("bounds", "auto")?;
        map.serialize_entry("profile", self.people())?;
        if let Some(error) = self.standard().any().facts().error {
            let unit = match self.standard().unit() {
                Unit::Square => "squared standard deviation",
                Unit::Rank => "rank",
                Unit::Value | Unit::Share | Unit::Records => "standard deviation",
            };
            map.serialize_entry("unit", unit)?;
            map.serialize_entry("error", &ErrorRecord::of(error))?;
        }
        if let Some(why) = self.no_interval() {
            map.serialize_entry("no_interval", why)?;
        }
        map.serialize_entry("chosen", RangePlan::NAME)?;
        map.serialize_entry(
            "range",
            &self.search().clone().with_least_half_width_sds(self.half_width_sds()),
        )?;
        if let (Some(bound), Some(gap)) = (self.lower_bound(), self.gap()) {
            map.serialize_entry("lower_bound", &Number(bound))?;
            map.serialize_entry("gap", &Number(gap))?;
        }
        map.serialize_entry("privacy", &levels_of(self, self.people()))?;
        map.serialize_entry("inside", self.standard())?;
        map.end()
    }
}
