//! Level tables of a job, and the checks that they match the query.

use std::collections::HashMap;

use suum_core::{
    Categories, Command, Error, Grid, LevelSums, LevelTable, Result, leave_out, option, say,
};
use suum_data::{Grouping, Groups, LevelTables, Reading, Scan, Value};

use super::grouped::{PerGroup, Tables};
use super::{Task, accounts, consent, reading, strata};
use crate::query::{Query, no_categories};

/// Level table of the data, or the one in a file; or one table for each group. With sums of `value`
/// if there is one.
pub(crate) fn tables(task: &Task<'_>, value: Option<Value>) -> Result<Tables> {
    let scan = scan(task, value)?;
    load(task, scan.map(|scan| reading::read(task, &scan)).transpose()?)
}

/// Scan for the tables; `None` if a level table replaces the data.
pub(crate) fn scan(task: &Task<'_>, value: Option<Value>) -> Result<Option<Scan>> {
    if task.source.from_levels.is_some() {
        return Ok(None);
    }
    Ok(Some(Scan { group: task.query.divided_by()?, ..scan_without_groups(task, value)? }))
}

/// Tables that were read, or the one in a file.
pub(crate) fn load(task: &Task<'_>, reading: Option<Reading>) -> Result<Tables> {
    match as_read(task, reading)? {
        PerGroup::Groups(cells) if task.query.has_strata() => {
            strata::joined(task.query, cells, LevelTable::in_strata)
        }
        tables => Ok(tables),
    }
}

/// One table, or one for each group or stratum.
pub(crate) fn divided(task: &Task<'_>, value: Option<Value>) -> Result<Tables> {
    let scan = scan(task, value)?;
    as_read(task, scan.map(|scan| reading::read(task, &scan)).transpose()?)
}

fn as_read(task: &Task<'_>, reading: Option<Reading>) -> Result<Tables> {
    match reading {
        Some(reading) => {
            Tables::from_reading(reading)?.try_map(|table| accounts::name_tiers(task, table))
        }
        None => read_counted(task)?.try_map(|table| at_what_is_left(task, table)),
    }
}

/// Tables in a file, which must be those of the requested groups.
pub(crate) fn read_counted(task: &Task<'_>) -> Result<Tables> {
    let file = task.source.from_levels.as_deref().unwrap_or_default();
    match (reading::read_counted(task, file)?, task.query.divided_by()?) {
        (LevelTables::One(table), None) => Ok(Tables::One(table)),
        (LevelTables::Groups(groups), Some(asked)) => in_order(groups, &asked).map(Tables::Groups),
        (LevelTables::One(_), Some(_)) => {
            Err(Error::table("level table", "it is one of all records, and has no groups")
                .with_fix(
                    leave_out(option::GROUP_BY)
                        .say(", or make a table for each group:")
                        .command(grouped()),
                ))
        }
        (LevelTables::Groups(_), None) => {
            Err(Error::table("level table", "it has a table for each group").with_fix(
                say("say which groups:")
                    .set(option::GROUP_BY, "COL")
                    .set(option::GROUPS, "A,B")
                    .say("; or make a table of all records without")
                    .option(option::GROUP_BY),
            ))
        }
    }
}

/// Returns the command that makes a level table of groups.
fn grouped() -> Command {
    Command::levels(&[(option::GROUP_BY, "COL"), (option::GROUPS, "A,B")])
}

/// Tables of all requested groups, in the requested order.
///
/// All groups of the table must be requested, whether they have records or not: data with records
/// of other groups are refused as well, and presence of records in a group can be private.
fn in_order(groups: Groups, asked: &Grouping) -> Result<Groups> {
    let again = |first: &'static str| say(first).say("make the table again:").command(grouped());
    if groups.column != asked.by() {
        return Err(Error::table(
            "level table",
            say("its groups are not those of the column given as").option(option::GROUP_BY),
        )
        .with_fix(again("name the column that it was made with, or")));
    }
    let (count, mut there) =
        (groups.each.len(), groups.each.into_iter().collect::<HashMap<_, _>>());
    let each = asked.names().map(|name| match there.remove(&name) {
        Some(table) => Ok((name, table)),
        None => Err(Error::table(
            "level table",
            format!("it has no group {name}, and does not tell whether anybody is in it"),
        )
        .with_fix(again("name the groups that it was made with, or"))),
    });
    let each = each.collect::<Result<Vec<_>>>()?;
    if each.len() < count {
        return Err(Error::table(
            "level table",
            say("it has groups that").option(option::GROUPS).say("does not name"),
        )
        .with_fix(again("name all groups that it was made with, or")));
    }
    Ok(Groups { column: groups.column, each })
}

