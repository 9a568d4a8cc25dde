//! Facts and JSON records of plans and releases of means, sums and frequencies.

use crate::answer::assumption::Assumption;
use crate::answer::release::{AnyProcedure, ComparedRecord, Record};
use crate::number::Number;
use crate::plan::facts::{Facts, HasFacts};
use crate::plan::record::{EstimatorOutline, EstimatorRecord, NoiseRecord, ShrinkageRecord};
use crate::plan::{AnyPlan, CandidateRecord, LearningRecord, PlanRecord};
use crate::private::session::{Cost, Session};
use crate::{
    Design, Epsilon, Loss, Method, PlannedInterval, RangePlan, Release, Result, Share, Unit,
    WeightedPlan, WidthBasis,
};

impl HasFacts for WeightedPlan {
    fn facts(&self) -> Facts<'_> {
        let (request, chosen) = (self.request(), self.chosen());
        Facts {
            statistic: request.statistic().name(),
            options: Some(request.options()),
            bounds: request.categories().is_none().then_some(request.bounds()),
            categories: request.categories(),
            estimator: Some(chosen.estimator.name()),
            unit: unit(self),
            rmse: Some(chosen.risk.rmse() * self.unit()),
            relative_error: Some(chosen.risk.rmse() / self.setting().bounds.width()),
            error: Some(self.expected_error()),
            ..Facts::default()
        }
    }
}

impl AnyPlan for WeightedPlan {
    fn loss_of(&self, allowed: Epsilon) -> Loss {
        self.loss_of(allowed)
    }

    fn intervals(&self) -> Vec<PlannedInterval> {
        vec![PlannedInterval {
            of: self.request().statistic().name(),
            unit: unit(self),
            half_width: self.half_width() * self.unit(),
            confidence: self.request().options().confidence,
            basis: match self.adaptive() {
                Some(_) => WidthBasis::WorstCaseWithoutLearning,
                None => WidthBasis::WorstCase,
            },
        }]
    }

    fn costs(&self, session: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        match self.apart() {
            Some(apart) => Ok(vec![(self.part().share(), apart.costs(session)?)]),
            None => Ok(vec![session.part(self.part().share(), &self.measurement())?]),
        }
    }

    fn record(&self) -> PlanRecord<'_> {
        let (setting, unit) = (self.setting(), self.unit());
        let learning = self.adaptive().map(|adaptive| {
            let levels = self.allowed().levels().iter().zip(adaptive.learning());
            levels.map(|(level, learning)| LearningRecord::new(level.epsilon, *learning)).collect()
        });
        PlanRecord {
            variance: setting.categories.is_none().then_some(setting.variance),
            beta: Some(setting.beta),
            strata: self.stratified(),
            price_of_tiers_apart: self.price_of_tiers_apart().map(Number),
            estimators: Some(candidates(self)),
            excluded: Some(self.excluded()),
            lower_bound: Some(self.lower_bound().map(|bound| Number(bound * unit * unit))),
            gap: Some(self.gap().map(Number)),
            personalization_gain: Some(self.personalization_gain().map(Number)),
            ratio_bound: Some(self.ratio_bound()),
            shrinkage: self.shrinkage().map(|one| ShrinkageRecord::from_shrinkage(one, unit)),
            noise: self.apart().is_none().then(|| noise(self)),
            learning,
            ..PlanRecord::new(self, &setting.profile, self.losses())
        }
    }
}

impl AnyProcedure for WeightedPlan {
    fn unit(&self) -> f64 {
        self.unit()
    }

    fn assumptions(&self, release: &Release) -> Vec<Assumption> {
        let mut assumed = self.assumptions(release.protects());
        assumed.extend(release.range().map(|_| Assumption::LittleBeyond));
        assumed
    }

    fn fill<'a>(&'a self, release: &'a Release, record: &mut Record<'a>) {
        let (chosen, options) = (self.chosen(), self.request().options());
        let in_range = release.is_planned_in_range();
        let name = if in_range { RangePlan::NAME } else { chosen.estimator.name() };
        record.method.estimator = Some(EstimatorRecord::new(name, chosen.design.tau));
        // Inside a range that was found or learned there is only one choice.
        let compares = !in_range && release.learned_range().is_none();
        record.compared = compares.then(|| ComparedRecord::Weighted(compared(self)));
        let categories = self.setting().categories;
        record.post = categories.map(|_| options.post);
        record.simultaneous = categories.map(|_| options.simultaneous);
        // Tiers that are measured apart have separate noises, which are listed.
        record.noise = self.apart().is_none().then(|| noise(self));
        record.shrinkage =
            self.shrinkage().map(|one| ShrinkageRecord::from_shrinkage(one, self.unit()));
        record.strata = self.stratified();
    }
}

/// Returns the unit of errors.
fn unit(plan: &WeightedPlan) -> Unit {
    match plan.request().categories() {
        Some(_) => Unit::Share,
        None => Unit::Value,
    }
}

/// Returns every compared estimator with its expected error. It is not cached, to save memory with
/// many releases.
fn compared(plan: &WeightedPlan) -> Vec<EstimatorOutline> {
    let each = plan.compared().candidates.into_iter().map(|candidate| EstimatorOutline {
        name: candidate.estimator,
        rmse: Number(candidate.risk.rmse() * plan.unit()),
    });
    each.collect()
}

/// Returns the bias bound of biased designs.
fn bias_bound(plan: &WeightedPlan, design: &Design) -> Option<Number> {
    let bound = design.bias_bound(plan.setting()) * plan.unit();
    (bound > 0.0).then_some(Number(bound))
}

/// Returns the compared estimators.
fn candidates(plan: &WeightedPlan) -> Vec<CandidateRecord<'_>> {
    let (unit, setting) = (plan.unit(), plan.setting());
    let all = plan.candidates().iter().map(|candidate| {
        let design = &candidate.design;
        let (level_weights, sampling_probabilities) = match &design.method {
            Method::LevelLaplace { level_weights } => (Some(level_weights.as_slice()), None),
            Method::Sample { sampling_probabilities, .. } => {
                (None, Some(sampling_probabilities.as_slice()))
            }
            _ => (None, None),
        };
        CandidateRecord {
            name: candidate.estimator.name(),
            for_study: candidate.estimator.is_for_study(),
            level_weights,
            weights: level_weights.is_none().then(|| design.weights.per_level()),
            noise_scale: design
                .noise_scale(setting)
                .map(|scale| Number(setting.bounds.width() * scale * unit)),
            sampling_probabilities,
            risk: Number(candidate.risk.total() * unit * unit),
            rmse: Number(candidate.risk.rmse() * unit),
            noise_sd: Some(Number(candidate.risk.noise_sd() * unit)),
            sampling_sd: Some(Number(candidate.risk.sampling_sd() * unit)),
            tau: design.tau.map(Number),
            objective: design.objective.map(Number),
            bias_bound: bias_bound(plan, design),
            ..CandidateRecord::default()
        }
    });
    all.collect()
}

fn noise(plan: &WeightedPlan) -> NoiseRecord {
    let mechanism = plan.mechanism();
    NoiseRecord {
        distribution: mechanism.distribution(),
        scale: mechanism.largest_scale().to_string(),
        grid: plan.setting().categories.is_none().then(|| plan.grid().points()),
    }
}
