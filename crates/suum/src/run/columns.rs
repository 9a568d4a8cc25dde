//! Columns that a release reads, and their roles, for its ledger.

use std::collections::BTreeSet;

use suum_core::{Categories, Error, LevelTable, QueryRows, Result, option, say};
use suum_data::{Filter, list};
use suum_ledger::Columns;
use suum_sql::{QueryColumns, dialect_of};

use super::Task;
use crate::DataNames;
use crate::accountant::Accountant;
use crate::query::ColumnNames;

/// Facts about the data that a release shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reads<'a> {
    /// Number of records.
    Counts,
    /// Values of a column; without its name, those that a level table was made of.
    Values(Option<&'a str>),
}

/// Columns that a release reads; computed columns are replaced by those they were made of, as told
/// by a query of a database, or by the caller.
///
/// # Errors
///
/// Refuses queries of a database that are not known to be row-wise.
pub(crate) fn named(task: &Task<'_>, reads: Reads<'_>) -> Result<Columns> {
    let value = match reads {
        Reads::Values(Some(column)) => Some(column.to_owned()),
        Reads::Values(None) | Reads::Counts => None,
    };
    let query = task.query;
    let crossed = query.crosstab.iter().filter(|_| reads != Reads::Counts);
    let crossed = crossed.flat_map(|ColumnNames(names)| names).cloned();
    // Under add-remove the groups of a record are protected like its other cells.
    let groups = query.group_by.iter().flat_map(|ColumnNames(names)| names).cloned();
    let (protected, shown): (Vec<String>, Vec<String>) =
        groups.partition(|_| task.hides_participation());
    let strata = query.strata.as_ref().or(query.weight.as_ref()).cloned();
    let published = [&query.privacy, &query.epsilon, &query.person, &strata];
    let queried = queried(task)?;
    let behind = |column: String| match &queried {
        Some(query) => query.origin(&column),
        None => task.given.origins_of(&column),
    };
    let time = query.person_time().filter(|_| reads != Reads::Counts);
    let values = value.into_iter().chain(crossed).chain(time).chain(protected);
    let mut values: BTreeSet<String> = values.flat_map(behind).collect();
    let published = published.into_iter().flatten().cloned().chain(shown);
    let mut published: BTreeSet<String> = published.flat_map(behind).collect();
    let filtered = task.source.filter.iter().flat_map(|filter| filter.columns()).cloned();
    let conditions = queried.iter().flat_map(QueryColumns::conditions).cloned();
    let chosen_by = filtered.flat_map(behind).chain(conditions);
    // Which records are left out is hidden with who takes part; elsewhere their number tells it.
    match task.hides_participation() {
        // Columns that are public anyway need no protection.
        true => values.extend(chosen_by.filter(|column| !published.contains(column))),
        false => published.extend(chosen_by),
    }
    Ok(Columns { values, published, declared: task.source.declared_public() })
}

/// Refuses a release whose values are those of its groups or strata, whose sizes it shows. Columns
/// that a query computes are checked when it is read.
///
/// # Errors
///
/// Names the column.
pub(crate) fn check_groups(task: &Task<'_>, reads: Reads<'_>) -> Result<()> {
    if task.source.query.is_some() || task.hides_participation() {
        return Ok(());
    }
    let query = task.query;
    let groups = query.group_by.iter().flat_map(|ColumnNames(names)| names);
    let strata = query.strata.as_ref().or(query.weight.as_ref());
    let shown: BTreeSet<&String> = groups.chain(strata).collect();
    let all = named(task, reads)?;
    let published = all.published.into_iter().filter(|name| shown.contains(name)).collect();
    Columns { published, ..all }.check()
}

/// Columns behind a query that is analyzed, if the records come from one.
fn queried(task: &Task<'_>) -> Result<Option<QueryColumns>> {
    let data = task.source.data.as_ref().and_then(DataNames::only);
    match (&task.source.query, data.and_then(dialect_of)) {
        (Some(query), Some(dialect)) if !task.source.trust_query => {
            QueryColumns::find(dialect, query).map(Some)
        }
        _ => Ok(None),
    }
}

