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

use clap::{CommandFactory, Parser, Subcommand};

pub(crate) use audit::AuditArguments;
pub(crate) use estimation::NeighborsArgument;
pub(crate) use examples::ALONE;
use examples::with_examples;
pub(crate) use ledger::LedgerCommand;
use offered::{Offered, hide, of_totals, offer_of};
pub(crate) use output::{Format, OutputArguments, SortArgument};
use plan::{PLANNED_VARIANCE, planned_target};
pub(crate) use plan::{PlanArguments, RunArguments};
use sections::in_sections;
pub(crate) use statistics::SummaryArguments;
use statistics::{
    CountArguments, FrequencyArguments, QuantileArguments, ReleaseArguments, VarianceArguments,
};
pub(crate) use tables::{LevelsArguments, LevelsSqlArguments, VerifyArguments};

/// Publish statistics of data in which every person chose their own privacy level
#[derive(Debug, Parser)]
#[command(name = "suum", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "suum COMMAND -h says what a command needs, --help all it can do.")]
pub struct Suum {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The private mean of a numeric column
    #[command(mut_arg("estimator", offer_of(&[Offered::Numbers, Offered::Ranges])))]
    #[command(visible_alias = "average")]
    Mean(ReleaseArguments),
    /// The difference of the private means of two groups
    ///
    /// As mean with --between.
    #[command(mut_arg("estimator", offer_of(&[Offered::Numbers, Offered::Ranges])))]
    #[command(mut_arg("between", |between| between.required(true)))]
    Difference(ReleaseArguments),
    /// The private sum of a numeric column
    #[command(mut_arg("estimator", offer_of(&[Offered::Numbers])), mut_args(of_totals))]
    Sum(ReleaseArguments),
    /// The private share of every category
    #[command(mut_arg("estimator", offer_of(&[Offered::Shares])))]
    #[command(visible_alias = "histogram")]
    Frequency(FrequencyArguments),
    /// The private quantiles of a numeric column
    #[command(visible_alias = "median")]
    Quantile(QuantileArguments),
    /// The private variance of a numeric column, and the mean with it
    #[command(mut_args(hide(&HIDING)))]
    Variance(VarianceArguments),
    /// Several statistics of a column in one pass, from one budget
    #[command(mut_args(hide(&HIDING)), mut_args(hide(&TARGETS)))]
    Summary(SummaryArguments),
    /// The number of records per tier
    ///
    /// Public under replace-one neighbours; else one private number.
    #[command(mut_args(hide(&TARGETS)))]
    Count(CountArguments),
    /// How good a release would be and what it would cost
    ///
    /// From public facts alone.
    #[command(mut_arg(
        "estimator",
        offer_of(&[Offered::Numbers, Offered::Ranges, Offered::Shares, Offered::Quantiles])
    ))]
    #[command(mut_arg("variance", |argument| argument.value_name("V").help(PLANNED_VARIANCE)))]
    #[command(mut_args(planned_target))]
    Plan(Box<PlanArguments>),
    /// What a file of TOML asks for, or what a release in JSON was asked
    ///
    /// A file of TOML has options by their names here, such as statistic = "mean".
    Run(RunArguments),
    /// Compute again what every level spent in a release
    ///
    /// The certificate of a release is to follow from the measurements that it lists. Says whether
    /// it does.
    Verify(VerifyArguments),
    /// The raw level table of the data as JSON. NOT private
    ///
    /// Keep it as safe as the data.
    Levels(LevelsArguments),
    /// The query with which a database computes the level table itself
    ///
    /// Bring its result back with --from-levels.
    LevelsSql(LevelsSqlArguments),
    /// Who has spent what: make a ledger, look at it, verify it
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Try to disprove what mechanisms promise, one level at a time
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

/// The command line with help in sections, and examples at its end.
pub(crate) fn commands() -> clap::Command {
    Suum::command().mut_subcommands(|command| with_examples(in_sections(command)))
}

/// The same for a help of one line an option, which says by itself which values there are.
pub(crate) fn in_short(commands: clap::Command) -> clap::Command {
    let short = |command: clap::Command| {
        command.mut_args(|argument| match argument.get_action().takes_values() {
            true => argument.hide_possible_values(true).hide_default_value(true),
            false => argument,
        })
    };
    commands.mut_subcommands(|command| short(command).mut_subcommands(short))
}
