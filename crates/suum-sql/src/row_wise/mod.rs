//! User queries that are known to make each row from one record.
//!
//! A release protects each record of the rows that it gets. If a query makes those rows, that
//! protects the records of the data only if the query is row-wise: each record gives at most one
//! row, computed from that record alone; and whether it gives one, and at which tier and in which
//! group, depends on nothing but public columns.
//!
//! A query is parsed, and each part of its tree must be on a list of constructs known to be
//! row-wise ([`Select`], `expression`, `functions`); anything else is refused. The database never
//! gets the text of the user, but the query printed from the tree: names are quoted, qualified with
//! the name of the one table, and among the columns that the database lists for it. So it does not
//! matter if a database would parse the user's text differently. Then the columns of the table that
//! each part is made of are compared with the public ones (`roles`).

mod expression;
mod functions;
mod names;
mod parse;
mod precedence;
mod refusal;
mod roles;
mod select;
mod table;
#[cfg(test)]
mod tests;
mod words;

use suum_core::{QueryOrigins, Result};
use suum_data::Scan;

use crate::dialect::Dialect;
use crate::engine::Column;
use names::Listing;
use refusal::Refusal;
use select::Select;

pub(crate) use roles::Budgets;
pub use roles::QueryColumns;

/// Prints a query of columns that the database lists, without a check of roles.
///
/// # Errors
///
/// Refuses queries that are not known to make each row from one record.
pub(crate) fn print(
    dialect: Dialect,
    query: &str,
    list: impl FnOnce(&[String]) -> Result<Vec<Column>>,
) -> Result<String> {
    let select = Select::parse(dialect, query)?;
    let listed = select.table().map(list).transpose()?;
    let listing = listed.as_deref().map_or(Listing::NamesOnly, Listing::All);
    Ok(select.print(listing, &[])?.sql)
}

/// Prints a query whose rows are chosen by public columns only, and returns the columns of the
/// table that it is made of; `list` returns the columns of a table, if a database can be asked.
///
/// # Errors
///
/// Fails like [`print`], and refuses tiers, budgets, persons, groups and conditions that are not
/// made of public columns.
pub(crate) fn check(
    dialect: Dialect,
    query: &str,
    scan: &Scan,
    budgets: Budgets,
    list: impl FnOnce(&[String]) -> Result<Option<Vec<Column>>>,
) -> Result<(String, QueryOrigins)> {
    let select = Select::parse(dialect, query)?;
    let listed = select.table().map(list).transpose()?.flatten();
    let listing = listed.as_deref().map_or(Listing::Unknown, Listing::All);
    let printed = select.print(listing, &roles::reads(scan, budgets))?;
    let origins = roles::check(&printed, scan, budgets)?;
    Ok((printed.sql, origins))
}

/// Query of a table whose columns are not listed, for the columns that a scan reads.
///
/// # Errors
///
/// Refuses names that no table has.
pub(crate) fn table_query(
    dialect: Dialect,
    table: &[String],
    scan: &Scan,
    budgets: Budgets,
) -> Result<String> {
    select::print_table_query(dialect, table, &roles::reads(scan, budgets))
}
