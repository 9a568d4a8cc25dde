//! `suum summary`.

use suum_core::{Bounds, Grid, Randomness, Result, Statistics, VarianceRequest};

use super::{Task, accounts, tables};
use crate::{Answer, statistics};

pub(crate) fn run(asked: &Statistics, task: &Task<'_>) -> Result<Answer> {
    let query = task.query;
    let split = query.split(asked)?;
    let options = query.summary_options();
    // Before the data are read: what is not available must not depend on them.
    VarianceRequest::new(Bounds::UNIT, query.variance_options())?;
    let group = query.groups()?;
    let randomness = query.randomness()?;
    let numbers = |grid: Grid| Ok(asked.numbers(grid, query.cells(grid.bounds())?));
    let tables = tables::number_tables(task, group, numbers)?;
    let draw = |randomness: &mut Randomness| {
        tables.release(|table| {
            tables::check_cells(&table, query)?;
            statistics::summary(table, asked, split, &options, randomness)
        })
    };
    accounts::release(task, randomness, draw)
}
