//! The command line: names and help. What it says is a query by the same names ([`suum::Query`]),
//! which gives it a meaning.

mod audit;
mod ledger;
mod number;
mod offered;

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use serde::Serialize;

pub(crate) use audit::AuditArguments;
use ledger::LEDGER;
pub(crate) use ledger::{LedgerArguments, LedgerCommand};
use number::Number;
use offered::{Offered, hide, of_totals, offer, offer_of};

/// Publish statistics of data in which every person chose their own privacy level
#[derive(Debug, Parser)]
#[command(name = "suum", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "Example:\n  suum mean examples/randhie.csv --value visits --bounds 0,77 \
        \\\n      \
    --privacy privacy --levels strict=0.01,standard=0.1,relaxed=1,public=inf")]
pub struct Suum {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The private mean of a numeric column
    #[command(mut_arg("estimator", offer_of(&[Offered::Numbers, Offered::Ranges])))]
    Mean(ReleaseArguments),
    /// The private sum of a numeric column
    #[command(mut_arg("estimator", offer_of(&[Offered::Numbers])), mut_args(of_totals))]
    Sum(ReleaseArguments),
    /// The private share of every category of a column
    #[command(mut_arg("estimator", offer_of(&[Offered::Shares])))]
    Frequency(FrequencyArguments),
    /// Private quantiles of a numeric column, such as the median
    Quantile(QuantileArguments),
    /// The private variance of a numeric column, and the mean with it
    #[command(mut_args(hide(&HIDING)))]
    Variance(VarianceArguments),
    /// Several statistics of a column in one pass, from one budget
    #[command(mut_args(hide(&HIDING)), mut_args(hide(&TARGETS)))]
    Summary(SummaryArguments),
    /// The number of records per tier (public under replace-one neighbours; else one private
    /// number)
    #[command(mut_args(hide(&TARGETS)))]
    Count(CountArguments),
    /// What a release would cost and how good it would be, from public facts alone
    #[command(mut_arg(
        "estimator",
        offer_of(&[Offered::Numbers, Offered::Ranges, Offered::Shares, Offered::Quantiles])
    ))]
    #[command(mut_arg("variance", |argument| argument.value_name("V").help(PLANNED_VARIANCE)))]
    #[command(mut_args(planned_target))]
    Plan(Box<PlanArguments>),
    /// What a file of TOML asks for: options by their names here, such as statistic = "mean"; or
    /// what a release in JSON was asked
    Run(RunArguments),
    /// Whether the certificate of a release follows from the measurements that it lists: what every
    /// level spent is computed again
    Verify(VerifyArguments),
    /// The raw level table of the data as JSON. NOT private: keep it as safe as the data
    Levels(LevelsArguments),
    /// The query with which a database or warehouse computes the level table itself; bring its
    /// result back with --from-levels
    LevelsSql(LevelsSqlArguments),
    /// Who has spent what: make a ledger of privacy budgets, look at it, verify it
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Try to disprove what mechanisms promise, one privacy level at a time
    Audit(AuditArguments),
    /// Completions for your shell, on standard output
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct ReleaseArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) value: ValueArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) groups: GroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) other: OtherGroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) mean: MeanArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) split: SplitArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) options: OptionArguments,
    #[command(flatten)]
    #[serde(skip)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) seed: SeedArguments,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct QuantileArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) value: ValueArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) groups: GroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) other: OtherGroupArguments,
    /// Which quantiles: the shares of records that lie below them, as 0.9 or 90%; or
    /// deciles, or percentiles [default: 0.5]
    #[arg(long, value_name = "Q,Q,…", allow_hyphen_values = true, help_heading = "Estimation")]
    pub(crate) q: Option<String>,
    /// The whole distribution function: all percentiles, with intervals that hold at once
    #[arg(long, conflicts_with = "q", help_heading = "Estimation")]
    pub(crate) cdf: bool,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) cells: CellArguments,
    /// How to weight records; auto, the default, takes the least expected error
    #[arg(
        long,
        value_name = "NAME",
        value_parser = ["auto", "weighted", "pe", "mixed"],
        help_heading = "Estimation"
    )]
    pub(crate) estimator: Option<String>,
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
    #[serde(skip)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) seed: SeedArguments,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct VarianceArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) value: ValueArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) groups: GroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) other: OtherGroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: CommonArguments,
    #[command(flatten)]
    #[serde(skip)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) seed: SeedArguments,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct SummaryArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) value: ValueArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) groups: GroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) other: OtherGroupArguments,
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
    #[command(flatten)]
    #[serde(skip)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) seed: SeedArguments,
}

