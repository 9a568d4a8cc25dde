//! `suum frequency`.

use suum_core::{AddRemoveRequest, Options, Randomness, Request, Result};

use super::{Task, accounts, add_remove, grouped, tables};
use crate::query::no_categories;
use crate::{Answer, statistics};

pub(crate) fn run(task: &Task<'_>) -> Result<Answer> {
    let query = task.query;
    let options = query.frequency_options()?;
    let classes = query.classes()?;
    if task.hides_participation() {
        return run_hidden(task, &options);
    }
    // Before the data are read: a request that makes no sense should not have to wait for them.
    if let Some(classes) = &classes {
        Request::frequency(classes.categories().clone(), options.clone())?;
    }
    let randomness = query.randomness()?;
    let group = query.groups()?;
    let value = tables::unless_counted(task, || query.category_column())?;
    let tables = tables::tables(task, value, group)?;
    let tables = grouped::aim(task, tables, |table| {
        let categories = table.categories().cloned().ok_or_else(no_categories)?;
        let plan = statistics::plan_frequency(table.profile()?, categories, &options)?;
        Ok(plan.chosen().risk.rmse())
    })?;
    let draw = |randomness: &mut Randomness| {
        tables.release(|table| {
            tables::check_column(&table, query.value.as_deref())?;
            tables::check_categories(&table, classes.as_ref())?;
            statistics::frequency(table, &options, randomness)
        })
    };
    accounts::release(task, randomness, draw)
}

/// Shares of which it must not show who takes part.
fn run_hidden(task: &Task<'_>, options: &Options) -> Result<Answer> {
    let query = task.query;
    add_remove::check(query)?;
    let budgets = add_remove::budgets(task)?;
    let options = query.add_remove(options.try_into()?);
    let categories = tables::planned_categories(query, None)?;
    let request = AddRemoveRequest::frequency(categories, budgets.clone(), options)?;
    let value = tables::unless_counted(task, || query.category_column())?;
    let table = add_remove::table(task, &budgets, value)?;
    add_remove::release(task, &request, table)
}
