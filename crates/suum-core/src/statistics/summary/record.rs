//! What a plan and a release of several statistics tell of themselves, and their JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{SummaryPlan, SummaryProcedure};
use crate::assumption::Assumption;
use crate::facts::{Facts, Told};
use crate::number::Number;
use crate::plan::{AnyPlan, declared_of, levels_of};
use crate::record::ShareOfBudget;
use crate::release::{AnyProcedure, PartRecords, Record, SplitRecord};
use crate::session::{Cost, Session};
use crate::{Epsilon, Loss, Plan, PlannedInterval, Release, Result, Share, Spending, Unit};

impl Told for SummaryPlan {
    fn facts(&self) -> Facts<'_> {
        let mean = self.rmse_of_mean().map_or(0.0, |rmse| rmse / self.bounds().width());
        let each = self.plans().filter_map(Plan::relative_error);
        Facts {
            statistic: "summary",
            options: self.options(),
            unit: match self.plans().all(|plan| plan.unit() == Unit::Rank) {
                true => Unit::Rank,
                false => Unit::Value,
            },
            relative_error: each.map(|one| one.max(mean)).reduce(f64::max),
            no_interval: self.plans().find_map(Plan::no_interval),
            ..Facts::default()
        }
    }
}

impl AnyPlan for SummaryPlan {
    fn loss_of(&self, allowed: Epsilon) -> Loss {
        self.loss_of(allowed)
    }

    fn intervals(&self) -> Vec<PlannedInterval> {
        PlannedInterval::of_parts(self.plans().map(Plan::any), self.statistics().mean)
    }

    fn declared(&self) -> Option<Vec<Spending>> {
        declared_of(self, self.plans().next()?)
    }

    fn costs(&self, session: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        self.costs(session)
    }
}

impl Told for SummaryProcedure {
    fn facts(&self) -> Facts<'_> {
        Facts { statistic: "summary", bounds: Some(self.bounds), ..Facts::default() }
    }
}

impl AnyProcedure for SummaryProcedure {
    /// Each part says its own.
    fn no_interval(&self, _: &Release) -> Option<&'static str> {
        None
    }

    fn assumptions(&self, _: &Release) -> Vec<Assumption> {
        let mut assumed = Vec::new();
        for one in self.parts.iter().flat_map(|part| part.release.assumptions()) {
            if !assumed.contains(&one) {
                assumed.push(one);
            }
        }
        assumed
    }

    fn fill<'a>(&'a self, _: &'a Release, record: &mut Record<'a>) {
        let part = |statistic: &str| {
            let mut releases = self.parts.iter().map(|part| &part.release);
            releases.find(|release| release.statistic() == statistic)
        };
        let shares = self.parts.iter().map(|part| (part.measured, part.share));
        record.split = Some(SplitRecord::Summary(shares.map(ShareOfBudget::of).collect()));
        record.parts = Some(PartRecords {
            mean: part("mean"),
            variance: part("variance"),
            quantile: part("quantile"),
        });
    }
}

/// The JSON of `suum plan --statistic mean,variance,q50`.
impl Serialize for SummaryPlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", "summary")?;
        map.serialize_entry("statistics", &self.statistics().names())?;
        if let Some(options) = self.options().filter(|one| one.neighbors.hides_participation()) {
            map.serialize_entry("target", &options.target)?;
            map.serialize_entry("neighbors", &options.neighbors)?;
        }
        map.serialize_entry("bounds", &self.bounds())?;
        map.serialize_entry("profile", self.people())?;
        map.serialize_entry("split", &self.shares().map(ShareOfBudget::of).collect::<Vec<_>>())?;
        map.serialize_entry("privacy", &levels_of(self, self.people()))?;
        map.serialize_entry("parts", &PlanParts(self))?;
        if let Some(rmse) = self.rmse_of_mean() {
            map.serialize_entry("rmse_of_mean", &Number(rmse))?;
        }
        map.end()
    }
}

struct PlanParts<'a>(&'a SummaryPlan);

/// A table in the order asked for, of which no map of Rust keeps the order.
impl Serialize for PlanParts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.plans().map(|plan| (plan.statistic(), plan)))
    }
}
