//! End of a query: the rows of its result, in which every cell is text.

use suum_core::Result;

use super::header::Header;
use super::{COLUMNS, Defect, Source, filter, looks_of};
use crate::dialect::Looks;

/// Final SELECT: the request with an independent count, and the rows of the steps `counted`;
/// `defects` are those that these can have found.
pub(super) fn final_select(
    source: &Source,
    header: &Header,
    counted: &[&str],
    mut defects: Vec<Defect>,
) -> Result<String> {
    let dialect = source.dialect;
    let columns = header_row(source, header)?.into_iter().zip(COLUMNS);
    let columns = columns
        .map(|(cell, name)| Ok(format!("  {cell} AS {}", dialect.identifier(name)?)))
        .collect::<Result<Vec<_>>>()?;
    let mut query = format!(
        "-- What was asked for, with an independent count of the rows.\nSELECT\n{}\n{}",
        columns.join(",\n"),
        filter::rows(source, filter::find_selection(source)?.as_ref())
    );
    let level = match header.tiers {
        Some(_) => dialect.text("level"),
        None => dialect.double_text("level"),
    };
    defects.sort_by_key(|defect| defect.number());
    defects.dedup();
    let named = |defect: &Defect| format!("    WHEN {} THEN '{}'", defect.number(), defect.code());
    let item = format!(
        "CASE fault\n{}\n    ELSE {}\n  END",
        defects.iter().map(named).collect::<Vec<_>>().join("\n"),
        dialect.text("item")
    );
    for step in counted {
        let columns = [
            "CASE fault WHEN 0 THEN 'level' ELSE 'fault' END".to_owned(),
            dialect.text("group_number"),
            level.clone(),
            item.clone(),
            dialect.text("records"),
            dialect.text("source_rows"),
            dialect.text("cell_rows"),
            "index_sum".to_owned(),
            "square_sum".to_owned(),
        ];
        let columns: Vec<String> = columns.iter().map(|column| format!("  {column}")).collect();
        query += &format!("\nUNION ALL\nSELECT\n{}\nFROM {step}", columns.join(",\n"));
    }
    Ok(query)
}

/// Cells of the row with the request.
fn header_row(source: &Source, header: &Header) -> Result<[String; COLUMNS.len()]> {
    let dialect = source.dialect;
    let IndependentCount { records, rows, marks } = source_counts(source)?;
    let nothing = dialect.nothing();
    Ok([
        dialect.text("'header'"),
        nothing.clone(),
        nothing.clone(),
        dialect.text(&dialect.literal(&header.text()?)?),
        records.map_or_else(|| nothing.clone(), |records| dialect.text(&records)),
        dialect.text(&rows),
        marks.map_or_else(|| nothing.clone(), |marks| dialect.text(&marks)),
        nothing.clone(),
        nothing,
    ])
}

/// Independent count.
struct IndependentCount {
    /// Count of records: persons, or rows. `None` where marks replace it.
    records: Option<String>,
    rows: String,
    /// Sum over rows of the hash of their person.
    marks: Option<String>,
}

/// Counts of the rows of the data that have a value, or of all rows if all count; and of their
/// persons.
fn source_counts(source: &Source) -> Result<IndependentCount> {
    let marked = |person: &str, present: Option<&str>| {
        let mark = source.dialect.mark(person)?;
        Some(match present {
            Some(present) => format!("SUM(CASE WHEN {present} THEN {mark} END)"),
            None => format!("SUM({mark})"),
        })
    };
    let person = match &source.scan.person {
        Some(person) => Some(source.label_of(&source.column(person)?, Looks::default())?),
        None => None,
    };
    let Some(value) = source.scan.value.as_ref().filter(|_| source.scan.leaves_out_missing) else {
        let rows = "COUNT(*)".to_owned();
        let marks = person.as_ref().and_then(|person| marked(person, None));
        let persons = person.map(|person| format!("COUNT(DISTINCT {person})"));
        let records = Some(persons.unwrap_or_else(|| rows.clone())).filter(|_| marks.is_none());
        return Ok(IndependentCount { records, rows, marks });
    };
    let column = source.column(value.column())?;
    let cell = match value.is_label() {
        true => source.label_of(&column, looks_of(value))?,
        false => source.or_null(source.dialect.number_of(&column)),
    };
    let present = match source.across() {
        Some(across) => {
            let looks = Looks::from_labels(across.column().groups.categories().names());
            let across = source.label_of(&source.column(&across.column().column)?, looks)?;
            format!("{cell} IS NOT NULL AND {across} IS NOT NULL")
        }
        None => format!("{cell} IS NOT NULL"),
    };
    let rows = match source.across() {
        Some(_) => format!("COUNT(CASE WHEN {present} THEN 1 END)"),
        None => format!("COUNT({cell})"),
    };
    let marks = person.as_ref().and_then(|person| marked(person, Some(&present)));
    let persons =
        person.map(|person| format!("COUNT(DISTINCT CASE WHEN {present} THEN {person} END)"));
    let records = Some(persons.unwrap_or_else(|| rows.clone())).filter(|_| marks.is_none());
    Ok(IndependentCount { records, rows, marks })
}
