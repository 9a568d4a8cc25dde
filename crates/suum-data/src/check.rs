//! What cannot be a scan is refused before anything is read.

use suum_core::{Error, Numbers, Result};

use crate::counters::MOST;
use crate::fault::Role;
use crate::scan::{PrivacyColumn, Scan};
use crate::value::Value;

/// The finest grid on which squares are added up: 2^63 of them stay below 2^126.
pub(crate) const FINEST_SQUARES: u64 = 1 << 31;

/// Refuses what cannot be a scan, with groups or without.
pub(crate) fn check(scan: &Scan, grouped: bool) -> Result<()> {
    check_names(scan)?;
    check_groups(scan, grouped)?;
    check_sample(scan)?;
    let Some(value) = &scan.value else { return Ok(()) };
    if let Value::Number(column) = value {
        check_numbers(&column.numbers, scan.person.is_some())?;
    }
    check_classes(scan, value)?;
    value.check()
}

fn check_names(scan: &Scan) -> Result<()> {
    let roles = [
        (Role::Privacy, "privacy"),
        (Role::Value, "value"),
        (Role::Group, "group"),
        (Role::Person, "person"),
    ];
    for (role, option) in roles {
        if scan.column(role).trim_ascii().is_empty() {
            return Err(Error::parameter(format!("{option}: the name of the column is empty"))
                .with_hint("name a column of the header"));
        }
    }
    Ok(())
}

fn check_groups(scan: &Scan, grouped: bool) -> Result<()> {
    match &scan.group {
        Some(_) if !grouped => Err(Error::request("group: groups make a table each, not one of all records")
            .with_hint("leave the groups out, or read a table for each group")),
        None if grouped => Err(Error::request("group: there is no column of groups")
            .with_hint("name the column of groups, or read one table of all records")),
        Some(group) if !group.groups.are_labels() => {
            Err(Error::parameter("group: groups are labels, not bins")
                .with_hint("declare the labels that may occur in the column"))
        }
        _ => Ok(()),
    }
}

fn check_sample(scan: &Scan) -> Result<()> {
    if scan.sample.is_none() {
        return Ok(());
    }
    let refused = |what: &str, hint: &str| Err(Error::request(format!("sample: {what}")).with_hint(hint));
    match &scan.value {
        None => refused(
            "without a value column there is nothing to sample",
            "name the column of values, or count the choices of everybody",
        ),
        _ if scan.person.is_some() => refused(
            "records are sampled while they are read, before it is known which are one person's",
            "take another estimator, or a file with one row per person",
        ),
        _ if scan.group.is_some() => refused(
            "a sample is taken for one release, not for a release of each group",
            "take another estimator, or leave the groups out",
        ),
        Some(Value::Number(column)) if column.numbers.squares || column.numbers.cells.is_some() => refused(
            "a sample is taken for sums, not for squares or quantiles",
            "take another estimator, or ask for a sum or mean",
        ),
        _ => Ok(()),
    }
}

fn check_numbers(numbers: &Numbers, persons: bool) -> Result<()> {
    if numbers.squares && numbers.grid.points() > FINEST_SQUARES {
        return Err(Error::request("grid: squares on a grid of more than 2^31 steps can exceed 128 bits")
            .with_hint("use a grid of at most 2147483648 steps"));
    }
    if !persons && numbers.cells.is_some_and(|cells| cells.rows() != 1) {
        return Err(Error::request("rows: without persons each record is one row")
            .with_hint("name the column of persons with --person COL, or leave --rows out"));
    }
    Ok(())
}

fn check_classes(scan: &Scan, value: &Value) -> Result<()> {
    let limit = MOST / scan.groups().max(1);
    if let (PrivacyColumn::Tiers { tiers, .. }, Value::Category(column)) = (&scan.privacy, value)
        && tiers.len().saturating_mul(column.classes.categories().len()) > limit
    {
        let (what, hint) = if limit == MOST {
            ("a tier and a category", "declare fewer tiers or categories")
        } else {
            ("a tier and a category in each group", "declare fewer tiers, categories or groups")
        };
        return Err(Error::request(format!("there are more than {limit} pairs of {what}")).with_hint(hint));
    }
    Ok(())
}
