//! What is estimated where participation is hidden, with what must be declared for it.

use crate::{Bounds, Categories, Cells, Rank, Statistics};

/// What is estimated, with what must be declared for it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Asked {
    Mean(Bounds),
    Sum(Bounds),
    Count,
    Frequency(Categories),
    Quantiles { bounds: Bounds, cells: Cells, ranks: Vec<Rank> },
    Variance(Bounds),
    Several(Several),
}

/// Several statistics of values inside `bounds`, quantiles among candidates `cells`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Several {
    pub(super) bounds: Bounds,
    pub(super) cells: Option<Cells>,
    pub(super) statistics: Statistics,
}

impl Asked {
    /// The name of the statistic, as in JSON.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Asked::Mean(_) => "mean",
            Asked::Sum(_) => "sum",
            Asked::Count => "count",
            Asked::Frequency(_) => "frequency",
            Asked::Quantiles { .. } => "quantile",
            Asked::Variance(_) => "variance",
            Asked::Several(_) => "summary",
        }
    }

    /// The options that it has use for, of those that not every statistic has.
    pub(super) fn uses(&self) -> &'static [&'static str] {
        match self {
            Asked::Mean(_) | Asked::Sum(_) => &["variance"],
            Asked::Frequency(_) => &["simultaneous"],
            Asked::Quantiles { .. } => &["simultaneous", "interval-share", "step", "method"],
            Asked::Several(_) => &["interval-share", "step"],
            Asked::Count | Asked::Variance(_) => &[],
        }
    }
}
