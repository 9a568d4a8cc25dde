//! Facts and JSON records of plans and releases of several statistics.

use super::{SummaryPlan, SummaryProcedure};
use crate::answer::assumption::Assumption;
use crate::answer::release::{AnyProcedure, PartRecords, Record, SplitRecord};
use crate::number::Number;
use crate::plan::facts::{Facts, HasFacts};
use crate::plan::record::ShareOfBudget;
use crate::plan::{AnyPlan, PlanRecord, declared_of};
use crate::private::session::{Cost, Session};
use crate::{Epsilon, Loss, Plan, PlannedInterval, Release, Result, Share, Spending, Unit};

impl HasFacts for SummaryPlan {
    fn facts(&self) -> Facts<'_> {
        let mean = self.rmse_of_mean().map_or(0.0, |rmse| rmse / self.bounds().width());
        let each = self.plans().filter_map(Plan::relative_error);
        Facts {
            statistic: "summary",
            options: self.options(),
            bounds: Some(self.bounds()),
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
        PlannedInterval::from_parts(self.plans().map(Plan::any), self.statistics().mean)
    }

    fn declared(&self) -> Option<Vec<Spending>> {
        declared_of(self, self.plans().next()?)
    }

    fn costs(&self, session: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        self.costs(session)
    }

    fn record(&self) -> PlanRecord<'_> {
        let shared = PlanRecord::new(self, self.people(), self.losses());
        let hides = self.neighbors().hides_participation();
        PlanRecord {
            statistics: Some(self.statistics().names()),
            target: shared.target.filter(|_| hides),
            neighbors: shared.neighbors.filter(|_| hides),
            split: Some(SplitRecord::Summary(
                self.shares().map(ShareOfBudget::from_pair).collect(),
            )),
            // Each part has its own reason.
            no_interval: None,
            parts: Some(PartRecords::look_up(|name| {
                self.plans().find(|plan| plan.statistic() == name)
            })),
            rmse_of_mean: self.rmse_of_mean().map(Number),
            ..shared
        }
    }
}

impl HasFacts for SummaryProcedure {
    fn facts(&self) -> Facts<'_> {
        Facts { statistic: "summary", bounds: Some(self.bounds), ..Facts::default() }
    }
}

impl AnyProcedure for SummaryProcedure {
    /// Returns `None`, because each part has its own reason.
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
        record.split = Some(SplitRecord::Summary(shares.map(ShareOfBudget::from_pair).collect()));
        record.parts = Some(PartRecords::look_up(part));
    }
}
