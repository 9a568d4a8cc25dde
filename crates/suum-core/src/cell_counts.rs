//! How many rows lie at each candidate of a quantile, which cannot leak by accident.

use std::fmt;

/// How many rows lie at each candidate: private until a mechanism has chosen one.
///
/// Only candidates with rows are listed. As with [`ExactSum`](crate::ExactSum) there is no
/// `Serialize`, and `Debug` is redacted.
///
/// # Example
///
/// ```
/// use suum_core::CellCounts;
///
/// let counts = CellCounts::from_raw(vec![(7, 2), (3, 1), (7, 1)]);
/// assert_eq!(counts.expose_raw(), [(3, 1), (7, 3)]);
/// assert_eq!(format!("{counts:?}"), "CellCounts(redacted)");
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct CellCounts(Vec<(u32, u64)>);

impl CellCounts {
    /// Counts by candidate, in any order; those of equal candidates are added up.
    pub fn from_raw(mut counts: Vec<(u32, u64)>) -> Self {
        counts.sort_unstable();
        counts.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(later.1);
            }
            same
        });
        counts.retain(|(_, count)| *count > 0);
        Self(counts)
    }

    /// The raw counts in ascending order of the candidate, for the documented export of level
    /// tables. Publishing them breaks every guarantee.
    pub fn expose_raw(&self) -> &[(u32, u64)] {
        &self.0
    }

    /// The number of rows; `None` if it exceeds 2^64.
    pub(crate) fn total(&self) -> Option<u64> {
        self.0.iter().try_fold(0u64, |total, (_, count)| total.checked_add(*count))
    }
}

impl fmt::Debug for CellCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CellCounts(redacted)")
    }
}
