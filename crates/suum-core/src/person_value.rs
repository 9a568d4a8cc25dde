//! What a person with many rows counts with.

use crate::Statistic;

/// What becomes of the rows of a person where values are numbers: one value, which is then clamped
/// to the bounds.
///
/// # Example
///
/// ```
/// use suum_core::{PersonValue, Statistic};
///
/// assert_eq!(PersonValue::of(Statistic::Sum), PersonValue::Total);
/// assert_eq!(PersonValue::of(Statistic::Mean), PersonValue::Mean);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PersonValue {
    /// The mean of their rows, each clamped to the bounds: bounds are those of a row.
    #[default]
    Mean,
    /// The total of their rows, as they are. It alone is clamped: bounds are those of a total.
    Total,
}

impl PersonValue {
    /// What persons count with in a statistic.
    pub fn of(statistic: Statistic) -> Self {
        match statistic {
            Statistic::Sum => Self::Total,
            Statistic::Mean | Statistic::Count | Statistic::Frequency => Self::Mean,
        }
    }
}
