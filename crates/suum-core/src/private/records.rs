//! The one question that a private search asks of the data.

use crate::{Epsilon, Key, LevelTable, Numbers, Result};

/// Records whose values have no bounds, and that can be counted again and again.
///
/// Numbers are ordered as keys: [`FloatOrder::key`](crate::FloatOrder::key) maps doubles to
/// integers in their order. Whoever can group by level and add up can answer: records in memory or
/// in a file, a database, a cluster. The same records must give the same answers in any order and
/// split in any way.
pub trait Records {
    /// The budget of every level, each once, in ascending order.
    fn budgets(&self) -> &[Epsilon];

    /// The exact weight of the records whose key lies below the first of `cuts`, from each cut up
    /// to (not including) the next one, and from the last one on: one sum more than there are cuts.
    ///
    /// `cuts` are ascending keys, each once. `weights[j]` is what a record of the level
    /// `budgets()[j]` weighs, at most 2^51, so that 2^64 records cannot exceed 128 bits; records
    /// that weigh nothing may be passed over.
    ///
    /// # Errors
    ///
    /// Where the records cannot be read any more, and may refuse cuts that do not ascend, and
    /// weights that are not as many as levels.
    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>>;

    /// The level table of all records, with their values clamped to the bounds of the grid, and all
    /// that is to be added up of them.
    ///
    /// # Errors
    ///
    /// Where the records cannot be read any more.
    fn table(&mut self, numbers: Numbers) -> Result<LevelTable>;
}
