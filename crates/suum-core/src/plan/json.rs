//! The JSON of a plan: one record for all statistics, without what a statistic has not.

use serde::{Serialize, Serializer};

use super::AnyPlan;
use crate::answer::release::{PartRecords, SplitRecord};
use crate::number::Number;
use crate::plan::record::{ErrorRecord, EstimatorRecord, NoiseRecord, ShrinkageRecord};
use crate::{
    Bounds, Categories, Epsilon, Exclusion, Level, Loss, Neighbors, Plan, Profile,
    QuantilesTogether, RangePlan, Rank, Spending, StrataSummary, Target, TierDifference,
};

/// As `PlanRecord` is derived, which names all that the JSON of a plan can have.
impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.any().record().serialize(serializer)
    }
}

/// A plan of all statistics.
#[derive(Serialize, Default)]
pub(crate) struct PlanRecord<'a> {
    /// What is estimated.
    pub(crate) statistic: &'static str,
    /// The names of several statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) statistics: Option<Vec<String>>,
    /// Which quantiles.
    #[serde(skip_serializing_if = "<[Rank]>::is_empty")]
    pub(crate) q: &'a [Rank],
    /// The estimator, where there is nothing to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimator: Option<EstimatorRecord>,
    /// What the estimate is meant to be close to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<Target>,
    /// By how much tiers may differ, as it was declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tiers_differ: Option<TierDifference>,
    /// What measuring the mean of every tier apart costs, or would cost: the length of the planned
    /// interval over that of one noise for all, less 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) price_of_tiers_apart: Option<Number>,
    /// Which datasets a release would not tell apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) neighbors: Option<Neighbors>,
    /// The bounds of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bounds: Option<PlannedBounds>,
    /// The largest variance that values can have, declared or by their bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) variance: Option<f64>,
    /// The categories of a frequency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) categories: Option<&'a Categories>,
    /// Of quantiles: into how many steps the candidates divide the bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cells: Option<u32>,
    /// Of quantiles: with how many rows a person counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rows: Option<u32>,
    /// The failure probability of estimators with a PAC error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) beta: Option<f64>,
    /// The people: known ones with what may be spent of their budgets, or those who are assumed.
    pub(crate) profile: &'a [Level],
    /// The strata.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) strata: Option<StrataSummary>,
    /// Of a variance: the weight of a record of each level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) weights: Option<&'a [f64]>,
    /// Without declared bounds: what errors are in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unit: Option<&'static str>,
    /// The expected error, where estimators are not compared by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<ErrorRecord>,
    /// The estimators that are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimators: Option<Vec<CandidateRecord<'a>>>,
    /// The estimators that make no sense here, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) excluded: Option<&'a [Exclusion]>,
    /// The estimator that a release would use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) chosen: Option<&'static str>,
    /// How what is spent is divided between quantiles and their intervals, or between statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) split: Option<SplitRecord>,
    /// How several quantiles are asked for together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) together: Option<QuantilesTogether>,
    /// Why a release would have no interval, or some quantiles would have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) no_interval: Option<&'static str>,
    /// How a range is searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) range: Option<RangePlan>,
    /// What the risk of no private estimator is below; without declared bounds its root. Null where
    /// nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lower_bound: Option<Option<Number>>,
    /// The risk of the chosen estimator over it; without declared bounds the same of their roots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) gap: Option<Option<Number>>,
    /// What personal budgets gain over one for all; null if neither has any risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) personalization_gain: Option<Option<Number>>,
    /// What that gain cannot exceed; null where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio_bound: Option<Option<f64>>,
    /// How the estimate will be moved to the middle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shrinkage: Option<ShrinkageRecord>,
    /// What everybody would lose.
    pub(crate) privacy: Vec<Losing>,
    /// The noise of the estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) noise: Option<NoiseRecord>,
    /// What each level spends on learning where the values lie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) learning: Option<Vec<LearningRecord>>,
    /// Without declared bounds: the plan for standard values in the range that is found of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inside: Option<&'a Plan>,
    /// Of several statistics: the plan of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<PartRecords<'a, Plan>>,
    /// The error of the mean that is measured with a variance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rmse_of_mean: Option<Number>,
}

impl<'a> PlanRecord<'a> {
    /// What all plans tell, of people of whom each level loses so much. Where it is hidden who
    /// takes part, what each declared budget loses is told in place of that.
    pub(crate) fn of(
        plan: &'a dyn AnyPlan,
        people: &'a Profile,
        losses: impl IntoIterator<Item = Loss>,
    ) -> Self {
        let (facts, levels) = (plan.facts(), people.levels());
        let losing = |(level, spent): (&Level, Loss)| {
            let Level { epsilon, count } = *level;
            Losing::Known { epsilon, count, spent }
        };
        Self {
            statistic: facts.statistic,
            target: facts.options.map(|options| options.target),
            tiers_differ: facts.options.and_then(|options| options.tiers_differ),
            neighbors: facts.options.map(|options| options.neighbors),
            bounds: facts.bounds.map(PlannedBounds::Declared),
            categories: facts.categories,
            profile: levels,
            chosen: facts.estimator,
            no_interval: facts.no_interval,
            privacy: match plan.declared() {
                Some(declared) => declared.into_iter().map(Losing::Declared).collect(),
                None => levels.iter().zip(losses).map(losing).collect(),
            },
            ..Self::default()
        }
    }
}

/// The bounds of numbers: a range is searched, or they are declared.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PlannedBounds {
    Auto,
    #[serde(untagged)]
    Declared(Bounds),
}

/// What people lose: those of a profile, or whoever has one of the declared budgets.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Losing {
    Known { epsilon: Epsilon, count: u64, spent: Loss },
    Declared(Spending),
}

/// What a level spends on learning where the values lie.
#[derive(Serialize)]
pub(crate) struct LearningRecord {
    epsilon: Epsilon,
    learning: Epsilon,
}

impl LearningRecord {
    /// What a level of this budget spends.
    pub(crate) fn of(epsilon: Epsilon, learning: Epsilon) -> Self {
        Self { epsilon: epsilon.written(), learning: learning.written() }
    }
}

/// An estimator that is compared, of weights or of ranks.
#[derive(Serialize, Default)]
pub(crate) struct CandidateRecord<'a> {
    /// Its name.
    pub(crate) name: &'static str,
    /// Whether it is never chosen.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) for_study: bool,
    /// The weight of each level, where each has an answer of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) level_weights: Option<&'a [f64]>,
    /// The weight of a record of each level, elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) weights: Option<&'a [f64]>,
    /// The scale of the noise, in units of the statistic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) noise_scale: Option<Number>,
    /// How likely a record of each level is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sampling_probabilities: Option<&'a [f64]>,
    /// Of quantiles: the error of the rank by noise, as a share of records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rank_noise_sd: Option<Number>,
    /// The same by sampling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rank_sampling_sd: Option<Number>,
    /// The same by both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rank_rmse: Option<Number>,
    /// The expected squared error; of a quantile that on reference data.
    pub(crate) risk: Number,
    /// Its root.
    pub(crate) rmse: Number,
    /// The part of the noise, as a standard deviation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) noise_sd: Option<Number>,
    /// That of sampling; also what unequal weights do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sampling_sd: Option<Number>,
    /// The clip level τ, or the threshold, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tau: Option<Number>,
    /// What the estimator minimises, where that is not the risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) objective: Option<Number>,
    /// The bias bound of biased designs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bias_bound: Option<Number>,
}
