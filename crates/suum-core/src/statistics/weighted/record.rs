//! What a plan and a release of means, sums and frequencies tell of themselves, and their JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::assumption::Assumption;
use crate::facts::{Facts, Told};
use crate::number::Number;
use crate::plan::AnyPlan;
use crate::record::{
    Compared, EstimatorRecord, LearningRecord, Levels, NoiseRecord, ShrinkageRecord,
};
use crate::release::{AnyProcedure, ComparedRecord, Record};
use crate::session::{Cost, Session};
use crate::{
    Design, Epsilon, Estimator, Loss, Method, PlannedInterval, RangePlan, Release, Result, Share,
    Unit, WeightedPlan, WidthBasis,
};

impl Told for WeightedPlan {
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
        Ok(vec![session.part(self.part().share(), &self.measurement())?])
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
        record.noise = Some(noise(self));
        record.shrinkage = self.shrinkage().map(|one| ShrinkageRecord::of(one, self.unit()));
        record.strata = self.stratified();
    }
}

/// What errors are in.
fn unit(plan: &WeightedPlan) -> Unit {
    match plan.request().categories() {
        Some(_) => Unit::Share,
        None => Unit::Value,
    }
}

/// Every estimator that is compared, with its expected error. Of many releases each forgets it.
fn compared(plan: &WeightedPlan) -> Vec<Compared> {
    let each = plan.compared().candidates.into_iter().map(|candidate| Compared {
        name: candidate.estimator,
        rmse: Number(candidate.risk.rmse() * plan.unit()),
    });
    each.collect()
}

/// The bias bound of biased designs.
fn bias_bound(plan: &WeightedPlan, design: &Design) -> Option<Number> {
    let bound = design.bias_bound(plan.setting()) * plan.unit();
    (bound > 0.0).then_some(Number(bound))
}

/// The JSON of `suum plan`.
impl Serialize for WeightedPlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statistic", &self.request().statistic())?;
        map.serialize_entry("target", &self.setting().target)?;
        map.serialize_entry("neighbors", &self.request().options().neighbors)?;
        match self.request().categories() {
            Some(categories) => map.serialize_entry("categories", categories)?,
            None => {
                map.serialize_entry("bounds", &self.setting().bounds)?;
                map.serialize_entry("variance", &self.setting().variance)?;
            }
        }
        map.serialize_entry("beta", &self.setting().options.beta)?;
        map.serialize_entry("profile", &self.setting().profile)?;
        if let Some(strata) = self.stratified() {
            map.serialize_entry("strata", &strata)?;
        }
        map.serialize_entry("estimators", &candidates(self))?;
        map.serialize_entry("excluded", self.excluded())?;
        map.serialize_entry("chosen", &self.chosen().estimator)?;
        let unit = self.unit();
        map.serialize_entry(
            "lower_bound",
            &self.lower_bound().map(|bound| Number(bound * unit * unit)),
        )?;
        map.serialize_entry("gap", &self.gap().map(Number))?;
        map.serialize_entry("personalization_gain", &self.personalization_gain().map(Number))?;
        map.serialize_entry("ratio_bound", &self.ratio_bound())?;
        if let Some(shrinkage) = self.shrinkage() {
            map.serialize_entry("shrinkage", &ShrinkageRecord::of(shrinkage, unit))?;
        }
        map.serialize_entry("privacy", &Levels::new(&self.setting().profile, self.losses()))?;
        map.serialize_entry("noise", &noise(self))?;
        if let Some(adaptive) = self.adaptive() {
            let levels = self.allowed().levels().iter().zip(adaptive.learning());
            let cost = levels.map(|(level, learning)| LearningRecord::of(level.epsilon, *learning));
            map.serialize_entry("learning", &cost.collect::<Vec<_>>())?;
        }
        map.end()
    }
}

fn candidates(plan: &WeightedPlan) -> Vec<CandidateRecord<'_>> {
    let (unit, setting) = (plan.unit(), plan.setting());
    let all = plan.candidates().iter().map(|candidate| {
        let design = &candidate.design;
        let level_weights = match &design.method {
            Method::LevelLaplace { level_weights } => Some(level_weights.as_slice()),
            _ => None,
        };
        let sampling_probabilities = match &design.method {
            Method::Sample { sampling_probabilities, .. } => {
                Some(sampling_probabilities.as_slice())
            }
            _ => None,
        };
        CandidateRecord {
            name: candidate.estimator,
            for_study: candidate.estimator.is_for_study(),
            level_weights,
            weights: level_weights.is_none().then(|| design.weights.per_level()),
            noise_scale: design
                .noise_scale(setting)
                .map(|scale| Number(setting.bounds.width() * scale * unit)),
            sampling_probabilities,
            risk: Number(candidate.risk.total() * unit * unit),
            rmse: Number(candidate.risk.rmse() * unit),
            noise_sd: Number(candidate.risk.noise_sd() * unit),
            sampling_sd: Number(candidate.risk.sampling_sd() * unit),
            tau: design.tau.map(Number),
            objective: design.objective.map(Number),
            bias_bound: bias_bound(plan, design),
        }
    });
    all.collect()
}

#[derive(Serialize)]
struct CandidateRecord<'a> {
    name: Estimator,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    for_study: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    level_weights: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    noise_scale: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling_probabilities: Option<&'a [f64]>,
    risk: Number,
    rmse: Number,
    noise_sd: Number,
    sampling_sd: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    tau: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    objective: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bias_bound: Option<Number>,
}

fn noise(plan: &WeightedPlan) -> NoiseRecord {
    let mechanism = plan.mechanism();
    NoiseRecord {
        distribution: mechanism.distribution(),
        scale: mechanism.largest_scale().to_string(),
        grid: plan.setting().categories.is_none().then(|| plan.grid().points()),
    }
}
