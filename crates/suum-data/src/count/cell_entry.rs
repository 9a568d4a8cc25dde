//! Counters at a candidate of a level: a number of rows, or sums as well.

use suum_core::{CellCounts, CellSums, Cells, ExactSum, Grid};

/// Counter of a pair of a level and a candidate. A row is a number that determines its candidate
/// and its contribution.
pub(crate) trait Entry: Copy + Default {
    /// Small form that holds a few hundred rows; arrays of it fit the processor's caches.
    type Brief: Copy + Default;

    /// Counts a row; returns true if there is no room for another one.
    fn count(brief: &mut Self::Brief, row: u32) -> bool;

    /// Adds another small counter; returns false, and adds nothing, if there is no room for it.
    fn join(brief: &mut Self::Brief, other: Self::Brief) -> bool;

    /// Full-size form of a small counter.
    fn whole(brief: Self::Brief) -> Self;

    /// Adds another one.
    fn merge(&mut self, other: Self);

    /// Returns true if nothing was counted.
    fn is_empty(&self) -> bool;

    /// The candidate at which a row lies.
    fn candidate(row: u32, grid: &Grid, cells: Cells) -> u32;

    /// Counts the rows of a level at each candidate.
    fn one_by_one(rows: Vec<u32>, grid: &Grid, cells: Cells) -> CellCounts;

    /// Converts the counters at candidates for a grid of `points` steps.
    fn collect_counts(entries: impl Iterator<Item = (u32, Self)>, points: u64) -> CellCounts;
}

/// Number of rows; a row is the number of its candidate.
impl Entry for u64 {
    type Brief = u8;

    #[inline]
    fn count(brief: &mut u8, _: u32) -> bool {
        *brief += 1;
        *brief == u8::MAX
    }

    #[inline]
    fn join(brief: &mut u8, other: u8) -> bool {
        let sum = brief.checked_add(other).filter(|sum| *sum < u8::MAX);
        *brief = sum.unwrap_or(*brief);
        sum.is_some()
    }

    #[inline]
    fn whole(brief: u8) -> Self {
        Self::from(brief)
    }

    #[inline]
    fn merge(&mut self, other: Self) {
        *self += other;
    }

    #[inline]
    fn is_empty(&self) -> bool {
        *self == 0
    }

    fn candidate(row: u32, _: &Grid, _: Cells) -> u32 {
        row
    }

    fn one_by_one(rows: Vec<u32>, _: &Grid, _: Cells) -> CellCounts {
        CellCounts::from_rows(rows)
    }

    fn collect_counts(entries: impl Iterator<Item = (u32, Self)>, _: u64) -> CellCounts {
        CellCounts::from_raw(entries.collect())
    }
}

/// Number of records, and the sums of their grid indices and of their squares, in 64-bit halves,
/// because an array of 128-bit numbers would have padding.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sums {
    count: u64,
    indices: [u64; 2],
    squares: [u64; 2],
}

impl Sums {
    /// Number of records, sum of indices, and sum of the squares of 2g − G.
    pub(crate) fn centred(self, points: u64) -> (u64, i128, i128) {
        let [sum, squares] = [self.indices, self.squares].map(join);
        (self.count, sum, centred(self.count, sum, squares, points))
    }
}

/// Sum of the squares of 2g − G, from the sums of indices g and of their squares.
#[inline]
pub(crate) fn centred(count: u64, sum: i128, squares: i128, points: u64) -> i128 {
    let (count, points) = (i128::from(count), i128::from(points));
    // (2g − G)² = 4g² − 4Gg + G².
    4 * squares - 4 * points * sum + count * points * points
}

/// Largest grid whose indices small counters can add up.
pub(crate) const MOST_POINTS: u64 = 1 << 31;

/// Layout of a small counter: the lowest bits hold the sum of indices, bits from here on the sum of
/// squares, the rest the number of records. An index is at most 2^31, so each part has room for 511
/// records.
const OF_SQUARES: u32 = 40;
const OF_RECORDS: u32 = OF_SQUARES + 71;
const MOST_RECORDS: u128 = 511;

/// A row is the grid index of a record, which is at most 2^31.
impl Entry for Sums {
    type Brief = u128;

    #[inline]
    fn count(brief: &mut u128, index: u32) -> bool {
        let index = u64::from(index);
        let square = u128::from(index * index);
        *brief += u128::from(index) | square << OF_SQUARES | 1 << OF_RECORDS;
        *brief >> OF_RECORDS == MOST_RECORDS
    }

