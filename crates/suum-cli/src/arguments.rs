//! The command line: names and help. It is read into a query with the same names ([`suum::Query`]),
//! which describes its options and gives them a meaning.

mod audit;
mod estimator_purpose;
mod examples;
mod ledger;
mod output;
mod sections;
mod statistic;
mod statistic_arguments;

use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory, Parser, Subcommand};
use suum::sql::Dialect;

pub(crate) use audit::AuditArguments;
pub(crate) use examples::ALONE;
use examples::with_examples;
pub(crate) use ledger::{LedgerCommand, identifier};
pub(crate) use output::{AnswerFormat, Format, OutputArguments, SortArgument};
use sections::in_sections;
pub(crate) use statistic::Statistic;
pub(crate) use statistic_arguments::{OptionValues, StatisticArguments};

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
    #[command(flatten)]
    Statistic(Statistic),
    /// How good a release would be and what it would cost
    ///
    /// From public facts alone.
    Plan(StatisticArguments),
    /// What a file of TOML asks for, or what a release in JSON was asked
    ///
    /// A file of TOML has options by their names here, such as statistic = "mean".
    Run(RunArguments),
    /// Compute again what every level spent in a release
    ///
    /// The certificate of a release is to follow from the measurements that it lists. Says whether
    /// it does.
    Verify(VerifyArguments),
    /// How the intervals of a release depend on budgets
    ///
    /// Intervals assume that budgets have nothing to do with values. Says what they are if tiers
    /// differ, and up to which difference a claim holds.
    Sensitivity(SensitivityArguments),
    /// The raw level table of the data as JSON. NOT private
    ///
    /// Keep it as safe as the data.
    Levels(LevelsArguments),
    /// The query with which a database computes the level table itself
    ///
    /// Bring its result back with --from-levels.
    LevelsSql(LevelsSqlArguments),
    /// Consent, persons and the meaning of columns, said once for all requests
    #[command(subcommand)]
    Study(StudyCommand),
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

#[derive(Debug, Subcommand)]
pub(crate) enum StudyCommand {
    /// Write a commented study file for data, from the header alone
    ///
    /// No value is read. Remove the # of the lines that hold, and name the file with --study.
    Init {
        #[command(flatten)]
        data: OptionValues,
        /// The file to write; by default it is named after the data
        #[arg(long, value_name = "FILE.toml")]
        file: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The file; paths in it are relative to the working directory
    #[arg(value_name = "QUERY.toml")]
    pub(crate) file: String,
    /// The data, in place of those that the file names
    pub(crate) data: Vec<String>,
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

#[derive(Debug, Args)]
pub(crate) struct SensitivityArguments {
    /// The release: JSON from --format json, or - for standard input
    #[arg(value_name = "RELEASE.json")]
    pub(crate) file: String,
    /// Up to which difference of tiers a claim holds: above or below a number
    #[arg(long, value_name = "'above X'", allow_hyphen_values = true)]
    pub(crate) claim: Option<String>,
    /// Also the interval for this difference of the means of tiers; of shares, 0.05 is 5 points
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub(crate) difference: Option<f64>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct LevelsArguments {
    #[command(flatten)]
    pub(crate) said: OptionValues,
    /// Persons count with the total of their rows, for a sum, and not with the mean. --bounds are
    /// then those of a person's total
    #[arg(long)]
    pub(crate) totals: bool,
    /// No progress and no warnings on standard error
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LevelsSqlArguments {
    /// Whose SQL to write
    #[arg(
        long,
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(Dialect::ALL.map(Dialect::name))
    )]
    pub(crate) dialect: String,
    #[command(flatten)]
    pub(crate) said: OptionValues,
}

/// Command line with help in sections, and examples at its end.
pub(crate) fn commands() -> clap::Command {
    Suum::command().mut_subcommands(|command| with_examples(in_sections(command)))
}

/// Adapts commands to a help of one line per option, whose text includes the possible values.
pub(crate) fn in_short(mut commands: clap::Command) -> clap::Command {
    // With the options of all.
    commands.build();
    let short = |command: clap::Command| {
        command.mut_args(|argument| match argument.get_action().takes_values() {
            true => argument.hide_possible_values(true).hide_default_value(true),
            false => argument,
        })
    };
    commands.mut_subcommands(|command| short(command).mut_subcommands(short))
}
