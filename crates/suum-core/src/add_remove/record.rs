//! Facts and JSON records of plans and releases under add-remove.

use super::{AddRemoveCandidate, AddRemovePlan};
use crate::answer::assumption::{Assumption, assumptions_for};
use crate::answer::coverage::Coverage;
use crate::answer::release::{AnyProcedure, Record, SplitRecord};
use crate::number::Number;
use crate::plan::facts::{Facts, HasFacts};
use crate::plan::record::{EstimatorRecord, NoiseRecord};
use crate::plan::{AnyPlan, CandidateRecord, LearningRecord, PlanRecord};
use crate::{
    AddRemoveProcedure, Categories, Epsilon, Estimator, Loss, Noise, PlannedInterval, RangePlan,
    Release, Spending, Target, Unit, WidthBasis,
};

impl HasFacts for AddRemovePlan {
    fn facts(&self) -> Facts<'_> {
        Facts {
            statistic: self.request().statistic(),
            options: Some(self.request().options()),
            bounds: self.request().bounds(),
            categories: self.request().categories(),
            estimator: Some(self.chosen().estimator.name()),
            unit: self.request().estimand().unit(),
            rmse: Some(self.chosen().error.rmse),
            error: Some(self.chosen().error),
            error_of_mean: self.chosen().mean,
            no_interval: self.no_interval(),
            ..Facts::default()
        }
    }
}

impl AnyPlan for AddRemovePlan {
    fn loss_of(&self, allowed: Epsilon) -> Loss {
        Spending::loss_for_budget(&self.chosen().privacy, allowed)
    }

    fn intervals(&self) -> Vec<PlannedInterval> {
        let (request, options) = (self.request(), self.request().options());
        let (of, confidence) = (request.statistic(), options.confidence);
        if request.cells().is_some() {
            let basis = WidthBasis::Approximate;
            let half_width = self.chosen().rank_half_width;
            let unit = Unit::Rank;
            let interval = |half_width| PlannedInterval { of, unit, half_width, confidence, basis };
            return half_width.map(interval).into_iter().collect();
        }
        let categories = request.categories().map_or(1, Categories::len);
        // Each share is divided by the sum of all, so shares add up to 1.
        let coverage = Coverage::new(confidence, options.simultaneous, categories, true);
        let confidences = (confidence, coverage.confidence);
        let unit = request.estimand().unit();
        vec![PlannedInterval::about(of, unit, self.chosen().error, confidences)]
    }

    fn mean_beside(&self) -> Option<PlannedInterval> {
        let confidence = self.request().options().confidence;
        let error = self.chosen().mean?;
        Some(PlannedInterval::about("mean", Unit::Value, error, (confidence, confidence)))
    }

    fn declared(&self) -> Option<Vec<Spending>> {
        Some(self.chosen().privacy.clone())
    }

    fn record(&self) -> PlanRecord<'_> {
        let (request, is_bounded) = (self.request(), self.setting().is_some());
        let candidate = |one: &AddRemoveCandidate| CandidateRecord {
            name: one.estimator.name(),
            risk: Number(one.error.rmse * one.error.rmse),
            rmse: Number(one.error.rmse),
            noise_sd: Some(Number(one.error.noise_sd)),
            sampling_sd: Some(Number(one.error.sampling_sd)),
            tau: Some(Number(one.tau)),
            ..CandidateRecord::default()
        };
        let learning = |row: &Spending| {
            let spent = Epsilon::new(row.spent.rounded_up()).unwrap_or(Epsilon::UNUSED);
            LearningRecord::new(row.epsilon, spent)
        };
        PlanRecord {
            q: request.ranks(),
            cells: request.cells().map(|cells| cells.steps()),
            rows: request.cells().map(|cells| cells.rows()),
            estimators: Some(self.candidates().iter().map(candidate).collect()),
            excluded: Some(self.excluded()),
            lower_bound: is_bounded.then(|| self.lower_bound().map(Number)),
            gap: is_bounded.then(|| self.gap().map(Number)),
            learning: self.learning().map(|rows| rows.iter().map(learning).collect()),
            ..PlanRecord::new(self, self.assumed(), [])
        }
    }
}

impl HasFacts for AddRemoveProcedure {
    fn facts(&self) -> Facts<'_> {
        Facts {
            statistic: self.request.statistic(),
            options: Some(self.request.options()),
            bounds: self.request.bounds(),
            categories: self.request.categories(),
            ..Facts::default()
        }
    }
}

impl AnyProcedure for AddRemoveProcedure {
    fn no_interval(&self, release: &Release) -> Option<&'static str> {
        match self.request.cells() {
            Some(_) => self.no_interval,
            None => release.clipped(),
        }
    }

    /// Returns true for quantiles. Their intervals can be missing depending on noisy numbers, so
    /// the assumptions are listed in any case.
    fn always_assumes(&self) -> bool {
        self.request.cells().is_some()
    }

    fn assumptions(&self, release: &Release) -> Vec<Assumption> {
        let (request, options) = (&self.request, self.request.options());
        let statistic = request.estimand().any();
        let normal = statistic.has_normal_noise().then_some(Assumption::NoiseIsNormal);
        // No sampling error: a count, or equal weights and the target dataset. Assumptions must not
        // depend on the data, so the measured error is not used here.
        let equal = options.target == Target::Dataset && request.estimator() == Estimator::Uniform;
        if !statistic.samples() || equal {
            return normal.into_iter().collect();
        }
        let mut assumed = assumptions_for(options.target, release.protects(), false, None);
        assumed.retain(|one| *one != Assumption::SamplingIsNormal);
        // Intervals of ranks use no approximation.
        if request.cells().is_none() {
            assumed.push(Assumption::SamplingIsEstimated);
        }
        assumed.extend(normal);
        assumed.extend(options.whole.then_some(Assumption::OnStep));
        assumed.extend(release.range().map(|_| Assumption::InRange));
        assumed
    }

    fn fill<'a>(&'a self, release: &'a Release, record: &mut Record<'a>) {
        let (request, options) = (&self.request, self.request.options());
        let cells = request.cells();
        let name = match release.is_planned_in_range() {
            true => RangePlan::NAME,
            false => request.estimator().name(),
        };
        record.method.estimator = Some(EstimatorRecord::new(name, Some(self.tau)));
        record.method.cells = cells.map(|cells| cells.steps());
        record.method.rows = cells.map(|cells| cells.rows());
        // Noisy numbers decide which quantiles have an interval, but the form of a release must not
        // depend on them.
        if cells.is_some() {
            record.no_interval = Some(release.no_interval());
        }
        let Noise { distribution, scale, grid } = &self.noise;
        record.noise = Some(NoiseRecord { distribution, scale: scale.to_string(), grid: *grid });
        let several = request.categories().is_some() || request.quantile_count() > 1;
        record.post = request.categories().map(|_| options.post);
        record.simultaneous = several.then_some(options.simultaneous);
        record.split = cells.map(|_| SplitRecord::Quantiles(self.split.clone()));
        record.together = self.together;
    }
}
