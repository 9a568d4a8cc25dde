//! Whether a query is known not to be row-wise.
//!
//! A release protects each record of the rows that it gets. If a query makes those rows, that
//! protects the records of the data only if the query is row-wise: each record gives at most one
//! row, computed from that record alone; and whether it gives one, and at which tier and in which
//! group, does not depend on private values. That cannot be decided from a text. What is refused
//! here is all but one SELECT from one table, with functions that are known to look at one row.

mod select;
#[cfg(test)]
mod tests;
mod token;
mod words;

use std::collections::BTreeSet;

use suum_core::Result;
use suum_data::{Scan, Value};

use crate::dialect::Dialect;
use select::{Item, Select};
use token::{Kind, Token, tokens};
use words::{BEFORE_TEXTS, FILE_READERS, OF_ROWS, Reason, is_in, is_of_one_row, reason, refused};

/// Refuses a query that is not of the form that is known to be row-wise.
///
/// What it cannot see: what a view does, what functions and operators of the user do, and which
/// columns are private beside that of the values.
pub(crate) fn check(dialect: Dialect, query: &str, scan: &Scan) -> Result<()> {
    let tokens = tokens(dialect, query)?;
    check_words(dialect, &tokens)?;
    let select = Select::of(dialect, &tokens)?;
    // Where it is hidden who takes part, a record may be left out for any reason of its own.
    match &scan.add_remove {
        None => {
            let across = scan.value.as_ref().and_then(Value::across);
            let across = across.map(|across| folded(&across.column().column));
            let value = scan.value.as_ref().map(|value| folded(value.column()));
            let values: Vec<String> = value.into_iter().chain(across).collect();
            check_value(dialect, &select, scan, &values)
        }
        Some(_) => Ok(()),
    }
}

/// Refuses keywords and functions that look at more than one row, wherever they stand.
fn check_words(dialect: Dialect, tokens: &[Token]) -> Result<()> {
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let after = tokens.get(at + 1);
        if token.is(";") {
            return Err(refused("it has more than one statement, or a semicolon in it"));
        }
        if token.kind == Kind::Text {
            check_text(before, after)?;
        }
        let is_number = |token: &Token| token.kind == Kind::Number;
        if (token.is("#") || token.is("$")) && after.is_some_and(is_number) {
            return Err(refused("it names a column by its position"));
        }
        if !token.is_name() {
            continue;
        }
        let name = token.text.as_str();
        let is_field = before.is_some_and(|before| before.is("."));
        if is_field && dialect == Dialect::Postgres && is_in(OF_ROWS, name) {
            return Err(Reason::Merges.refuse(&name.to_uppercase()));
        }
        let is_call = after.is_some_and(|after| after.is("("));
        let is_top = at == 1 && token.is_word("top");
        if is_top && after.is_some_and(|after| after.kind == Kind::Number) {
            return Err(Reason::Chooses.refuse("TOP"));
        }
        // In SQLite a table can stand there without a SELECT.
        let is_in_table = dialect == Dialect::Sqlite && token.is_word("in");
        if is_in_table && !after.is_some_and(|after| after.is("(")) {
            return Err(Reason::Nests.refuse("IN with the name of a table"));
        }
        if is_call && is_field {
            return Err(refused("it calls a function of a schema, which may look at other rows"));
        }
        let is_first = at == 0 && token.is_word("select");
        let is_comparison = token.is_word("distinct")
            && before.is_some_and(|before| before.is_word("is") || before.is_word("not"))
            && after.is_some_and(|after| after.is_word("from"));
        let is_keyword = token.kind == Kind::Word && !is_first && !is_comparison && !is_field;
        if let Some(reason) = reason(name).filter(|_| is_keyword) {
            let again = if name == "select" { "a second " } else { "" };
            return Err(reason.refuse(&format!("{again}{}", name.to_uppercase())));
        }
        let reads_file = dialect == Dialect::DuckDb
            && is_in(FILE_READERS, name)
            && before.is_some_and(|before| before.is_word("from"));
        if is_call && !reads_file && !is_of_one_row(name) {
            return Err(refused(&format!(
                "the function {} is not one that is known to look at one row only",
                name.to_uppercase()
            )));
        }
    }
    Ok(())
}

/// Refuses a text that some databases take for a name: behind a point or a name, before a colon.
fn check_text(before: Option<&Token>, after: Option<&Token>) -> Result<()> {
    let may_follow = before.is_none_or(|before| match before.kind {
        Kind::Symbol => !before.is(".") && !before.is(")") && !before.is("]"),
        Kind::Word => is_in(BEFORE_TEXTS, &before.text),
        Kind::Quoted | Kind::Text | Kind::Number => false,
    });
    let names = after.is_some_and(|after| after.is(":") || after.kind == Kind::Text);
    match may_follow && !names {
        true => Ok(()),
        false => Err(refused(
            "it has a text where some databases read a name: write names in double quotes or \
             without quotes",
        )),
    }
}

/// Refuses rows, tiers, groups and persons that are computed from the value, which is private.
fn check_value(dialect: Dialect, select: &Select, scan: &Scan, values: &[String]) -> Result<()> {
    let mut private: BTreeSet<String> = values.iter().cloned().collect();
    // A row as a whole has its value, too.
    if dialect.names_rows() {
        private.extend(select.tables.iter().cloned());
    }
    // What the value is computed from, item by item: some databases let one use another.
    grow(&mut private, |private| {
        let named = |item: &&Item| item.name.as_ref().is_some_and(|name| private.contains(name));
        select.items.iter().filter(named).flat_map(|item| item.columns.clone()).collect()
    });
    let uses = |columns: &BTreeSet<String>, private: &BTreeSet<String>| {
        columns.iter().find(|column| private.contains(*column)).cloned()
    };
    let mut derived = private.clone();
    grow(&mut derived, |derived| {
        let of_value = |item: &&Item| uses(&item.columns, derived).is_some();
        select.items.iter().filter(of_value).filter_map(|item| item.name.clone()).collect()
    });
    if let Some(column) = uses(&select.conditions, &derived) {
        return Err(refused(&format!(
            "WHERE uses {column}, which is the value or has to do with it: whether a record gives \
             a row would tell its value, for the number of rows is public"
        )));
    }
    let roles =
        [("tier or budget", Some(scan.privacy.column())), ("person", scan.person.as_deref())];
    let groups = scan.group_columns().iter().map(|group| ("group", Some(group.column.as_str())));
    for (role, column) in roles.into_iter().chain(groups) {
        let Some(column) = column.map(folded) else { continue };
        if !values.contains(&column) && derived.contains(&column) && !select.is_plain(&column) {
            return Err(refused(&format!(
                "the {role} is computed from the value: it is public, and would tell the value"
            )));
        }
    }
    Ok(())
}

/// Adds to a set what follows from it, until nothing more does.
fn grow(set: &mut BTreeSet<String>, more: impl Fn(&BTreeSet<String>) -> Vec<String>) {
    loop {
        let before = set.len();
        let more = more(set);
        set.extend(more);
        if set.len() == before {
            return;
        }
    }
}

/// The name of a column as tokens have it.
fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}
