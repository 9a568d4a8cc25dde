//! Confidence intervals: how far noise and sampling together reach.

mod half_width;
mod tails;

use serde::Serialize;

use crate::number;

pub use half_width::half_width;
pub(crate) use half_width::{
    excess, excess_of_three, excess_of_two, half_width_of_three, half_width_of_two,
};
pub(crate) use tails::{normal_tail, scaled_erfc};

/// A two-sided confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// The stated probability of covering the estimand, in (0, 1).
    pub confidence: f64,
    /// The lower end, in units of the statistic.
    #[serde(serialize_with = "number::written")]
    #[cfg_attr(feature = "schema", schemars(with = "number::Number"))]
    pub lower: f64,
    /// The upper end, in units of the statistic.
    #[serde(serialize_with = "number::written")]
    #[cfg_attr(feature = "schema", schemars(with = "number::Number"))]
    pub upper: f64,
}

/// The part of all possible values from which on an interval says next to nothing.
const NEARLY_ALL: f64 = 0.9;

impl Interval {
    /// Whether the interval is nearly all of what the statistic can be at all, from `least` to
    /// `most`: 90 % of it or more. Then it says next to nothing.
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
