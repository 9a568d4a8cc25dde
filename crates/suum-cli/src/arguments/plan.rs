//! What a plan asks, and a file.

use clap::Args;
use serde::Serialize;

use super::estimation::{
    CellArguments, IntervalArguments, MeanArguments, OptionArguments, RankArguments,
    ShareArguments, SplitArguments,
};
use super::input::{
    CategoryArguments, CheckArguments, ComparedArguments, FurtherGroupArguments, GroupArguments,
    InputArguments,
};
use super::output::OutputArguments;

#[derive(Debug, Args, Serialize)]
pub(crate) struct PlanArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) input: InputArguments,
    /// The profile in place of data: EPSILON:COUNT pairs, for example "0.1:3400,0.5:4300,inf:23"
    #[arg(long, value_name = "PROFILE", help_heading = "Input")]
    pub(crate) profile: Option<String>,
    /// Column of values, which a plan does not read
    #[arg(long, value_name = "COL", help_heading = "Input")]
    pub(crate) value: Option<String>,
    /// The range values are clamped to (in a sum with --person, the totals of persons); without it
    /// errors are shares of the range. With `auto` a range is found first, and errors are in
    /// standard deviations of the values
    #[arg(long, value_name = "LO,HI|auto", allow_hyphen_values = true, help_heading = "Input")]
    pub(crate) bounds: Vec<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) check: CheckArguments,
    /// Which statistic to plan: mean, sum, frequency, quantile, variance, with --neighbors
    /// add-remove count, or several such as mean,variance,q50 [default: mean]
    #[arg(long, value_name = "NAME,…", help_heading = "Estimation")]
    pub(crate) statistic: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) ranks: RankArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) cells: CellArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) intervals: IntervalArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) split: SplitArguments,
    /// Compare with other people: EPSILON:+N or EPSILON:-N, for example "inf:+500,0.1:-20"
    #[arg(long, value_name = "CHANGE", allow_hyphen_values = true, help_heading = "Estimation")]
    pub(crate) what_if: Option<String>,
    /// Simulate releases of data of a shape, for the errors and half widths they would have:
    /// normal, skewed, lumpy or two-valued
    #[arg(long, value_name = "SHAPE", help_heading = "Estimation")]
    pub(crate) assume: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) categories: CategoryArguments,
    /// What would stand in place of missing values, which a plan does not see; or `exclude`, with
    /// which --neighbors replace becomes both
    #[arg(
        long,
        value_name = "VALUE|NAME|exclude",
        allow_hyphen_values = true,
        conflicts_with = "from_levels",
        help_heading = "Input"
    )]
    pub(crate) missing: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) groups: GroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) other_group: FurtherGroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) compared: ComparedArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) shares: ShareArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) mean: MeanArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) options: OptionArguments,
    #[command(flatten)]
    #[serde(skip)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The file; paths in it are relative to the working directory
    #[arg(value_name = "QUERY.toml")]
    pub(crate) file: String,
    /// The data, in place of those that the file names
    pub(crate) data: Option<String>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// Without a ledger a plan says how many people a target takes.
pub(super) fn planned_target(argument: clap::Arg) -> clap::Arg {
    match argument.get_id().as_str() {
        "target_rmse" => argument.help(TARGET_RMSE),
        "target_half_width" => argument.help(TARGET_HALF_WIDTH),
        _ => argument,
    }
}

const TARGET_RMSE: &str = "The expected error that is wanted, in the units of the statistic; for \
    quantiles that of the rank, as a share of people. Without a ledger the plan says how many \
    times as many people it takes, with one the least that everybody would spend";
const TARGET_HALF_WIDTH: &str = "The same for half the length of the interval";

/// For a plan an expected variance does as well.
pub(super) const PLANNED_VARIANCE: &str = "Variance of the values, if publicly known or expected; \
    without it the worst that the bounds allow";
