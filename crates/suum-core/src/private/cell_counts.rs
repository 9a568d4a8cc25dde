//! Counts of rows at each candidate of a quantile, and sums there, protected from accidental leaks.

use std::fmt;

use crate::{CellBlocks, Cells, ExactSum, Grid};

/// Number of rows at each candidate: private until a mechanism has chosen one.
///
/// Only candidates with rows are listed. On request ([`Cells::has_sums`](crate::Cells::has_sums))
/// each has the sums of grid indices and squares of its rows. As for [`ExactSum`] there is no
/// `Serialize`, and `Debug` is redacted.
///
/// A level of few rows stores them one by one, to save memory. That is not visible from outside.
///
/// # Example
///
/// ```
/// use suum_core::CellCounts;
///
/// let counts = CellCounts::from_raw(vec![(7, 2), (3, 1), (7, 1)]);
/// assert!(counts.expose_raw().eq([(3, 1), (7, 3)]));
/// assert_eq!(counts, CellCounts::from_rows(vec![7, 3, 7, 7]));
/// assert_eq!(format!("{counts:?}"), "CellCounts(redacted)");
/// ```
#[derive(Clone)]
pub struct CellCounts(Form);

/// Storage of the counts. All lists are in ascending order.
#[derive(Clone)]
enum Form {
    // Counts by candidate, and the sums at each of these candidates; no sums if none were added up.
    Counted(Vec<(u32, u64)>, Vec<CellSums>),
    // Candidate of each row.
    Rows(Vec<u32>),
    // Grid index of each record, and the cells at whose candidates they are added up. With blocks
    // the sums of a block are at its first cell.
    Records(Vec<u32>, Box<(Grid, Cells, Option<CellBlocks>)>),
}

/// Sums over the records at one candidate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CellSums {
    /// Σ g over the grid indices g.
    pub indices: ExactSum,
    /// Σ (2g − G)² over the grid indices g.
    pub squares: ExactSum,
}

impl CellSums {
    fn merge(&mut self, other: &Self) {
        self.indices.merge(&other.indices);
        self.squares.merge(&other.squares);
    }

    /// Returns the sums over records with these grid indices.
    fn from_indices(indices: &[u32], points: u64) -> Self {
        let (mut sum, mut squares) = (0i128, 0i128);
        for index in indices {
            // At most 2^50, because the grid has at most as many steps.
            let centred = 2 * i128::from(*index) - i128::from(points);
            sum += i128::from(*index);
            squares = squares.saturating_add(centred * centred);
        }
        let [indices, squares] = [sum, squares].map(ExactSum::from_raw);
        Self { indices, squares }
    }
}

