//! Releases that hide who takes part (`--neighbors add-remove`): from a job to what is printed.

use suum_core::{
    AddRemoveRequest, Bounds, Cells, DeclaredBudgets, Epsilon, Error, LevelTable, Result,
};
use suum_data::{MOST_PAIRS, PARTS_OF_SUMS, Reading, Scan, Tiers};

use super::grouped::Tables;
use super::ready::Draw;
use super::{Task, accounts, declared, statistic, tables};
use crate::query::Query;

/// What is to be read for a release of any statistic with declared bounds or categories; nothing
/// where a level table stands for the data.
pub(crate) fn scan(task: &Task<'_>) -> Result<Option<Scan>> {
    let budgets = declared::budgets(task)?;
    let query = &query(task, &budgets)?;
    // Before the data are read: a request that makes no sense should not have to wait for them.
    request(task, query, &budgets)?;
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
    let budgets = declared::budgets(task)?;
    let query = query(task, &budgets)?;
    let request = request(task, &query, &budgets)?;
    tables.iter().try_for_each(|table| request.check_table(table))?;
    Ok(Box::new(move |randomness| {
        tables.release(&query, |table| request.release(table, randomness))
    }))
}

/// The query, of which a mean or a sum learns nothing where there can be too many budgets for sums
/// in cells of each: as far as is declared, whoever takes part.
pub(super) fn query(task: &Task<'_>, budgets: &DeclaredBudgets) -> Result<Query> {
    let query = task.query.clone();
    let groups = query.groups()?.map_or(1, |group| group.count());
    let pairs = budgets.most_levels().saturating_mul(Cells::STEPS_OF_SUMS as usize + 1);
    let fits = budgets.are_tiers() && pairs <= PARTS_OF_SUMS.pairs(MOST_PAIRS / groups);
    if !query.statistic.is_mean_or_sum() || fits {
        return Ok(query);
    }
    if query.adapt || query.spare.is_some() {
        let option = if query.adapt { "adapt" } else { "spare" };
        return Err(Error::request(format!(
            "{option}: a mean that hides who takes part learns where the values lie only if \
             budgets are tiers, and not too many"
        ))
        .with_hint(format!("declare tiers with --levels, or leave --{option} out")));
    }
    Ok(Query { no_adapt: true, ..query })
}

fn request(task: &Task<'_>, query: &Query, budgets: &DeclaredBudgets) -> Result<AddRemoveRequest> {
    let cells = |bounds| cells(task, bounds, budgets);
    statistic::hiding(query, budgets.clone(), || query.bounds(), cells)
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
