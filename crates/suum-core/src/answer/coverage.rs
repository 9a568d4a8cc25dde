//! The confidence of each of several intervals, so that all of them have theirs.

use crate::answer::interval::half_width;

/// The confidence of single intervals, and how far apart values lie that the sampling error can
/// have, by which an interval is wider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Coverage {
    /// The confidence of each interval.
    pub(crate) confidence: f64,
    /// How many steps of the coarsest lattice of a sum are added to each side.
    pub(crate) steps: f64,
}

impl Coverage {
    /// Of intervals of so many frequencies and sums of some of them, which hold each alone, or all
    /// at once; `adds_up` says whether the noisy shares add up to 1.
    ///
    /// # Formula
    ///
    /// That one of k intervals fails has at most k times the probability that a single one has. Of
    /// two noisy shares that add up to 1 both intervals hold, or none: so k is 1.
    ///
    /// So far out a sampling error of rare and heavy records is not normal: by the expansion of
    /// Cornish and Fisher (1938) its quantile is larger than that of a normal variable, z standard
    /// deviations, by (z² − 1)/6 times E|X|³/E X², which is at most the largest weight. To this
    /// comes half a step, as everywhere.
    pub(crate) fn of(
        confidence: f64,
        simultaneous: bool,
        categories: usize,
        adds_up: bool,
    ) -> Self {
        let apart = if adds_up && categories == 2 { 1 } else { categories };
        if !simultaneous || apart <= 1 {
            return Self { confidence, steps: 0.5 };
        }
        let confidence = 1.0 - (1.0 - confidence) / apart as f64;
        let z = half_width(confidence, 0.0, 1.0);
        Self { confidence, steps: 0.5 + ((z * z - 1.0) / 6.0).max(0.0) }
    }
}
