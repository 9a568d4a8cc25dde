//! What was added up over the values of a column.

use crate::{Categories, Cells, Grid};

/// What was added up over a column of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Numbers {
    /// The grid on which values are integers.
    pub grid: Grid,
    /// Whether squares were added up: Σ(2g − G)² over the grid indices g, for a variance, or the
    /// spread beside a mean.
    pub squares: bool,
    /// The candidates at which rows were counted, for quantiles; or at which grid indices were
    /// added up as well, for a mean that learns where the values lie.
    pub cells: Option<Cells>,
}

/// Sums of grid indices alone.
impl From<Grid> for Numbers {
    fn from(grid: Grid) -> Self {
        Self { grid, squares: false, cells: None }
    }
}

/// What was added up over the values of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    /// Nothing: only budgets were read.
    Nothing,
    /// Grid indices, and what else can be added up over numbers.
    Numbers(Numbers),
    /// The records of each category.
    Categories(Categories),
}

impl Measure {
    /// How many sums a level has.
    pub fn sums(&self) -> usize {
        match self {
            Measure::Nothing => 0,
            Measure::Numbers(numbers) => 1 + usize::from(numbers.squares),
            Measure::Categories(categories) => categories.len(),
        }
    }
}
