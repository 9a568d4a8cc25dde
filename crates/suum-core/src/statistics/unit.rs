//! What errors are in.

/// In what an error or the length of an interval is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unit {
    /// As the values are.
    #[default]
    Value,
    /// In squares of them.
    Square,
    /// As a share of 1.
    Share,
    /// As a rank: a share of the records.
    Rank,
    /// In records.
    Records,
}
