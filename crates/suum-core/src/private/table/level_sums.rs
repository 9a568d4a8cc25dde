//! One row of a level table.

use crate::{CellCounts, Epsilon, ExactSum, LevelName};

/// The records that share a tier (or a budget): one row of a level table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelSums {
    /// The name of the consent tier, where budgets came as labels.
    pub label: Option<String>,
    /// What each record of the level allows.
    pub epsilon: Epsilon,
    /// How many records there are; at least one.
    pub count: u64,
    /// The exact sums of their grid indices and of the squares, or how many are in each category;
    /// see [`Measure::sums`](crate::Measure::sums).
    pub sums: Vec<ExactSum>,
    /// How many of their rows are at each candidate of a quantile; empty where that was not asked
    /// for.
    pub cells: CellCounts,
}

impl LevelSums {
    /// What the level is called.
    pub fn name(&self) -> LevelName {
        let label = self.label.clone().map(LevelName::Label);
        label.unwrap_or(LevelName::Budget(self.epsilon))
    }

    /// Adds the records of a level of the same measure. Too many of them are refused with the
    /// table they are in.
    pub(super) fn merge(&mut self, other: &LevelSums) {
        self.count = self.count.saturating_add(other.count);
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, other)| sum.merge(other));
        self.cells = self.cells.merged(&other.cells);
    }
}
