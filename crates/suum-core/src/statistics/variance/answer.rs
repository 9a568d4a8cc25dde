//! Published form of a variance, for all relations.

use crate::answer::border::halved;
use crate::{Bounds, Estimate, Interval, Quantity};

/// Estimate and the ends of its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ends {
    pub(crate) estimate: f64,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

/// Returns the estimates of the variance, the standard deviation and the mean. The variance is
/// given as a share of the largest one, the mean in units of the data.
pub(crate) fn estimates(
    bounds: Bounds,
    confidence: f64,
    variance: Ends,
    mean: Ends,
) -> Vec<Estimate> {
    let half = bounds.width() / 2.0;
    let of = |of, ends: Ends, unit: fn(f64) -> f64| Estimate {
        of,
        estimate: unit(ends.estimate),
        interval: Some(Interval { confidence, lower: unit(ends.lower), upper: unit(ends.upper) }),
        sensitivity: None,
    };
    let squared = half * half;
    let Ends { estimate, lower, upper } = variance;
    let variance =
        Ends { estimate: estimate * squared, lower: lower * squared, upper: upper * squared };
    vec![
        of(Quantity::Variance, variance, |variance| variance),
        of(Quantity::Deviation, variance, f64::sqrt),
        of(Quantity::Mean, mean, |mean| mean),
    ]
}

/// Returns the published estimate, and the least and the largest variance from 0 to 1 that agree
/// with it: those with a nonnegative `height`. If there is none, the range is 0 to 1.
pub(crate) fn agreeing(estimate: f64, height: impl Fn(f64) -> f64) -> Ends {
    // The steps are dense near zero, where most variances are.
    const STEPS: u32 = 400;
    let at = |step: u32| (f64::from(step) / f64::from(STEPS)).powi(3);
    let agrees = |step: &u32| height(at(*step)) >= 0.0;
    let border = |outside: f64, inside: f64| {
        halved((outside, height(outside)), (inside, height(inside)), &height)
    };
    let (lower, upper) = match ((0..=STEPS).find(agrees), (0..=STEPS).rev().find(agrees)) {
        (Some(first), Some(last)) => (
            if first == 0 { 0.0 } else { border(at(first - 1), at(first)) },
            if last == STEPS { 1.0 } else { border(at(last + 1), at(last)) },
        ),
        // The estimate lies between two steps.
        _ if (0.0..=1.0).contains(&estimate) && height(estimate) >= 0.0 => {
            (border(0.0, estimate), border(1.0, estimate))
        }
        // The noise exceeded its range at this confidence: no variance agrees, and none is ruled
        // out.
        _ => (0.0, 1.0),
    };
    let estimate = estimate.clamp(0.0, 1.0);
    Ends { estimate, lower: lower.min(estimate), upper: upper.max(estimate) }
}
