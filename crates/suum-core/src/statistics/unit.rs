//! Units of errors.

/// Unit of an error, or of the length of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unit {
    /// Unit of the values.
    #[default]
    Value,
    /// Square of the unit of the values.
    Square,
    /// Share of 1.
    Share,
    /// Rank: a share of the records.
    Rank,
    /// Number of records.
    Records,
}
