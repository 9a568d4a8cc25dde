//! `suum quantile`.

use suum_core::{
    AddRemoveRequest, Bounds, Cells, Grid, Numbers, QuantileOptions, QuantileRequest, Randomness,
    Result,
};

use super::{Task, accounts, add_remove, grouped, tables};
use crate::query::Ranks;
use crate::{Answer, statistics};

pub(crate) fn run(task: &Task<'_>) -> Result<Answer> {
    let query = task.query;
    let options = query.quantile_options()?;
    let Ranks(ranks) = &query.q;
    if task.hides_participation() {
        return run_hidden(task, &options);
    }
    // Before the data are read: a request that makes no sense should not have to wait for them.
    QuantileRequest::new(Bounds::UNIT, Cells::new(1)?, ranks.clone(), options)?;
    let group = query.groups()?;
    let randomness = query.randomness()?;
    let numbers =
        |grid: Grid| Ok(Numbers { grid, squares: false, cells: Some(query.cells(grid.bounds())?) });
    let tables = tables::number_tables(task, group, numbers)?;
    let tables = grouped::aim(task, tables, |table| {
        let of_table =
            table.numbers().and_then(|numbers| Some((numbers.grid.bounds(), numbers.cells?)));
        let (bounds, cells) = of_table.unwrap_or((Bounds::UNIT, Cells::new(1)?));
        let request = QuantileRequest::new(bounds, cells, ranks.clone(), options)?;
        Ok(request.plan(table.profile()?)?.chosen().rank_error.rmse())
    })?;
    let draw = |randomness: &mut Randomness| {
        tables.release(|table| {
            tables::check_cells(&table, query)?;
            statistics::quantile(table, ranks, &options, randomness)
        })
    };
    accounts::release(task, randomness, draw)
}

/// Quantiles of which it must not show who takes part.
fn run_hidden(task: &Task<'_>, options: &QuantileOptions) -> Result<Answer> {
    let query = task.query;
    add_remove::check(query)?;
    let budgets = add_remove::budgets(task)?;
    let options = query.add_remove(options.try_into()?);
    let bounds = query.bounds()?;
    let cells = add_remove::cells(task, bounds, &budgets)?;
    let ranks = query.q.0.clone();
    let request = AddRemoveRequest::quantiles(bounds, cells, ranks, budgets.clone(), options)?;
    let numbers = |grid: Grid| Ok(Numbers { grid, squares: false, cells: Some(cells) });
    let value = tables::unless_counted(task, || query.number_column(numbers))?;
    let table = add_remove::table(task, &budgets, value)?;
    add_remove::release(task, &request, table)
}
