//! Rows that a filter selects, as a condition of SQL.
//!
//! A row counts if the condition is true. A row with a cell that cannot be compared stays, and has
//! a defect: it cannot be decided whether it counts.

use suum_core::{Result, TimeScale};
use suum_data::{CellKind, CellTest, Comparison, Condition, Constant, Filter};

use super::Source;
use crate::dialect::{Dialect, Looks};

/// Conditions of a filter on each row.
pub(super) struct Selection {
    /// Condition that the filter selects the row.
    pub(super) condition: String,
    /// Condition that one of its cells cannot be compared, in dialects in which this can occur.
    pub(super) is_wrong: Option<String>,
}

/// Rows of a source that are read: those that are selected, and those with a cell that cannot be
/// compared.
pub(super) fn rows(source: &Source, selection: Option<&Selection>) -> String {
    let from = format!("FROM {}", source.from);
    match selection {
        None => from,
        Some(Selection { condition, is_wrong: None }) => format!("{from}\nWHERE {condition}"),
        Some(Selection { condition, is_wrong: Some(is_wrong) }) => {
            format!("{from}\nWHERE {condition}\n  OR {is_wrong}")
        }
    }
}

/// Selection of a source; `None` if all rows count.
pub(super) fn find_selection(source: &Source) -> Result<Option<Selection>> {
    let Some(filter) = &source.scan.filter else { return Ok(None) };
    let mut wrong = Vec::new();
    let condition = condition(source, filter, filter.condition(), &mut wrong)?;
    let is_wrong = (!wrong.is_empty()).then(|| {
        let wrong: Vec<String> = wrong.into_iter().map(|one| format!("({one})")).collect();
        wrong.join(" OR ")
    });
    Ok(Some(Selection { condition, is_wrong }))
}

fn condition(
    source: &Source,
    filter: &Filter,
    part: &Condition,
    wrong: &mut Vec<String>,
) -> Result<String> {
    let mut joined = |parts: &[Condition], operator: &str| -> Result<String> {
        let parts = parts.iter().map(|part| condition(source, filter, part, wrong));
        let parts: Vec<String> = parts.collect::<Result<_>>()?;
        Ok(format!("({})", parts.join(operator)))
    };
    match part {
        Condition::All(parts) => joined(parts, " AND "),
        Condition::Any(parts) => joined(parts, " OR "),
        Condition::Not(inner) => Ok(format!("(NOT {})", condition(source, filter, inner, wrong)?)),
        Condition::Test(test) => test_of(source, filter, test, wrong),
    }
}

fn test_of(
    source: &Source,
    filter: &Filter,
    test: &CellTest,
    wrong: &mut Vec<String>,
) -> Result<String> {
    let dialect = source.dialect;
    let name = filter.columns().get(test.column).map(String::as_str).unwrap_or_default();
    let column = source.column(name)?;
    let (cell, is_wrong) = match test.kind {
        CellKind::Presence => return is_missing(source, &column),
        CellKind::Number => (
            source.or_null(dialect.number_of(&column)),
            source.wrong(dialect.is_no_number(&column), &column)?,
        ),
        CellKind::Label => {
            let looks = Looks::from_labels(&labels(filter, test.column));
            (source.label_of(&column, looks)?, dialect.is_no_label(&column, looks))
        }
        CellKind::Truth => {
            let looks = Looks::from_labels(&["1"]);
            let label = source.label_of(&column, looks)?;
            let truth = format!(
                "CASE WHEN lower({label}) IN ('true', '1') THEN 1 WHEN lower({label}) IN \
                 ('false', '0') THEN 0 END"
            );
            let other = format!("({truth}) IS NULL AND {label} IS NOT NULL");
            let no_label = dialect.is_no_label(&column, looks);
            (truth, Some(no_label.map_or(other.clone(), |no| format!("{no} OR {other}"))))
        }
        CellKind::Moment => {
            let looks = Looks::from_labels(&["1970-01-01 00:00:01"]);
            let label = source.label_of(&column, looks)?;
            let other = format!("{label} IS NOT NULL AND NOT {}", dialect.is_moment(&label));
            let no_label = dialect.is_no_label(&column, looks);
            let is_wrong = no_label.map_or(other.clone(), |no| format!("{no} OR {other}"));
            (dialect.moment(&label), Some(is_wrong))
        }
    };
    wrong.extend(is_wrong.filter(|is_wrong| !wrong.contains(is_wrong)));
    let constant = |constant: &Constant| constant_of(dialect, constant);
    Ok(match &test.comparison {
        Comparison::IsMissing => is_missing(source, &column)?,
        Comparison::In(constants) => match constants.as_slice() {
            [one] => format!("({cell} = {})", constant(one)?),
            several => {
                let several = several.iter().map(constant).collect::<Result<Vec<_>>>()?;
                format!("({cell} IN ({}))", several.join(", "))
            }
        },
        Comparison::Order(side, one) => {
            format!("({cell} {} {})", side.operator(), constant(one)?)
        }
        Comparison::Between(least, most) => {
            format!("({cell} BETWEEN {} AND {})", constant(least)?, constant(most)?)
        }
    })
}

/// Labels that a column is compared with.
fn labels(filter: &Filter, column: usize) -> Vec<&str> {
    let tests = filter.condition().tests().into_iter().filter(|test| test.column == column);
    let lists = tests.filter_map(|test| match &test.comparison {
        Comparison::In(constants) => Some(constants.iter()),
        _ => None,
    });
    lists
        .flatten()
        .filter_map(|constant| match constant {
            Constant::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

fn constant_of(dialect: Dialect, constant: &Constant) -> Result<String> {
    match constant {
        Constant::Text(text) => dialect.literal(text),
        Constant::Truth(truth) => Ok(u8::from(*truth).to_string()),
        Constant::Number(number) => Ok(dialect.double(*number)),
        Constant::Moment(seconds) => {
            dialect.literal(&Dialect::moment_text(&TimeScale::Seconds.label(*seconds)))
        }
    }
}

/// Condition that a cell of a column of any type is missing: NULL, empty, a NaN, or a text for an
/// empty cell.
fn is_missing(source: &Source, column: &str) -> Result<String> {
    let dialect = source.dialect;
    let texts: Vec<&str> = source.scan.nulls.texts().iter().map(String::as_str).collect();
    let text = format!("lower({})", dialect.trimmed(column));
    let none = format!("{text} IN ('', 'nan', '+nan', '-nan')");
    if dialect == Dialect::Sqlite {
        // Cells that are no labels there are floating-point numbers, or bytes.
        let label = source.label_of(column, Looks::default())?;
        let number = source.or_null(dialect.number_of(column));
        return Ok(format!(
            "(CASE typeof({column}) WHEN 'real' THEN {number} IS NULL WHEN 'blob' THEN 0 WHEN \
             'null' THEN 1 ELSE {label} IS NULL OR {none} END)"
        ));
    }
    let is_null = match texts.is_empty() {
        true => String::new(),
        false => format!(" OR {} IS NULL", source.label_of(column, Looks::from_labels(&texts))?),
    };
    Ok(format!("({column} IS NULL OR {none}{is_null})"))
}
