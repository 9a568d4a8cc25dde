//! Records of several strata, combined.

use std::num::NonZero;

use crate::{Epsilon, Error, Key, LevelTable, MemberClasses, Numbers, Records, Result};

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
        let budgets = distinct(each.iter().flat_map(|stratum| stratum.budgets().iter().copied()));
        Self { each, budgets }
    }
}

impl<R: Records> Records for StrataRecords<R> {
    fn budgets(&self) -> &[Epsilon] {
        &self.budgets
    }

    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>> {
        let each = self.each.iter_mut().map(|stratum| (stratum, |budget| budget));
        weigh_all(each, &self.budgets, (key, cuts), weights)
    }

    fn table(&mut self, numbers: Numbers) -> Result<LevelTable> {
        let tables = self.each.iter_mut().map(|stratum| stratum.table(numbers));
        LevelTable::in_strata(tables.collect::<Result<_>>()?)
    }
}

/// Records of persons who are in several groups, in strata by the class of their number of groups.
/// In each group a person counts with a part of their budget.
#[derive(Debug, Clone)]
pub struct MemberRecords<R> {
    each: Vec<(NonZero<u32>, R)>,
    classes: MemberClasses,
    budgets: Vec<Epsilon>,
}

impl<R: Records> MemberRecords<R> {
    /// Returns the records of persons who are in these numbers of groups, with their whole budgets.
    pub fn new(each: Vec<(NonZero<u32>, R)>, classes: MemberClasses) -> Self {
        let part = |(groups, records): &(NonZero<u32>, R)| -> Vec<Epsilon> {
            records.budgets().iter().map(|budget| classes.part(*groups, *budget)).collect()
        };
        let budgets = distinct(each.iter().flat_map(part));
        Self { each, classes, budgets }
    }
}

impl<R: Records> Records for MemberRecords<R> {
    fn budgets(&self) -> &[Epsilon] {
        &self.budgets
    }

    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>> {
        let classes = &self.classes;
        let each = self.each.iter_mut().map(|(groups, records)| {
            let groups = *groups;
            (records, move |budget| classes.part(groups, budget))
        });
        weigh_all(each, &self.budgets, (key, cuts), weights)
    }

    fn table(&mut self, numbers: Numbers) -> Result<LevelTable> {
        let tables = self.each.iter_mut().map(|(groups, one)| Ok((*groups, one.table(numbers)?)));
        let members = LevelTable::from_members(tables.collect::<Result<_>>()?)?;
        Ok(members.in_classes(&self.classes)?.0)
    }
}

/// Returns each budget once, in ascending order.
fn distinct(budgets: impl Iterator<Item = Epsilon>) -> Vec<Epsilon> {
    let mut budgets: Vec<Epsilon> = budgets.collect();
    budgets.sort_unstable();
    budgets.dedup();
    budgets
}

/// Returns the weights of all these records between cuts. `weights` are those of `budgets`, and
/// each function returns the budget as which a level of its records counts.
fn weigh_all<'a, R: Records + 'a, P: Fn(Epsilon) -> Epsilon>(
    each: impl Iterator<Item = (&'a mut R, P)>,
    budgets: &[Epsilon],
    (key, cuts): (Key, &[u64]),
    weights: &[u64],
) -> Result<Vec<u128>> {
    let mut all = vec![0u128; cuts.len() + 1];
    for (records, counts_as) in each {
        let weight = |budget: &Epsilon| {
            let at = budgets.binary_search(&counts_as(*budget)).ok();
            at.and_then(|at| weights.get(at))
                .copied()
                .ok_or_else(|| Error::internal("a level of a stratum has no weight"))
        };
        let own: Vec<u64> = records.budgets().iter().map(weight).collect::<Result<_>>()?;
        let seen = records.weigh(key, cuts, &own)?;
        all.iter_mut().zip(seen).for_each(|(all, seen)| *all += seen);
    }
    Ok(all)
}
