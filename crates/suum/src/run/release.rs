//! A release of any statistic: from a job to what is printed.

use suum_core::{Randomness, Releases, Result};
use suum_data::Phase;

use super::goal::Goal;
use super::{Task, accounts, add_remove, statistic, tables, unbounded};
use crate::query::Asked;
use crate::{Answer, statistics};

pub(crate) fn run(task: &Task<'_>) -> Result<Answer> {
    let query = task.query;
    if query.wants_range() {
        return unbounded::run(task);
    }
    if task.hides_participation() {
        return add_remove::run(task);
    }
    statistic::check(query)?;
    let cells = |bounds| query.cells(bounds);
    let value = tables::unless_counted(task, || statistic::value(query, cells))?;
    let tables = tables::tables(task, value)?;
    tables.check()?;
    if query.statistic == Asked::Count {
        let options = query.count_options();
        let releases = tables.release(|table| statistics::count(&table, &options))?;
        // Free, but from now on exact numbers of the columns are public.
        accounts::publish(task)?;
        return Ok(Answer::of(releases));
    }
    tables.iter().try_for_each(|table| statistic::check_table(query, table))?;
    task.progress.enter(Phase::Planning, None);
    let goal = Goal::of(task);
    let tables = accounts::aim(task, tables, |table| {
        goal.reached(task, &statistic::plan(query, table.measure(), table.profile()?)?)
    })?;
    let randomness = query.randomness()?;
    task.progress.enter(Phase::Drawing, None);
    let draw = |randomness: &mut Randomness| -> Result<Releases> {
        tables.release(|table| statistic::release(query, table, randomness))
    };
    accounts::release(task, randomness, draw)
}
