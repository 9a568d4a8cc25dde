//! Value of a person with several rows.

/// Value that the rows of a person are combined into, if they are numbers. It is then clamped to
/// the bounds.
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
    /// Mean of the person's rows, each clamped to the bounds, which are those of a row.
    #[default]
    Mean,
    /// Total of the person's rows, unclamped. Only the total is clamped: the bounds are those of a
    /// total.
    Total,
}
