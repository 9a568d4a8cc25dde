//! Interface of records that a private search reads.

use crate::{Epsilon, Key, LevelTable, Numbers, Result};

/// Records whose values have no bounds, and that can be counted repeatedly.
///
/// Numbers are ordered as keys: [`FloatOrder::key`](crate::FloatOrder::key) maps doubles to
/// integers in their order. Anything that can group by level and add up can implement it: records
/// in memory or in a file, a database, a cluster. The same records must give the same answers in
/// any order and split in any way.
pub trait Records {
    /// Returns the budget of every level, each once, in ascending order.
    fn budgets(&self) -> &[Epsilon];

    /// Returns the exact weight of the records whose key lies below the first of `cuts`, from each
    /// cut up to (not including) the next one, and from the last one on: one sum more than there
    /// are cuts.
    ///
    /// `cuts` are ascending keys, each once. `weights[j]` is the weight of a record of the level
    /// `budgets()[j]`, at most 2^51, so that 2^64 records cannot exceed 128 bits; records of weight
    /// zero may be skipped.
    ///
    /// # Errors
    ///
    /// If the records cannot be read again. Implementations may refuse cuts that are not in
    /// ascending order, and a number of weights other than that of levels.
    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>>;

    /// Returns the level table of all records, with the requested sums, and with values clamped to
    /// the bounds of the grid.
    ///
    /// # Errors
    ///
    /// If the records cannot be read again.
    fn table(&mut self, numbers: Numbers) -> Result<LevelTable>;
}
