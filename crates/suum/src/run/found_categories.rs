//! Categories that nobody has declared: those that occur are read in a pass of their own.

use suum_core::{Error, Result, option, say};
use suum_data::Scan;

use super::{Task, reading, tables};
use crate::query::Query;

/// Query with the labels that occur in its column; `None` if its categories are declared.
///
/// The list is as private as the column: it decides what is counted, and no answer, refusal or
/// remark has any of it but what the release publishes.
pub(super) fn complete_from_data(task: &Task<'_>) -> Result<Option<Query>> {
    if !task.query.finds_categories() {
        return Ok(None);
    }
    if !reading::is_read_again(task)? {
        return Err(Error::request(
            option::CATEGORIES,
            "the data can be read only once, and the categories are read first",
        )
        .with_fix(
            say("declare them:")
                .set(option::CATEGORIES, "A,B,C")
                .say("; or hand over data that can be read twice, such as a file or a table"),
        ));
    }
    let scan = scan(task)?;
    Ok(Some(task.query.with_found_labels(reading::labels(task, &scan)?)))
}

/// Scan that reads the labels, after the release's own scan was checked.
fn scan(task: &Task<'_>) -> Result<Scan> {
    let asked = tables::scan_without_groups(task, Some(task.query.category_column()?))?;
    asked.check(false)?;
    // The release may read the columns of the filter, so this may.
    let filtered = asked.filter.iter().flat_map(|filter| filter.columns()).cloned();
    let public = asked.public.iter().cloned().chain(filtered).collect();
    let Scan { csv, nulls, filter, .. } = asked;
    let labels = Scan::for_labels(&task.query.column_name()?)?;
    Ok(Scan { csv, nulls, filter, public, keeps_labels_private: true, ..labels })
}
