//! How many rows lie at each candidate of a quantile, and what they add up to, which cannot leak by
//! accident.

use std::fmt;

use crate::ExactSum;

/// How many rows lie at each candidate: private until a mechanism has chosen one.
///
/// Only candidates with rows are listed. Where it was asked for
/// ([`Cells::has_sums`](crate::Cells::has_sums)), each has the sums of their grid indices and
/// squares. As with [`ExactSum`] there is no `Serialize`, and `Debug` is redacted.
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
pub struct CellCounts {
    counts: Vec<(u32, u64)>,
    // One for each count; none where nothing was added up.
    sums: Vec<CellSums>,
}

/// What the records at one candidate add up to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CellSums {
    /// Σ g over the grid indices g.
    pub indices: ExactSum,
    /// Σ (2g − G)².
    pub squares: ExactSum,
}

impl CellSums {
    fn merge(&mut self, other: &Self) {
        self.indices.merge(&other.indices);
        self.squares.merge(&other.squares);
    }
}

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
        Self { counts, sums: Vec::new() }
    }

    /// Counts and sums by candidate, in any order; those of equal candidates are added up.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{CellCounts, CellSums, ExactSum};
    ///
    /// let sums = |index, square| CellSums {
    ///     indices: ExactSum::from_raw(index),
    ///     squares: ExactSum::from_raw(square),
    /// };
    /// let (two, three, four) = (sums(14, 98), sums(3, 9), sums(8, 64));
    /// let cells = CellCounts::with_sums(vec![(7, 2, two), (3, 1, three), (7, 1, four)]);
    /// assert_eq!(cells.expose_raw(), [(3, 1), (7, 3)]);
    /// assert_eq!(cells.expose_sums()[1], sums(22, 162));
    /// ```
    pub fn with_sums(mut cells: Vec<(u32, u64, CellSums)>) -> Self {
        cells.sort_unstable_by_key(|(candidate, ..)| *candidate);
        let mut all = Self::default();
        for (candidate, count, sums) in cells.into_iter().filter(|(_, count, _)| *count > 0) {
            match (all.counts.last_mut(), all.sums.last_mut()) {
                (Some((last, known)), Some(kept)) if *last == candidate => {
                    *known = known.saturating_add(count);
                    kept.merge(&sums);
                }
                _ => {
                    all.counts.push((candidate, count));
                    all.sums.push(sums);
                }
            }
        }
        all
    }

    /// The raw counts in ascending order of the candidate, for the documented export of level
    /// tables. Publishing them breaks every guarantee.
    pub fn expose_raw(&self) -> &[(u32, u64)] {
        &self.counts
    }

    /// The raw sums, one for each of the [counts](Self::expose_raw); none where nothing was added
    /// up. Publishing them breaks every guarantee.
    pub fn expose_sums(&self) -> &[CellSums] {
        &self.sums
    }

    /// The number of rows; `None` if it exceeds 2^64.
    pub(crate) fn total(&self) -> Option<u64> {
        self.counts.iter().try_fold(0u64, |total, (_, count)| total.checked_add(*count))
    }

    /// Those of both.
    pub(crate) fn merged(&self, other: &Self) -> Self {
        if self.sums.is_empty() && other.sums.is_empty() {
            return Self::from_raw([&self.counts[..], &other.counts[..]].concat());
        }
        Self::with_sums(self.entries().chain(other.entries()).collect())
    }

    fn entries(&self) -> impl Iterator<Item = (u32, u64, CellSums)> {
        let cells = self.counts.iter().zip(&self.sums);
        cells.map(|((candidate, count), sums)| (*candidate, *count, sums.clone()))
    }
}

impl fmt::Debug for CellCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CellCounts(redacted)")
    }
}
