//! Measures: the sums and counts that were computed over a column.

use crate::{Categories, Cells, Grid};

/// Sums and counts over a column of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Numbers {
    /// Grid on which values are integers.
    pub grid: Grid,
    /// True if squares were added up: Σ(2g − G)² over the grid indices g, for a variance, or the
    /// spread that is measured along with a mean.
    pub squares: bool,
    /// Candidates at which rows were counted, for quantiles; or at which grid indices were added up
    /// as well, for a mean that learns where the values lie.
    pub cells: Option<Cells>,
}

/// Sums of grid indices only.
impl From<Grid> for Numbers {
    fn from(grid: Grid) -> Self {
        Self { grid, squares: false, cells: None }
    }
}

/// Sums or counts over the values of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    /// No sums: only budgets were read.
    Nothing,
    /// Sums of grid indices, with the optional sums and counts of numbers.
    Numbers(Numbers),
    /// Number of records in each category, in [steps](Categories::steps) of a record.
    Categories(Categories),
}

impl Measure {
    /// Returns the number of sums of a level.
    pub fn sums(&self) -> usize {
        match self {
            Measure::Nothing => 0,
            Measure::Numbers(numbers) => 1 + usize::from(numbers.squares),
            Measure::Categories(categories) => categories.len(),
        }
    }
}
