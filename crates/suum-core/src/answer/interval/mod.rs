//! Confidence intervals, which combine noise and sampling error.

mod biased;
mod half_width;
mod tails;

use serde::Serialize;

use crate::number;

pub(crate) use biased::{Biases, reach_with_bias};
pub use half_width::half_width;
pub(crate) use half_width::{
    excess, excess_of_three, excess_of_two, half_width_of_three, half_width_of_two,
};
pub(crate) use tails::{normal_tail, scaled_erfc, tail as one_tail};

/// Two-sided confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Stated probability of covering the estimand, in (0, 1).
    pub confidence: f64,
    /// Lower end, in units of the statistic.
    #[serde(serialize_with = "number::written")]
    #[cfg_attr(feature = "schema", schemars(with = "number::Number"))]
    pub lower: f64,
    /// Upper end, in units of the statistic.
    #[serde(serialize_with = "number::written")]
    #[cfg_attr(feature = "schema", schemars(with = "number::Number"))]
    pub upper: f64,
}

/// Returns the ends at the distances `below` and `above` an estimate, limited to the possible
/// values from `lowest` to `highest`.
///
/// If noise has carried the estimate outside the possible values, the interval keeps half the reach
/// of the noise, so that large noise does not reduce it to a point. Widening keeps the coverage.
pub(crate) fn possible_ends(
    estimate: f64,
    [below, above]: [f64; 2],
    (lowest, highest): (f64, f64),
) -> (f64, f64) {
    let middle = estimate.max(lowest - above / 2.0).min(highest + below / 2.0);
    let inside = |end: f64| end.max(lowest).min(highest);
    (inside(middle - below), inside(middle + above))
}

/// Share of the possible values from which on an interval is uninformative.
const NEARLY_ALL: f64 = 0.9;

impl Interval {
    /// Returns true if the interval covers 90 % or more of the possible values of the statistic,
    /// from `least` to `most`. Then it is uninformative.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Interval;
    ///
    /// let interval = Interval { confidence: 0.95, lower: 0.0, upper: 9.5 };
    /// assert!(interval.is_nearly_all_of(0.0, 10.0));
    /// assert!(!interval.is_nearly_all_of(0.0, 77.0));
    /// ```
    pub fn is_nearly_all_of(&self, least: f64, most: f64) -> bool {
        let known = self.upper - self.lower;
        known.is_nan() || known >= NEARLY_ALL * (most - least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_half_of_what_noise_reaches_among_possible_values() {
        let share = |estimate| possible_ends(estimate, [0.25, 0.5], (0.0, 1.0));
        assert_eq!(share(0.375), (0.125, 0.875));
        assert_eq!(share(-7.0), (0.0, 0.25));
        assert_eq!(share(7.0), (0.875, 1.0));
        let count = |estimate| possible_ends(estimate, [3.0, 3.0], (0.0, f64::INFINITY));
        assert_eq!((count(-100.0), count(10.0)), ((0.0, 1.5), (7.0, 13.0)));
        let everything = possible_ends(0.0, [f64::INFINITY; 2], (0.0, f64::INFINITY));
        assert_eq!(everything, (0.0, f64::INFINITY));
    }
}
