//! Step between integer values, told by the type of their column.

use suum_core::{Bounds, Cells, Options, PersonValue, Result};
use suum_report::StepOfType;

use super::{Task, add_remove, declared, reading};
use crate::query::Query;

/// The query with a step of 1, where a mean could learn, or quantiles have no other candidates
/// declared, and the column holds integers by its type, which is public; `None` where it stays as
/// it is.
pub(super) fn of_type(task: &Task<'_>) -> Result<Option<Query>> {
    let Some((query, bounds)) = with_step(task)? else { return Ok(None) };
    let Some(column) = query.value.as_deref() else { return Ok(None) };
    if !reading::has_integers(task, column)? {
        return Ok(None);
    }
    if query.statistic.has_quantiles() {
        task.noted.step_of_type(StepOfType::Candidates);
    } else if bounds.width() < f64::from(Options::FEWEST_STEPS) {
        task.noted.step_of_type(StepOfType::NoLearning);
    }
    Ok(Some(query))
}

/// The query as it would be if values were integers, and its bounds, unless it says what candidates
/// there are, there would be too many, a step would make no difference, or nothing is read.
fn with_step(task: &Task<'_>) -> Result<Option<(Query, Bounds)>> {
    let query = task.query;
    // Means and medians of integers are none.
    let is_whole = !matches!(query.per_person, Some(PersonValue::Mean | PersonValue::Median));
    let may_learn = query.statistic.is_mean_or_sum()
        && query.person.is_none()
        && query.estimation().is_ok_and(|options| options.adapts());
    let is_open = may_learn || (query.statistic.has_quantiles() && query.cells.is_none());
    let is_open = is_open && is_whole && query.step.is_none();
    if !is_open || task.assumes_people || !task.has_data() || task.source.from_levels.is_some() {
        return Ok(None);
    }
    let Some(bounds) = query.declared_bounds()? else { return Ok(None) };
    // Elsewhere a mean has the same answer whether or not a source knows the types of its columns.
    let has_few_steps = bounds.width() < f64::from(Options::FEWEST_STEPS);
    if may_learn && !query.statistic.has_quantiles() && !has_few_steps {
        return Ok(None);
    }
    let mut declared = vec![bounds.lower(), bounds.upper()];
    declared.extend(query.missing_number()?);
    let Ok(cells) = Cells::with_step(bounds, 1.0) else { return Ok(None) };
    let is_counted = match task.hides_participation() && !may_learn {
        false => true,
        true => cells.steps() <= add_remove::most_steps(query, &declared::budgets(task)?)?,
    };
    let fits = is_counted && declared.iter().all(|number| number.fract() == 0.0);
    Ok(fits.then(|| (Query { step: Some(1.0), ..query.clone() }, bounds)))
}
