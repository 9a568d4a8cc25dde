//! Groups that nobody has declared: they are public, and read off their columns.

use suum_core::{Error, Phrase, Place, Result, leave_out, option, say};
use suum_data::Scan;
use suum_ledger::Columns;

use super::{Task, accounts, reading};
use crate::query::{ColumnNames, Labels, Query};

/// Query with the groups that are in the data; `None` if all groups are declared.
///
/// Each column is read in a pass of its own, after the accounts were opened and have judged the
/// columns. Who is in which group is public under replace-one, and under other relations `auto` is
/// refused.
pub(super) fn complete_from_data(task: &Task<'_>) -> Result<Option<Query>> {
    let Some(columns) = task.query.undeclared_groups() else { return Ok(None) };
    check(task, columns)?;
    let labels = columns.iter().map(|column| labels(task, column)).collect::<Result<_>>()?;
    task.noted.groups_of(columns.join(", "));
    Ok(Some(task.query.with_groups(labels)))
}

/// Refuses to read groups that are not public, or of data that cannot be read again.
fn check(task: &Task<'_>, columns: &[String]) -> Result<()> {
    // Refuses hidden participation.
    task.query.groups()?;
    let declare = || say("declare the groups:").set(option::GROUPS, "A,B,C");
    let refuse = |problem: &'static str, fix: Phrase| {
        Err(Error::request(option::GROUPS, problem).with_fix(fix))
    };
    if task.source.from_levels.is_some() {
        return refuse("a level table has groups, which are named when it is used", declare());
    }
    if task.assumes_people || !task.has_data() {
        return refuse("there are no data whose groups could be read", declare());
    }
    let query = task.query;
    let crossed = query.crosstab.iter().flat_map(|ColumnNames(names)| names.iter().cloned());
    let protected = query.value.iter().cloned().chain(query.person_time()).chain(crossed);
    let protected: Vec<String> = protected.chain(query.person.clone()).collect();
    let is_among =
        |names: &[String], column: &String| names.iter().any(|name| Columns::are_one(name, column));
    if let Some(column) = columns.iter().find(|column| is_among(&protected, column)) {
        return Err(Error::request(
            Place::column(column.as_str()),
            "its cells are those of values or of persons, and are not listed as groups",
        )
        .with_fix("group by another column"));
    }
    if columns.iter().any(|column| is_among(&task.source.attributes(), column)) {
        return refuse("the register has the groups, and they are not read off it", declare());
    }
    if !reading::is_read_again(task)? {
        return refuse(
            "the data can be read only once, and the groups are read first",
            declare().say("; or hand over data that can be read twice, such as a file or a table"),
        );
    }
    Ok(())
}

/// Groups in a column.
fn labels(task: &Task<'_>, column: &str) -> Result<Labels> {
    let scan = Scan {
        csv: task.source.csv_form(),
        nulls: task.query.nulls()?,
        public: accounts::public_columns(task)?,
        ..Scan::for_labels(column)?
    };
    let labels = reading::labels(task, &scan)?;
    match labels.len() {
        0 | 1 => Err(Error::data(Place::column(column), "all records are in one group")
            .with_fix(leave_out(option::GROUP_BY).say("and").option(option::GROUPS))),
        _ => Ok(Labels(labels)),
    }
}
