//! Step between integer values, told by the type of their column.

use suum_core::{Cells, PersonValue, Result};

use super::{Task, add_remove, declared, reading};
use crate::query::Query;

/// Query with a step of 1, if quantiles have no other candidates declared and the column holds
/// integers by its type, which is public; `None` if it stays as it is.
pub(super) fn of_type(task: &Task<'_>) -> Result<Option<Query>> {
    let Some(query) = with_step(task)? else { return Ok(None) };
    let Some(column) = query.value.as_deref() else { return Ok(None) };
    if !reading::has_integers(task, column)? {
        return Ok(None);
    }
    task.noted.step_of_type();
    Ok(Some(query))
}

/// Query with a step of 1 if values were integers; `None` if it declares candidates, there would be
/// too many, or nothing is read.
fn with_step(task: &Task<'_>) -> Result<Option<Query>> {
    let query = task.query;
    let is_open = query.statistic.has_quantiles() && query.step.is_none() && query.cells.is_none();
    // Means and medians of integers are none.
    let is_whole = !matches!(query.per_person, Some(PersonValue::Mean | PersonValue::Median));
    let is_open = is_open && is_whole;
    if !is_open || task.assumes_people || !task.has_data() || task.source.from_levels.is_some() {
        return Ok(None);
    }
    let Some(bounds) = query.declared_bounds()? else { return Ok(None) };
    let mut declared = vec![bounds.lower(), bounds.upper()];
    declared.extend(query.missing_number()?);
    let Ok(cells) = Cells::with_step(bounds, 1.0) else { return Ok(None) };
    let is_counted = match task.hides_participation() {
        false => true,
        true => cells.steps() <= add_remove::most_steps(query, &declared::budgets(task)?)?,
    };
    let fits = is_counted && declared.iter().all(|number| number.fract() == 0.0);
    Ok(fits.then(|| Query { step: Some(1.0), ..query.clone() }))
}
