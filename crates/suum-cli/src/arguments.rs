//! The command line: names and help. What it says is a query by the same names ([`suum::Query`]),
//! which gives it a meaning.

mod audit;
mod estimation;
mod examples;
mod input;
mod ledger;
mod number;
mod offered;
mod output;
mod plan;
mod sections;
mod statistics;
mod tables;

use clap::{Parser, Subcommand};

pub(crate) use audit::AuditArguments;
pub(crate) use estimation::NeighborsArgument;
pub(crate) use examples::ALONE;
use examples::examples;
pub(crate) use ledger::LedgerCommand;
use offered::{Offered, hide, of_totals, offer_of};
pub(crate) use output::{Format, OutputArguments, SortArgument};
use plan::{PLANNED_VARIANCE, planned_target};
pub(crate) use plan::{PlanArguments, RunArguments};
use sections::section;
pub(crate) use statistics::SummaryArguments;
use statistics::{
    CountArguments, FrequencyArguments, QuantileArguments, ReleaseArguments, VarianceArguments,
};
pub(crate) use tables::{LevelsArguments, LevelsSqlArguments, VerifyArguments};

/// Publish statistics of data in which every person chose their own privacy level
#[derive(Debug, Parser)]
#[command(name = "suum", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "suum COMMAND -h shows what a command needs, --help all it can do.")]
pub struct Suum {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The private mean of a numeric column
    #[command(mut_arg("estimator", offer_of(&[Offered::Numbers, Offered::Ranges])))]
    #[command(visible_alias = "average", mut_args(section), after_help = examples("mean"))]
    Mean(ReleaseArguments),
    /// The private sum of a numeric column
    #[command(mut_arg("estimator", offer_of(&[Offered::Numbers])), mut_args(of_totals))]
    #[command(mut_args(section), after_help = examples("sum"))]
    Sum(ReleaseArguments),
    /// The private share of every category of a column
    #[command(mut_arg("estimator", offer_of(&[Offered::Shares])))]
    #[command(visible_alias = "histogram", mut_args(section), after_help = examples("frequency"))]
    Frequency(FrequencyArguments),
    /// Private quantiles of a numeric column, such as the median
    #[command(visible_alias = "median", mut_args(section), after_help = examples("quantile"))]
    Quantile(QuantileArguments),
    /// The private variance of a numeric column, and the mean with it
    #[command(mut_args(hide(&HIDING)))]
    #[command(mut_args(section), after_help = examples("variance"))]
    Variance(VarianceArguments),
    /// Several statistics of a column in one pass, from one budget
    #[command(mut_args(hide(&HIDING)), mut_args(hide(&TARGETS)))]
    #[command(mut_args(section), after_help = examples("summary"))]
    Summary(SummaryArguments),
    /// The number of records per tier (public under replace-one neighbours; else one private
    /// number)
    #[command(mut_args(hide(&TARGETS)))]
    #[command(mut_args(section), after_help = examples("count"))]
    Count(CountArguments),
    /// What a release would cost and how good it would be, from public facts alone
    #[command(mut_arg(
        "estimator",
        offer_of(&[Offered::Numbers, Offered::Ranges, Offered::Shares, Offered::Quantiles])
    ))]
    #[command(mut_arg("variance", |argument| argument.value_name("V").help(PLANNED_VARIANCE)))]
    #[command(mut_args(planned_target))]
    #[command(mut_args(section), after_help = examples("plan"))]
    Plan(Box<PlanArguments>),
    /// What a file of TOML asks for: options by their names here, such as statistic = "mean"; or
    /// what a release in JSON was asked
    #[command(after_help = examples("run"))]
    Run(RunArguments),
    /// Whether the certificate of a release follows from the measurements that it lists: what every
    /// level spent is computed again
    #[command(after_help = examples("verify"))]
    Verify(VerifyArguments),
    /// The raw level table of the data as JSON. NOT private: keep it as safe as the data
    #[command(mut_args(section), after_help = examples("levels"))]
    Levels(LevelsArguments),
    /// The query with which a database or warehouse computes the level table itself; bring its
    /// result back with --from-levels
    #[command(mut_args(section), after_help = examples("levels-sql"))]
    LevelsSql(LevelsSqlArguments),
    /// Who has spent what: make a ledger of privacy budgets, look at it, verify it
    #[command(subcommand, after_help = examples("ledger"))]
    Ledger(LedgerCommand),
    /// Try to disprove what mechanisms promise, one privacy level at a time
    #[command(after_help = examples("audit"))]
    Audit(AuditArguments),
    /// Completions for your shell, on standard output
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

/// How near an estimate is to come.
const TARGETS: [&str; 2] = ["target_rmse", "target_half_width"];

/// The names of [`HiddenArguments`].
const HIDING: [&str; 2] = ["epsilon_range", "clip"];
