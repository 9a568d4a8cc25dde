//! Facts and JSON records of plans and releases of quantiles.

use super::QuantilePlan;
use crate::answer::assumption::{Assumption, EQUAL, TierQuantity, assumptions_for};
use crate::answer::release::{AnyProcedure, ComparedRecord, Record, SplitRecord};
use crate::number::Number;
use crate::plan::facts::{Facts, HasFacts};
use crate::plan::record::{ComparedQuantiles, EstimatorRecord, NoiseRecord};
use crate::plan::{AnyPlan, CandidateRecord, PlanRecord};
use crate::private::session::{Cost, Session};
use crate::{
    Epsilon, Loss, PlannedInterval, QuantileMechanism, Release, Result, Share, TierDifference,
    Unit, WidthBasis,
};

impl HasFacts for QuantilePlan {
    fn facts(&self) -> Facts<'_> {
        let rmse = Some(self.chosen().rank_error.rmse());
        Facts {
            statistic: "quantile",
            options: Some(self.request().options()),
            bounds: Some(self.request().bounds()),
            estimator: Some(self.chosen().estimator.name()),
            unit: Unit::Rank,
            rmse,
            relative_error: rmse,
            error: Some(self.expected_error()),
            no_interval: self.no_interval(),
            ..Facts::default()
        }
    }
}

impl AnyPlan for QuantilePlan {
    fn loss_of(&self, allowed: Epsilon) -> Loss {
        self.loss_of(allowed)
    }

    fn intervals(&self) -> Vec<PlannedInterval> {
        let interval = |half_width| PlannedInterval {
            of: "quantile",
            unit: Unit::Rank,
            half_width,
            confidence: self.request().options().confidence,
            basis: WidthBasis::Approximate,
        };
        self.rank_half_width().map(interval).into_iter().collect()
    }

    fn costs(&self, session: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        Ok(vec![session.part(self.part().share(), &self.measurement())?])
    }

    fn record(&self) -> PlanRecord<'_> {
        PlanRecord {
            q: self.request().ranks(),
            cells: Some(self.request().cells().steps()),
            rows: Some(self.request().cells().rows()),
            strata: self.stratified().cloned(),
            estimators: Some(candidates(self)),
            split: Some(SplitRecord::Quantiles(self.split().collect())),
            together: self.together(),
            noise: Some(noise(self)),
            ..PlanRecord::new(self, self.profile(), self.losses())
        }
    }
}

impl AnyProcedure for QuantilePlan {
    fn no_interval(&self, _: &Release) -> Option<&'static str> {
        self.no_interval()
    }

    fn assumptions(&self, release: &Release) -> Vec<Assumption> {
        let options = self.request().options();
        let equal = self.chosen().weights.distance(self.profile()) < EQUAL;
        let by = TierQuantity::SharesBelow;
        let declared = options.tiers_differ.map(TierDifference::in_any_direction);
        let declared =
            declared.map(|difference| Assumption::TiersDiffer { by, difference, in_strata: false });
        let mut assumed = assumptions_for(options.target, release.protects(), equal, declared);
        if self.stratified().is_some_and(|kept| kept.strata.len() > 1) {
            assumed.iter_mut().for_each(|one| *one = one.in_strata());
        }
        // Intervals of ranks use no approximation.
        assumed.retain(|one| *one != Assumption::SamplingIsNormal);
        assumed.extend(options.whole.then_some(Assumption::OnStep));
        assumed.extend(release.range().map(|_| Assumption::InRange));
        assumed
    }

    fn fill<'a>(&'a self, _: &'a Release, record: &mut Record<'a>) {
        let (request, chosen) = (self.request(), self.chosen());
        let (name, options) = (chosen.estimator.name(), request.options());
        record.method.estimator = Some(EstimatorRecord::new(name, chosen.tau));
        record.method.cells = Some(request.cells().steps());
        record.method.rows = Some(request.cells().rows());
        record.noise = Some(noise(self));
        record.split = Some(SplitRecord::Quantiles(self.split().collect()));
        record.simultaneous = (request.ranks().len() > 1).then_some(options.simultaneous);
        record.together = self.together();
        let compared = self.compared().into_iter().map(|candidate| ComparedQuantiles {
            name: candidate.estimator,
            rank_rmse: Number(candidate.rank_error.rmse()),
            rmse: Number(candidate.risk.sqrt()),
        });
        record.compared = Some(ComparedRecord::Quantiles(compared.collect()));
        record.strata = self.stratified().cloned();
    }
}

/// Returns the noise of quantiles, with the largest scale.
fn noise(plan: &QuantilePlan) -> NoiseRecord {
    let scale = match plan.mechanism() {
        QuantileMechanism::Joint(choice) => choice.scale().to_string(),
        QuantileMechanism::Refined(counts) => counts.scale().to_string(),
        QuantileMechanism::PerLevel(levels) => levels
            .iter()
            .map(|(_, choice)| choice.scale())
            .max()
            .map_or_else(|| "0".into(), ToString::to_string),
    };
    NoiseRecord::from_scale(scale, plan.distribution(), None)
}

/// Returns the compared estimators.
fn candidates(plan: &QuantilePlan) -> Vec<CandidateRecord<'_>> {
    let all = plan.candidates().iter().map(|candidate| CandidateRecord {
        name: candidate.estimator.name(),
        level_weights: candidate.level_weights.as_deref(),
        weights: candidate.level_weights.is_none().then(|| candidate.weights.per_level()),
        tau: candidate.tau.map(Number),
        rank_noise_sd: Some(Number(candidate.rank_error.noise.sqrt())),
        rank_sampling_sd: Some(Number(candidate.rank_error.sampling.sqrt())),
        rank_rmse: Some(Number(candidate.rank_error.rmse())),
        risk: Number(candidate.risk),
        rmse: Number(candidate.risk.sqrt()),
        ..CandidateRecord::default()
    });
    all.collect()
}