impl CellCounts {
    /// Returns counts by candidate, given in any order; those of equal candidates are added up.
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
        Self(Form::Counted(counts, Vec::new()))
    }

    /// Returns counts and sums by candidate, given in any order; those of equal candidates are
    /// added up.
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
    /// assert!(cells.expose_raw().eq([(3, 1), (7, 3)]));
    /// assert_eq!(cells.expose_sums().last(), Some(sums(22, 162)));
    /// ```
    pub fn with_sums(mut cells: Vec<(u32, u64, CellSums)>) -> Self {
        cells.sort_unstable_by_key(|(candidate, ..)| *candidate);
        let mut counts: Vec<(u32, u64)> = Vec::with_capacity(cells.len());
        let mut all: Vec<CellSums> = Vec::with_capacity(cells.len());
        for (candidate, count, sums) in cells.into_iter().filter(|(_, count, _)| *count > 0) {
            match (counts.last_mut(), all.last_mut()) {
                (Some((last, known)), Some(kept)) if *last == candidate => {
                    *known = known.saturating_add(count);
                    kept.merge(&sums);
                }
                _ => {
                    counts.push((candidate, count));
                    all.push(sums);
                }
            }
        }
        Self(Form::Counted(counts, all))
    }

    /// Returns the counts of rows at these candidates, in any order.
    pub fn from_rows(mut candidates: Vec<u32>) -> Self {
        candidates.sort_unstable();
        Self(Form::Rows(candidates))
    }

    /// Returns the counts of records with these grid indices, in any order, added up at the nearest
    /// candidates.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, CellCounts, Cells, Grid};
    ///
    /// let grid = Grid::with_points(Bounds::UNIT, 1 << 20)?;
    /// let records = CellCounts::from_records(vec![1 << 20, 3, 1], &grid, Cells::for_sums());
    /// assert!(records.expose_raw().eq([(0, 2), (8192, 1)]));
    /// let sums = records.expose_sums().map(|sums| sums.indices.expose_raw());
    /// assert!(sums.eq([4, 1 << 20]));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn from_records(mut indices: Vec<u32>, grid: &Grid, cells: Cells) -> Self {
        indices.sort_unstable();
        Self(Form::Records(indices, Box::new((*grid, cells, None))))
    }

    /// Returns the counts with the sums of each block of cells combined at its first cell.
    #[must_use]
    pub(crate) fn in_blocks(mut self, blocks: CellBlocks) -> Self {
        match &mut self.0 {
            Form::Records(_, place) => place.2 = Some(blocks),
            Form::Counted(counts, sums) if !sums.is_empty() => {
                let counts = std::mem::take(counts).into_iter();
                let cells = counts.zip(std::mem::take(sums));
                let cells = cells.map(|((cell, count), sums)| (blocks.first(cell), count, sums));
                self = Self::with_sums(cells.collect());
            }
            Form::Counted(..) | Form::Rows(_) => {}
        }
        self
    }

    /// Returns the raw counts in ascending order of the candidate, for the documented export of
    /// level tables. Publishing them breaks every guarantee.
    pub fn expose_raw(&self) -> impl Iterator<Item = (u32, u64)> {
        let (counts, rows): (&[_], &[_]) = match &self.0 {
            Form::Counted(counts, _) => (counts, &[]),
            Form::Rows(rows) | Form::Records(rows, ..) => (&[], rows),
        };
        let runs = self.runs(rows).map(|(candidate, run)| (candidate, run.len() as u64));
        counts.iter().copied().chain(runs)
    }

    /// Returns the raw sums, one for each of the [counts](Self::expose_raw); none if nothing was
    /// added up. Publishing them breaks every guarantee.
    pub fn expose_sums(&self) -> impl Iterator<Item = CellSums> {
        let (sums, records, points): (&[_], &[_], _) = match &self.0 {
            Form::Counted(_, sums) => (sums, &[], 0),
            Form::Rows(_) => (&[], &[], 0),
            Form::Records(indices, place) => (&[], indices, place.0.points()),
        };
        let runs = self.runs(records).map(move |(_, run)| CellSums::from_indices(run, points));
        sums.iter().cloned().chain(runs)
    }

    /// Groups stored rows or records by candidate.
    fn runs<'r>(&self, rows: &'r [u32]) -> impl Iterator<Item = (u32, &'r [u32])> + use<'r> {
        let places = match &self.0 {
            Form::Records(_, place) => Some(**place),
            Form::Counted(..) | Form::Rows(_) => None,
        };
        let candidate = move |row: u32| match &places {
            Some((grid, cells, blocks)) => {
                let cell = cells.nearest_candidate(grid, row.into());
                blocks.map_or(cell, |blocks| blocks.first(cell))
            }
            None => row,
        };
        let mut rest = rows;
        std::iter::from_fn(move || {
            let first = candidate(*rest.first()?);
            let same = rest.iter().take_while(|row| candidate(**row) == first).count();
            let (run, others) = rest.split_at(same);
            rest = others;
            Some((first, run))
        })
    }

    /// Returns true if there are no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.expose_raw().next().is_none()
    }

    /// Returns the number of rows; `None` if it exceeds 2^64.
    pub(crate) fn total(&self) -> Option<u64> {
        self.expose_raw().try_fold(0u64, |total, (_, count)| total.checked_add(count))
    }

    /// Returns the counts and sums of both together.
    pub(crate) fn merged(&self, other: &Self) -> Self {
        if self.expose_sums().chain(other.expose_sums()).next().is_none() {
            return Self::from_raw(self.expose_raw().chain(other.expose_raw()).collect());
        }
        Self::with_sums(self.entries().chain(other.entries()).collect())
    }

    /// Returns the counts with their sums; nothing if no sums were added up.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u32, u64, CellSums)> {
        let cells = self.expose_raw().zip(self.expose_sums());
        cells.map(|((candidate, count), sums)| (candidate, count, sums))
    }
}

