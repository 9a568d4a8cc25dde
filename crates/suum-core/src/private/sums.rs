//! Exact sums of grid indices, protected from accidental leaks.

use std::fmt;

use dashu_int::IBig;

/// Exact sum of the grid indices of a level: private until noise has been added.
///
/// The type has no `Serialize`, no `Display` and a redacted `Debug`, and a release consumes it.
/// Addition is exact in any order, so any sharding of the records gives the same sum.
///
/// # Example
///
/// ```
/// use suum_core::ExactSum;
///
/// let mut sum = ExactSum::default();
/// sum.add(3);
/// sum.merge(&ExactSum::from_raw(39));
/// assert_eq!(format!("{sum:?}"), "ExactSum(redacted)");
/// ```
///
/// It cannot be serialised, so it cannot end up in a report by mistake:
///
/// ```compile_fail
/// fn report(_: impl serde::Serialize) {}
/// report(suum_core::ExactSum::default());
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ExactSum(i128);

impl ExactSum {
    /// Returns a sum that was computed elsewhere.
    pub fn from_raw(sum: i128) -> Self {
        Self(sum)
    }

    /// Returns the raw sum, for the documented export of level tables. Publishing it breaks every
    /// guarantee.
    pub fn expose_raw(&self) -> i128 {
        self.0
    }

    /// Adds one grid index.
    #[inline]
    pub fn add(&mut self, index: u64) {
        self.0 += i128::from(index);
    }

    /// Adds another sum: 2^63 records of at most 2^50 each stay below 2^113.
    pub fn merge(&mut self, other: &ExactSum) {
        self.0 = self.0.saturating_add(other.0);
    }

    pub(crate) fn to_big(&self) -> IBig {
        IBig::from(self.0)
    }
}

impl fmt::Debug for ExactSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ExactSum(redacted)")
    }
}
