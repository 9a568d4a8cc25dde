//! The JSON of a plan, and what it shares with that of a release.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::number::Number;
use crate::{
    Design, Epsilon, Estimator, ExpectedError, Loss, Method, Profile, Share, Shrinkage,
    WeightedPlan,
};

/// An expected error, in units of the statistic.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ExpectedError"))]
pub(crate) struct ErrorRecord {
    /// The standard deviation of the noise.
    noise_sd: Number,
    /// The standard deviation of the sampling error; also what unequal weights do.
    sampling_sd: Number,
    /// The root of the mean squared error of both.
    rmse: Number,
}

impl ErrorRecord {
    pub(crate) fn of(error: ExpectedError) -> Self {
        Self {
            noise_sd: Number(error.noise_sd),
            sampling_sd: Number(error.sampling_sd),
            rmse: Number(error.rmse),
        }
    }
}

/// The estimator that was used.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Estimator"))]
pub(crate) struct EstimatorRecord {
    /// Its name; `exact` where nothing is drawn.
    name: &'static str,
    /// The clip level τ, or the threshold, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    tau: Option<Number>,
}

impl EstimatorRecord {
    pub(crate) fn new(name: &'static str, tau: Option<f64>) -> Self {
        Self { name, tau: tau.map(Number) }
    }
}

/// The bias bound of biased designs.
fn bias_bound(plan: &WeightedPlan, design: &Design) -> Option<Number> {
    let bound = design.bias_bound(plan.setting()) * plan.unit();
    (bound > 0.0).then_some(Number(bound))
}

/// Every estimator that was compared, with its expected error.
pub(crate) struct Compared<'a>(pub(crate) &'a WeightedPlan);

impl Serialize for Compared<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let unit = self.0.unit();
        serializer.collect_seq(self.0.candidates().iter().map(|candidate| ComparedRecord {
            name: candidate.estimator,
            rmse: Number(candidate.risk.rmse() * unit),
        }))
    }
}

/// An estimator that was compared.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Compared"))]
pub(crate) struct ComparedRecord {
    /// The estimator.
    name: Estimator,
    /// Its expected error, in units of the statistic.
    rmse: Number,
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
        map.serialize_entry("estimators", &Candidates(self))?;
        map.serialize_entry("excluded", &ExcludedRecords(self))?;
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
        map.serialize_entry(
            "privacy",
            &Levels::new(&self.setting().profile, self.losses().collect()),
        )?;
        map.serialize_entry("noise", &NoiseRecord::of(self))?;
        if let Some(adaptive) = self.adaptive() {
            let levels = self.allowed().levels().iter().zip(adaptive.learning());
            let cost = levels.map(|(level, learning)| LearningRecord {
                epsilon: level.epsilon.written(),
                learning: learning.written(),
            });
            map.serialize_entry("learning", &cost.collect::<Vec<_>>())?;
        }
        map.end()
    }
}

/// What a level spends on learning where the values lie.
#[derive(Serialize)]
pub(crate) struct LearningRecord {
    epsilon: Epsilon,
    learning: Epsilon,
}

impl LearningRecord {
    /// What a level of this budget spends.
    pub(crate) fn of(epsilon: Epsilon, learning: &Loss) -> Self {
        let learning = Epsilon::new(learning.rounded_up()).unwrap_or(Epsilon::UNUSED);
        Self { epsilon: epsilon.written(), learning: learning.written() }
    }
}

/// How an estimate was moved to the middle.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Shrinkage"))]
pub(crate) struct ShrinkageRecord {
    /// The factor of the distance from the middle.
    factor: f64,
    /// The worst-case mean squared error after it.
    risk: Number,
    /// Its root.
    rmse: Number,
}

impl ShrinkageRecord {
    pub(crate) fn of(shrinkage: Shrinkage, unit: f64) -> Self {
        let risk = shrinkage.risk * unit * unit;
        Self { factor: shrinkage.factor, risk: Number(risk), rmse: Number(risk.sqrt()) }
    }
}

struct Candidates<'a>(&'a WeightedPlan);

