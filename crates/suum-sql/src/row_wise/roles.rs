//! Roles of the columns of a query in a release: some are private, some are public.

use std::collections::BTreeSet;

use suum_core::{QueryOrigins, Result};
use suum_data::{Scan, Value};

use super::Refusal;
use super::names::{Listing, same};
use super::refusal::not_public;
use super::select::{PrintedQuery, Select};
use crate::dialect::Dialect;

/// Location of the budgets of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Budgets {
    /// A column, of tiers or of numbers.
    OfColumn,
    /// No column: every record has the same budget.
    Common,
}

/// Refuses a query whose conditions, tiers, budgets, persons or groups are made of private columns;
/// returns the columns that each other column is made of.
///
/// All columns that the value is made of are private, unless they are declared public. Declared
/// columns are public, and so are those that are read unchanged as tier, budget, person or group.
/// Under hidden participation, a record may be left out, or be in a group, for any reason of its
/// own.
pub(super) fn check(printed: &PrintedQuery, scan: &Scan, budgets: Budgets) -> Result<QueryOrigins> {
    let origin =
        |name: &str| printed.origin(name).ok_or_else(|| Refusal::NotSelected(name).error());
    let hides = scan.add_remove.is_some();
    let mut private = BTreeSet::new();
    for name in values(scan) {
        private.extend(origin(name)?.columns);
    }
    let is_declared = |column: &str| scan.public.iter().any(|name| same(name, column));
    let is_private = |column: &str| private.iter().any(|name| same(name, column));
    let mut roles = Vec::new();
    for (role, name) in public_roles(scan, budgets) {
        roles.push((role, name, origin(name)?));
    }
    // Columns that are public because a release shows them as they are.
    let shown: BTreeSet<&String> = roles
        .iter()
        .filter(|(role, _, origin)| origin.plain && !(hides && *role == "group"))
        .flat_map(|(_, _, origin)| &origin.columns)
        .collect();
    let is_public = |column: &str| {
        is_declared(column) || (!is_private(column) && shown.iter().any(|name| same(name, column)))
    };
    for (role, name, origin) in &roles {
        // A choice can be what is asked about, as it can in a file.
        let is_value = *role != "group" && origin.plain && values(scan).any(|value| value == *name);
        if is_value || (hides && *role == "group") {
            continue;
        }
        if let Some(column) = origin.columns.iter().find(|column| !is_public(column)) {
            return Err(not_public(role, column, is_private(column)));
        }
    }
    let mut chosen_by = printed.conditions.clone();
    // A further condition is one of columns of the result.
    for name in scan.filter.iter().flat_map(|filter| filter.columns()) {
        chosen_by.extend(origin(name)?.columns);
    }
    match chosen_by.iter().find(|column| !hides && !is_public(column)) {
        Some(column) => Err(not_public("WHERE", column, is_private(column))),
        None => {
            let roles = roles.into_iter().flat_map(|(_, _, origin)| origin.columns);
            Ok(QueryOrigins { published: roles.chain(chosen_by).collect(), values: private })
        }
    }
}

/// Columns of the result that a scan reads, each once.
pub(super) fn reads(scan: &Scan, budgets: Budgets) -> Vec<&str> {
    let roles = public_roles(scan, budgets).map(|(_, name)| name);
    let filtered = scan.filter.iter().flat_map(|filter| filter.columns()).map(String::as_str);
    let mut names = Vec::new();
    for name in values(scan).chain(roles).chain(filtered) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Columns of the result whose values a release protects.
fn values(scan: &Scan) -> impl Iterator<Item = &str> {
    let across = scan.value.as_ref().and_then(Value::across);
    let across = across.map(|across| across.column().column.as_str());
    let times = scan.person_time.as_deref();
    scan.value.as_ref().map(Value::column).into_iter().chain(across).chain(times)
}

/// Columns of the result that a release shows, with their roles.
fn public_roles(scan: &Scan, budgets: Budgets) -> impl Iterator<Item = (&'static str, &str)> {
    let person = scan.person.as_deref().map(|name| ("person", name));
    let groups = scan.group_columns().iter().map(|group| ("group", group.column.as_str()));
    let privacy = match budgets {
        Budgets::OfColumn => Some(("tier or budget", scan.privacy.column())),
        Budgets::Common => None,
    };
    privacy.into_iter().chain(person).chain(groups)
}

/// Columns of the table that a query is made of, for a ledger.
///
/// # Example
///
/// ```
/// use suum_sql::{Dialect, QueryColumns};
///
/// let query = "SELECT income / 12 AS wage, consent FROM people WHERE year = 2024";
/// let columns = QueryColumns::find(Dialect::Postgres, query)?;
/// assert_eq!(columns.origin("wage"), ["income".to_owned()].into());
/// assert_eq!(columns.conditions(), &["year".to_owned()].into());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug)]
pub struct QueryColumns(PrintedQuery);

impl QueryColumns {
    /// Finds the columns of a query.
    ///
    /// # Errors
    ///
    /// Refuses queries that are not known to make each row from one record.
    pub fn find(dialect: Dialect, query: &str) -> Result<Self> {
        Select::parse(dialect, query)?.print(Listing::NamesOnly, &[]).map(Self)
    }

    /// Columns of the table that this column of the result is made of.
    pub fn origin(&self, name: &str) -> BTreeSet<String> {
        let origin = self.0.origin(name);
        origin.map_or_else(|| [name.to_owned()].into(), |origin| origin.columns)
    }

    /// Columns by which rows are chosen.
    pub fn conditions(&self) -> &BTreeSet<String> {
        &self.0.conditions
    }
}
