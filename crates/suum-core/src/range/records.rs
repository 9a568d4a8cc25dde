//! Records in memory.

use crate::{
    CellCounts, Cohort, Epsilon, Error, ExactSum, Grid, Key, LevelTable, Measure, Places, Result,
};

/// Values and budgets in memory, one of each per record.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, Key, Lattice, Places, Records};
///
/// let (strict, relaxed) = (Epsilon::new(0.1)?, Epsilon::new(1.0)?);
/// let mut records = Records::new(vec![(strict, 3.0), (relaxed, 5.0), (relaxed, 8.0)])?;
/// let cuts = [Lattice::key(4.0), Lattice::key(6.0)];
/// assert_eq!(records.weigh(Key::Value, &cuts, &[1, 10])?, [1, 10, 10]);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub struct Records {
    budgets: Vec<Epsilon>,
    // The level of each record, and its value.
    rows: Vec<(usize, f64)>,
}

impl Records {
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

impl Places for Records {
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

    fn table(&mut self, grid: Grid) -> Result<LevelTable> {
        let mut levels = vec![(0u64, 0i128); self.budgets.len()];
        for (level, value) in &self.rows {
            let (count, sum) = &mut levels[*level];
            *count += 1;
            // A value is not NaN, so it has a place.
            *sum += i128::from(grid.index(*value).unwrap_or_default());
        }
        let cohorts = self.budgets.iter().zip(levels).map(|(budget, (count, sum))| Cohort {
            label: None,
            epsilon: *budget,
            count,
            sums: vec![ExactSum::from_raw(sum)],
            cells: CellCounts::default(),
        });
        LevelTable::possibly_empty(None, Measure::Numbers(grid.into()), cohorts.collect())
    }
}

/// Redacted: values are private.
impl std::fmt::Debug for Records {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Records").finish_non_exhaustive()
    }
}
