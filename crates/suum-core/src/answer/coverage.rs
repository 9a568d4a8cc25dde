//! Confidence of each of several intervals that hold simultaneously.

use crate::answer::interval::half_width;

/// Confidence of single intervals, and the continuity correction that widens them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Coverage {
    /// Confidence of each interval.
    pub(crate) confidence: f64,
    /// Number of steps of the coarsest lattice of a sum that are added to each side.
    pub(crate) steps: f64,
}

impl Coverage {
    /// Returns the coverage of intervals of this many frequencies and sums of frequencies, which
    /// hold separately or, if `simultaneous`, together. `adds_up` is true if the noisy shares add
    /// up to 1.
    ///
    /// # Formula
    ///
    /// The probability that one of k intervals fails is at most k times that of a single one. Of
    /// two noisy shares that add up to 1, either both intervals hold or none does: so k is 1.
    ///
    /// At improbable distances a sampling error of rare and heavy records is not normal: by the
    /// expansion of Cornish and Fisher (1938) its quantile exceeds that of a normal variable, z
    /// standard deviations, by (z² − 1)/6 times E|X|³/E X², which is at most the largest weight.
    /// Half a step is added, as everywhere.
    pub(crate) fn new(
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
