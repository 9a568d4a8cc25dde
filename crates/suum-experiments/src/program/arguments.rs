//! The options of the command line.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use suum_experiments::published::PublishedEstimator;

/// Tables and figures of papers on personalised differential privacy, measured anew, and published
/// algorithms on data of your own. For study: to publish statistics, use `suum`
#[derive(Debug, Parser)]
#[command(name = "suum-experiments", version)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// What can be measured
    List,
    /// Measures one table or figure, and writes CSV, SVG and a page of HTML
    Run {
        /// Which one (suum-experiments list shows their names), or all
        id: String,
        #[command(flatten)]
        arguments: Measuring,
    },
    /// Measures all of them, and writes one page for all
    All {
        #[command(flatten)]
        arguments: Measuring,
    },
    /// The mean of a column by a published algorithm, for study
    Mean(MeanArguments),
}

#[derive(Debug, Args)]
pub(super) struct Measuring {
    /// Fewer trials: enough to see the conclusions, in seconds each
    #[arg(long)]
    pub(super) quick: bool,
    /// So many trials for every point
    #[arg(long, value_name = "N", conflicts_with = "quick")]
    pub(super) trials: Option<usize>,
    /// The folder for what is written
    #[arg(long, value_name = "DIR", default_value = "experiments-out")]
    pub(super) out: PathBuf,
    #[command(flatten)]
    pub(super) files: FileArguments,
    /// No progress bar
    #[arg(long)]
    pub(super) quiet: bool,
}

/// Data that suum does not ship; stand-ins take their place.
#[derive(Debug, Args)]
#[command(next_help_heading = "Real data in place of stand-ins")]
pub(super) struct FileArguments {
    /// A CSV of salaries of the University of California
    #[arg(long, value_name = "FILE", requires = "salary_column")]
    pub(super) salaries: Option<PathBuf>,
    /// Its column of pay
    #[arg(long, value_name = "COL", requires = "salaries")]
    pub(super) salary_column: Option<String>,
    /// A CSV of cancers in Colorado, a row for each case
    #[arg(long, value_name = "FILE", requires = "cancer_column")]
    pub(super) cancers: Option<PathBuf>,
    /// Its column of types
    #[arg(long, value_name = "COL", requires = "cancers")]
    pub(super) cancer_column: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct MeanArguments {
    /// A CSV with a header, one row per person
    pub(super) data: PathBuf,
    /// Column of values
    #[arg(long, value_name = "COL")]
    pub(super) value: String,
    /// Column of budgets ε: numbers; inf is public, 0 is not used
    #[arg(long, value_name = "COL")]
    pub(super) epsilon: String,
    /// Which algorithm
    #[arg(long, value_name = "NAME", value_parser = names())]
    pub(super) estimator: String,
    /// The range values are clamped to, for sample and stretch; declare what is possible, do not
    /// look it up in the data
    #[arg(long, value_name = "LO,HI", allow_hyphen_values = true)]
    pub(super) bounds: Option<String>,
    /// The one ε of sample: min, mean, max, optimal or a number; optimal if it is left out
    #[arg(long, value_name = "T")]
    pub(super) sample_threshold: Option<String>,
    /// The budgets that people can have, for gaussian-reduction, from public knowledge
    #[arg(long, value_name = "LO,HI")]
    pub(super) epsilon_range: Option<String>,
    /// For people or for programs
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    /// Reproducible noise for tests. The answer is then NOT PRIVATE
    #[arg(long, value_name = "N")]
    pub(super) insecure_seed: Option<u64>,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(PublishedEstimator::ALL.map(PublishedEstimator::name))
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    #[default]
    Text,
    Json,
}
