//! `suum summary`.

use suum::{Bounds, Grid, Randomness, Result, Statistics, VarianceOptions, VarianceRequest};

use crate::answer::Answer;
use crate::arguments::SummaryArguments;
use crate::{grouped, hidden, input};

pub(crate) fn run(arguments: &SummaryArguments) -> Result<Answer> {
    hidden::is_wanted(arguments.common.neighbors, &arguments.common.hidden)?;
    let statistics: Statistics = arguments.statistic.parse()?;
    let split = input::split(&statistics, &arguments.split)?;
    let has_quantiles = !statistics.quantiles.is_empty();
    input::check_quantile_arguments(&arguments.cells, &arguments.intervals, has_quantiles)?;
    let options = input::summary_options(&arguments.common, &arguments.intervals, &arguments.cells);
    // Before the data are read: what is not available must not depend on them.
    let request = VarianceOptions {
        target: options.target,
        neighbors: options.neighbors,
        confidence: options.confidence,
        ..VarianceOptions::default()
    };
    VarianceRequest::new(Bounds::UNIT, request)?;
    let group = grouped::column(&arguments.groups, arguments.other.group.as_ref())?;
    let randomness = input::randomness(&arguments.seed)?;
    let numbers =
        |grid: Grid| Ok(statistics.numbers(grid, input::cells(&arguments.cells, grid.bounds())?));
    let quiet = arguments.output.quiet;
    let tables = input::number_tables(&arguments.input, &arguments.value, group, quiet, numbers)?;
    let draw = |randomness: &mut Randomness| {
        tables.release(|table| {
            input::check_cells(&table, &arguments.cells)?;
            suum::summary(table, &statistics, split, &options, randomness)
        })
    };
    grouped::publish(&arguments.input, "summary", randomness, draw, suum_report::summary_text)
}