/// Columns that a level table was made of, if it names them; computed columns are replaced by those
/// they were made of.
pub(crate) fn from_table(task: &Task<'_>, table: &LevelTable) -> Result<Columns> {
    if let Some(origins) = table.origins() {
        let values = if task.of_values { origins.values.clone() } else { Default::default() };
        let published = origins.published.clone();
        return Ok(Columns { values, published, declared: Default::default() });
    }
    if table.query() == Some(QueryRows::Screened) {
        return Err(Error::table(
            "level table",
            "it is one of a query, and does not say which columns that was made of, which the \
             ledger records",
        )
        .with_fix(
            say("make the table again with this version of suum, or leave")
                .option(option::LEDGER)
                .say("out"),
        ));
    }
    let crosstab = table.categories().and_then(Categories::crosstab);
    let values = match (task.of_values, crosstab, table.column()) {
        (false, ..) => Vec::new(),
        (true, Some(crosstab), _) => crosstab.columns().to_vec(),
        (true, None, Some(column)) => vec![column.to_owned()],
        (true, None, None) => {
            return Err(Error::table(
                "level table",
                "it does not name the column of its values, which the ledger records",
            )
            .with_fix(
                say("make the table again with")
                    .set(option::VALUE, "COL")
                    .say(", or leave")
                    .option(option::LEDGER)
                    .say("out"),
            ));
        }
    };
    // A table that has a condition was made with one that could be read.
    let filter = table.filter().map(|text| text.parse::<Filter>()).transpose()?;
    let filtered = filter.iter().flat_map(|filter| filter.columns()).cloned();
    let published = table.person().map(str::to_owned).into_iter().chain(filtered);
    let origins = |column: String| task.given.origins_of(&column);
    Ok(Columns {
        values: values.into_iter().flat_map(origins).collect(),
        published: published.flat_map(origins).collect(),
        declared: Default::default(),
    })
}

/// Refuses a query that was not analyzed and that mentions columns whose values earlier releases
/// protect: its choice of rows could reveal them.
pub(crate) fn check_query(
    task: &Task<'_>,
    accountant: &Accountant,
    columns: &Columns,
) -> Result<()> {
    let Some(query) = task.source.query.as_ref().filter(|_| task.source.trust_query) else {
        return Ok(());
    };
    let used = accountant.used_columns()?;
    let is_public = |name: &&String| {
        let same = |other: &String| Columns::are_one(other, name);
        columns.declared.iter().any(same)
            || columns.values.iter().any(same)
            || used.declared.iter().any(same)
    };
    match used.values.iter().filter(|name| !is_public(name)).find(|name| mentions(query, name)) {
        None => Ok(()),
        Some(name) => Err(Error::request(
            option::QUERY,
            format!(
                "it speaks of column {name}, whose values the ledger protects; rows that are \
                 chosen by them would tell of them"
            ),
        )
        .with_fix(
            say(format!(
                "leave the column out of the query; if everybody may know {name} of everybody, say \
                 so with"
            ))
            .set(option::PUBLIC_COLUMNS, list::escaped(name))
            .say(", which stays on record"),
        )),
    }
}

/// Returns true if a text has this name as a word, in any case.
fn mentions(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), name.trim().to_lowercase());
    let is_of_word = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(&name).any(|(start, found)| {
        let before = text[..start].chars().next_back();
        let after = text[start + found.len()..].chars().next();
        !before.is_some_and(is_of_word) && !after.is_some_and(is_of_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_words() {
        for query in [
            "SELECT * FROM t WHERE health <> 'poor'",
            "SELECT \"Health\" AS g FROM t",
            "select t.HEALTH from t",
            "health",
        ] {
            assert!(mentions(query, "health"), "{query}");
        }
        for query in ["SELECT healthy FROM t", "SELECT my_health FROM t", "SELECT v FROM t"] {
            assert!(!mentions(query, "health"), "{query}");
        }
        assert!(mentions("SELECT health FROM t", "health "));
        assert!(mentions("SELECT `état de santé` FROM t", "État de santé"));
    }
}
