//! From a job to level tables, and whether they are those that the query asks for.

use suum_core::{Categories, Cohort, Error, Grid, LevelTable, Result};
use suum_data::{Classes, GroupColumn, Scan, Value};
use suum_sql::Counted;

use super::grouped::{Read, Tables};
use super::{Task, accounts, reading};
use crate::query::{Query, no_categories};

/// The level table of the data, or the one in a file; with sums of `value` if there is one.
pub(crate) fn level_table(task: &Task<'_>, value: Option<Value>) -> Result<LevelTable> {
    match &task.source.from_levels {
        Some(file) => at_what_is_left(task, reading::levels(task, file)?),
        None => scan(task, value),
    }
}

/// As [`level_table`], or the table of each group that the result of a level query has.
fn counted(task: &Task<'_>, value: Option<Value>) -> Result<Tables> {
    let Some(file) = &task.source.from_levels else {
        return scan(task, value).map(Tables::One);
    };
    match reading::counted(task, file)? {
        Counted::Groups(_) if task.charge.ledger.is_some() => {
            Err(Error::request("ledger: the groups of a result are not charged to accounts")
                .with_hint("name the data in place of --from-levels, or leave --ledger out"))
        }
        Counted::Groups(groups) => {
            let tables = Tables::Groups(groups);
            tables.iter().try_for_each(|table| check_tiers(task, table))?;
            Ok(tables)
        }
        Counted::One(table) => at_what_is_left(task, reading::of_somebody(table)?).map(Tables::One),
    }
}

/// As [`level_table`], or one table for each group.
pub(crate) fn tables(
    task: &Task<'_>,
    value: Option<Value>,
    group: Option<GroupColumn>,
) -> Result<Tables> {
    if group.is_none() {
        return counted(task, value);
    }
    let scan = Scan { group, ..asked(task, value)? };
    let groups = Read::Groups(reading::scan_groups(task, &scan)?);
    groups.try_map(|table| accounts::name_tiers(task, table))
}

fn scan(task: &Task<'_>, value: Option<Value>) -> Result<LevelTable> {
    accounts::name_tiers(task, reading::scan(task, &asked(task, value)?)?)
}

/// The columns that are read: choices, persons, and `value` if there is one; groups are added.
pub(crate) fn asked(task: &Task<'_>, value: Option<Value>) -> Result<Scan> {
    Ok(Scan {
        person: task.query.person.clone(),
        accounts: accounts::of_persons_in(task),
        ..Scan::new(task.query.privacy_column(task.tiers.as_ref())?, value)
    })
}

/// Refuses a level table of another column than the one asked for.
pub(crate) fn check_column(table: &LevelTable, column: Option<&str>) -> Result<()> {
    if column.is_some() && table.column() != column {
        return Err(Error::table("level table: it was not made of the column given as --value")
            .with_hint("leave --value out, or make the table again"));
    }
    Ok(())
}

/// A level table of people who allow what is asked for, at the budgets that they have left.
fn at_what_is_left(task: &Task<'_>, table: LevelTable) -> Result<LevelTable> {
    check_tiers(task, &table)?;
    let table = accounts::cap(task, table)?;
    task.noted.table(&table);
    Ok(table)
}

/// Refuses a level table of people who allow something else than the tiers say that are asked for.
/// A ledger lowers them itself.
fn check_tiers(task: &Task<'_>, table: &LevelTable) -> Result<()> {
    let (Some(tiers), None) = (&task.tiers, &task.charge.ledger) else { return Ok(()) };
    let is_declared = |cohort: &Cohort| {
        tiers.iter().any(|tier| Some(tier.0) == cohort.label.as_deref() && tier.1 == cohort.epsilon)
    };
    match table.cohorts().iter().all(is_declared) {
        true => Ok(()),
        false => Err(Error::table(
            "level table: its people allow something else than --levels says",
        )
        .with_hint(
            "leave --levels out, since the table says what each tier allows; or make the table \
                again",
        )),
    }
}

/// Refuses a level table with other bounds than those asked for.
pub(crate) fn check_bounds(table: &LevelTable, query: &Query) -> Result<()> {
    let Some(bounds) = query.declared_bounds()? else { return Ok(()) };
    if table.grid().map(Grid::bounds) != Some(bounds) {
        return Err(Error::table("level table: it was not made with the bounds given as --bounds")
            .with_hint("leave --bounds out, or make the table again"));
    }
    Ok(())
}

/// Refuses a level table with other categories than those asked for.
pub(crate) fn check_categories(table: &LevelTable, classes: Option<&Classes>) -> Result<()> {
    let Some(classes) = classes else { return Ok(()) };
    if table.categories() != Some(classes.categories()) {
        return Err(Error::table("level table: it was not made with the categories given")
            .with_hint("leave --categories, --bins and --other out, or make the table again"));
    }
    Ok(())
}

/// The column of values to read; none where a level table, which has counted it, stands for the
/// data.
pub(crate) fn unless_counted(
    task: &Task<'_>,
    value: impl FnOnce() -> Result<Option<Value>>,
) -> Result<Option<Value>> {
    match task.source.from_levels {
        None => value(),
        Some(_) => Ok(None),
    }
}

/// Refuses a level table with other candidates than those asked for.
pub(crate) fn check_cells(table: &LevelTable, query: &Query) -> Result<()> {
    if query.step.is_none() && query.cells.is_none() {
        return Ok(());
    }
    let Some(numbers) = table.numbers() else { return Ok(()) };
    let asked = query.cells(numbers.grid.bounds())?;
    if numbers.cells.is_some_and(|cells| cells.steps() != asked.steps()) {
        return Err(Error::table("level table: it was not made with the --step or --cells given")
            .with_hint("leave --step and --cells out, or make the table again"));
    }
    Ok(())
}

/// The categories that a plan is for.
pub(crate) fn planned_categories(query: &Query, table: Option<&LevelTable>) -> Result<Categories> {
    match (query.classes()?, table.and_then(LevelTable::categories)) {
        (Some(classes), _) => Ok(classes.categories().clone()),
        (None, Some(categories)) => Ok(categories.clone()),
        (None, None) => Err(no_categories()),
    }
}
