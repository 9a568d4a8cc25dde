//! Options for the form of answers.

use clap::{Args, ValueEnum};

/// How to print.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// Say all: estimators, where the error comes from, what is guaranteed
    #[arg(long)]
    pub(crate) explain: bool,
    /// In which order shares and groups are listed: the largest first, or as declared [default:
    /// share, of bins and groups declared]
    #[arg(long, value_enum)]
    pub(crate) sort: Option<SortArgument>,
    /// For people or for programs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: AnswerFormat,
    /// Write a page for people, too: one HTML file that needs nothing else, with the answer drawn,
    /// the method and its sources
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<String>,
    /// No progress on standard error
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortArgument {
    /// The largest first
    Share,
    /// As categories or groups were declared
    Declared,
}

/// Format of a statistic or a plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// In words and figures
    #[default]
    Text,
    /// All figures, the certificate and the query
    Json,
    /// For notebooks and pull requests
    Markdown,
    /// For spreadsheets: a row for each estimate
    Csv,
}

impl From<Format> for AnswerFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Text => Self::Text,
            Format::Json => Self::Json,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    Json,
}
