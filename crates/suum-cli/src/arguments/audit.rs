//! The command line of audits.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::output::Format;
use super::statistic_arguments::choices_of;

#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    /// An estimator such as affine, or all; a specimen, or specimens
    ///
    /// Specimens are known mistakes, such as specimen:float-laplace.
    #[arg(required_unless_present = "list")]
    pub(crate) mechanism: Option<String>,
    /// What can be audited, and the specimens
    #[arg(long, conflicts_with = "mechanism")]
    pub(crate) list: bool,
    /// For whom: budgets and numbers of people
    ///
    /// Few people make a record tell most.
    #[arg(long, value_name = "EPSILON:COUNT,…", default_value = "0.5:4,1:3,3:2")]
    pub(crate) profile: String,
    /// This statistic only
    #[arg(long, value_name = "NAME", value_parser = statistics())]
    pub(crate) statistic: Option<String>,
    /// These neighbouring datasets only
    #[arg(long, value_parser = choices_of("neighbors"))]
    pub(crate) neighbors: Option<String>,
    /// Releases of either neighbour to count
    ///
    /// For every level.
    ///
    /// Some more are searched for something to count. Default: 5000, or what a specimen needs.
    #[arg(long, value_name = "N")]
    pub(crate) runs: Option<u64>,
    /// How surely all bounds hold at once
    #[arg(long, value_name = "C", default_value_t = 0.999, allow_hyphen_values = true)]
    pub(crate) confidence: f64,
    /// The same seed gives the same report
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Draw what was promised and found to this SVG file
    ///
    /// And the hockey-stick curves δ(ε).
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    pub(crate) plot: Option<String>,
    /// Write a page for people, too: one HTML file, with a table of all mechanisms first
    #[arg(long, value_name = "FILE.html", conflicts_with = "list", help_heading = "Output")]
    pub(crate) report: Option<String>,
    /// For people or for programs
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    pub(crate) format: Format,
    /// No progress on standard error
    #[arg(long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

fn statistics() -> PossibleValuesParser {
    PossibleValuesParser::new(suum::StatisticName::names().chain(["summary"]))
}
