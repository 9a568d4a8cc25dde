//! Records of several strata, combined.

use crate::{Epsilon, Error, Key, LevelTable, Numbers, Records, Result};

/// Records in strata: searched as one, whatever their stratum, while their level table keeps the
/// strata apart.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Epsilon, Grid, Key, FloatOrder, MemoryRecords, Records, StrataRecords};
///
/// let one = Epsilon::new(1.0)?;
/// let stratum = |values: [f64; 2]| MemoryRecords::new(values.map(|value| (one, value)).to_vec());
/// let mut all = StrataRecords::new(vec![stratum([3.0, 5.0])?, stratum([4.0, 80.0])?]);
/// assert_eq!(all.weigh(Key::Value, &[FloatOrder::key(4.5)], &[10])?, [20, 20]);
/// let table = all.table(Grid::new(Bounds::new(0.0, 10.0)?).into())?;
/// assert_eq!(table.profile()?.records_of_strata(), [2, 2]);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct StrataRecords<R> {
    each: Vec<R>,
    budgets: Vec<Epsilon>,
}

impl<R: Records> StrataRecords<R> {
    /// Returns all records of these strata.
    pub fn new(each: Vec<R>) -> Self {
        let all = each.iter().flat_map(|stratum| stratum.budgets().iter().copied());
        let mut budgets: Vec<Epsilon> = all.collect();
        budgets.sort_unstable();
        budgets.dedup();
        Self { each, budgets }
    }
}

impl<R: Records> Records for StrataRecords<R> {
    fn budgets(&self) -> &[Epsilon] {
        &self.budgets
    }

    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>> {
        let mut all = vec![0u128; cuts.len() + 1];
        for stratum in &mut self.each {
            let weight = |budget: &Epsilon| {
                let at = self.budgets.binary_search(budget).ok();
                at.and_then(|at| weights.get(at))
                    .copied()
                    .ok_or_else(|| Error::internal("a level of a stratum has no weight"))
            };
            let theirs: Vec<u64> = stratum.budgets().iter().map(weight).collect::<Result<_>>()?;
            let seen = stratum.weigh(key, cuts, &theirs)?;
            all.iter_mut().zip(seen).for_each(|(all, seen)| *all += seen);
        }
        Ok(all)
    }

    fn table(&mut self, numbers: Numbers) -> Result<LevelTable> {
        let tables = self.each.iter_mut().map(|stratum| stratum.table(numbers));
        LevelTable::in_strata(tables.collect::<Result<_>>()?)
    }
}
