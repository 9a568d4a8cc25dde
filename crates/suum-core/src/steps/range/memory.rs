//! Records in memory.

use crate::{
    CellCounts, CellSums, Cells, Epsilon, Error, ExactSum, Key, LevelSums, LevelTable, Measure,
    Numbers, Records, Result,
};

/// Values and budgets in memory, one of each per record. Where a record counts as several rows, all
/// have its value.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, Key, FloatOrder, MemoryRecords, Records};
///
/// let (strict, relaxed) = (Epsilon::new(0.1)?, Epsilon::new(1.0)?);
/// let mut records = MemoryRecords::new(vec![(strict, 3.0), (relaxed, 5.0), (relaxed, 8.0)])?;
/// let cuts = [FloatOrder::key(4.0), FloatOrder::key(6.0)];
/// assert_eq!(records.weigh(Key::Value, &cuts, &[1, 10])?, [1, 10, 10]);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Clone)]
pub struct MemoryRecords {
    budgets: Vec<Epsilon>,
    // Level, value and number of records with both, in the order of values.
    rows: Vec<(usize, f64, u64)>,
    // Weights of the last call: a search repeats the same weights many times.
    weighed: RunningWeights,
}

/// Total weight of all rows before each row, and of all rows at the end, for these weights of
/// levels.
#[derive(Clone)]
struct RunningWeights {
    weights: Vec<u64>,
    before: Vec<u128>,
}

impl MemoryRecords {
    /// Returns these records.
    ///
    /// # Errors
    ///
    /// Refuses missing values (NaN), naming the row.
    pub fn new(records: Vec<(Epsilon, f64)>) -> Result<Self> {
        Self::from_counts(records.into_iter().map(|(budget, value)| (budget, value, 1)).collect())
    }

    /// Returns records given by their number for each budget and value.
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
    /// let mut records = MemoryRecords::from_counts(vec![(Epsilon::new(0.1)?, 3.0, 1000)])?;
    /// assert_eq!(records.weigh(Key::Value, &[], &[2])?, [2000]);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn from_counts(records: Vec<(Epsilon, f64, u64)>) -> Result<Self> {
        if let Some(row) = records.iter().position(|(_, value, _)| value.is_nan()) {
            return Err(Error::data((), format!("the value in row {} is missing", row + 1))
                .with_fix("leave the record out, or give it a value"));
        }
        let mut budgets: Vec<Epsilon> = records.iter().map(|(budget, ..)| *budget).collect();
        budgets.sort_unstable();
        budgets.dedup();
        let level = |budget: &Epsilon| budgets.partition_point(|other| other < budget);
        let row = |(budget, value, count): &(Epsilon, f64, u64)| (level(budget), *value, *count);
        let mut rows: Vec<(usize, f64, u64)> = records.iter().map(row).collect();
        rows.sort_unstable_by(|one, other| one.1.total_cmp(&other.1).then(one.0.cmp(&other.0)));
        let weighed = RunningWeights { weights: Vec::new(), before: vec![0; rows.len() + 1] };
        Ok(Self { budgets, rows, weighed })
    }

    /// Weighs all rows, unless the last call had the same weights.
    fn use_weights(&mut self, weights: &[u64]) {
        if self.weighed.weights == weights {
            return;
        }
        self.weighed.weights = weights.to_vec();
        self.weighed.before.clear();
        let mut sum = 0u128;
        self.weighed.before.push(sum);
        for (level, _, count) in &self.rows {
            let weight = u128::from(weights.get(*level).copied().unwrap_or(0));
            sum += weight * u128::from(*count);
            self.weighed.before.push(sum);
        }
    }

    /// Returns the weight of the rows whose key lies below `cut`.
    fn weight_below(&self, key: Key, cut: u64) -> u128 {
        let (rows, before) = (&self.rows, &self.weighed.before);
        let is_below = |(_, value, _): &(usize, f64, u64)| key.evaluate(*value) < cut;
        match key {
            Key::Value => before[rows.partition_point(is_below)],
            // Rounded subtraction keeps the order, so distances fall up to the centre and rise from
            // there.
            Key::Distance(centre) if centre.is_finite() => {
                let middle = rows.partition_point(|(_, value, _)| *value < centre);
                let first = rows[..middle].partition_point(|row| !is_below(row));
                before[middle + rows[middle..].partition_point(is_below)] - before[first]
            }
            Key::Distance(_) => {
                let all = rows.iter().zip(before.windows(2)).filter(|(row, _)| is_below(row));
                all.map(|(_, before)| before[1] - before[0]).sum()
            }
        }
    }
}