/// One release per declared group.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct GroupArguments {
    /// Column of groups: one release, or level table, for each, in one pass. Who is in which group
    /// is public. With --from-levels that of the table
    #[arg(long, value_name = "COL", requires = "groups")]
    pub(crate) group_by: Option<String>,
    /// The groups, from public knowledge: A,B,C. With --from-levels all groups of the table
    #[arg(long, value_name = "A,B,…", requires = "group_by")]
    pub(crate) groups: Option<String>,
}

/// The group for all others, where `--other` means it too.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct OtherGroupArguments {
    /// A further group for all others; without it they are refused
    #[arg(long, alias = "other", value_name = "NAME", requires = "group_by")]
    pub(crate) other_group: Option<String>,
}

/// The group for all others, where `--other` is a category.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct FurtherGroupArguments {
    /// A further group for all others; without it they are refused
    #[arg(long, value_name = "NAME", requires = "group_by")]
    pub(crate) other_group: Option<String>,
}

/// The candidates of quantiles.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Estimation")]
pub(crate) struct CellArguments {
    /// The step between possible values, 1 for integers; in place of --cells
    #[arg(long, value_name = "S", conflicts_with = "cells", allow_hyphen_values = true)]
    pub(crate) step: Option<Number>,
    /// Into how many steps the bounds are divided [default: 65536; where participation is hidden
    /// fewer, if budgets can be very different]
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

/// How near an estimate is to come.
const TARGETS: [&str; 2] = ["target_rmse", "target_half_width"];

/// Without a ledger a plan says how many people a target takes.
fn planned_target(argument: clap::Arg) -> clap::Arg {
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

/// The names of [`HiddenArguments`].
const HIDING: [&str; 2] = ["epsilon_range", "clip"];

/// A private variance is not known before the release.
const PLANNED_VARIANCE: &str = "Variance of the values, if publicly known or expected; without it \
    the worst that the bounds allow";

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

#[derive(Debug, Args, Serialize)]
pub(crate) struct FrequencyArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) input: InputArguments,
    /// Column of categories, or of numbers with --bins
    #[arg(long, value_name = "COL", help_heading = "Input")]
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
    /// A declared category to count missing cells in; without it they are refused
    #[arg(long, value_name = "NAME", conflicts_with = "from_levels", help_heading = "Input")]
    pub(crate) missing: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) options: OptionArguments,
    /// What is done to the noisy shares; it costs no privacy [default: simplex]
    #[arg(long, value_enum, help_heading = "Estimation")]
    pub(crate) post: Option<PostArgument>,
    /// Intervals that hold for all categories at once, with the stated confidence
    #[arg(long, help_heading = "Estimation")]
    pub(crate) simultaneous: bool,
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

