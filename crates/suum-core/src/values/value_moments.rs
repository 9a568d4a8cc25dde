//! Moments of values, against which simulated answers are judged.

/// Moments of values: their number, their mean, and their variance about it.
///
/// # Example
///
/// ```
/// use suum_core::{Quantity, ValueMoments};
///
/// let values = ValueMoments::compute(&[(1.0, 2), (4.0, 1)]);
/// assert_eq!((values.records, values.mean, values.variance), (3.0, 2.0, 2.0));
/// assert_eq!(Quantity::Sum.compute_from(&values), Some(6.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueMoments {
    /// Number of values.
    pub records: f64,
    /// Mean of the values.
    pub mean: f64,
    /// Mean of the squared distances from the mean.
    pub variance: f64,
}

impl ValueMoments {
    /// Returns the moments of these values, each with the number of records that have it.
    pub fn compute(values: &[(f64, u64)]) -> Self {
        let records: f64 = values.iter().map(|(_, count)| *count as f64).sum();
        let mean_of = |of: &dyn Fn(f64) -> f64| {
            values.iter().map(|(value, count)| of(*value) * *count as f64).sum::<f64>() / records
        };
        let mean = mean_of(&|value| value);
        let variance = mean_of(&|value| (value - mean) * (value - mean));
        Self { records, mean, variance }
    }
}
