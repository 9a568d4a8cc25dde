//! What a person with many rows counts with.

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