#[derive(Debug, Args, Serialize)]
#[command(after_help = "DATA can be FILE.toml, as for `suum run`. Then the plan is for what it \
        asks, with\nthese options in place of its own, for the people of --profile if there are \
        any.")]
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
    pub(crate) bounds: Option<String>,
    /// Which statistic to plan: mean, sum, frequency, quantile, variance, with --neighbors
    /// add-remove count, or several such as mean,variance,q50 [default: mean]
    #[arg(long, value_name = "NAME,…", help_heading = "Estimation")]
    pub(crate) statistic: Option<String>,
    /// Which quantiles to plan, also deciles or percentiles [default: 0.5]
    #[arg(long, value_name = "Q,Q,…", allow_hyphen_values = true, help_heading = "Estimation")]
    pub(crate) q: Option<String>,
    /// Plan the whole distribution function: all percentiles, with intervals that hold at once
    #[arg(long, conflicts_with = "q", help_heading = "Estimation")]
    pub(crate) cdf: bool,
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
    /// What would stand in place of missing values, which a plan does not see
    #[arg(
        long,
        value_name = "VALUE|NAME",
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
    /// What is done to the noisy shares; it costs no privacy [default: simplex]
    #[arg(long, value_enum, help_heading = "Estimation")]
    pub(crate) post: Option<PostArgument>,
    /// Intervals that hold for all categories or quantiles at once, with the stated confidence
    #[arg(long, help_heading = "Estimation")]
    pub(crate) simultaneous: bool,
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
#[command(after_help = "Example:\n  statistic = \"mean\"\n  value = \"visits\"\n  \
        bounds = [0, 77]\n  privacy = \"privacy\"\n  \
        levels = { strict = 0.01, standard = 0.1, relaxed = 1, public = \"inf\" }\n  \
        data = \"examples/randhie.csv\"")]
pub(crate) struct RunArguments {
    /// The file; paths in it are relative to the working directory
    #[arg(value_name = "QUERY.toml")]
    pub(crate) file: String,
    /// The data, in place of those that the file names
    pub(crate) data: Option<String>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// The release: JSON from --format json, or - for standard input
    #[arg(value_name = "RELEASE.json")]
    pub(crate) file: String,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args, Serialize)]
#[command(mut_args(hide(&LEDGER)))]
pub(crate) struct LevelsArguments {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) counted: CountedArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) groups: GroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) other_group: FurtherGroupArguments,
    /// Persons count with the total of their rows, for a sum, and not with the mean. --bounds are
    /// then those of a person's total
    #[arg(long, requires = "person", conflicts_with = "from_levels", help_heading = "Input")]
    pub(crate) totals: bool,
    /// No progress and no warnings on standard error
    #[arg(long, help_heading = "Output")]
    #[serde(skip)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args, Serialize)]
#[command(mut_args(hide(&LEDGER)), mut_args(hide(&["data", "from_levels"])))]
pub(crate) struct LevelsSqlArguments {
    /// Whose SQL to write
    #[arg(
        long,
        value_name = "NAME",
        value_parser =
            PossibleValuesParser::new(suum::sql::Dialect::ALL.map(suum::sql::Dialect::name)),
        help_heading = "Output"
    )]
    #[serde(skip)]
    pub(crate) dialect: String,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) counted: CountedArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) groups: GroupArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) other_group: FurtherGroupArguments,
}

/// Where the records, or their level table, come from.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
#[command(group = ArgGroup::new("known_tiers").args(["levels", "ledger"]).multiple(true))]
pub(crate) struct InputArguments {
    /// A CSV (also .gz and .zst) or Parquet file, a folder or a glob of them, - for CSV on standard
    /// input, a SQLite file (also as sqlite:PATH), or a PostgreSQL database
    /// (postgresql://USER@HOST/DATABASE)
    pub(crate) data: Option<String>,
    /// The table or view of a database, as NAME or SCHEMA.NAME
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["query", "from_levels"])]
    pub(crate) table: Option<String>,
    /// A query whose rows are the records of a database: a SELECT in its dialect
    #[arg(long, value_name = "SQL", conflicts_with = "from_levels")]
    pub(crate) query: Option<String>,
    /// You have checked that the query is row-wise: each record gives at most one row, computed
    /// from that record alone, and whether it gives one does not depend on private values. Without
    /// this, queries that are not known to be row-wise are refused
    #[arg(long, requires = "query", conflicts_with_all = ["table", "from_levels"])]
    pub(crate) trust_query: bool,
    /// Column of consent tiers; needs --levels, or a ledger that has them
    #[arg(long, value_name = "COL", requires = "known_tiers", conflicts_with = "epsilon")]
    pub(crate) privacy: Option<String>,
    /// What each tier allows, for example strict=0.01,standard=0.1,public=inf
    #[arg(long, value_name = "TIER=EPSILON,…", conflicts_with = "epsilon")]
    pub(crate) levels: Option<String>,
    /// Column of numeric privacy budgets; inf is public, 0 is "do not use"
    #[arg(long, value_name = "COL")]
    pub(crate) epsilon: Option<String>,
    /// Column that names persons, who can have many rows: each counts once, at the strictest tier
    /// of their rows. Without it each row is protected alone, and rows of one person add up
    #[arg(long, value_name = "COL")]
    pub(crate) person: Option<String>,
    /// A level table in place of data: JSON from `suum levels`, or the result of `suum levels-sql`
    /// as CSV, Parquet or JSON
    #[arg(long, value_name = "FILE", conflicts_with_all = ["data", "privacy", "epsilon", "person"])]
    pub(crate) from_levels: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) ledger: LedgerArguments,
}

