//! Position of a value: on the grid, among labels, or in a bin.

use suum_core::{Grid, Result};
use suum_data::{CategoryRule, plain_number};

use super::steps::{case, position};
use crate::dialect::Dialect;

/// Grid index of a value, operation for operation as [`Grid::index`] computes it; in dialects that
/// compare integers faster than doubles, the index is clamped instead of the value.
pub(super) fn index(dialect: Dialect, grid: &Grid) -> String {
    let bounds = grid.bounds();
    let [lower, upper, kappa, half] =
        [bounds.lower(), bounds.upper(), grid.kappa(), 0.5].map(|number| dialect.double(number));
    let position = |above: &str| format!("{above} * {kappa} + {half}");
    if let Some(index) = dialect.integer_part(&position(&format!("(value - {lower})"))) {
        // No value below a bound has a larger index than the bound, and none above it a smaller
        // one, since each operation keeps order.
        let points = grid.points();
        let outside = format!("CASE WHEN value < {lower} THEN 0 ELSE {points} END");
        return format!("LEAST(GREATEST(COALESCE({index}, {outside}), 0), {points})");
    }
    let clamped = format!(
        "CASE WHEN value < {lower} THEN {lower} WHEN value > {upper} THEN {upper} ELSE value END"
    );
    let above = format!("({clamped} - {lower})");
    let index = dialect.floor(&position(&above));
    // A product below the least double is zero, and so is its index.
    match dialect.refuses_underflow() && grid.kappa() < 1.0 {
        true => format!("CASE WHEN {above} < {} THEN 0 ELSE {index} END", dialect.double(1e-150)),
        false => index,
    }
}

/// Declared labels as literals of a query, with their positions; a label that spells a number also
/// in the form that columns of numbers have.
pub(super) fn literals(
    dialect: Dialect,
    labels: &[impl AsRef<str>],
) -> Result<Vec<(String, usize)>> {
    let labels = || labels.iter().map(AsRef::as_ref).enumerate();
    let numbers = labels().filter_map(|(at, label)| Some((at, plain_number(label)?)));
    let further = numbers.filter(|(_, number)| labels().all(|(_, label)| label != *number));
    let all = labels().chain(further);
    all.map(|(at, label)| Ok((dialect.literal(label)?, at))).collect()
}

/// Position of the label in a column; `missing` and `other` are those of missing and of all other
/// cells.
pub(super) fn labels(
    dialect: Dialect,
    column: &str,
    classes: &CategoryRule,
    missing: Option<&str>,
    other: Option<&str>,
) -> Result<String> {
    let names = literals(dialect, classes.categories().names())?;
    let otherwise = match (missing, other) {
        (None, None) => None,
        (Some(missing), None) => Some(format!("CASE WHEN {column} IS NULL THEN {missing} END")),
        (None, Some(other)) => Some(format!("CASE WHEN {column} IS NOT NULL THEN {other} END")),
        (Some(missing), Some(other)) => {
            Some(format!("CASE WHEN {column} IS NULL THEN {missing} ELSE {other} END"))
        }
    };
    Ok(position(column, &names, otherwise.as_deref()))
}

/// Position of a number among these, which ascend; NULL if it is none of them. Many numbers are
/// searched by bisection.
pub(super) fn among(dialect: Dialect, column: &str, numbers: &[(f64, usize)]) -> String {
    const FEW: usize = 64;
    if numbers.len() > FEW {
        let (below, above) = numbers.split_at(numbers.len() / 2);
        let middle = dialect.double(above.first().map_or(0.0, |(number, _)| *number));
        let [below, above] = [below, above].map(|half| among(dialect, column, half));
        return format!("CASE WHEN {column} < {middle} THEN\n{below}\nELSE\n{above}\nEND");
    }
    let numbers: Vec<(String, usize)> =
        numbers.iter().map(|(number, at)| (dialect.double(*number), *at)).collect();
    position(column, &numbers, None)
}

/// Number of the bin that contains a number.
pub(super) fn bins(
    dialect: Dialect,
    edges: &[f64],
    missing: Option<&str>,
    other: Option<&str>,
) -> String {
    let outside = other.unwrap_or("NULL");
    let mut branches = vec![("value IS NULL".to_owned(), missing.unwrap_or("NULL").to_owned())];
    for (at, edge) in edges.iter().enumerate() {
        let last = at + 1 == edges.len();
        let within = match at.checked_sub(1) {
            // Nothing lies below it.
            None if *edge == f64::NEG_INFINITY => continue,
            None => outside.to_owned(),
            Some(bin) => bin.to_string(),
        };
        let number = match *edge == f64::INFINITY {
            true => dialect.infinity(),
            false => dialect.double(*edge),
        };
        branches.push((format!("value {} {number}", if last { "<=" } else { "<" }), within));
    }
    case(&branches, Some(outside))
}
