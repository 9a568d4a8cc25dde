//! Rows of a level table.

use crate::{CellCounts, Epsilon, ExactSum, LevelName};

/// Row of a level table: the records that share a tier or a budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelSums {
    /// Name of the consent tier, if budgets came as labels.
    pub label: Option<String>,
    /// Budget of each record of the level.
    pub epsilon: Epsilon,
    /// Number of records; at least one.
    pub count: u64,
    /// Exact sums of their grid indices and of the squares, or their number in each category; see
    /// [`Measure::sums`](crate::Measure::sums).
    pub sums: Vec<ExactSum>,
    /// Number of their rows at each candidate of a quantile; empty if these were not counted.
    pub cells: CellCounts,
}

impl LevelSums {
    /// Returns the name of the level.
    pub fn name(&self) -> LevelName {
        let label = self.label.clone().map(LevelName::Label);
        label.unwrap_or(LevelName::Budget(self.epsilon))
    }

    /// Adds the records of another level with the same measure. If there are too many, checking the
    /// table refuses them.
    pub(super) fn merge(&mut self, other: &LevelSums) {
        self.count = self.count.saturating_add(other.count);
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, other)| sum.merge(other));
        self.cells = self.cells.merged(&other.cells);
    }
}
