//! One thin file per subcommand.

mod completions;
mod count;
mod frequency;
mod levels;
mod plan;
mod quantile;
mod release;
mod summary;
mod unbounded;
mod variance;

use suum::{Result, Statistic};

use crate::arguments::{Command, Suum};

/// Runs the command that was asked for.
pub(crate) fn run(arguments: Suum) -> Result<()> {
    match arguments.command {
        Command::Mean(arguments) => release::run(Statistic::Mean, &arguments),
        Command::Sum(arguments) => release::run(Statistic::Sum, &arguments),
        Command::Frequency(arguments) => frequency::run(&arguments),
        Command::Quantile(arguments) => quantile::run(&arguments),
        Command::Variance(arguments) => variance::run(&arguments),
        Command::Summary(arguments) => summary::run(&arguments),
        Command::Count(arguments) => count::run(&arguments),
        Command::Plan(arguments) => plan::run(&arguments),
        Command::Levels(arguments) => levels::run(&arguments),
        Command::Completions { shell } => completions::run(shell),
    }
}
