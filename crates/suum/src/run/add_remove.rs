//! Releases that hide who takes part (`--neighbors add-remove`): from a job to what is printed.

use suum_core::{
    AddRemoveRequest, Bounds, Cells, DeclaredBudgets, Epsilon, Error, LevelTable, Result,
};
use suum_data::{MOST_PAIRS, Reading, Scan, Tiers};

use super::grouped::Tables;
use super::ready::Draw;
use super::{Task, accounts, statistic, tables};
use crate::add_remove;
use crate::query::Query;

/// What is to be read for a release of any statistic with declared bounds or categories; nothing
/// where a level table stands for the data.
pub(crate) fn scan(task: &Task<'_>) -> Result<Option<Scan>> {
    let query = task.query;
    let budgets = budgets(task)?;
    // Before the data are read: a request that makes no sense should not have to wait for them.
    request(task, &budgets)?;
    if task.source.from_levels.is_some() {
        return Ok(None);
    }
    let value = statistic::value(query, |bounds| cells(task, bounds, &budgets))?;
    let (group, scan) = (query.groups()?, tables::asked(task, value)?);
    Ok(Some(Scan { group, add_remove: Some(budgets), ..scan }))
}

/// The tables that were read, or those in a file.
pub(crate) fn tables(task: &Task<'_>, reading: Option<Reading>) -> Result<Tables> {
    match reading {
        Some(reading) => Tables::of(reading),
        None => counted(task),
    }
}

/// The release of these tables.
pub(crate) fn ready(task: &Task<'_>, tables: Tables) -> Result<Draw> {
    let request = request(task, &budgets(task)?)?;
    tables.iter().try_for_each(|table| request.check_table(table))?;
    let query = task.query.clone();
    Ok(Box::new(move |randomness| {
        tables.release(&query, |table| request.release(table, randomness))
    }))
}

fn request(task: &Task<'_>, budgets: &DeclaredBudgets) -> Result<AddRemoveRequest> {
    let (query, cells) = (task.query, |bounds| cells(task, bounds, budgets));
    statistic::hiding(query, budgets.clone(), || query.bounds(), cells)
}

/// The budgets that people can have, declared before the data are read.
pub(crate) fn budgets(task: &Task<'_>) -> Result<DeclaredBudgets> {
    let persons = accounts::range_of_persons(task);
    let tiers = task.tiers.as_ref().filter(|_| persons.is_none());
    let budgets: DeclaredBudgets = match (tiers, task.query.epsilon_range, persons) {
        (Some(_), Some(_), _) => {
            Err(Error::request("epsilon-range: the budgets of tiers are those of --levels")
                .with_hint("leave --epsilon-range out"))
        }
        (Some(tiers), None, _) => add_remove::tiers(tiers),
        (None, Some(range), _) => range.budgets(),
        (None, None, Some((least, most))) => DeclaredBudgets::range(least, most),
        (None, None, None) => Err(Error::parameter(match task.query.leaves_out_missing() {
            true => {
                "epsilon-range: where records without a value are left out, so that it is hidden \
                 who has one, the budgets that people can have must be declared"
            }
            false => {
                "epsilon-range: where participation is hidden, the budgets that people can have \
                 must be declared"
            }
        })
        .with_hint(
            "add --epsilon-range LO,HI from public knowledge, for example 0.01,1; of tiers \
            declare --levels strict=0.01,public=inf",
        )),
    }?;
    // Of a range the largest budget alone was declared, and its least.
    match tiers {
        Some(_) => task.noted.budgets(budgets.rows().into_iter().map(|(_, epsilon)| epsilon)),
        None => task.noted.budgets([budgets.most()]),
    }
    Ok(budgets)
}

/// The level tables in a file, of which one may be of nobody.
fn counted(task: &Task<'_>) -> Result<Tables> {
    let declared = |label: Option<&str>| {
        let tier = task.tiers.iter().flat_map(Tiers::iter).find(|tier| Some(tier.0) == label);
        tier.map_or(Epsilon::UNUSED, |(_, epsilon)| epsilon)
    };
    // Of a table of tiers nobody counts for more than their tier declares, whatever the table says
    // that they allow.
    let as_declared = |table: LevelTable| match task.tiers {
        Some(_) => table.with_budgets(|label, epsilon| epsilon.min(declared(label))),
        None => Ok(table),
    };
    tables::counted(task)?.try_map(|table| accounts::cap(task, table).and_then(as_declared))
}

/// The candidates of quantiles: by default as many as can be counted for all budgets that people
/// may have.
pub(crate) fn cells(task: &Task<'_>, bounds: Bounds, budgets: &DeclaredBudgets) -> Result<Cells> {
    let query = task.query;
    if query.step.is_some() || query.cells.is_some() || task.source.from_levels.is_some() {
        return query.cells(bounds);
    }
    Cells::new(most_steps(query, budgets)?.min(Cells::STEPS))?.with_rows(query.rows.unwrap_or(1))
}

/// The most steps whose candidates can be counted for all budgets that people may have.
pub(super) fn most_steps(query: &Query, budgets: &DeclaredBudgets) -> Result<u32> {
    let groups = query.groups()?.map_or(1, |group| group.count());
    let fit = MOST_PAIRS / groups / budgets.most_levels().max(1);
    // Steps have two ends.
    Ok(u32::try_from(fit).unwrap_or(u32::MAX).saturating_sub(1).clamp(1, Cells::MOST))
}
