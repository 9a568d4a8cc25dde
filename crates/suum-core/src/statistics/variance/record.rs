//! Facts and JSON records of plans and releases of a variance.

use super::VariancePlan;
use crate::answer::assumption::{Assumption, EQUAL, assumptions_for};
use crate::answer::release::{AnyProcedure, Record};
use crate::plan::facts::{Facts, HasFacts};
use crate::plan::record::{ErrorRecord, EstimatorRecord, NoiseRecord};
use crate::plan::{AnyPlan, PlanRecord};
use crate::private::session::{Cost, Session};
use crate::{Epsilon, Loss, PlannedInterval, Release, Result, Share, Unit, WidthBasis};

impl HasFacts for VariancePlan {
    fn facts(&self) -> Facts<'_> {
        let (error, width) = (self.error(), self.request().bounds().width());
        Facts {
            statistic: "variance",
            options: Some(self.request().options()),
            bounds: Some(self.request().bounds()),
            estimator: Some("affine"),
            unit: Unit::Square,
            rmse: Some(error.rmse),
            relative_error: Some(error.rmse / (width * width / 4.0)),
            error: Some(error),
            error_of_mean: Some(self.error_of_mean()),
            ..Facts::default()
        }
    }
}

impl AnyPlan for VariancePlan {
    fn loss_of(&self, allowed: Epsilon) -> Loss {
        self.loss_of(allowed)
    }

    fn intervals(&self) -> Vec<PlannedInterval> {
        let confidence = self.request().options().confidence;
        let confidences = (confidence, confidence);
        vec![PlannedInterval::about("variance", Unit::Square, self.error(), confidences)]
    }

    fn mean_beside(&self) -> Option<PlannedInterval> {
        Some(PlannedInterval {
            of: "mean",
            unit: Unit::Value,
            half_width: self.half_width_of_mean(),
            confidence: self.request().options().confidence,
            basis: WidthBasis::WorstCase,
        })
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
            ..PlanRecord::new(self, self.profile(), self.losses())
        }
    }
}

impl AnyProcedure for VariancePlan {
    fn assumptions(&self, release: &Release) -> Vec<Assumption> {
        let equal = self.weights().distance(self.profile()) < EQUAL;
        let target = self.request().options().target;
        let mut assumed = assumptions_for(target, release.protects(), equal, None);
        // Noises of the sum and of the squares.
        assumed.extend((self.noise_scale() > 0.0).then_some(Assumption::NoiseIsNormal));
        assumed
    }

    fn fill<'a>(&'a self, _: &'a Release, record: &mut Record<'a>) {
        record.method.estimator = Some(EstimatorRecord::new("affine", Some(self.tau())));
        record.noise = Some(noise(self));
    }
}

/// Returns the noise of the sum; that of the squares has the same scale.
fn noise(plan: &VariancePlan) -> NoiseRecord {
    NoiseRecord::from_scale(
        plan.mechanism().scale().to_string(),
        "discrete-laplace",
        Some(plan.grid().points()),
    )
}
