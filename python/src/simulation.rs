//! Errors of many made-up releases.

use std::sync::Arc;

use pyo3::prelude::*;
use suum::simulation::{Data, Simulation};
use suum::{Error, Progress, Result, Target, WeightedPlan};

use crate::arguments::Arguments;
use crate::errors::raised;
use crate::watch::BackgroundTask;

/// Error of each of `trials` made-up releases by the requested plan.
///
/// `values` are in the order of the profile's levels; for frequencies they are the positions of
/// categories. The data depend on the target: for the population records are drawn from the values
/// anew, for the dataset the values are shuffled over the people, and if budgets may depend on
/// values they stay in place.
#[pyfunction]
pub(crate) fn simulate(
    py: Python<'_>,
    asked: Arguments,
    values: Vec<f64>,
    trials: usize,
    seed: u64,
    released: bool,
) -> PyResult<Vec<f64>> {
    let progress = Arc::new(Progress::default());
    let watched = Arc::clone(&progress);
    let work = move |_| {
        let plan = suum::planned(asked.0)?;
        if values.is_empty() {
            return Err(Error::parameter("values", "there are none")
                .with_fix("give at least one value to draw records from"));
        }
        errors(Simulation { trials, seed, released }, &plan, values, &watched)
    };
    let errors = BackgroundTask::begin(work).wait(py, &progress, None, None)?;
    errors.map_err(|refused| raised(py, &refused))
}

fn errors(
    simulation: Simulation,
    plan: &WeightedPlan,
    values: Vec<f64>,
    progress: &Progress,
) -> Result<Vec<f64>> {
    let target = plan.setting().target;
    let Some(categories) = plan.setting().categories else {
        let bounds = plan.setting().bounds;
        let mean =
            values.iter().map(|value| bounds.clamp(*value)).sum::<f64>() / values.len() as f64;
        let errors = simulation.mean_unless(plan, &data(target, values, vec![mean]), progress)?;
        return Ok(errors.all().iter().map(|error| error * plan.unit()).collect());
    };
    let values: Vec<usize> = values.into_iter().map(|value| value as usize).collect();
    let share = |category| {
        values.iter().filter(|value| **value == category).count() as f64 / values.len() as f64
    };
    let shares = (0..categories).map(share).collect();
    Ok(simulation.frequency_unless(plan, &data(target, values, shares), progress)?.all().to_vec())
}

/// Data with these values for a target; `truth` is that of their distribution.
fn data<T: Copy + Send + Sync + 'static>(
    target: Target,
    values: Vec<T>,
    truth: Vec<f64>,
) -> Data<T> {
    match target {
        Target::Population => {
            Data::independent(move |dice| values[dice.below(values.len())], truth)
        }
        Target::Dataset => Data::Permuted(values),
        Target::DatasetCorrelated => Data::Fixed(values),
    }
}
