//! Checks that a relation has the columns that a scan reads.

use suum_core::{Error, Phrase, Place, Result, option, say};
use suum_data::{CellKind, Filter, PrivacyColumn, Scan, Value, nearest};

use crate::dialect::Dialect;
use crate::engine::{Column, ColumnKind};

/// Refuses missing columns, and those whose type cannot hold what the scan reads.
pub(crate) fn check_columns(dialect: Dialect, columns: &[Column], scan: &Scan) -> Result<()> {
    let in_query = |fix: &'static str| say(fix).option(option::QUERY);
    let numbers = Requirement::new(
        &[ColumnKind::Integer, ColumnKind::Number],
        "the column does not hold numbers",
        in_query("convert it to numbers in a"),
    );
    let labels = Requirement::new(
        &[
            ColumnKind::Integer,
            ColumnKind::Number,
            ColumnKind::Label,
            ColumnKind::Date,
            ColumnKind::Time,
        ],
        "the column does not hold labels",
        in_query("convert it to text or integers in a"),
    );
    let moments = Requirement::new(
        &[ColumnKind::Label, ColumnKind::Date, ColumnKind::Time],
        "the column does not hold dates or times like the bounds or bins",
        in_query(
            "declare bounds or bins as numbers, or convert the column to dates, times, or text in \
             ISO 8601 in a",
        ),
    );
    let dates = Requirement {
        otherwise: say("the column does not hold dates or times"),
        fix: say("convert it to dates, times, or text in ISO 8601 in a view"),
        ..moments.clone()
    };
    let weights = Requirement {
        otherwise: say("the column does not hold design weights"),
        ..numbers.clone()
    };
    let mut wanted = Vec::new();
    wanted.push(match &scan.privacy {
        PrivacyColumn::Budgets { column } if scan.reads_weights => {
            (column.as_str(), weights.clone())
        }
        PrivacyColumn::Budgets { column } => (
            column.as_str(),
            Requirement::new(
                numbers.kinds,
                "the column does not hold budgets",
                in_query("convert it to numbers in a")
                    .say(", or name tiers with")
                    .set(option::PRIVACY, "COL")
                    .set(option::LEVELS, "LABEL=EPSILON,…"),
            ),
        ),
        PrivacyColumn::Tiers { column, .. } => (column.as_str(), labels.clone()),
    });
    let kind = |value: &Value| match value.scale() {
        _ if value.is_label() => labels.clone(),
        Some(_) => moments.clone(),
        None => numbers.clone(),
    };
    let value = scan.value.as_ref().map(|value| (value.column(), kind(value)));
    wanted.extend(value);
    wanted.extend(scan.label_columns().map(|group| match group.groups.as_weights() {
        Some(_) => (group.column.as_str(), weights.clone()),
        None => (group.column.as_str(), labels.clone()),
    }));
    wanted.extend(scan.person.as_ref().map(|person| (person.as_str(), labels.clone())));
    wanted.extend(scan.person_time.as_ref().map(|time| (time.as_str(), labels.clone())));
    let decisions = scan.decisions.iter().flat_map(|decisions| decisions.columns());
    wanted.extend(decisions.map(|(part, name)| match part.is_time() {
        true => (name, dates.clone()),
        false => (name, labels.clone()),
    }));
    wanted.extend(scan.attributes.iter().map(|name| (name.as_str(), labels.clone())));
    wanted.extend(scan.filter.iter().flat_map(|filter| compared(filter, labels.kinds)));
    for (name, required) in wanted {
        let mut found = columns.iter().filter(|column| column.name == name);
        let column = found.next().ok_or_else(|| {
            let hint = "check the spelling; upper and lower case differ";
            let like = nearest(name, columns.iter().map(|column| column.name.as_str()));
            Error::data(Place::column(name), "there is no such column in the table or query")
                .with_fix(match like {
                    Some(like) => format!("did you mean {like}? If not, {hint}"),
                    None => hint.to_owned(),
                })
        })?;
        if found.next().is_some() {
            return Err(Error::data(
                Place::column(name),
                "there is more than one column of this name",
            )
            .with_fix("give every column of the query its own name"));
        }
        // In SQLite the type of a column does not say what its cells hold; the query looks at each
        // of them.
        if dialect != Dialect::Sqlite && !required.kinds.contains(&column.kind) {
            return Err(Error::data(Place::column(name), required.otherwise).with_fix(required.fix));
        }
    }
    Ok(())
}

/// Kinds that a column can have.
#[derive(Debug, Clone)]
struct Requirement {
    kinds: &'static [ColumnKind],
    /// Problem of a column of another kind.
    otherwise: Phrase,
    fix: Phrase,
}

impl Requirement {
    fn new(kinds: &'static [ColumnKind], otherwise: impl Into<Phrase>, fix: Phrase) -> Self {
        Self { kinds, otherwise: otherwise.into(), fix }
    }
}

/// Columns that a filter compares.
fn compared<'a>(
    filter: &'a Filter,
    labels: &'static [ColumnKind],
) -> impl Iterator<Item = (&'a str, Requirement)> {
    filter.condition().tests().into_iter().filter_map(move |test| {
        let kinds = match test.kind {
            CellKind::Presence => return None,
            CellKind::Number => &[ColumnKind::Integer, ColumnKind::Number][..],
            CellKind::Moment => &[ColumnKind::Label, ColumnKind::Date, ColumnKind::Time],
            CellKind::Label | CellKind::Truth => labels,
        };
        let fix = "compare numbers with numbers, text with texts in single quotes, dates with DATE \
                   '2020-01-31', truth values with true or false";
        let what = say("the column does not hold what the condition compares it with");
        Some((filter.columns().get(test.column)?.as_str(), Requirement::new(kinds, what, say(fix))))
    })
}
