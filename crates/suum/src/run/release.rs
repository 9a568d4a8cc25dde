//! A release of any statistic: from a job to what is printed.

use suum_core::Result;
use suum_data::Phase;

use super::goal::Goal;
use super::ready::Ready;
use super::{Task, accounts, add_remove, statistic, tables, unbounded};
use crate::query::Asked;
use crate::{Answer, statistics};

/// The answer to one query.
pub(crate) fn run(task: &Task<'_>) -> Result<Answer> {
    let randomness = task.query.randomness()?;
    match ready(task)? {
        Ready::Free(releases) => {
            // From now on exact numbers of the columns are public.
            accounts::publish(task)?;
            Ok(Answer::of(releases))
        }
        Ready::Draw(draw) => accounts::release(task, randomness, draw),
    }
}

/// Reads what the release is to be of.
pub(crate) fn ready(task: &Task<'_>) -> Result<Ready> {
    let query = task.query;
    if query.wants_range() {
        return unbounded::ready(task).map(Ready::Draw);
    }
    if task.hides_participation() {
        return add_remove::ready(task).map(Ready::Draw);
    }
    statistic::check(query)?;
    let cells = |bounds| query.cells(bounds);
    let value = tables::unless_counted(task, || statistic::value(query, cells))?;
    let tables = tables::tables(task, value)?.of_compared(query)?;
    tables.check()?;
    if query.statistic == Asked::Count {
        let options = query.count_options();
        let releases = tables.release(query, |table| statistics::count(&table, &options))?;
        return Ok(Ready::Free(releases));
    }
    tables.iter().try_for_each(|table| statistic::check_table(query, table))?;
    task.progress.enter(Phase::Planning, None);
    let goal = Goal::of(task);
    let tables = accounts::aim(task, tables, |table| {
        goal.reached(task, &statistic::plan(query, table.measure(), table.profile()?)?)
    })?;
    task.progress.enter(Phase::Drawing, None);
    let query = query.clone();
    Ok(Ready::Draw(Box::new(move |randomness| {
        tables.release(&query, |table| statistic::release(&query, table, randomness))
    })))
}
