//! JSON of a release: one record for all statistics, omitting inapplicable fields.
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
    AdaptingCost, Bounds, CutOff, FoundCategories, FoundRange, GroupName, Interval, LearnedRange,
    MeasuredSpread, MeasurementEntry, Neighbors, PostProcessing, ProtectedUnit, QuantileSplit,
    QuantilesTogether, Rank, Replacement, SensitivityRecord, StrataSummary, Target, TierAnswers,
    TierDifference,
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

/// Serializes the derived `Record`, which names all fields of the JSON of a release.
impl Serialize for Release {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Record::from_release(self).serialize(serializer)
    }
}

/// Release of all records.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Release"))]
pub(crate) struct Record<'a> {
    /// Name of the statistic.
    statistic: &'static str,
    /// Name of the column; null for a count. For a crosstab a list of two.
    column: Option<GroupName>,
    /// Column that names persons, with `--person`.
    #[serde(skip_serializing_if = "Option::is_none")]
    person: Option<&'a str>,
    /// Value that the rows of a person are combined into, with `--person`.
    #[serde(skip_serializing_if = "Option::is_none")]
    contribution: Option<&'static str>,
    /// Value that `bounds` and `range` refer to, where persons count with the total of their
    /// rows: a person's total.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds_of: Option<&'static str>,
    /// Unit of dates and times, such as `days since 1970-01-01`. Errors are in days or seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    #[serde(flatten)]
    answers: Answers<'a>,
    /// Post-processing of noisy frequencies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) post: Option<PostProcessing>,
    /// True if all intervals hold together with the stated confidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) simultaneous: Option<bool>,
    /// Reason why there is no interval, if one is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) no_interval: Option<Option<&'static str>>,
    /// Unit that the guarantee protects. If it is `record`, the losses of one person's rows add up.
    protects: ProtectedUnit,
    /// Treatment of missing values: a constant that replaces them, or `exclude`; absent if they
    /// were refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'a Replacement>,
    /// Assumptions of the intervals; empty if they hold whatever the data, and for exact numbers.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    assumes: Vec<Assumption>,
    /// Uninformative answers, whose intervals cover 90 % or more of the possible values: the
    /// statistic, categories, quantiles such as `0.5`, or `variance`, `deviation`, `mean`.
    uninformative: Vec<String>,
    /// Expected error, before shrinkage and post-processing: for the measured `spread` if there is
    /// one, otherwise the worst case before seeing the data. For quantiles it is that of the rank,
    /// as a share of records. With hidden participation it follows from noisy numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
    /// Assumption of the error about the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_assumes: Option<&'static str>,
    /// Spread, if it was measured along with a mean or a sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<&'a MeasuredSpread>,
    /// Range that a mean or a sum learned first. `error` is then that of the mean of clamped
    /// values.
    #[serde(skip_serializing_if = "Option::is_none")]
    learned_range: Option<LearnedRangeRecord<'a>>,
    /// Mean of every tier, and the differences between them, with `--tiers-apart`.
    #[serde(skip_serializing_if = "Option::is_none")]
    tiers_apart: Option<&'a TierAnswers>,
    /// Noisy counts of the categories that show, and the threshold that they are above, with
    /// `--categories auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    found_categories: Option<&'a FoundCategories>,
    #[serde(flatten)]
    pub(crate) method: MethodRecord<'a>,
    /// Strata, with `--strata` or `--weight`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) strata: Option<StrataSummary>,
    /// Certificate: the budget and the spending of every level. With hidden participation the
    /// levels are those that were declared.
    privacy: &'a [Spending],
    /// Measurements of the records, in order: the steps before an estimate, such as a search for a
    /// range, the estimate, and those made along with it. `suum verify` recomputes the spending
    /// from them.
    measurements: Vec<&'a MeasurementEntry>,
    /// Noise of the estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) noise: Option<NoiseRecord>,
    /// Division of the spending between quantiles and their intervals, or between statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) split: Option<SplitRecord>,
    /// Method for several quantiles together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) together: Option<QuantilesTogether>,
    /// Shrinkage of the estimate towards the middle of the bounds, with `--shrink`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shrinkage: Option<ShrinkageRecord>,
    /// Compared estimators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) compared: Option<ComparedRecord>,
    /// Full release of each of several statistics. A mean that is measured with a variance is in
    /// the part `variance`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<PartRecords<'a, Release>>,
    /// False if it was made with `--insecure-seed`.
    private: bool,
}