impl Records for MemoryRecords {
    fn budgets(&self) -> &[Epsilon] {
        &self.budgets
    }

    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>> {
        self.use_weights(weights);
        let mut sums = Vec::with_capacity(cuts.len() + 1);
        let mut last = 0;
        let below = cuts.iter().map(|cut| self.weight_below(key, *cut));
        for below in below.chain(self.weighed.before.last().copied()) {
            let sum = below.checked_sub(last);
            sums.push(sum.ok_or_else(|| Error::internal("records: cuts do not ascend"))?);
            last = below;
        }
        Ok(sums)
    }

    fn table(&mut self, numbers: Numbers) -> Result<LevelTable> {
        let (grid, points) = (numbers.grid, i128::from(numbers.grid.points()));
        let mut levels: Vec<Level> = self.budgets.iter().map(|_| Level::default()).collect();
        for (level, value, count) in &self.rows {
            let level = &mut levels[*level];
            // A value is not NaN, so it has an index.
            let index = grid.index(*value).unwrap_or_default();
            let from_middle = 2 * i128::from(index) - points;
            let sum = i128::from(index) * i128::from(*count);
            let squares = from_middle * from_middle * i128::from(*count);
            level.count += count;
            level.sum += sum;
            level.squares += squares;
            if let Some(cells) = numbers.cells {
                let cell = cells.nearest_candidate(&grid, index);
                // Values are ascending, so cells are, too.
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
        let by_level = self.budgets.iter().zip(levels).map(|(budget, level)| {
            let squares = numbers.squares.then(|| ExactSum::from_raw(level.squares));
            LevelSums {
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
        LevelTable::possibly_empty(None, Measure::Numbers(numbers), by_level.collect())
    }
}

/// Sums of a level.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::FloatOrder;

    fn values() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => (-8..8i32).prop_map(|value| f64::from(value) / 4.0),
            2 => -1e3..1e3_f64,
            1 => prop_oneof![Just(-0.0), Just(f64::INFINITY), Just(f64::NEG_INFINITY)],
        ]
    }

    proptest! {
        /// Weights agree with sums over single records, after any earlier questions.
        #[test]
        fn weights_are_those_of_a_sum_over_all_records(
            records in prop::collection::vec((0..4u32, values(), 1..5u64), 0..40),
            questions in prop::collection::vec(
                (
                    prop::option::of(values()),
                    prop::collection::btree_set(values().prop_map(FloatOrder::key), 0..6),
                    prop::array::uniform4(0..9u64),
                ),
                1..4,
            ),
        ) {
            let budget = |level: u32| Epsilon::new(f64::from(level) + 1.0).unwrap();
            let all = records.iter().map(|(level, value, n)| (budget(*level), *value, *n));
            let mut memory = MemoryRecords::from_counts(all.collect()).unwrap();
            for (centre, cuts, weights) in questions {
                let key = centre.map_or(Key::Value, Key::Distance);
                let cuts: Vec<u64> = cuts.into_iter().collect();
                let mut sums = vec![0; cuts.len() + 1];
                for (level, value, count) in &records {
                    let level = memory.budgets.iter().position(|one| *one == budget(*level));
                    let place = cuts.iter().filter(|cut| **cut <= key.evaluate(*value)).count();
                    sums[place] += u128::from(weights[level.unwrap()] * count);
                }
                prop_assert_eq!(memory.weigh(key, &cuts, &weights).unwrap(), sums);
            }
        }
    }

    #[test]
    fn cuts_that_do_not_ascend_are_refused() {
        let one = Epsilon::new(1.0).unwrap();
        let mut records = MemoryRecords::new(vec![(one, 3.0)]).unwrap();
        let cuts = [FloatOrder::key(4.0), FloatOrder::key(2.0)];
        assert!(records.weigh(Key::Value, &cuts, &[1]).is_err());
    }
}
