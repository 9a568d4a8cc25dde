//! `suum mean` and `suum sum`.

use suum_core::{
    AddRemoveRequest, Bounds, Error, Grid, Numbers, Options, Randomness, Request, Result, Statistic,
};

use super::{Task, accounts, add_remove, grouped, tables};
use crate::Answer;
use crate::statistics;

pub(crate) fn run(statistic: Statistic, task: &Task<'_>) -> Result<Answer> {
    if task.hides_participation() {
        return run_hidden(statistic, task);
    }
    let query = task.query;
    let options = query.mean_options()?;
    // Before the data are read: a request that makes no sense should not have to wait for them.
    // Without bounds (they may be those of a level table) everything but the variance can be
    // checked.
    match query.declared_bounds()? {
        Some(bounds) => Request::new(statistic, bounds, options.clone())?,
        None => {
            Request::new(statistic, Bounds::UNIT, Options { variance: None, ..options.clone() })?
        }
    };
    let randomness = query.randomness()?;
    let private_variance = query.variance_split()?;
    let group = query.groups()?;
    let numbers = |grid| Ok(Numbers { grid, squares: private_variance.is_some(), cells: None });
    let tables = tables::number_tables(task, group, numbers)?;
    let tables = grouped::aim(task, tables, |table| {
        let bounds = table.grid().map_or(Bounds::UNIT, Grid::bounds);
        let plan = statistics::plan(statistic, table.profile()?, bounds, &options)?;
        Ok(plan.chosen().risk.rmse() * plan.unit())
    })?;
    let draw = |randomness: &mut Randomness| {
        tables.release(|table| match (private_variance, statistic) {
            (Some(split), _) => statistics::mean_with_private_variance(
                statistic, table, &options, split, randomness,
            ),
            (None, Statistic::Sum) => statistics::sum(table, &options, randomness),
            (None, _) => statistics::mean(table, &options, randomness),
        })
    };
    accounts::release(task, randomness, draw)
}

/// A mean or sum of which it must not show who takes part.
fn run_hidden(statistic: Statistic, task: &Task<'_>) -> Result<Answer> {
    let query = task.query;
    add_remove::check(query)?;
    if query.variance_split()?.is_some() {
        return Err(Error::request(
            "variance: private is not available with --neighbors add-remove",
        )
        .with_hint("declare a variance, or use --neighbors replace"));
    }
    let budgets = add_remove::budgets(task)?;
    let options = query.add_remove((&query.mean_options()?).try_into()?);
    let bounds = query.bounds()?;
    let request = match statistic {
        Statistic::Sum => AddRemoveRequest::sum(bounds, budgets.clone(), options)?,
        _ => AddRemoveRequest::mean(bounds, budgets.clone(), options)?,
    };
    let value =
        tables::unless_counted(task, || query.number_column(|grid| Ok(Numbers::from(grid))))?;
    let table = add_remove::table(task, &budgets, value)?;
    add_remove::release(task, &request, table)
}
