//! `suum variance`.

use suum::{Bounds, Grid, Numbers, Randomness, Result, VarianceRequest};

use crate::answer::Answer;
use crate::arguments::VarianceArguments;
use crate::{grouped, hidden, input, metering};

pub(crate) fn run(arguments: &VarianceArguments) -> Result<Answer> {
    hidden::is_wanted(arguments.common.neighbors, &arguments.common.hidden)?;
    let options = input::variance_options(&arguments.common);
    // Before the data are read: a request that makes no sense should not have to wait for them.
    VarianceRequest::new(Bounds::UNIT, options)?;
    let group = grouped::column(&arguments.groups, arguments.other.group.as_ref())?;
    let randomness = input::randomness(&arguments.seed)?;
    let numbers = |grid| Ok(Numbers { grid, squares: true, cells: None });
    let quiet = arguments.output.quiet;
    let tables = input::number_tables(&arguments.input, &arguments.value, group, quiet, numbers)?;
    let tables = metering::aim(&arguments.input, tables, |table| {
        let bounds = table.grid().map_or(Bounds::UNIT, Grid::bounds);
        Ok(VarianceRequest::new(bounds, options)?.plan(table.profile()?)?.error().rmse)
    })?;
    let draw = |randomness: &mut Randomness| {
        tables.release(|table| suum::variance(table, &options, randomness))
    };
    grouped::publish(&arguments.input, "variance", randomness, draw, suum_report::variance_text)
}