impl Serialize for Candidates<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let unit = self.0.unit();
        let setting = self.0.setting();
        serializer.collect_seq(self.0.candidates().iter().map(|candidate| {
            let design = &candidate.design;
            let betas = match &design.method {
                Method::LevelSums { betas } => Some(betas.as_slice()),
                _ => None,
            };
            let keep = match &design.method {
                Method::Sample { keep, .. } => Some(keep.as_slice()),
                _ => None,
            };
            CandidateRecord {
                name: candidate.estimator,
                for_study: candidate.estimator.is_for_study(),
                betas,
                weights: betas.is_none().then(|| design.weights.per_level()),
                noise_scale: design
                    .noise_scale(setting)
                    .map(|scale| Number(setting.bounds.width() * scale * unit)),
                keep,
                risk: Number(candidate.risk.total() * unit * unit),
                rmse: Number(candidate.risk.rmse() * unit),
                noise_sd: Number(candidate.risk.noise_sd() * unit),
                sampling_sd: Number(candidate.risk.sampling_sd() * unit),
                tau: design.tau.map(Number),
                objective: design.objective.map(Number),
                bias_bound: bias_bound(self.0, design),
            }
        }))
    }
}

#[derive(Serialize)]
struct CandidateRecord<'a> {
    name: Estimator,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    for_study: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    betas: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    noise_scale: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keep: Option<&'a [f64]>,
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

/// What the levels of a profile lose.
pub(crate) struct Levels<'a> {
    profile: &'a Profile,
    losses: Vec<Loss>,
}

impl<'a> Levels<'a> {
    pub(crate) fn new(profile: &'a Profile, losses: Vec<Loss>) -> Self {
        Self { profile, losses }
    }
}

impl Serialize for Levels<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let levels = self.profile.levels().iter().zip(&self.losses);
        serializer.collect_seq(levels.map(|(level, spent)| LevelRecord {
            epsilon: level.epsilon,
            count: level.count,
            spent,
        }))
    }
}

#[derive(Serialize)]
struct LevelRecord<'a> {
    epsilon: Epsilon,
    count: u64,
    spent: &'a Loss,
}

/// The noise as JSON shows it:
/// `{"distribution":"discrete-laplace","scale":"123","grid":1073741824}`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Noise"))]
pub(crate) struct NoiseRecord {
    /// One of those of the measurements, or `none`.
    pub(crate) distribution: &'static str,
    /// The scale, in steps of the integer sums: the largest, if there are several. A text, since it
    /// can exceed every JSON number.
    pub(crate) scale: String,
    /// Into how many steps the bounds are divided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) grid: Option<u64>,
}

impl NoiseRecord {
    /// Of what is exact.
    pub(crate) fn none() -> Self {
        Self { distribution: "none", scale: "0".into(), grid: None }
    }

    pub(crate) fn of(plan: &WeightedPlan) -> Self {
        let mechanism = plan.mechanism();
        Self {
            distribution: mechanism.distribution(),
            scale: mechanism.largest_scale().to_string(),
            grid: plan.setting().categories.is_none().then(|| plan.grid().points()),
        }
    }

    /// Noise of this distribution, unless its scale is zero.
    pub(crate) fn of_scale(scale: String, distribution: &'static str, grid: Option<u64>) -> Self {
        Self { distribution: if scale == "0" { "none" } else { distribution }, scale, grid }
    }
}

struct ExcludedRecords<'a>(&'a WeightedPlan);

impl Serialize for ExcludedRecords<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(
            self.0.excluded().iter().map(|excluded| ExcludedRecord {
                name: excluded.estimator,
                reason: &excluded.reason,
            }),
        )
    }
}

#[derive(Serialize)]
struct ExcludedRecord<'a> {
    name: Estimator,
    reason: &'a str,
}

/// A statistic of several, and its share of every budget.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ShareOfBudget {
    /// What is measured.
    measured: &'static str,
    /// Its part of every budget.
    share: Share,
}

impl ShareOfBudget {
    pub(crate) fn of((measured, share): (&'static str, Share)) -> Self {
        Self { measured, share }
    }
}
