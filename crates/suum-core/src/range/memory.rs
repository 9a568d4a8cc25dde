//! Records in memory.

use std::collections::BTreeMap;

use crate::{
    CellCounts, CellSums, Cells, Cohort, Epsilon, Error, ExactSum, Key, LevelTable, Measure,
    Numbers, Records, Result,
};

/// Values and budgets in memory, one of each per record.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, Key, Lattice, MemoryRecords, Records};
///
/// let (strict, relaxed) = (Epsilon::new(0.1)?, Epsilon::new(1.0)?);
/// let mut records = MemoryRecords::new(vec![(strict, 3.0), (relaxed, 5.0), (relaxed, 8.0)])?;
/// let cuts = [Lattice::key(4.0), Lattice::key(6.0)];
/// assert_eq!(records.weigh(Key::Value, &cuts, &[1, 10])?, [1, 10, 10]);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub struct MemoryRecords {
    budgets: Vec<Epsilon>,
    // The level of each record, and its value.
    rows: Vec<(usize, f64)>,
}

impl MemoryRecords {
    /// These records.
    ///
    /// # Errors
    ///
    /// Refuses missing values (NaN), naming the row.
    pub fn new(records: Vec<(Epsilon, f64)>) -> Result<Self> {
        if let Some(row) = records.iter().position(|(_, value)| value.is_nan()) {
            return Err(Error::data(format!("the value in row {} is missing", row + 1))
                .with_hint("leave the record out, or give it a value"));
        }
        let mut budgets: Vec<Epsilon> = records.iter().map(|(budget, _)| *budget).collect();
        budgets.sort_unstable();
        budgets.dedup();
        let level = |budget: &Epsilon| budgets.partition_point(|other| other < budget);
        let rows = records.iter().map(|(budget, value)| (level(budget), *value)).collect();
        Ok(Self { budgets, rows })
    }
}

impl Records for MemoryRecords {
    fn budgets(&self) -> &[Epsilon] {
        &self.budgets
    }

    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>> {
        let mut sums = vec![0u128; cuts.len() + 1];
        for (level, value) in &self.rows {
            let key = key.of(*value);
            let place = cuts.partition_point(|cut| *cut <= key);
            sums[place] += u128::from(weights.get(*level).copied().unwrap_or(0));
        }
        Ok(sums)
    }

    fn table(&mut self, numbers: Numbers) -> Result<LevelTable> {
        let (grid, points) = (numbers.grid, i128::from(numbers.grid.points()));
        let mut levels: Vec<Level> = self.budgets.iter().map(|_| Level::default()).collect();
        for (level, value) in &self.rows {
            let level = &mut levels[*level];
            // A value is not NaN, so it has a place.
            let index = grid.index(*value).unwrap_or_default();
            let from_middle = 2 * i128::from(index) - points;
            level.count += 1;
            level.sum += i128::from(index);
            level.squares += from_middle * from_middle;
            if let Some(cells) = numbers.cells {
                let (count, sums) = level.cells.entry(cells.of_index(&grid, index)).or_default();
                *count += 1;
                sums.indices.add(index);
                sums.squares.merge(&ExactSum::from_raw(from_middle * from_middle));
            }
        }
        let cohorts = self.budgets.iter().zip(levels).map(|(budget, level)| {
            let squares = numbers.squares.then(|| ExactSum::from_raw(level.squares));
            Cohort {
                label: None,
                epsilon: *budget,
                count: level.count,
                sums: [ExactSum::from_raw(level.sum)].into_iter().chain(squares).collect(),
                cells: {
                    let cells = level.cells.into_iter();
                    let cells = cells.map(|(cell, (count, sums))| (cell, count, sums));
                    match numbers.cells.is_some_and(Cells::has_sums) {
                        true => CellCounts::with_sums(cells.collect()),
                        false => CellCounts::from_raw(cells.map(|(c, n, _)| (c, n)).collect()),
                    }
                },
            }
        });
        LevelTable::possibly_empty(None, Measure::Numbers(numbers), cohorts.collect())
    }
}

/// What is added up of a level.
#[derive(Default)]
struct Level {
    count: u64,
    sum: i128,
    squares: i128,
    cells: BTreeMap<u32, (u64, CellSums)>,
}

/// Redacted: values are private.
impl std::fmt::Debug for MemoryRecords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryRecords").finish_non_exhaustive()
    }
}
