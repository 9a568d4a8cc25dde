//! Design weights that no option declares: they are public, and read from their column.

use suum_core::{Error, Place, Result, option, say};
use suum_data::{PrivacyColumn, Reading, Scan};

use super::{Task, reading, tables};
use crate::query::Query;

/// Query with the distinct design weights of the data as classes, in ascending order; `None` if
/// none are needed, or no records are read.
///
/// The column of weights is read in a pass of its own, by the rules for numeric budgets: as
/// numbers, from rows that the filter selects. Each record's weight is public under replace-one,
/// and under other relations weights are refused before.
pub(super) fn complete_from_data(task: &Task<'_>) -> Result<Option<Query>> {
    let query = task.query;
    let Some(column) = query.undeclared_weight() else { return Ok(None) };
    if task.assumes_people || !task.has_data() || task.source.from_levels.is_some() {
        return Ok(None);
    }
    query.check_strata()?;
    if task.source.attributes().iter().any(|name| name.trim() == column.trim()) {
        return Err(Error::request(
            option::WEIGHT,
            "the register has the weights, and the different ones are not read off it",
        )
        .with_fix(say("declare them:").set(option::CLASSES, "1,2.5,4")));
    }
    if !reading::is_read_again(task)? {
        return Err(Error::request(
            option::WEIGHT,
            "the data can be read only once, and the different weights are read first",
        )
        .with_fix(
            say("declare them:")
                .set(option::CLASSES, "1,2.5,4")
                .say("; or hand over data that can be read twice, such as a file or a table"),
        ));
    }
    let scan = scan(task, column)?;
    let Reading::Table(table) = reading::unnoted(task, &scan)? else { return Ok(None) };
    let weights = table.by_level().iter().map(|level| level.epsilon.get()).collect::<Vec<_>>();
    if weights.iter().any(|weight| *weight <= 0.0 || !weight.is_finite()) {
        return Err(Error::data(Place::column(column), "a design weight is 0 or infinite")
            .with_fix(
                say("design weights are positive numbers; leave such records out with")
                    .option(option::WHERE),
            ));
    }
    if let [_] = weights.as_slice() {
        return Err(Error::data(Place::column(column), "all records have one design weight")
            .with_fix(
                say("leave")
                    .option(option::WEIGHT)
                    .say("out; a sum is then one of records, each counted once"),
            ));
    }
    Ok(Some(query.with_weights(weights.iter().map(f64::to_string))))
}

/// Scan that finds the weights, after the release's own scan was checked.
fn scan(task: &Task<'_>, column: &str) -> Result<Scan> {
    let asked = tables::scan_without_groups(task, None)?;
    let some = task.query.with_weights(["1".to_owned(), "2".to_owned()]);
    Scan { group: some.divided_by()?, ..asked.clone() }.check(true)?;
    let privacy = PrivacyColumn::Budgets { column: column.to_owned() };
    // The release may read the columns of the filter, so this may.
    let filtered = asked.filter.iter().flat_map(|filter| filter.columns()).cloned();
    let public = asked.public.iter().cloned().chain(filtered).collect();
    let Scan { csv, nulls, filter, .. } = asked;
    Ok(Scan { csv, nulls, filter, public, reads_weights: true, ..Scan::new(privacy, None) })
}