    #[inline]
    fn join(brief: &mut u128, other: u128) -> bool {
        let fits = (*brief >> OF_RECORDS) + (other >> OF_RECORDS) < MOST_RECORDS;
        *brief += if fits { other } else { 0 };
        fits
    }

    #[inline]
    fn whole(brief: u128) -> Self {
        let squares = (brief % (1 << OF_RECORDS)) >> OF_SQUARES;
        Self {
            count: (brief >> OF_RECORDS) as u64,
            indices: [(brief % (1 << OF_SQUARES)) as u64, 0],
            squares: [squares as u64, (squares >> 64) as u64],
        }
    }

    #[inline]
    fn merge(&mut self, other: Self) {
        self.count += other.count;
        add(&mut self.indices, other.indices);
        add(&mut self.squares, other.squares);
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    fn candidate(index: u32, grid: &Grid, cells: Cells) -> u32 {
        cells.nearest_candidate(grid, index.into())
    }

    fn one_by_one(indices: Vec<u32>, grid: &Grid, cells: Cells) -> CellCounts {
        CellCounts::from_records(indices, grid, cells)
    }

    fn collect_counts(entries: impl Iterator<Item = (u32, Self)>, points: u64) -> CellCounts {
        let cells = entries.map(|(candidate, sums)| {
            let (count, indices, squares) = sums.centred(points);
            let [indices, squares] = [indices, squares].map(ExactSum::from_raw);
            (candidate, count, CellSums { indices, squares })
        });
        CellCounts::with_sums(cells.collect())
    }
}

#[inline]
fn add(total: &mut [u64; 2], more: [u64; 2]) {
    let (low, carry) = total[0].overflowing_add(more[0]);
    // 2^63 squares of at most 2^62 stay below 2^125.
    *total = [low, total[1] + more[1] + u64::from(carry)];
}

fn join([low, high]: [u64; 2]) -> i128 {
    i128::from(high) << 64 | i128::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Counts rows in small counters as long as there is room, and the rest in a full-size one.
    fn in_brief<E: Entry>(rows: &[u32]) -> E {
        let (mut brief, mut whole) = (E::Brief::default(), E::default());
        for row in rows {
            if E::count(&mut brief, *row) {
                whole.merge(E::whole(std::mem::take(&mut brief)));
            }
        }
        whole.merge(E::whole(brief));
        whole
    }

    /// Counts every third row and the others in two small counters, and joins them if there is
    /// room.
    fn joined<E: Entry>(rows: &[u32]) -> E {
        let (mut briefs, mut whole) = ([E::Brief::default(); 2], E::default());
        for (at, row) in rows.iter().enumerate() {
            let brief = &mut briefs[usize::from(at % 3 == 0)];
            if E::count(brief, *row) {
                whole.merge(E::whole(std::mem::take(brief)));
            }
        }
        let [mut ours, theirs] = briefs;
        if !E::join(&mut ours, theirs) {
            whole.merge(E::whole(theirs));
        }
        whole.merge(E::whole(ours));
        whole
    }

    /// Sums by their definition.
    fn sums(indices: &[u32]) -> Sums {
        let total = |of: fn(u128) -> u128| {
            let total: u128 = indices.iter().map(|index| of(u128::from(*index))).sum();
            [total as u64, (total >> 64) as u64]
        };
        let (sum, squares) = (total(|index| index), total(|index| index * index));
        Sums { count: indices.len() as u64, indices: sum, squares }
    }

    proptest! {
        #[test]
        fn brief_is_whole(
            indices in prop_oneof![
                prop::collection::vec(0u32..=1 << 31, 0..1200),
                (0usize..1200).prop_map(|rows| vec![1 << 31; rows]),
            ],
        ) {
            prop_assert_eq!(in_brief::<Sums>(&indices), sums(&indices));
            prop_assert_eq!(in_brief::<u64>(&indices), indices.len() as u64);
            for rows in [&indices[..], &indices[..indices.len() / 4], &[]] {
                prop_assert_eq!(joined::<Sums>(rows), sums(rows));
                prop_assert_eq!(joined::<u64>(rows), rows.len() as u64);
            }
        }
    }

    #[test]
    fn sums_are_exact_beyond_64_bits() {
        let (points, index) = (1u64 << 31, (1u32 << 31) - 5);
        let centred = 2 * i128::from(index) - i128::from(points);
        assert_eq!(
            in_brief::<Sums>(&[index; 10]).centred(points),
            (10, 10 * i128::from(index), 10 * centred * centred)
        );
    }
}
