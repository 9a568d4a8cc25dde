//! Facts and JSON records of plans and releases of categories that are found.

use super::FoundPlan;
use crate::answer::assumption::{Assumption, EQUAL, assumptions_for};
use crate::answer::release::{AnyProcedure, Record};
use crate::plan::facts::{Facts, HasFacts};
use crate::plan::record::{ErrorRecord, EstimatorRecord, NoiseRecord};
use crate::plan::{AnyPlan, FoundPlanRecord, PlanRecord};
use crate::private::session::{Cost, Session};
use crate::{Epsilon, Loss, PlannedInterval, Release, Result, Share, Unit, WidthBasis};

impl HasFacts for FoundPlan {
    fn facts(&self) -> Facts<'_> {
        let error = self.error();
        Facts {
            statistic: "frequency",
            options: Some(self.request().options()),
            estimator: Some("affine"),
            unit: Unit::Share,
            rmse: Some(error.rmse),
            relative_error: Some(error.rmse),
            error: Some(error),
            ..Facts::default()
        }
    }
}

impl AnyPlan for FoundPlan {
    fn loss_of(&self, allowed: Epsilon) -> Loss {
        self.loss_of(allowed)
    }

    fn intervals(&self) -> Vec<PlannedInterval> {
        vec![PlannedInterval {
            of: "frequency",
            unit: Unit::Share,
            half_width: self.half_width(),
            confidence: self.request().options().confidence,
            basis: WidthBasis::Approximate,
        }]
    }

    fn costs(&self, session: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        Ok(vec![session.part(self.part().share(), &self.measurement())?])
    }

    fn record(&self) -> PlanRecord<'_> {
        PlanRecord {
            estimator: Some(EstimatorRecord::new("affine", Some(self.tau()))),
            weights: Some(self.weights().per_level()),
            error: Some(ErrorRecord::from_error(self.error())),
            // There is only one estimator.
            chosen: None,
            noise: Some(noise(self)),
            found_categories: Some(FoundPlanRecord {
                delta: self.request().delta(),
                threshold: self.threshold(),
                shown_by_half: self.share_shown_by_half(),
            }),
            ..PlanRecord::new(self, self.profile(), self.losses())
        }
    }
}

impl AnyProcedure for FoundPlan {
    fn assumptions(&self, release: &Release) -> Vec<Assumption> {
        let equal = self.weights().distance(self.profile()) < EQUAL;
        assumptions_for(self.request().options().target, release.protects(), equal, None)
    }

    fn fill<'a>(&'a self, _: &'a Release, record: &mut Record<'a>) {
        let options = self.request().options();
        record.method.estimator = Some(EstimatorRecord::new("affine", Some(self.tau())));
        record.post = Some(options.post);
        record.simultaneous = Some(options.simultaneous);
        record.noise = Some(noise(self));
    }
}

/// Returns the noise of a count, with its scale above zero.
fn noise(plan: &FoundPlan) -> NoiseRecord {
    NoiseRecord::from_scale(plan.mechanism().noise().up().to_string(), "two-slopes", None)
}
