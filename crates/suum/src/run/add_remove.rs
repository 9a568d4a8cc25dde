//! Releases that hide who takes part (`--neighbors add-remove`): from a job to what is printed.

use suum_core::{Bounds, Cells, DeclaredBudgets, Epsilon, LevelTable, Result};
use suum_data::{MOST_PAIRS, Scan, Tiers, Value};

use super::grouped::{Read, Tables};
use super::ready::Draw;
use super::{Task, accounts, declared, reading, statistic, tables};
use crate::query::Query;

/// A release of any statistic with declared bounds or categories.
pub(crate) fn ready(task: &Task<'_>) -> Result<Draw> {
    let query = task.query;
    let budgets = declared::budgets(task)?;
    let cells = |bounds| cells(task, bounds, &budgets);
    // Before the data are read: a request that makes no sense should not have to wait for them.
    let request = statistic::hiding(query, budgets.clone(), || query.bounds(), cells)?;
    let value = tables::unless_counted(task, || statistic::value(query, cells))?;
    let tables = tables(task, &budgets, value)?.of_compared(query)?;
    tables.iter().try_for_each(|table| request.check_table(table))?;
    let query = query.clone();
    Ok(Box::new(move |randomness| {
        tables.release(&query, |table| request.release(table, randomness))
    }))
}

/// The level table of all records, which may be none, or of each declared group.
pub(crate) fn tables(
    task: &Task<'_>,
    budgets: &DeclaredBudgets,
    value: Option<Value>,
) -> Result<Tables> {
    if let Some(file) = &task.source.from_levels {
        let declared = |label: Option<&str>| {
            let tier = task.tiers.iter().flat_map(Tiers::iter).find(|tier| Some(tier.0) == label);
            tier.map_or(Epsilon::UNUSED, |(_, epsilon)| epsilon)
        };
        // Of a table of tiers nobody counts for more than their tier declares, whatever the table
        // says that they allow.
        let as_declared = |table: LevelTable| match task.tiers {
            Some(_) => table.with_budgets(|label, epsilon| epsilon.min(declared(label))),
            None => Ok(table),
        };
        return tables::counted(task, file)?
            .try_map(|table| accounts::cap(task, table).and_then(as_declared));
    }
    let scan = Scan {
        group: task.query.groups()?,
        add_remove: Some(budgets.clone()),
        ..tables::asked(task, value)?
    };
    Ok(match scan.group {
        Some(_) => Read::Groups(reading::scan_groups(task, &scan)?),
        None => Read::One(reading::scan(task, &scan)?),
    })
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
