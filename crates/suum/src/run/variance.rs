//! `suum variance`.

use suum_core::{Bounds, Grid, Numbers, Randomness, Result, VarianceRequest};

use super::{Task, accounts, grouped, tables};
use crate::{Answer, statistics};

pub(crate) fn run(task: &Task<'_>) -> Result<Answer> {
    let options = task.query.variance_options();
    // Before the data are read: a request that makes no sense should not have to wait for them.
    VarianceRequest::new(Bounds::UNIT, options)?;
    let group = task.query.groups()?;
    let randomness = task.query.randomness()?;
    let numbers = |grid| Ok(Numbers { grid, squares: true, cells: None });
    let tables = tables::number_tables(task, group, numbers)?;
    let tables = grouped::aim(task, tables, |table| {
        let bounds = table.grid().map_or(Bounds::UNIT, Grid::bounds);
        Ok(VarianceRequest::new(bounds, options)?.plan(table.profile()?)?.error().rmse)
    })?;
    let draw = |randomness: &mut Randomness| {
        tables.release(|table| statistics::variance(table, &options, randomness))
    };
    accounts::release(task, randomness, draw)
}
