//! One line where something better exists.

use suum_core::{Cells, Estimate, Estimator, Procedure, Release, WeightedPlan};

use super::answer::has_ranks;
use crate::comparison;
use crate::figures::percent_at_least;

/// What else could be done about the interval, if there is anything.
pub(super) fn of(release: &Release) -> Option<String> {
    if release.range().is_some() {
        return None;
    }
    if meets_bound(release) {
        return Some(CHECK.to_owned());
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

/// What is done about bounds that may be wrong.
const CHECK: &str = "Bounds right? --check-bounds says how many values lie at each, or beyond.";

/// An interval is short if it is this part of the bounds.
const SHORT: f64 = 0.05;

/// Whether a short interval of a mean or a quantile reaches one of the bounds. At 0 many people
/// really are.
fn meets_bound(release: &Release) -> bool {
    let Some(bounds) = release.bounds().filter(|_| !release.counts_totals()) else { return false };
    let meets = |one: &Estimate| {
        let interval = one.interval.filter(|_| one.of.is_value());
        interval.is_some_and(|interval| {
            let is_short = interval.upper - interval.lower <= SHORT * bounds.width();
            let is_below = bounds.lower() != 0.0 && interval.lower <= bounds.lower();
            let is_above = bounds.upper() != 0.0 && interval.upper >= bounds.upper();
            is_short && (is_below || is_above)
        })
    };
    release.estimates.iter().any(meets)
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
