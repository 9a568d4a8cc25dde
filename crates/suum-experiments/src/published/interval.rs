//! Distance of an estimate from the mean of the distribution, by inequalities that hold for all
//! distributions inside the bounds.

use suum::{Bounds, Interval};

/// Confidence of all intervals here.
pub(super) const CONFIDENCE: f64 = 0.95;

/// Components of an estimate's error, in units of the width of the bounds.
pub(super) struct Parts {
    /// Scale of the Laplace noise.
    pub(super) noise: f64,
    /// Σc² over the records, each of which adds an independent term between two numbers c apart.
    pub(super) squares: f64,
    /// Largest amount by which the estimate is too low besides.
    pub(super) bias: f64,
    /// Number of steps of the grid.
    pub(super) points: u64,
}

/// Interval inside the bounds around an estimate that is this share of their width.
///
/// The noise and the sum of the terms have half of the probability of a miss each: the noise by its
/// distribution, the terms by Hoeffding's inequality. Half a step of the grid is added for the
/// rounding of values.
pub(super) fn inside(bounds: Bounds, share: f64, parts: &Parts) -> Interval {
    let miss = (1.0 - CONFIDENCE) / 2.0;
    let noise = -parts.noise * libm::log(miss);
    let terms = libm::sqrt(libm::log(2.0 / miss) / 2.0 * parts.squares);
    let half_width = noise + terms + 0.5 / parts.points as f64;
    let end = |share: f64| bounds.clamp(bounds.lower() + bounds.width() * share);
    Interval {
        confidence: CONFIDENCE,
        lower: end(share - half_width),
        upper: end(share + half_width + parts.bias),
    }
}