/// The column that is summed.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct ValueArguments {
    /// Column of values
    #[arg(long, value_name = "COL")]
    pub(crate) value: Option<String>,
    /// The range values are clamped to; declare what is possible, do not look it up in the data.
    /// With `auto` a part of every budget finds a range
    #[arg(long, value_name = "LO,HI|auto", allow_hyphen_values = true)]
    pub(crate) bounds: Option<String>,
    /// A public constant to put in place of missing values; without it they are refused. The result
    /// is then about the data with this value in them
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, conflicts_with = "from_levels")]
    pub(crate) missing: Option<Number>,
}

/// What a level table counts and adds up.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct CountedArguments {
    /// Column of values
    #[arg(long, value_name = "COL")]
    pub(crate) value: Option<String>,
    /// The range values are clamped to; declare what is possible, do not look it up in the data
    #[arg(long, value_name = "LO,HI", allow_hyphen_values = true)]
    pub(crate) bounds: Option<String>,
    /// A public constant, or a declared category, to put in place of missing values; without it
    /// they are refused
    #[arg(
        long,
        value_name = "VALUE|NAME",
        allow_hyphen_values = true,
        conflicts_with = "from_levels"
    )]
    pub(crate) missing: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) categories: CategoryArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) cells: CellArguments,
}

/// What is counted by a frequency.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct CategoryArguments {
    /// The categories, from public knowledge: A,B,C. In a label, here and in --levels and --groups,
    /// \, is a comma and \= an equals sign
    #[arg(long, value_name = "A,B,…", conflicts_with = "bins")]
    pub(crate) categories: Option<String>,
    /// Edges of numeric bins, from public knowledge: 0,10,20 counts [0, 10) and [10, 20]
    #[arg(long, value_name = "EDGE,EDGE,…", allow_hyphen_values = true)]
    pub(crate) bins: Option<String>,
    /// A further category for all other values; without it they are refused
    #[arg(long, value_name = "NAME")]
    pub(crate) other: Option<String>,
}

/// What only means and sums have.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Estimation")]
pub(crate) struct MeanArguments {
    /// Variance of the values, if publicly known; without it the worst that the bounds allow. With
    /// `private` a tenth of every budget (see --split) buys a bound on it
    #[arg(long, value_name = "V|private", allow_hyphen_values = true)]
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

/// Where randomness comes from, if not from the operating system.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Estimation")]
pub(crate) struct SeedArguments {
    /// Reproducible noise for tests. The release is then NOT PRIVATE
    #[arg(long, value_name = "N")]
    pub(crate) insecure_seed: Option<u64>,
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
    // Last: the heading of what it ends with goes on.
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: CommonArguments,
}

/// How to print.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// For people or for programs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Write a page for people, too: one HTML file that needs nothing else, with the answer drawn,
    /// the method and its sources
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<String>,
    /// No progress on standard error
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    Json,
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
