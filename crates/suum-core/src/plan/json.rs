//! JSON of a plan: one record for all statistics, omitting inapplicable fields.

use serde::{Serialize, Serializer};

use super::AnyPlan;
use crate::answer::release::{PartRecords, SplitRecord};
use crate::number::Number;
use crate::plan::record::{ErrorRecord, EstimatorRecord, NoiseRecord, ShrinkageRecord};
use crate::{
    Bounds, Categories, Delta, Epsilon, Exclusion, Level, Loss, Neighbors, Plan, Profile,
    QuantilesTogether, RangePlan, Rank, Spending, StrataSummary, Target, TierDifference,
};

/// Serializes the derived `PlanRecord`, which names all fields of the JSON of a plan.
impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.any().record().serialize(serializer)
    }
}

/// JSON record of a plan, for all statistics.
#[derive(Serialize, Default)]
pub(crate) struct PlanRecord<'a> {
    /// Name of the statistic.
    pub(crate) statistic: &'static str,
    /// Names of several statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) statistics: Option<Vec<String>>,
    /// Ranks of quantiles.
    #[serde(skip_serializing_if = "<[Rank]>::is_empty")]
    pub(crate) q: &'a [Rank],
    /// Estimator, if there is no choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimator: Option<EstimatorRecord>,
    /// Target of the estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<Target>,
    /// Declared difference of tiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tiers_differ: Option<TierDifference>,
    /// Price of measuring the mean of every tier apart: the length of the planned interval over
    /// that with one noise for all, less 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) price_of_tiers_apart: Option<Number>,
    /// Relation between datasets that a release would not tell apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) neighbors: Option<Neighbors>,
    /// Bounds of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bounds: Option<PlannedBounds>,
    /// Largest variance of values, declared or by their bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) variance: Option<f64>,
    /// Categories of a frequency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) categories: Option<&'a Categories>,
    /// Number of steps between the bounds, one less than the candidates; of quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cells: Option<u32>,
    /// Number of rows that a person counts with; of quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rows: Option<u32>,
    /// Failure probability of estimators with a PAC error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) beta: Option<f64>,
    /// Levels of the people: known ones with the part of their budgets that may be spent, or
    /// assumed ones.
    pub(crate) profile: &'a [Level],
    /// Strata.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) strata: Option<StrataSummary>,
    /// Weight of a record of each level; of a variance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) weights: Option<&'a [f64]>,
    /// Unit of errors, without declared bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unit: Option<&'static str>,
    /// Expected error, if estimators are not compared by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<ErrorRecord>,
    /// Compared estimators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimators: Option<Vec<CandidateRecord<'a>>>,
    /// Estimators that cannot be used here, with the reasons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) excluded: Option<&'a [Exclusion]>,
    /// Name of the estimator that a release would use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) chosen: Option<&'static str>,
    /// Division of the spending between quantiles and their intervals, or between statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) split: Option<SplitRecord>,
    /// Method for several quantiles together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) together: Option<QuantilesTogether>,
    /// Reason why a release would have no interval, or some quantiles would have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) no_interval: Option<&'static str>,
    /// Plan of the search for a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) range: Option<RangePlan>,
    /// Lower bound on the risk of every private estimator; without declared bounds its root. Null
    /// if none is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lower_bound: Option<Option<Number>>,
    /// Risk of the chosen estimator over the lower bound; without declared bounds the ratio of
    /// their roots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) gap: Option<Option<Number>>,
    /// Gain of personal budgets over one budget for all; null if neither has any risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) personalization_gain: Option<Option<Number>>,
    /// Upper bound on that gain; null if none is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio_bound: Option<Option<f64>>,
    /// Planned shrinkage of the estimate towards the middle of the bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shrinkage: Option<ShrinkageRecord>,
    /// Threshold above which categories that nobody has declared are published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) found_categories: Option<FoundPlanRecord>,
    /// Losses of all levels, or of all declared budgets.
    pub(crate) privacy: Vec<Losing>,
    /// Noise of the estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) noise: Option<NoiseRecord>,
    /// Spending of each level on learning where the values lie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) learning: Option<Vec<LearningRecord>>,
    /// Plan for standard values in the range that would be found for them, without declared bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inside: Option<&'a Plan>,
    /// Plan of each of several statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<PartRecords<'a, Plan>>,
    /// Error of the mean that is measured with a variance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rmse_of_mean: Option<Number>,
}

impl<'a> PlanRecord<'a> {
    /// Returns the fields common to all plans, for people whose levels have these losses. Under
    /// add-remove the declared budgets and their losses replace these.
    pub(crate) fn new(
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

/// Bounds of numbers: declared, or a range to be searched.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PlannedBounds {
    Auto,
    #[serde(untagged)]
    Declared(Bounds),
}

/// Loss of a level: of a profile, or of a declared budget.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Losing {
    Known { epsilon: Epsilon, count: u64, spent: Loss },
    Declared(Spending),
}

/// Threshold above which categories are published, as shares of all weight.
#[derive(Serialize)]
pub(crate) struct FoundPlanRecord {
    /// Largest probability that a category of a single person shows.
    pub(crate) delta: Delta,
    /// Noisy share that a category must exceed.
    pub(crate) threshold: f64,
    /// Share of a category that shows in half of all releases.
    pub(crate) shown_by_half: f64,
}

/// Spending of a level on learning where the values lie.
#[derive(Serialize)]
pub(crate) struct LearningRecord {
    epsilon: Epsilon,
    learning: Epsilon,
}

impl LearningRecord {
    /// Returns the record for a level of this budget.
    pub(crate) fn new(epsilon: Epsilon, learning: Epsilon) -> Self {
        Self { epsilon: epsilon.written(), learning: learning.written() }
    }
}

/// Compared estimator, of weights or of ranks.
#[derive(Serialize, Default)]
pub(crate) struct CandidateRecord<'a> {
    /// Name of the estimator.
    pub(crate) name: &'static str,
    /// True if it is for study and never chosen.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) for_study: bool,
    /// Weight of each level, if each has an answer of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) level_weights: Option<&'a [f64]>,
    /// Weight of a record of each level, otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) weights: Option<&'a [f64]>,
    /// Scale of the noise, in units of the statistic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) noise_scale: Option<Number>,
    /// Probability that a record of each level is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sampling_probabilities: Option<&'a [f64]>,
    /// Error of the rank of a quantile caused by noise, as a share of records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rank_noise_sd: Option<Number>,
    /// Error of the rank of a quantile caused by sampling, as a share of records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rank_sampling_sd: Option<Number>,
    /// Error of the rank of a quantile caused by both, as a share of records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rank_rmse: Option<Number>,
    /// Expected squared error; for a quantile, on reference data.
    pub(crate) risk: Number,
    /// Root of the expected squared error.
    pub(crate) rmse: Number,
    /// Standard deviation of the noise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) noise_sd: Option<Number>,
    /// Standard deviation of the sampling error, including the effect of unequal weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sampling_sd: Option<Number>,
    /// Clip level τ or threshold, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tau: Option<Number>,
    /// Objective that the estimator minimises, if that is not the risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) objective: Option<Number>,
    /// Bound on the bias of biased designs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bias_bound: Option<Number>,
}