/// Estimates, in the form of their statistic.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Answers<'a> {
    Number(EstimateRecord),
    Variance {
        #[serde(flatten)]
        variance: EstimateRecord,
        /// Standard deviation.
        deviation: Option<EstimateRecord>,
        /// Mean.
        mean: Option<EstimateRecord>,
    },
    Frequencies {
        /// Share of each category.
        frequencies: Vec<ShareRecord>,
        /// Share of all categories that are not published, with `--categories auto`.
        #[serde(skip_serializing_if = "Option::is_none")]
        others: Option<EstimateRecord>,
        /// Shares of the labels of each column of a crosstab, which are sums of cells.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        margins: Vec<MarginRecord<'a>>,
    },
    Quantiles {
        /// Quantiles, in the order asked for.
        quantiles: Vec<QuantileRecord>,
    },
    Summary {
        /// Names of several statistics.
        statistics: Vec<String>,
        /// Mean.
        #[serde(skip_serializing_if = "Option::is_none")]
        mean: Option<EstimateRecord>,
        /// Variance.
        #[serde(skip_serializing_if = "Option::is_none")]
        variance: Option<EstimateRecord>,
        /// Standard deviation.
        #[serde(skip_serializing_if = "Option::is_none")]
        deviation: Option<EstimateRecord>,
        /// Quantiles.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        quantiles: Vec<QuantileRecord>,
    },
}

/// Learned range, without the facts that have fields elsewhere.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LearnedRange"))]
struct LearnedRangeRecord<'a> {
    /// Range to which values were clamped.
    bounds: Bounds,
    /// Decrease of the statistic by values below the range; null if nothing was cut off, or if
    /// nothing was left to measure it. The estimate excludes it, `interval` allows for it.
    below: Option<CutOff>,
    /// Increase of the statistic by values above the range; null as for `below`.
    above: Option<CutOff>,
    /// Cost for every level, which is part of `spent`.
    cost: &'a [AdaptingCost],
}

impl<'a> LearnedRangeRecord<'a> {
    fn from_range(learned_range: &'a LearnedRange) -> Self {
        let LearnedRange { bounds, below, above, cost, cut: _ } = learned_range;
        Self { bounds: *bounds, below: *below, above: *above, cost }
    }
}

/// Number with its interval.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Estimate"))]
struct EstimateRecord {
    /// Estimate.
    estimate: f64,
    /// Interval of the estimate; null if none can be given.
    interval: Option<Interval>,
    /// Estimate and interval as text, for dates and times.
    #[serde(skip_serializing_if = "Option::is_none")]
    iso8601: Option<DateRecord>,
    /// Dependence of the interval on the assumption that budgets are unrelated to values: for
    /// means, sums, shares (of up to 100 categories) and quantiles under replace-one.
    #[serde(skip_serializing_if = "Option::is_none")]
    sensitivity: Option<SensitivityRecord>,
}

/// Estimate and interval as dates or times.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DateRecord {
    /// Estimate.
    estimate: String,
    /// Lower end of the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<String>,
    /// Upper end of the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<String>,
}

/// Share of a category; the category of a cell is a list of both labels.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ShareOfCategory"))]
struct ShareRecord {
    /// Name of the category.
    category: GroupName,
    #[serde(flatten)]
    share: EstimateRecord,
}

/// Margin of a crosstab: for each label of a column the sum of its cells.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Margin"))]
struct MarginRecord<'a> {
    /// Name of the column.
    column: &'a str,
    /// Share of each of its labels.
    shares: Vec<ShareRecord>,
}

/// Quantile.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Quantile"))]
struct QuantileRecord {
    /// Rank of the quantile.
    q: Rank,
    #[serde(flatten)]
    quantile: EstimateRecord,
}

/// Method of the estimates: fields of all statistics except a summary, whose parts have them.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct MethodRecord<'a> {
    /// Estimator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimator: Option<EstimatorRecord>,
    /// Range that was found for `bounds`, with `--bounds auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<&'a FoundRange>,
    /// Target of the estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<Target>,
    /// Declared difference of tiers: in units of the values, in percent of the width of the bounds,
    /// or in percentage points (`pp`) of shares; with a sign if stricter people have larger (+) or
    /// smaller values (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    tiers_differ: Option<TierDifference>,
    /// Relation between datasets that the release does not tell apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    neighbors: Option<Neighbors>,
    /// Bounds, declared or found; frequencies and counts have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Bounds>,
    /// Number of steps between the bounds, one less than the candidates; of quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cells: Option<u32>,
    /// Number of rows that a person counts with; of quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rows: Option<u32>,
}

/// Division of budgets between quantiles and their intervals, or between statistics.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Split"))]
#[serde(untagged)]
pub(crate) enum SplitRecord {
    Quantiles(Vec<QuantileSplit>),
    Summary(Vec<ShareOfBudget>),
}

/// Compared estimators, with their expected errors.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Comparison"))]
#[serde(untagged)]
pub(crate) enum ComparedRecord {
    Weighted(Vec<EstimatorOutline>),
    Quantiles(Vec<ComparedQuantiles>),
}

/// Full releases of the parts of a summary.
// In the JSON of a plan they are plans.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Parts"))]
pub(crate) struct PartRecords<'a, P> {
    /// Mean, measured alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<&'a P>,
    /// Variance, with its mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    variance: Option<&'a P>,
    /// Quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    quantile: Option<&'a P>,
}

impl<'a, P> PartRecords<'a, P> {
    /// Returns the parts, looked up by their names.
    pub(crate) fn look_up(part: impl Fn(&str) -> Option<&'a P>) -> Self {
        Self { mean: part("mean"), variance: part("variance"), quantile: part("quantile") }
    }
}
