//! How statistics are estimated.

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::number::Number;
use super::offered::offer;

/// What only means and sums have.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Estimation")]
pub(crate) struct MeanArguments {
    /// Variance of the values, if publicly known; without it it is measured beside the mean, which
    /// costs nothing, or the worst that the bounds allow
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub(crate) variance: Option<String>,
    /// Shrink the estimate towards the middle of the bounds where noise dominates
    #[arg(long)]
    pub(crate) shrink: bool,
    /// Learn first where the values lie, although a ledger keeps account
    #[arg(long, conflicts_with = "no_adapt")]
    pub(crate) adapt: bool,
    /// Do not learn first where the values lie
    #[arg(long)]
    pub(crate) no_adapt: bool,
    /// The part of what the mean leaves over that learning must not touch, 0 to 1
    #[arg(long, value_name = "SHARE")]
    pub(crate) spare: Option<String>,
}

/// How to estimate.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Estimation")]
pub(crate) struct OptionArguments {
    /// How to weight records [default: auto]
    #[arg(long, value_name = "NAME", value_parser = offer(&[]))]
    pub(crate) estimator: Option<String>,
    /// PAC level of the -cp and -up estimators [default: 0.05]
    #[arg(long, value_name = "B", allow_hyphen_values = true)]
    pub(crate) beta: Option<Number>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) strata: StrataArguments,
    // Last: the heading of what it ends with goes on.
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: CommonArguments,
}

/// Strata whose shares an estimate keeps.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Estimation")]
pub(crate) struct StrataArguments {
    /// Column of strata, of which budgets may depend, such as age groups: the estimate keeps the
    /// share of each. Who is in which stratum is public
    #[arg(long, value_name = "COL", conflicts_with = "weight")]
    pub(crate) strata: Option<String>,
    /// Column of design weights: records of equal weight are a stratum, with the share of its
    /// weights
    #[arg(long, value_name = "COL", requires = "classes")]
    pub(crate) weight: Option<String>,
    /// The strata, or the design weights, that may occur, from public knowledge. The shares of
    /// strata are then those of the records
    #[arg(long, value_name = "A,B,…")]
    pub(crate) classes: Option<String>,
    /// What part of the population each stratum is, or how large it is there: young=0.4,old=0.6
    #[arg(long, value_name = "A=SHARE,…")]
    pub(crate) population_shares: Option<String>,
}

/// What every estimate has.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Estimation")]
pub(crate) struct CommonArguments {
    /// What the estimate should be close to [default: population]
    #[arg(long, value_enum)]
    pub(crate) target: Option<TargetArgument>,
    /// Neighbouring datasets: which ones a release must not tell apart [default: replace]
    #[arg(long, value_enum)]
    pub(crate) neighbors: Option<NeighborsArgument>,
    /// Confidence of the interval [default: 0.95]
    #[arg(long, value_name = "C", allow_hyphen_values = true)]
    pub(crate) confidence: Option<Number>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) hidden: HiddenArguments,
}

/// What must be declared where participation is hidden.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Hiding participation (--neighbors add-remove, both)")]
pub(crate) struct HiddenArguments {
    /// The least and the largest ε that people can have, from public knowledge, for example 0.01,1
    /// or 0.01,inf. Records below are not used. Tiers need no range
    #[arg(long, value_name = "LO,HI", allow_hyphen_values = true)]
    pub(crate) epsilon_range: Option<String>,
    /// The most that a record should spend, if you know better than a rough count of people, which
    /// a twentieth of every budget buys otherwise
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
    pub(crate) clip: Option<Number>,
}

/// What quantiles alone have.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Estimation")]
pub(crate) struct RankArguments {
    /// Which quantiles: the shares of records that lie below them, as 0.9 or 90%; or
    /// deciles, or percentiles [default: 0.5]
    #[arg(long, value_name = "Q,Q,…", allow_hyphen_values = true)]
    pub(crate) q: Option<String>,
    /// The whole distribution function: all percentiles, with intervals that hold at once
    #[arg(long, conflicts_with = "q")]
    pub(crate) cdf: bool,
}

/// The candidates of quantiles.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Estimation")]
pub(crate) struct CellArguments {
    /// The step between possible values, 1 for integers; in place of --cells [default: 1 if the
    /// type of the column says integers, else none]
    #[arg(long, value_name = "S", conflicts_with = "cells", allow_hyphen_values = true)]
    pub(crate) step: Option<Number>,
    /// Into how many steps the bounds are divided [default: 65536 if there is no --step; where
    /// participation is hidden fewer, if budgets can be very different]
    #[arg(long, value_name = "N")]
    pub(crate) cells: Option<u32>,
    /// With how many of their rows each person counts, evenly spaced by rank; 1 is their median
    #[arg(long, value_name = "R", requires = "person", conflicts_with = "from_levels")]
    pub(crate) rows: Option<u32>,
}

/// What quantiles spend on their intervals.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Estimation")]
pub(crate) struct IntervalArguments {
    /// The part of the quantiles' budget that buys the ends of their intervals; with 0 there are
    /// none [default: the most of 0.5, 0.4, 0.3 and 0.2 that makes the expected error at most 25 %
    /// larger, else 0; of hidden people 0.2 or 0]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) interval_share: Option<Number>,
}

/// How statistics share a budget.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Estimation")]
pub(crate) struct SplitArguments {
    /// Parts of every budget for mean, variance and quantile (all of them together), for example
    /// mean=2,quantile=1
    #[arg(long, value_name = "NAME=PARTS,…")]
    pub(crate) split: Option<String>,
}

/// What frequencies alone have.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Estimation")]
pub(crate) struct ShareArguments {
    /// What is done to the noisy shares; it costs no privacy [default: simplex]
    #[arg(long, value_enum)]
    pub(crate) post: Option<PostArgument>,
    /// Intervals that hold all at once, with the stated confidence
    #[arg(long)]
    pub(crate) simultaneous: bool,
}

/// Where randomness comes from, if not from the operating system.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Estimation")]
pub(crate) struct SeedArguments {
    /// Reproducible noise for tests. The release is then NOT PRIVATE
    #[arg(long, value_name = "N")]
    pub(crate) insecure_seed: Option<u64>,
}

#[derive(Debug, Clone, Copy, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TargetArgument {
    /// The population the records were drawn from; intervals assume that budgets have nothing to do
    /// with values
    Population,
    /// These records; intervals assume that budgets have nothing to do with values
    Dataset,
    /// These records; budgets may depend on values
    DatasetCorrelated,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NeighborsArgument {
    /// Replace-one: hide each record's value, up to a factor of exp(ε); how many records there are
    /// is public
    #[default]
    Replace,
    /// Hide whether a record is in the data, up to a factor of exp(ε); two values of a record can
    /// differ by up to exp(2ε). Nothing tells how many records there are, or their budgets
    AddRemove,
    /// Both at once: whether a record is in the data and what its value is, up to a factor of
    /// exp(ε). Answers are noisier; of groups each spends half
    Both,
}

#[derive(Debug, Clone, Copy, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PostArgument {
    /// None negative, adding up to 1
    Simplex,
    /// Each in [0, 1]
    Clamp,
    /// As the noise left them
    None,
}
