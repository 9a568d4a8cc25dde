//! Whether a relation has the columns that a scan reads.

use suum_core::{Error, Result};
use suum_data::{CellKind, Filter, PrivacyColumn, Scan, Value, nearest};

use crate::dialect::Dialect;
use crate::engine::{Column, ColumnKind};

/// Refuses columns that are not there, and those that cannot hold what they should.
pub(crate) fn check_columns(dialect: Dialect, columns: &[Column], scan: &Scan) -> Result<()> {
    let numbers = (
        [ColumnKind::Integer, ColumnKind::Number].as_slice(),
        "the column does not hold numbers",
        "convert it to numbers in a --query",
    );
    let labels = (
        [
            ColumnKind::Integer,
            ColumnKind::Number,
            ColumnKind::Label,
            ColumnKind::Date,
            ColumnKind::Time,
        ]
        .as_slice(),
        "the column does not hold labels",
        "convert it to text or integers in a --query",
    );
    let moments = (
        [ColumnKind::Label, ColumnKind::Date, ColumnKind::Time].as_slice(),
        "the column does not hold dates or times like the bounds or bins",
        "declare bounds or bins as numbers, or convert the column to dates, times, or text in ISO \
         8601 in a --query",
    );
    let weights = (
        numbers.0,
        "the column does not hold design weights",
        "convert it to numbers in a --query",
    );
    let mut wanted = Vec::new();
    wanted.push(match &scan.privacy {
        PrivacyColumn::Budgets { column } if scan.reads_weights => (column.as_str(), weights),
        PrivacyColumn::Budgets { column } => (
            column.as_str(),
            (
                numbers.0,
                "the column does not hold budgets",
                "convert it to numbers in a --query, or name tiers with --privacy COL --levels \
                LABEL=EPSILON,…",
            ),
        ),
        PrivacyColumn::Tiers { column, .. } => (column.as_str(), labels),
    });
    let kind = |value: &Value| match value.scale() {
        _ if value.is_label() => labels,
        Some(_) => moments,
        None => numbers,
    };
    let value = scan.value.as_ref().map(|value| (value.column(), kind(value)));
    wanted.extend(value);
    wanted.extend(scan.label_columns().map(|group| match group.groups.as_weights() {
        Some(_) => (group.column.as_str(), weights),
        None => (group.column.as_str(), labels),
    }));
    wanted.extend(scan.person.as_ref().map(|person| (person.as_str(), labels)));
    wanted.extend(scan.filter.iter().flat_map(|filter| compared(filter, labels.0)));
    for (name, (kinds, what, hint)) in wanted {
        let mut found = columns.iter().filter(|column| column.name == name);
        let column = found.next().ok_or_else(|| {
            let hint = "check the spelling; upper and lower case differ";
            let like = nearest(name, columns.iter().map(|column| column.name.as_str()));
            Error::data(format!("column {name}: there is no such column in the table or query"))
                .with_hint(match like {
                    Some(like) => format!("did you mean {like}? If not, {hint}"),
                    None => hint.to_owned(),
                })
        })?;
        if found.next().is_some() {
            return Err(Error::data(format!(
                "column {name}: there is more than one column of this name"
            ))
            .with_hint("give every column of the query its own name"));
        }
        // In SQLite the type of a column does not say what its cells hold; the query looks at each
        // of them.
        if dialect != Dialect::Sqlite && !kinds.contains(&column.kind) {
            return Err(Error::data(format!("column {name}: {what}")).with_hint(hint));
        }
    }
    Ok(())
}

/// A column, the kinds that it can have, and what is said of others.
type Requirement<'a> = (&'a str, (&'static [ColumnKind], &'static str, &'static str));

/// The columns that a filter compares.
fn compared<'a>(
    filter: &'a Filter,
    labels: &'static [ColumnKind],
) -> impl Iterator<Item = Requirement<'a>> {
    filter.condition().tests().into_iter().filter_map(move |test| {
        let kinds = match test.kind {
            CellKind::Presence => return None,
            CellKind::Number => [ColumnKind::Integer, ColumnKind::Number].as_slice(),
            CellKind::Moment => [ColumnKind::Label, ColumnKind::Date, ColumnKind::Time].as_slice(),
            CellKind::Label | CellKind::Truth => labels,
        };
        let hint = "compare numbers with numbers, text with texts in single quotes, dates with \
                    DATE '2020-01-31', truth values with true or false";
        let what = "the column does not hold what --where compares it with";
        Some((filter.columns().get(test.column)?.as_str(), (kinds, what, hint)))
    })
}