/// Columns that are read: choices, persons, and `value` if there is one; groups are added.
pub(crate) fn scan_without_groups(task: &Task<'_>, value: Option<Value>) -> Result<Scan> {
    task.noted.filter(task.source.filter.as_ref().map(ToString::to_string));
    Ok(Scan {
        person: task.query.person.clone(),
        person_value: task.person_value,
        person_time: task.query.person_time(),
        person_groups: task.query.person_groups_of_scan()?,
        accounts: accounts::person_accounts(task),
        csv: task.source.csv_form(),
        nulls: task.query.nulls()?,
        missing_choice: task.query.missing_choice(),
        consent: consent::load(task)?,
        leaves_out_missing: value.is_some() && task.query.leaves_out_missing(),
        public: accounts::public_columns(task)?,
        filter: task.source.filter.clone(),
        ..Scan::new(task.query.privacy_column(task.tiers.as_ref())?, value)
    })
}

/// Refuses a level table of another column than the requested one.
pub(crate) fn check_column(table: &LevelTable, column: Option<&str>) -> Result<()> {
    if column.is_some() && table.column() != column {
        return Err(Error::table(
            "level table",
            say("it was not made of the column given as").option(option::VALUE),
        )
        .with_fix(leave_out(option::VALUE).say(", or make the table again")));
    }
    Ok(())
}

/// Level table of people with the requested budgets, lowered to those that they have left.
fn at_what_is_left(task: &Task<'_>, table: LevelTable) -> Result<LevelTable> {
    check_tiers(task, &table)?;
    let table = accounts::cap(task, table)?;
    task.noted.table(&table);
    Ok(table)
}

/// Refuses a level table whose budgets differ from those of the declared tiers. A ledger lowers
/// them itself.
fn check_tiers(task: &Task<'_>, table: &LevelTable) -> Result<()> {
    let (Some(tiers), None) = (&task.tiers, &task.charge.ledger) else { return Ok(()) };
    let is_declared = |level_sums: &LevelSums| {
        tiers
            .iter()
            .any(|tier| Some(tier.0) == level_sums.label.as_deref() && tier.1 == level_sums.epsilon)
    };
    match table.by_level().iter().all(is_declared) {
        true => Ok(()),
        false => Err(Error::table(
            "level table",
            say("its people allow something else than").option(option::LEVELS).say("says"),
        )
        .with_fix(
            leave_out(option::LEVELS)
                .say(", since the table says what each tier allows; or make the table again"),
        )),
    }
}

/// Refuses a level table with other bounds than the requested ones.
pub(crate) fn check_bounds(table: &LevelTable, query: &Query) -> Result<()> {
    let Some(bounds) = query.declared_bounds()? else { return Ok(()) };
    if table.grid().map(Grid::bounds) != Some(bounds) {
        return Err(Error::table(
            "level table",
            say("it was not made with the bounds given as").option(option::BOUNDS),
        )
        .with_fix(leave_out(option::BOUNDS).say(", or make the table again")));
    }
    Ok(())
}

/// Refuses a level table with other categories than the requested ones.
pub(crate) fn check_categories(table: &LevelTable, declared: Option<&Categories>) -> Result<()> {
    let is_same = |declared| table.categories().is_some_and(|one| one.have_names_of(declared));
    if !declared.is_none_or(is_same) {
        return Err(Error::table("level table", "it was not made with the categories given")
            .with_fix(
                say("leave")
                    .option(option::CATEGORIES)
                    .say(",")
                    .option(option::BINS)
                    .say("and")
                    .option(option::OTHER)
                    .say("out, or make the table again"),
            ));
    }
    Ok(())
}

/// Column of values to read; `None` if a level table, which has counted it, replaces the data.
pub(crate) fn unless_counted(
    task: &Task<'_>,
    value: impl FnOnce() -> Result<Option<Value>>,
) -> Result<Option<Value>> {
    match task.source.from_levels {
        None => value(),
        Some(_) => Ok(None),
    }
}

/// Refuses a level table with other candidates than the requested ones.
pub(crate) fn check_cells(table: &LevelTable, query: &Query) -> Result<()> {
    let has_candidates = query.step.is_some() || query.cells.is_some();
    if !has_candidates || query.statistic.is_mean_or_sum() {
        return Ok(());
    }
    let Some(numbers) = table.numbers() else { return Ok(()) };
    let asked = query.cells(numbers.grid.bounds())?;
    if numbers.cells.is_some_and(|cells| cells.steps() != asked.steps()) {
        return Err(Error::table(
            "level table",
            say("it was not made with the")
                .option(option::STEP)
                .say("or")
                .option(option::CELLS)
                .say("given"),
        )
        .with_fix(
            say("leave")
                .option(option::STEP)
                .say("and")
                .option(option::CELLS)
                .say("out, or make the table again"),
        ));
    }
    Ok(())
}

/// Categories that a plan is for.
pub(crate) fn planned_categories(query: &Query, table: Option<&LevelTable>) -> Result<Categories> {
    // A table knows whether its persons have shares in them.
    match (table.and_then(LevelTable::categories), query.counted_categories()?) {
        (Some(categories), _) => Ok(categories.clone()),
        (None, Some(categories)) => Ok(categories),
        (None, None) => Err(no_categories()),
    }
}
