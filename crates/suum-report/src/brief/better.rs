//! One line where something better exists.

use suum_core::{Cells, Estimator, Procedure, Release, WeightedPlan};

use super::answer::has_ranks;
use crate::comparison;
use crate::figures::percent_at_least;

/// What else could be done about the interval, if there is anything.
pub(super) fn of(release: &Release) -> Option<String> {
    if release.range().is_some() {
        return None;
    }
    match &release.procedure {
        Procedure::Weighted(plan) => estimator(plan).or_else(|| noise(release)),
        Procedure::Quantiles(plan) if has_ranks(release) => (plan.request().cells().steps()
            == Cells::STEPS)
            .then(|| "Values in steps? With --step 1 answers are whole numbers.".to_owned()),
        Procedure::Variance(_) => noise(release),
        _ => None,
    }
}

/// Another estimator whose error is less in the worst case, by a twentieth or more.
pub(super) fn estimator(plan: &WeightedPlan) -> Option<String> {
    let chosen = plan.chosen();
    // It is better where values are as they mostly are.
    if chosen.estimator == Estimator::Typical {
        return None;
    }
    let best = comparison::best_first(plan)
        .into_iter()
        .find(|candidate| !candidate.estimator.is_for_study())?;
    let less = 1.0 - best.risk.rmse() / chosen.risk.rmse();
    (less >= 0.05).then(|| {
        format!(
            "Wide? --estimator {} has {} less error than {} in the worst case.",
            best.estimator,
            percent_at_least(less),
            chosen.estimator,
        )
    })
}

/// That most of the error is noise, and what lessens it.
fn noise(release: &Release) -> Option<String> {
    let error = release.error?;
    (error.noise_sd > 2.0 * error.sampling_sd).then(|| {
        "Wide? Mostly noise: more records, narrower bounds or larger ε help (suum plan).".to_owned()
    })
}
