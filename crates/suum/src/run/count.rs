//! `suum count`.

use suum_core::{AddRemoveOptions, AddRemoveRequest, Options, Result};

use super::{Task, accounts, add_remove, tables};
use crate::{Answer, statistics};

pub(crate) fn run(task: &Task<'_>) -> Result<Answer> {
    if task.hides_participation() {
        return run_hidden(task);
    }
    let options = Options { neighbors: task.query.neighbors, ..Options::default() };
    let group = task.query.groups()?;
    let tables = tables::tables(task, None, group)?;
    let released = tables.release(|table| statistics::count(&table, &options))?;
    // Free, but from now on exact numbers of the columns are public.
    accounts::publish(task)?;
    Ok(Answer::of(released))
}

/// Counts with noise, where it must not show who takes part.
fn run_hidden(task: &Task<'_>) -> Result<Answer> {
    add_remove::check(task.query)?;
    let budgets = add_remove::budgets(task)?;
    let options =
        AddRemoveOptions { confidence: task.query.confidence.0, ..AddRemoveOptions::default() };
    let request = AddRemoveRequest::count(budgets.clone(), task.query.add_remove(options))?;
    let table = add_remove::table(task, &budgets, None)?;
    add_remove::release(task, &request, table)
}
