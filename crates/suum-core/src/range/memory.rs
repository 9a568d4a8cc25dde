//! Records in memory.

use crate::{
    CellCounts, CellSums, Cells, Cohort, Epsilon, Error, ExactSum, Key, LevelTable, Measure,
    Numbers, Records, Result,
};

/// Values and budgets in memory, one of each per record; all rows of a person are alike.
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
    // The level of records, their value, and how many of them there are; by level and value.
    rows: Vec<(usize, f64, u64)>,
}

impl MemoryRecords {
    /// These records.
    ///
    /// # Errors
    ///
    /// Refuses missing values (NaN), naming the row.
    pub fn new(records: Vec<(Epsilon, f64)>) -> Result<Self> {
        Self::counted(records.into_iter().map(|(budget, value)| (budget, value, 1)).collect())
    }

    /// So many records of each budget and value.
    ///
    /// # Errors
    ///
    /// Refuses missing values (NaN), naming the row.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Epsilon, Key, MemoryRecords, Records};
    ///
    /// let mut records = MemoryRecords::counted(vec![(Epsilon::new(0.1)?, 3.0, 1000)])?;
    /// assert_eq!(records.weigh(Key::Value, &[], &[2])?, [2000]);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn counted(records: Vec<(Epsilon, f64, u64)>) -> Result<Self> {
        if let Some(row) = records.iter().position(|(_, value, _)| value.is_nan()) {
            return Err(Error::data(format!("the value in row {} is missing", row + 1))
                .with_hint("leave the record out, or give it a value"));
        }
        let mut budgets: Vec<Epsilon> = records.iter().map(|(budget, ..)| *budget).collect();
        budgets.sort_unstable();
        budgets.dedup();
        let level = |budget: &Epsilon| budgets.partition_point(|other| other < budget);
        let row = |(budget, value, count): &(Epsilon, f64, u64)| (level(budget), *value, *count);
        let mut rows: Vec<(usize, f64, u64)> = records.iter().map(row).collect();
        rows.sort_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
        Ok(Self { budgets, rows })
    }
}

impl Records for MemoryRecords {
    fn budgets(&self) -> &[Epsilon] {
        &self.budgets
    }

    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>> {
        let mut sums = vec![0u128; cuts.len() + 1];
        for (level, value, count) in &self.rows {
            let key = key.of(*value);
            let place = cuts.partition_point(|cut| *cut <= key);
            let weight = u128::from(weights.get(*level).copied().unwrap_or(0));
            sums[place] += weight * u128::from(*count);
        }
        Ok(sums)
    }

    fn table(&mut self, numbers: Numbers) -> Result<LevelTable> {
        let (grid, points) = (numbers.grid, i128::from(numbers.grid.points()));
        let mut levels: Vec<Level> = self.budgets.iter().map(|_| Level::default()).collect();
        for (level, value, count) in &self.rows {
            let level = &mut levels[*level];
            // A value is not NaN, so it has a place.
            let index = grid.index(*value).unwrap_or_default();
            let from_middle = 2 * i128::from(index) - points;
            let sum = i128::from(index) * i128::from(*count);
            let squares = from_middle * from_middle * i128::from(*count);
            level.count += count;
            level.sum += sum;
            level.squares += squares;
            if let Some(cells) = numbers.cells {
                let cell = cells.of_index(&grid, index);
                // Values ascend, so cells do.
                if level.cells.last().is_none_or(|(last, ..)| *last != cell) {
                    level.cells.push((cell, 0, CellSums::default()));
                }
                if let Some((_, counted, sums)) = level.cells.last_mut() {
                    *counted += count * u64::from(cells.rows());
                    sums.indices.merge(&ExactSum::from_raw(sum));
                    sums.squares.merge(&ExactSum::from_raw(squares));
                }
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
                    let cells = level.cells;
                    match numbers.cells.is_some_and(Cells::has_sums) {
                        true => CellCounts::with_sums(cells),
                        false => {
                            let counts = cells.into_iter().map(|(cell, count, _)| (cell, count));
                            CellCounts::from_raw(counts.collect())
                        }
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
    cells: Vec<(u32, u64, CellSums)>,
}

/// Redacted: values are private.
impl std::fmt::Debug for MemoryRecords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryRecords").finish_non_exhaustive()
    }
}