impl Default for CellCounts {
    fn default() -> Self {
        Self(Form::Counted(Vec::new(), Vec::new()))
    }
}

/// Equality of counts and sums, in whatever form they are stored.
impl PartialEq for CellCounts {
    fn eq(&self, other: &Self) -> bool {
        self.expose_raw().eq(other.expose_raw()) && self.expose_sums().eq(other.expose_sums())
    }
}

impl Eq for CellCounts {}

impl fmt::Debug for CellCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CellCounts(redacted)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Bounds;

    proptest! {
        #[test]
        fn one_by_one_or_counted_is_the_same(
            rows in prop::collection::vec(0u32..=1 << 20, 0..200),
            steps in prop::sample::select(vec![1u32, 7, 300, 8192]),
            split in 0usize..200,
        ) {
            let grid = Grid::with_points(Bounds::UNIT, 1 << 20).unwrap();
            let cells = Cells::new(steps).unwrap();
            let at = |index: &u32| cells.nearest_candidate(&grid, u64::from(*index));
            let counted = |rows: &[u32]| {
                CellCounts::from_raw(rows.iter().map(|index| (at(index), 1)).collect())
            };
            let summed = |rows: &[u32]| {
                let sums = |index: &u32| {
                    let centred = 2 * i128::from(*index) - (1 << 20);
                    let [indices, squares] = [i128::from(*index), centred * centred];
                    let [indices, squares] = [indices, squares].map(ExactSum::from_raw);
                    (at(index), 1, CellSums { indices, squares })
                };
                CellCounts::with_sums(rows.iter().map(sums).collect())
            };
            let each = CellCounts::from_rows(rows.iter().map(at).collect());
            let records = CellCounts::from_records(rows.clone(), &grid, cells);
            prop_assert!(each == counted(&rows) && records == summed(&rows));
            let blocks = CellBlocks::new(cells, &grid);
            let together = records.clone().in_blocks(blocks);
            prop_assert!(together == summed(&rows).in_blocks(blocks));
            let firsts = rows.iter().map(|index| (blocks.first(at(index)), 1)).collect();
            prop_assert!(together.expose_raw().eq(CellCounts::from_raw(firsts).expose_raw()));
            prop_assert!(each.clone().in_blocks(blocks) == each);
            prop_assert_eq!(records == each, rows.is_empty());
            prop_assert_eq!(each.total(), Some(rows.len() as u64));
            prop_assert_eq!(each.is_empty(), rows.is_empty());

            let (one, other) = rows.split_at(split.min(rows.len()));
            let of_one = CellCounts::from_records(one.to_vec(), &grid, cells);
            prop_assert!(of_one.merged(&summed(other)) == records);
            let of_one = CellCounts::from_rows(one.iter().map(at).collect());
            prop_assert!(of_one.merged(&counted(other)) == each);
        }
    }

    #[test]
    fn sums_of_records_are_exact_beyond_64_bits() {
        let points = 1u64 << 31;
        let grid = Grid::with_points(Bounds::UNIT, points).unwrap();
        let records = CellCounts::from_records(vec![1 << 31; 10], &grid, Cells::for_sums());
        let sums: Vec<CellSums> = records.expose_sums().collect();
        assert_eq!(sums[0].indices.expose_raw(), 10 << 31);
        assert_eq!(sums[0].squares.expose_raw(), 10 << 62);
    }
}
