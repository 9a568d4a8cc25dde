//! The JSON of a release: one record for all statistics, without what a statistic has not.
//!
//! Numbers are JSON numbers, except that infinity is the string `"inf"`; integers beyond 2^53 are
//! strings.

mod fill;

#[cfg(feature = "schema")]
use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::{Release, Spending};
use crate::answer::assumption::Assumption;
use crate::plan::record::{
    ComparedQuantiles, ErrorRecord, EstimatorOutline, EstimatorRecord, NoiseRecord, ShareOfBudget,
    ShrinkageRecord,
};
use crate::{
    AdaptingCost, Bounds, CutOff, FoundRange, GroupName, Interval, LearnedRange, MeasuredSpread,
    MeasurementEntry, Neighbors, PostProcessing, ProtectedUnit, QuantileSplit, QuantilesTogether,
    Rank, Replacement, SensitivityRecord, StrataSummary, Target, TierAnswers, TierDifference,
};

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Release {
    fn schema_name() -> Cow<'static, str> {
        Record::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Record::json_schema(generator)
    }
}

/// As `Record` is derived, which names all that the JSON of a release can have.
impl Serialize for Release {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Record::of(self).serialize(serializer)
    }
}

/// A release of all records.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Release"))]
pub(crate) struct Record<'a> {
    /// What was estimated.
    statistic: &'static str,
    /// Of which column; null of a count. Of a crosstab a list of two.
    column: Option<GroupName>,
    /// With `--person`: the column that names persons.
    #[serde(skip_serializing_if = "Option::is_none")]
    person: Option<&'a str>,
    /// With `--person`: what of their rows counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    contribution: Option<&'static str>,
    /// Of a sum with `--person`: `bounds` and `range` are those of a person's total.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds_of: Option<&'static str>,
    /// Of dates and times: what the numbers count, such as `days since 1970-01-01`. Errors are in
    /// days or seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    #[serde(flatten)]
    answers: Answers<'a>,
    /// Of frequencies: how noisy ones became publishable ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) post: Option<PostProcessing>,
    /// Whether all intervals hold at once with the stated confidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) simultaneous: Option<bool>,
    /// Why there is no interval, where one is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) no_interval: Option<Option<&'static str>>,
    /// Whom ε is about. Where it is `record`, the losses of one person's rows add up.
    protects: ProtectedUnit,
    /// What stands in place of missing values; absent if they were refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'a Replacement>,
    /// What the intervals assume; empty if they hold whatever the data, and for exact numbers.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    assumes: Vec<Assumption>,
    /// The answers that are of no use, since their intervals are 90 % or more of all that is
    /// possible: the statistic, categories, quantiles such as `0.5`, or `variance`, `deviation`,
    /// `mean`.
    uninformative: Vec<String>,
    /// The expected error, before shrinkage and post-processing: for the measured `spread` where
    /// there is one, else the worst case before seeing the data. Of quantiles it is that of the
    /// rank, as a share of records. With hidden participation it follows from noisy numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
    /// What the error assumes of the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_assumes: Option<&'static str>,
    /// The spread, where it was measured beside a mean or a sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<&'a MeasuredSpread>,
    /// The range that a mean or a sum learned first. `error` is then that of the mean of clamped
    /// values.
    #[serde(skip_serializing_if = "Option::is_none")]
    learned_range: Option<LearnedRangeRecord<'a>>,
    /// With `--tiers-apart`: the mean of every tier, and how they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    tiers_apart: Option<&'a TierAnswers>,
    #[serde(flatten)]
    pub(crate) method: MethodRecord<'a>,
    /// The strata, with `--strata` or `--weight`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) strata: Option<StrataSummary>,
    /// The certificate: what every level allowed and spent. With hidden participation the levels
    /// are those that were declared.
    privacy: &'a [Spending],
    /// What was drawn from the records, in this order: the steps before an estimate, such as a
    /// search for a range, the estimate, and what is measured beside it. `suum verify` computes
    /// what was spent from it.
    measurements: Vec<&'a MeasurementEntry>,
    /// The noise of the estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) noise: Option<NoiseRecord>,
    /// How what is spent was divided between quantiles and their intervals, or between statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) split: Option<SplitRecord>,
    /// How several quantiles were asked for together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) together: Option<QuantilesTogether>,
    /// With `--shrink`: how the estimate was moved to the middle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shrinkage: Option<ShrinkageRecord>,
    /// The estimators that were compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) compared: Option<ComparedRecord>,
    /// Of several statistics: the full release of each. A mean that is measured with a variance is
    /// in the part `variance`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<PartRecords<'a, Release>>,
    /// False if it was made with `--insecure-seed`.
    private: bool,
}

