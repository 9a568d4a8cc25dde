//! `suum quantile`.

use suum::{Bounds, Cells, Numbers, QuantileRequest, Result};

use crate::arguments::QuantileArguments;
use crate::{grouped, input};

pub(crate) fn run(arguments: &QuantileArguments) -> Result<()> {
    let options = input::quantile_options(
        &arguments.estimator,
        &arguments.common,
        &arguments.intervals,
        &arguments.cells,
    )?;
    let ranks = input::ranks(&arguments.q)?;
    // Before the data are read: a request that makes no sense should not have to wait for them.
    QuantileRequest::new(Bounds::UNIT, Cells::new(1)?, ranks.clone(), options)?;
    let group = grouped::column(&arguments.groups, arguments.other.group.as_ref())?;
    let mut randomness = input::randomness(&arguments.seed)?;
    let numbers = |grid: suum::Grid| {
        let cells = input::cells(&arguments.cells, grid.bounds())?;
        Ok(Numbers { grid, squares: false, cells: Some(cells) })
    };
    let quiet = arguments.output.quiet;
    let tables = input::number_tables(&arguments.input, &arguments.value, group, quiet, numbers)?;
    let released = tables.release(|table| {
        input::check_cells(&table, &arguments.cells)?;
        suum::quantile(table, &ranks, &options, &mut randomness)
    })?;
    released.print("quantile", arguments.output.format, suum_report::quantile_text)
}
