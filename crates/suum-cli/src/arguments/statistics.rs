//! What each statistic asks.

use clap::Args;
use serde::Serialize;

use super::estimation::{
    CellArguments, CommonArguments, HiddenArguments, IntervalArguments, MeanArguments,
    NeighborsArgument, OptionArguments, RankArguments, SeedArguments, ShareArguments,
    SplitArguments, StrataArguments,
};
use super::input::{
    CategoryArguments, CheckArguments, ComparedArguments, FurtherGroupArguments, GroupArguments,
    InputArguments, OtherGroupArguments, ValueArguments,
};
use super::number::Number;
use super::offered::quantile_estimators;
use super::output::OutputArguments;

/// What every statistic of numbers has.
#[derive(Debug, Args, Serialize)]
pub(crate) struct NumberArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) value: ValueArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) check: CheckArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) groups: GroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) other: OtherGroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) seed: SeedArguments,
    #[command(flatten)]
    #[serde(skip)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct ReleaseArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) numbers: NumberArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) mean: MeanArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) options: OptionArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) compared: ComparedArguments,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct QuantileArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) numbers: NumberArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) ranks: RankArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) cells: CellArguments,
    /// How to weight records [default: auto]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = quantile_estimators(),
        help_heading = "Estimation"
    )]
    pub(crate) estimator: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) strata: StrataArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: CommonArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) intervals: IntervalArguments,
    /// Intervals that hold for all quantiles at once, with the stated confidence
    #[arg(long, help_heading = "Estimation")]
    pub(crate) simultaneous: bool,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) compared: ComparedArguments,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct VarianceArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) numbers: NumberArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: CommonArguments,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct SummaryArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) numbers: NumberArguments,
    /// Which statistics: mean, variance, and quantiles such as q50 or q99.9
    #[arg(
        long,
        value_name = "NAME,…",
        default_value = "mean,variance,q25,q50,q75",
        help_heading = "Estimation"
    )]
    pub(crate) statistic: String,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) split: SplitArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) cells: CellArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: CommonArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) intervals: IntervalArguments,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct FrequencyArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) input: InputArguments,
    /// Column of categories, or of numbers with --bins. Of several, as in town,trade, each has an
    /// answer and a part of every budget, and --categories town=A,B is said for each
    #[arg(long, value_name = "COL,…", help_heading = "Input")]
    pub(crate) value: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) categories: CategoryArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) groups: GroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) other_group: FurtherGroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) compared: ComparedArguments,
    /// A declared category to count missing cells in; or `exclude` to leave records without a value
    /// out, which hides who has one: --neighbors replace then becomes both. Without it they are
    /// refused
    #[arg(
        long,
        value_name = "NAME|exclude",
        conflicts_with = "from_levels",
        help_heading = "Input"
    )]
    pub(crate) missing: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) options: OptionArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) shares: ShareArguments,
    #[command(flatten)]
    #[serde(skip)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) seed: SeedArguments,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct CountArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) groups: GroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) other: OtherGroupArguments,
    /// Neighbouring datasets: which ones a release must not tell apart [default: replace]
    #[arg(long, value_enum, help_heading = "Estimation")]
    pub(crate) neighbors: Option<NeighborsArgument>,
    /// Confidence of the interval, with --neighbors add-remove [default: 0.95]
    #[arg(long, value_name = "C", allow_hyphen_values = true, help_heading = "Estimation")]
    pub(crate) confidence: Option<Number>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) hidden: HiddenArguments,
    #[command(flatten)]
    #[serde(skip)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) seed: SeedArguments,
}
