//! Releases that hide who takes part (`--neighbors add-remove`): from a job to what is printed.

use suum_core::{
    Bounds, Cells, DeclaredBudgets, Error, LevelTable, Places, Randomness, RangeOptions, Releases,
    Result, UnboundedAddRemove,
};
use suum_data::{MOST_PAIRS, Scan, Value};

use super::{Task, accounts, reading, statistic, tables};
use crate::query::Query;
use crate::{Answer, add_remove};

/// A release of any statistic with declared bounds or categories.
pub(crate) fn run(task: &Task<'_>) -> Result<Answer> {
    let query = task.query;
    check(query)?;
    let budgets = budgets(task)?;
    let cells = |bounds| cells(task, bounds, &budgets);
    // Before the data are read: a request that makes no sense should not have to wait for them.
    let request = statistic::hiding(query, budgets.clone(), || query.bounds(), cells)?;
    let value = tables::unless_counted(task, || statistic::value(query, cells))?;
    let table = table(task, &budgets, value)?;
    let draw = |randomness: &mut Randomness| request.release(table, randomness).map(Releases::from);
    accounts::release(task, query.randomness()?, draw)
}

/// Refuses options under which it would show who takes part.
fn check(query: &Query) -> Result<()> {
    if query.group_by.is_some() {
        return Err(Error::request(
            "group-by: who is in a group is public, which --neighbors add-remove must hide",
        )
        .with_hint(
            "make the releases one by one from a file per group, or use --neighbors replace",
        ));
    }
    Ok(())
}

/// The budgets that people can have, declared before the data are read.
pub(crate) fn budgets(task: &Task<'_>) -> Result<DeclaredBudgets> {
    let budgets: DeclaredBudgets = match (&task.tiers, task.query.epsilon_range) {
        (Some(_), Some(_)) => {
            Err(Error::request("epsilon-range: the budgets of tiers are those of --levels")
                .with_hint("leave --epsilon-range out"))
        }
        (Some(tiers), None) => add_remove::tiers(tiers),
        (None, Some(range)) => range.budgets(),
        (None, None) => Err(Error::parameter(
            "epsilon-range: with add-remove neighbours the budgets that people can have must be \
            declared",
        )
        .with_hint(
            "add --epsilon-range LO,HI from public knowledge, for example 0.01,1; of tiers \
            declare --levels strict=0.01,public=inf",
        )),
    }?;
    // Of a range the largest budget alone was declared, and its least.
    match &task.tiers {
        Some(_) => task.noted.budgets(budgets.rows().into_iter().map(|(_, epsilon)| epsilon)),
        None => task.noted.budgets([budgets.most()]),
    }
    Ok(budgets)
}

/// The level table of all records, which may be none. Nothing is said on standard error.
pub(crate) fn table(
    task: &Task<'_>,
    budgets: &DeclaredBudgets,
    value: Option<Value>,
) -> Result<LevelTable> {
    if let Some(file) = &task.source.from_levels {
        return accounts::cap(task, reading::levels_of_anybody(task, file)?);
    }
    let scan = Scan {
        person: task.query.person.clone(),
        add_remove: Some(budgets.clone()),
        ..Scan::new(task.query.privacy_column(task.tiers.as_ref())?, value)
    };
    reading::scan(task, &scan)
}

/// The candidates of quantiles: by default as many as can be counted for all budgets that people
/// may have.
pub(crate) fn cells(task: &Task<'_>, bounds: Bounds, budgets: &DeclaredBudgets) -> Result<Cells> {
    let query = task.query;
    if query.step.is_some() || query.cells.is_some() || task.source.from_levels.is_some() {
        return query.cells(bounds);
    }
    let fit = u32::try_from(MOST_PAIRS / budgets.most_levels().max(1)).unwrap_or(u32::MAX);
    // Steps have two ends.
    let steps = fit.saturating_sub(1).clamp(1, Cells::STEPS);
    Cells::new(steps)?.with_rows(query.rows.unwrap_or(1))
}

/// A mean without declared bounds.
pub(crate) fn unbounded_mean(task: &Task<'_>, options: RangeOptions) -> Result<Answer> {
    let budgets = budgets(task)?;
    let request = UnboundedAddRemove::new(budgets.clone(), options)?;
    let privacy = task.query.privacy_column(task.tiers.as_ref())?;
    let value = task.query.unbounded_column()?;
    let scan = Scan { add_remove: Some(budgets), ..Scan::new(privacy, Some(value)) };
    let randomness = task.query.randomness()?;
    let mut spool = reading::spool(task, &scan)?;
    let places: &mut dyn Places = &mut spool;
    let draw =
        |randomness: &mut Randomness| request.release(places, randomness).map(Releases::from);
    accounts::release(task, randomness, draw)
}
