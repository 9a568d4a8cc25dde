//! Level tables with values clamped to narrower bounds, computed from sums in cells.

use super::{LevelSums, LevelTable, Measure, Numbers};
use crate::{CellCounts, Error, ExactSum, Result};

impl LevelTable {
    /// Returns the table with grid indices clamped to a part of the grid: from the first index of
    /// cell `first` to the first one after cell `last`.
    ///
    /// # Errors
    ///
    /// If there are no sums in cells, which is a bug, and the errors of [`Grid::part`].
    pub(crate) fn clamped(&self, first: u32, last: u32) -> Result<Self> {
        let numbers = self.numbers().and_then(|numbers| Some((numbers.grid, numbers.cells?)));
        let Some((grid, cells)) = numbers.filter(|(_, cells)| cells.has_sums()) else {
            return Err(Error::internal("a table has no sums in cells"));
        };
        let (from, to) = (cells.first_index(&grid, first), cells.first_index(&grid, last + 1));
        let part = grid.part(from, to)?;
        let by_level = self.by_level.iter().map(|level_sums| LevelSums {
            label: level_sums.label.clone(),
            epsilon: level_sums.epsilon,
            count: level_sums.count,
            sums: clamped_sums(&level_sums.cells, (first, last), (from, to), grid.points()).into(),
            cells: CellCounts::default(),
        });
        let measure = Measure::Numbers(Numbers { grid: part, squares: true, cells: None });
        let (by_level, strata) = (by_level.collect(), self.strata.clone());
        Ok(Self { measure, by_level, strata, ..self.clone_empty() })
    }
}

/// Returns Σ g and Σ (2g − G′)² over grid indices counted from `from`. Indices in other cells are
/// clamped to the ends of the part, which has G′ = to − from steps of a grid of G.
fn clamped_sums(
    cells: &CellCounts,
    (first, last): (u32, u32),
    (from, to): (u64, u64),
    points: u64,
) -> [ExactSum; 2] {
    let [from, to, points] = [from, to, points].map(i128::from);
    let part = to - from;
    // With c = 2g − G, 2(g − from) − G′ = c + away.
    let away = points - from - to;
    let (mut sum, mut squares) = (0, 0);
    for (candidate, count, inside) in cells.entries() {
        let count = i128::from(count);
        if (first..=last).contains(&candidate) {
            let (indices, square) = (inside.indices.expose_raw(), inside.squares.expose_raw());
            sum += indices - count * from;
            squares += square + 2 * away * (2 * indices - count * points) + count * away * away;
        } else {
            sum += if candidate < first { 0 } else { count * part };
            squares += count * part * part;
        }
    }
    [sum, squares].map(ExactSum::from_raw)
}