/// The estimates, in the form of their statistic.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Answers<'a> {
    Number(EstimateRecord),
    Variance {
        #[serde(flatten)]
        variance: EstimateRecord,
        /// The standard deviation.
        deviation: Option<EstimateRecord>,
        /// The mean.
        mean: Option<EstimateRecord>,
    },
    Frequencies {
        /// The share of each category.
        frequencies: Vec<ShareRecord>,
        /// Of a crosstab: the shares of the labels of each column, the sums of their cells.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        margins: Vec<MarginRecord<'a>>,
    },
    Quantiles {
        /// The quantiles, in the order asked for.
        quantiles: Vec<QuantileRecord>,
    },
    Summary {
        /// The names of several statistics.
        statistics: Vec<String>,
        /// The mean.
        #[serde(skip_serializing_if = "Option::is_none")]
        mean: Option<EstimateRecord>,
        /// The variance.
        #[serde(skip_serializing_if = "Option::is_none")]
        variance: Option<EstimateRecord>,
        /// The standard deviation.
        #[serde(skip_serializing_if = "Option::is_none")]
        deviation: Option<EstimateRecord>,
        /// The quantiles.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        quantiles: Vec<QuantileRecord>,
    },
}

/// A range that was learned: what has its place elsewhere is left out.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LearnedRange"))]
struct LearnedRangeRecord<'a> {
    /// The range to which values were clamped.
    bounds: Bounds,
    /// By how much values below the range lower the statistic; null where nothing was cut off, or
    /// nothing was left to measure it. The estimate leaves this out, `interval` allows for it.
    below: Option<CutOff>,
    /// By how much values above the range raise it.
    above: Option<CutOff>,
    /// What this cost every level; a part of `spent`.
    cost: &'a [AdaptingCost],
}

impl<'a> LearnedRangeRecord<'a> {
    fn of(learned_range: &'a LearnedRange) -> Self {
        let LearnedRange { bounds, below, above, cost, cut: _ } = learned_range;
        Self { bounds: *bounds, below: *below, above: *above, cost }
    }
}

/// A number with its interval.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Estimate"))]
struct EstimateRecord {
    /// The estimate.
    estimate: f64,
    /// Its interval; null where none can be given.
    interval: Option<Interval>,
    /// Of dates and times: the same as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    iso8601: Option<DateRecord>,
    /// How the interval depends on budgets having nothing to do with values: of means, sums, shares
    /// (of up to 100 categories) and quantiles where it is public who takes part.
    #[serde(skip_serializing_if = "Option::is_none")]
    sensitivity: Option<SensitivityRecord>,
}

/// The same numbers as dates or times.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DateRecord {
    /// The estimate.
    estimate: String,
    /// The lower end of the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<String>,
    /// The upper end.
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<String>,
}

/// A share; of a cell the category is a list of both labels.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ShareOfCategory"))]
struct ShareRecord {
    /// The category.
    category: GroupName,
    #[serde(flatten)]
    share: EstimateRecord,
}

/// What the cells of each label of a column add up to.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Margin"))]
struct MarginRecord<'a> {
    /// The column.
    column: &'a str,
    /// The share of each of its labels.
    shares: Vec<ShareRecord>,
}

/// A quantile.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Quantile"))]
struct QuantileRecord {
    /// Which quantile.
    q: Rank,
    #[serde(flatten)]
    quantile: EstimateRecord,
}

/// How the estimates were made: what all statistics have, but for a summary, whose parts have it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct MethodRecord<'a> {
    /// The estimator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimator: Option<EstimatorRecord>,
    /// With `--bounds auto`: how `bounds` were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<&'a FoundRange>,
    /// What the estimate is meant to be close to.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<Target>,
    /// By how much tiers may differ, as it was declared: in units of the values, in percent of the
    /// width of the bounds, or in percentage points (`pp`) of shares; with a sign where stricter
    /// people have larger (+) or smaller values (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    tiers_differ: Option<TierDifference>,
    /// Which datasets the release does not tell apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    neighbors: Option<Neighbors>,
    /// The bounds, declared or found; frequencies and counts have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Bounds>,
    /// Of quantiles: into how many steps the candidates divide the bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cells: Option<u32>,
    /// Of quantiles: with how many rows a person counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rows: Option<u32>,
}

/// How budgets were divided: between quantiles and their intervals, or between statistics.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Split"))]
#[serde(untagged)]
pub(crate) enum SplitRecord {
    Quantiles(Vec<QuantileSplit>),
    Summary(Vec<ShareOfBudget>),
}

/// Every estimator that was compared, with its expected error.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Comparison"))]
#[serde(untagged)]
pub(crate) enum ComparedRecord {
    Weighted(Vec<EstimatorOutline>),
    Quantiles(Vec<ComparedQuantiles>),
}

/// The releases that a summary is made of, in full.
// Of a plan they are plans.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Parts"))]
pub(crate) struct PartRecords<'a, P> {
    /// The mean alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<&'a P>,
    /// The variance, with its mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    variance: Option<&'a P>,
    /// The quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    quantile: Option<&'a P>,
}

impl<'a, P> PartRecords<'a, P> {
    /// Those of these names.
    pub(crate) fn of(part: impl Fn(&str) -> Option<&'a P>) -> Self {
        Self { mean: part("mean"), variance: part("variance"), quantile: part("quantile") }
    }
}
