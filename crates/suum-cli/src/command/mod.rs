//! One thin file per subcommand.

mod completions;
mod count;
mod frequency;
mod ledger;
mod levels;
mod levels_sql;
mod plan;
mod quantile;
mod release;
mod summary;
mod unbounded;
mod variance;

use suum::{Result, Statistic};

use crate::arguments::{Command, NeighborsArgument, ReleaseArguments, Suum};
use crate::input;
use crate::metering::{self, Aim};

/// Runs the command that was asked for.
pub(crate) fn run(arguments: Suum) -> Result<()> {
    match arguments.command {
        Command::Mean(arguments) => of_number(Statistic::Mean, arguments),
        Command::Sum(arguments) => of_number(Statistic::Sum, arguments),
        Command::Frequency(mut arguments) => {
            let common = &arguments.options.common;
            let aim = Aim::of(common.neighbors, &arguments.options.estimator);
            metering::open(&mut arguments.input, common.neighbors, aim)?;
            frequency::run(&arguments)
        }
        Command::Quantile(mut arguments) => {
            let aim = Aim::of(arguments.common.neighbors, &arguments.estimator);
            metering::open(&mut arguments.input, arguments.common.neighbors, aim)?;
            quantile::run(&arguments)
        }
        Command::Variance(mut arguments) => {
            let aim = Aim::of(arguments.common.neighbors, "auto");
            metering::open(&mut arguments.input, arguments.common.neighbors, aim)?;
            variance::run(&arguments)
        }
        Command::Summary(mut arguments) => {
            metering::open(&mut arguments.input, arguments.common.neighbors, Aim::Impossible)?;
            summary::run(&arguments)
        }
        Command::Count(mut arguments) => {
            match arguments.neighbors {
                // Free.
                NeighborsArgument::Replace => {
                    metering::open_unchecked(&mut arguments.input, arguments.neighbors, Aim::Impossible)?;
                }
                NeighborsArgument::AddRemove => {
                    metering::open(&mut arguments.input, arguments.neighbors, Aim::Impossible)?;
                }
            }
            count::run(&arguments)
        }
        Command::Plan(mut arguments) => {
            let neighbors = arguments.options.common.neighbors;
            let known = arguments.bounds.as_deref() != Some(input::AUTO);
            let aim = if known { Aim::of(neighbors, &arguments.options.estimator) } else { Aim::Impossible };
            metering::open(&mut arguments.input, neighbors, aim)?;
            plan::run(&arguments)
        }
        Command::Levels(arguments) => {
            metering::refuse(&arguments.input)?;
            levels::run(&arguments)
        }
        Command::LevelsSql(arguments) => {
            metering::refuse(&arguments.input)?;
            levels_sql::run(&arguments)
        }
        Command::Ledger(command) => ledger::run(&command),
        Command::Completions { shell } => completions::run(shell),
    }
}

fn of_number(statistic: Statistic, mut arguments: ReleaseArguments) -> Result<()> {
    let neighbors = arguments.options.common.neighbors;
    // Without bounds, or with a variance that is measured first, the error depends on what is found.
    let unknown =
        input::wants_range(&arguments.value) || arguments.mean.variance.as_deref() == Some("private");
    let aim = if unknown { Aim::Impossible } else { Aim::of(neighbors, &arguments.options.estimator) };
    metering::open(&mut arguments.input, neighbors, aim)?;
    release::run(statistic, &arguments)
}
