//! The options of `suum experiment`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum ExperimentCommand {
    /// What can be measured
    List,
    /// Measures one table or figure, and writes CSV, SVG and a page of HTML
    Run {
        /// Which one (suum experiment list shows their names), or all
        id: String,
        #[command(flatten)]
        arguments: ExperimentArguments,
    },
    /// Measures all of them, and writes one page for all
    All {
        #[command(flatten)]
        arguments: ExperimentArguments,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ExperimentArguments {
    /// Fewer trials: enough to see the conclusions, in seconds each
    #[arg(long)]
    pub(crate) quick: bool,
    /// So many trials for every point
    #[arg(long, value_name = "N", conflicts_with = "quick")]
    pub(crate) trials: Option<usize>,
    /// The folder for what is written
    #[arg(long, value_name = "DIR", default_value = "experiments-out")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) files: FileArguments,
    /// No progress bar
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Data that suum does not ship; stand-ins take their place.
#[derive(Debug, Args)]
#[command(next_help_heading = "Real data in place of stand-ins")]
pub(crate) struct FileArguments {
    /// A CSV of salaries of the University of California
    #[arg(long, value_name = "FILE", requires = "salary_column")]
    pub(crate) salaries: Option<PathBuf>,
    /// Its column of pay
    #[arg(long, value_name = "COL", requires = "salaries")]
    pub(crate) salary_column: Option<String>,
    /// A CSV of cancers in Colorado, a row for each case
    #[arg(long, value_name = "FILE", requires = "cancer_column")]
    pub(crate) cancers: Option<PathBuf>,
    /// Its column of types
    #[arg(long, value_name = "COL", requires = "cancers")]
    pub(crate) cancer_column: Option<String>,
}
