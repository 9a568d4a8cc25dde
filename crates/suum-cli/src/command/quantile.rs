//! `suum quantile`.

use suum::{
    AddRemoveRequest, Bounds, Cells, Grid, Numbers, QuantileOptions, QuantileRequest, Randomness,
    Rank, Result,
};

use crate::answer::Answer;
use crate::arguments::QuantileArguments;
use crate::{grouped, hidden, input, metering};

pub(crate) fn run(arguments: &QuantileArguments) -> Result<Answer> {
    let options = input::quantile_options(
        &arguments.estimator,
        &arguments.common,
        &arguments.intervals,
        &arguments.cells,
    )?;
    let ranks = input::ranks(&arguments.q)?;
    if hidden::is_wanted(arguments.common.neighbors, &arguments.common.hidden)? {
        return quantile_hidden(arguments, &options, ranks);
    }
    // Before the data are read: a request that makes no sense should not have to wait for them.
    QuantileRequest::new(Bounds::UNIT, Cells::new(1)?, ranks.clone(), options)?;
    let group = grouped::column(&arguments.groups, arguments.other.group.as_ref())?;
    let randomness = input::randomness(&arguments.seed)?;
    let numbers = |grid: Grid| {
        let cells = input::cells(&arguments.cells, grid.bounds())?;
        Ok(Numbers { grid, squares: false, cells: Some(cells) })
    };
    let quiet = arguments.output.quiet;
    let tables = input::number_tables(&arguments.input, &arguments.value, group, quiet, numbers)?;
    let tables = metering::aim(&arguments.input, tables, |table| {
        let of_table =
            table.numbers().and_then(|numbers| Some((numbers.grid.bounds(), numbers.cells?)));
        let (bounds, cells) = of_table.unwrap_or((Bounds::UNIT, Cells::new(1)?));
        let request = QuantileRequest::new(bounds, cells, ranks.clone(), options)?;
        Ok(request.plan(table.profile()?)?.chosen().rank_error.rmse())
    })?;
    let draw = |randomness: &mut Randomness| {
        tables.release(|table| {
            input::check_cells(&table, &arguments.cells)?;
            suum::quantile(table, &ranks, &options, randomness)
        })
    };
    grouped::publish(&arguments.input, "quantile", randomness, draw, suum_report::quantile_text)
}

/// Quantiles of which it must not show who takes part.
fn quantile_hidden(
    arguments: &QuantileArguments,
    options: &QuantileOptions,
    ranks: Vec<Rank>,
) -> Result<Answer> {
    let declared = &arguments.common.hidden;
    hidden::check(&arguments.groups)?;
    let budgets = hidden::budgets(&arguments.input, declared)?;
    let options = hidden::with_clip(options.try_into()?, declared)?;
    let bounds = input::bounds(&arguments.value)?;
    let cells = hidden::cells(&arguments.input, &arguments.cells, bounds, &budgets)?;
    let request = AddRemoveRequest::quantiles(bounds, cells, ranks, budgets.clone(), options)?;
    let numbers = |grid: Grid| Ok(Numbers { grid, squares: false, cells: Some(cells) });
    let value = input::unless_counted(&arguments.input, || {
        input::number_column(&arguments.value, numbers)
    })?;
    let table = hidden::table(&arguments.input, &budgets, value)?;
    hidden::release(&arguments.input, &request, table, &arguments.seed)
}
