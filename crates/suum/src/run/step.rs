//! Step between integer values, told by the type of their column.

use suum_core::{Cells, Options, PersonValue, Result};
use suum_report::StepOfType;

use super::{Task, add_remove, declared, reading};
use crate::query::Query;

/// Returns the query with a step of 1, if the column holds integers by its type, which is public,
/// and the step makes a difference: to a mean that learns nothing of few steps, and to quantiles
/// without other candidates.
pub(super) fn complete_from_type(task: &Task<'_>) -> Result<Option<Query>> {
    let Some(query) = with_step(task)? else { return Ok(None) };
    let Some(column) = query.value.as_deref() else { return Ok(None) };
    if !reading::has_integers(task, column)? {
        return Ok(None);
    }
    task.noted.step_of_type(match query.statistic.has_quantiles() {
        true => StepOfType::Candidates,
        false => StepOfType::NoLearning,
    });
    Ok(Some(query))
}

/// Returns the query as it would be if values were integers, unless it says what candidates there
/// are, there would be too many, a step would make no difference, or nothing is read.
///
/// A mean of many steps has the same answer whether or not a source knows the types of its columns.
fn with_step(task: &Task<'_>) -> Result<Option<Query>> {
    let query = task.query;
    // Means and medians of integers are none.
    let is_whole = !matches!(query.person_value(), Some(PersonValue::Mean | PersonValue::Median));
    let options = query.estimation().ok().filter(Options::adapts);
    let may_learn = query.statistic.is_mean_or_sum() && query.person.is_none();
    let learning = options.filter(|_| may_learn);
    let is_open = learning.is_some() || (query.statistic.has_quantiles() && query.cells.is_none());
    let is_open = is_open && is_whole && query.step.is_none();
    if !is_open || task.assumes_people || !task.has_data() || task.source.from_levels.is_some() {
        return Ok(None);
    }
    let Some(bounds) = query.declared_bounds()? else { return Ok(None) };
    let is_learning = learning.is_some();
    if learning.is_some_and(|options| Options { step: Some(1.0), ..options }.adapts_inside(bounds))
    {
        return Ok(None);
    }
    let mut declared = vec![bounds.lower(), bounds.upper()];
    declared.extend(query.missing_number()?);
    let Ok(cells) = Cells::with_step(bounds, 1.0) else { return Ok(None) };
    let is_counted = match task.hides_participation() && !is_learning {
        false => true,
        true => cells.steps() <= add_remove::most_steps(query, &declared::budgets(task)?)?,
    };
    let fits = is_counted && declared.iter().all(|number| number.fract() == 0.0);
    Ok(fits.then(|| Query { step: Some(1.0), ..query.clone() }))
}
