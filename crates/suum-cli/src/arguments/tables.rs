//! Level tables, and certificates to check.

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;

use super::estimation::StrataArguments;
use super::input::{CountedArguments, FurtherGroupArguments, GroupArguments, InputArguments};
use super::ledger::LEDGER;
use super::offered::hide;
use super::output::Format;

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
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) strata: StrataArguments,
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
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) strata: StrataArguments,
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
