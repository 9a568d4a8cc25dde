//! The level table of kept records, once there is a grid.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use suum_core::{Grid, LevelTable, Measure, Result};

use super::Spool;
use super::weigh::share;
use crate::counters::Counters;

impl Spool {
    /// The table that [`scan`](crate::scan) of the same data makes on this grid: values are clamped
    /// to its bounds.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be read.
    pub fn table(&self, grid: Grid) -> Result<LevelTable> {
        let measure = Measure::Numbers(grid.into());
        // Neither categories nor candidates are counted.
        let counters = |levels| {
            let mut counters = Counters::new(&measure, 0);
            counters.grow(levels);
            counters
        };
        let slots: Vec<usize> = (0..self.levels.slots()).collect();
        let by_slot = self
            .chunks
            .par_iter()
            .with_min_len(share(self.chunks.len()))
            .try_fold(
                || counters(slots.len()),
                |mut counters, chunk| {
                    self.shelf.with_rows(chunk, |rows| {
                        // A value is not NaN, so it has a place.
                        let indices =
                            rows.values.iter().map(|value| grid.index(*value).unwrap_or_default());
                        counters.add_all(&rows.slots, &indices.collect::<Vec<_>>());
                    })?;
                    Ok(counters)
                },
            )
            .try_reduce(
                || counters(slots.len()),
                |mut counters, other| {
                    counters.merge(other, &slots);
                    Ok(counters)
                },
            )?;
        let mut rows = counters(self.levels.rows().count());
        rows.merge(by_slot, &self.levels.row_of_slots());
        let cohorts = rows.into_cohorts(self.levels.rows());
        // A spool without records would not have been made where their number is public.
        let table = LevelTable::possibly_empty(Some(self.column.clone()), measure, cohorts)?;
        Ok(table.with_missing(self.missing.clone()))
    }
}
