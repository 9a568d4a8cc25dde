//! Releases under hidden participation (`--neighbors add-remove`): from a job to the output.

use suum_core::{
    AddRemoveRequest, Bounds, Cells, DeclaredBudgets, Epsilon, Error, LevelTable, Result,
    leave_out, option, say,
};
use suum_data::{MOST_PAIRS, PARTS_OF_SUMS, Reading, Scan, Tiers};

use super::grouped::Tables;
use super::ready::Draw;
use super::{Task, accounts, declared, statistic, tables};
use crate::query::Query;

/// Scan for a release of any statistic with declared bounds or categories; `None` if a level table
/// replaces the data.
pub(crate) fn scan(task: &Task<'_>) -> Result<Option<Scan>> {
    let (query, budgets) = &resolve_query(task)?;
    // Before the data are read: a request that makes no sense should not have to wait for them.
    request(task, query, budgets)?;
    if task.source.from_levels.is_some() {
        return Ok(None);
    }
    let value = statistic::value(query, |bounds| cells(task, bounds, budgets))?;
    let (group, scan) = (query.groups()?, tables::scan_without_groups(task, value)?);
    Ok(Some(Scan { group, add_remove: Some(budgets.clone()), ..scan }))
}

/// Tables that were read, or those in a file.
pub(crate) fn tables(task: &Task<'_>, reading: Option<Reading>) -> Result<Tables> {
    match reading {
        Some(reading) => Tables::from_reading(reading),
        None => read_counted(task),
    }
}

/// Prepares the release of these tables.
pub(crate) fn ready(task: &Task<'_>, tables: Tables) -> Result<Draw> {
    let (query, budgets) = resolve_query(task)?;
    let request = request(task, &query, &budgets)?;
    tables.iter().try_for_each(|table| request.check_table(table))?;
    Ok(Box::new(move |randomness, small| {
        let memberships = query.hidden_memberships();
        let tables = tables.without(small.as_ref());
        let releases = tables.release_at_once(&query, memberships, randomness, |table, own| {
            request.release(table, own)
        })?;
        Ok(releases.without_small(small))
    }))
}

/// Query, and the budgets that people can have.
///
/// If a mean or a sum learns, a range of budgets is coarser, so that there is room for sums in
/// cells of each of them; if there can be too many all the same, it learns nothing. That depends on
/// the declarations, not on the participants.
pub(super) fn resolve_query(task: &Task<'_>) -> Result<(Query, DeclaredBudgets)> {
    let (query, budgets) = (task.query.clone(), declared::budgets(task)?);
    if !query.statistic.is_mean_or_sum() || !may_learn(task, &query, &budgets)? {
        return Ok((query, budgets));
    }
    let groups = query.groups()?.map_or(1, |group| group.count());
    let pairs = PARTS_OF_SUMS.pairs(MOST_PAIRS / groups);
    if let Some(budgets) = budgets.coarser(pairs / (Cells::STEPS_OF_SUMS as usize + 1)) {
        return Ok((query, budgets));
    }
    if query.adapt || query.spare.is_some() {
        let option = if query.adapt { option::ADAPT } else { option::SPARE };
        return Err(Error::request(
            option,
            "a mean that hides who takes part learns where the values lie only if there are not \
             too many tiers or budgets",
        )
        .with_fix(
            say("declare fewer tiers, a narrower range of budgets or fewer groups, or")
                .then(leave_out(option)),
        ));
    }
    Ok((Query { no_adapt: true, ..query }, budgets))
}

/// Distinct budgets of a release; `None` if participation is public.
pub(super) fn distinct_budgets(task: &Task<'_>) -> Result<Option<DeclaredBudgets>> {
    match (task.hides_participation(), task.query.wants_range()) {
        (false, _) => Ok(None),
        (true, true) => declared::budgets(task).map(Some),
        (true, false) => resolve_query(task).map(|(_, budgets)| Some(budgets)),
    }
}

/// Returns true if a mean or a sum learns where values lie, provided that budgets are few enough.
fn may_learn(task: &Task<'_>, query: &Query, budgets: &DeclaredBudgets) -> Result<bool> {
    let cells = |bounds| cells(task, bounds, budgets);
    // Whatever the bounds are, which a plan need not have; a step is one between them.
    let bounds = query.declared_bounds()?;
    let query = &Query { step: query.step.filter(|_| bounds.is_some()), ..query.clone() };
    let bounds = || Ok(bounds.unwrap_or(Bounds::UNIT));
    let asked = || statistic::add_remove(query, budgets.clone(), bounds, cells);
    Ok(query.variance.is_none() && asked()?.may_adapt())
}

fn request(task: &Task<'_>, query: &Query, budgets: &DeclaredBudgets) -> Result<AddRemoveRequest> {
    let cells = |bounds| cells(task, bounds, budgets);
    statistic::add_remove(query, budgets.clone(), || query.bounds(), cells)
}

/// Level tables in a file; they may have no records.
fn read_counted(task: &Task<'_>) -> Result<Tables> {
    let declared = |label: Option<&str>| {
        let tier = task.tiers.iter().flat_map(Tiers::iter).find(|tier| Some(tier.0) == label);
        tier.map_or(Epsilon::UNUSED, |(_, epsilon)| epsilon)
    };
    // In a table of tiers nobody counts for more than their tier declares, whatever budgets the
    // table has.
    let as_declared = |table: LevelTable| match task.tiers {
        Some(_) => table.with_budgets(|label, epsilon| epsilon.min(declared(label))),
        None => Ok(table),
    };
    tables::read_counted(task)?.try_map(|table| accounts::cap(task, table).and_then(as_declared))
}

/// Candidates of quantiles: by default as many as can be counted for all budgets that people may
/// have.
pub(crate) fn cells(task: &Task<'_>, bounds: Bounds, budgets: &DeclaredBudgets) -> Result<Cells> {
    let query = task.query;
    if query.step.is_some() || query.cells.is_some() || task.source.from_levels.is_some() {
        return query.cells(bounds);
    }
    Cells::new(most_steps(query, budgets)?.min(Cells::STEPS))?.with_rows(query.rows.unwrap_or(1))
}

/// Largest number of steps whose candidates can be counted for all budgets that people may have.
pub(super) fn most_steps(query: &Query, budgets: &DeclaredBudgets) -> Result<u32> {
    let groups = query.groups()?.map_or(1, |group| group.count());
    let fit = MOST_PAIRS / groups / budgets.most_levels().max(1);
    // Steps have two ends.
    Ok(u32::try_from(fit).unwrap_or(u32::MAX).saturating_sub(1).clamp(1, Cells::MOST))
}
