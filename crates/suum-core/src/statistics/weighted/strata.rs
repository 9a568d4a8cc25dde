//! Strata in the plan of an estimate that keeps their shares.

use super::comparison::proposed;
use crate::strategy::estimator::Designs;
use crate::{Setting, StrataSummary, WeightedPlan};

impl WeightedPlan {
    /// Returns the strata whose shares the estimate keeps, if any.
    pub fn stratified(&self) -> Option<StrataSummary> {
        let strata = self.request().options().strata.as_ref()?;
        let weights = &self.chosen().design.weights;
        Some(StrataSummary::new(strata, self.setting(), weights, self.rmse_without_strata()?))
    }

    /// Returns the expected error of the same estimator without strata, in units of the statistic.
    fn rmse_without_strata(&self) -> Option<f64> {
        let setting = self.setting();
        let profile = setting.profile.without_strata().ok()?;
        let without = Setting { profile, strata: Vec::new(), ..setting.clone() };
        let (request, estimator) = (self.request(), self.chosen().estimator);
        let public = (&Designs::new(&without.profile), &request.coverage(true));
        let design = proposed(estimator, request, &without, public).ok()?;
        Some(design.risk(&without).rmse() * self.unit())
    }
}
