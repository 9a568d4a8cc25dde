//! Level table of kept records, once there is a grid.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use suum_core::{LevelTable, Measure, Numbers, Result};

use super::RecordBuffer;
use super::weigh::share;
use crate::count::counters::{Contribution, Counters};

impl RecordBuffer {
    /// Builds the table of these numbers: values are clamped to the bounds of the grid.
    ///
    /// For records it equals that of a [`scan`](crate::scan) of the same data; for groups if all
    /// groups together have no more distinct budgets than a table can have. A person counts with
    /// the mean of their rows, and at candidates with rows by rank, which are clamped afterwards
    /// and not, as in a scan, before. Totals are clamped after they were added up in either.
    ///
    /// # Errors
    ///
    /// Fails like [`check`](Self::check), and if a temporary file cannot be read.
    pub fn table(&self, numbers: Numbers) -> Result<LevelTable> {
        self.check(&numbers)?;
        let (grid, measure) = (numbers.grid, Measure::Numbers(numbers));
        let counters = |levels| {
            let mut counters = Counters::new(&measure, self.pairs);
            counters.grow(levels);
            counters
        };
        // Counters of candidates are large: one for each thread.
        let chunks = match numbers.cells {
            Some(_) => self.chunks.len().div_ceil(rayon::current_num_threads()).max(1),
            None => share(self.chunks.len()),
        };
        let positions: Vec<usize> = (0..self.levels.positions()).collect();
        // A value is not NaN, so it has a place.
        let index = |value: &f64| grid.index(*value).unwrap_or_default();
        let by_position = self
            .chunks
            .par_iter()
            .with_min_len(chunks)
            .try_fold(
                || counters(positions.len()),
                |mut counters, chunk| {
                    self.store.with_records(chunk, |records| {
                        let counted = numbers.cells.is_some_and(|cells| !cells.has_sums());
                        let mut indices = Vec::new();
                        for (position, values, ranked) in records.runs() {
                            indices.clear();
                            indices.extend(values.iter().map(index));
                            if ranked.is_empty() || !counted {
                                counters.add_run(position, &indices);
                                continue;
                            }
                            let ranked: Vec<u64> = ranked.iter().map(index).collect();
                            let ranked = ranked.chunks(self.store.ranked);
                            for (index, rows) in indices.iter().zip(ranked) {
                                let one = Contribution::One { index: *index, rows };
                                counters.add_person(position, one);
                            }
                        }
                    })?;
                    Ok(counters)
                },
            )
            .try_reduce(
                || counters(positions.len()),
                |mut counters, other| {
                    counters.merge(other, &positions);
                    Ok(counters)
                },
            )?;
        let mut rows = counters(self.levels.rows().count());
        // Other groups can have levels where this one has none.
        if rows.levels() > 0 {
            rows.merge(by_position, &self.levels.row_of_positions());
        }
        let measure = rows.effective_measure(measure);
        let by_level = rows.into_level_sums(self.levels.rows());
        // A buffer without records would not have been made where their number is public.
        let table = LevelTable::possibly_empty(Some(self.column.clone()), measure, by_level)?;
        let table = table.with_missing(self.missing.clone());
        Ok(match &self.person {
            Some(person) => table.with_person(person.clone(), self.person_value),
            None => table,
        })
    }
}
