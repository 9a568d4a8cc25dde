//! What is estimated.

use crate::{Categories, Cells, Rank, Split, Statistics};

/// What is estimated; of numbers all that is missing is their bounds.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// The mean.
    Mean,
    /// The sum.
    Sum,
    /// The number of records.
    Count,
    /// The share of every category.
    Frequency(Categories),
    /// Quantiles.
    Quantiles {
        /// The ranks of the quantiles.
        ranks: Vec<Rank>,
        /// The candidates over the bounds.
        cells: Cells,
    },
    /// The variance, and the mean that is measured with it.
    Variance,
    /// Several statistics, which share every budget.
    Summary {
        /// Which ones.
        statistics: Statistics,
        /// How they share the budgets.
        split: Split,
        /// The candidates of quantiles over the bounds.
        cells: Cells,
    },
}

impl Asked {
    /// The name of the statistic, as in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Sum => "sum",
            Self::Count => "count",
            Self::Frequency(_) => "frequency",
            Self::Quantiles { .. } => "quantile",
            Self::Variance => "variance",
            Self::Summary { .. } => "summary",
        }
    }

    /// Whether it is a mean or a sum.
    pub fn is_mean_or_sum(&self) -> bool {
        matches!(self, Self::Mean | Self::Sum)
    }

    /// Whether it is of numbers, which have bounds.
    pub fn is_of_numbers(&self) -> bool {
        !matches!(self, Self::Count | Self::Frequency(_))
    }
}
