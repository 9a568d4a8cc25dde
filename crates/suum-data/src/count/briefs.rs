//! Sums of records per level in 64-bit numbers, which processors add without a carry.

use std::ops::Range;

use suum_core::Numbers;

use crate::count::cell_entry::{MOST_POINTS, centred};

/// Sums of at most [`MOST_RECORDS`] records, of a grid of at most 2^31 steps.
pub(crate) struct Briefs {
    /// The steps of the grid.
    points: u64,
    sums: Sums,
    /// Number of records in all levels.
    records: u64,
}

/// Sums by level.
enum Sums {
    /// Number of records, and the sum of their indices.
    Indices(Vec<[u64; 2]>),
    /// Sums of the squares of indices as well: modulo 2^64, and of the part of each square from bit
    /// [`HIGH`] on.
    Squares(Vec<[u64; 4]>),
}

/// Totals of records: their number, and the sums of their indices and of the squares of 2g − G; 0
/// where a sum is not requested.
pub(crate) type RecordTotals = (u64, i128, i128);

/// Largest number of records. Sums of as many indices of at most 2^31 stay below 2^63. Small in
/// tests, so that they reach it.
const MOST_RECORDS: u64 = if cfg!(test) { 1 << 14 } else { 1 << 31 };
const _: () = assert!(MOST_POINTS <= 1 << 31);

/// Lowest bit of a square that counts in the upper sum. The part below it sums to less than 2^64
/// over [`MOST_RECORDS`] records, so the lower sum recovers it exactly.
const HIGH: u32 = 32;
const _: () = assert!((MOST_RECORDS as u128) << HIGH <= 1 << 64);

impl Briefs {
    /// Creates sums without levels; `None` if more than sums is requested, or the grid is too
    /// large.
    pub(crate) fn new(numbers: &Numbers) -> Option<Self> {
        let points = numbers.grid.points();
        let is_small = numbers.cells.is_none() && points <= MOST_POINTS;
        is_small.then(|| Self::empty(points, numbers.squares))
    }

    fn empty(points: u64, squares: bool) -> Self {
        let sums = if squares { Sums::Squares(Vec::new()) } else { Sums::Indices(Vec::new()) };
        Self { points, sums, records: 0 }
    }

    /// Creates sums of the same kind without levels.
    pub(crate) fn emptied(&self) -> Self {
        Self::empty(self.points, self.has_squares())
    }

    /// Returns true if squares are added up, too.
    pub(crate) fn has_squares(&self) -> bool {
        matches!(self.sums, Sums::Squares(_))
    }

    /// Returns true if there is room for `more` further records.
    pub(crate) fn has_room(&self, more: usize) -> bool {
        self.records + more as u64 <= MOST_RECORDS
    }

    /// Adds records, for which there must be room: the position of the level of each, among
    /// `levels`, and its index.
    #[inline]
    pub(crate) fn add_all(
        &mut self,
        levels: usize,
        records: impl ExactSizeIterator<Item = (usize, u64)>,
    ) {
        debug_assert!(self.has_room(records.len()));
        self.records += records.len() as u64;
        match &mut self.sums {
            Sums::Indices(sums) => {
                let sums = room(sums, levels);
                for (level, index) in records {
                    add(&mut sums[level], [1, index]);
                }
            }
            Sums::Squares(sums) => {
                let sums = room(sums, levels);
                for (level, index) in records {
                    // A product of 32 bits each, which processors make at once.
                    let square = u64::from(index as u32) * u64::from(index as u32);
                    add(&mut sums[level], [1, index, square, square >> HIGH]);
                }
            }
        }
    }

    /// Adds the records of these levels of `other`, for all of which there must be room.
    pub(crate) fn merge(&mut self, other: Self, levels: Range<usize>) {
        self.records += other.records;
        match (&mut self.sums, &other.sums) {
            (Sums::Indices(ours), Sums::Indices(theirs)) => merge(ours, theirs, levels),
            (Sums::Squares(ours), Sums::Squares(theirs)) => merge(ours, theirs, levels),
            // Both are of the same numbers.
            _ => {}
        }
    }

    /// Number of records.
    pub(crate) fn records(&self) -> usize {
        self.records as usize
    }

    /// Takes out the totals of each of these levels; afterwards no level has records.
    pub(crate) fn take(&mut self, levels: Range<usize>) -> Vec<RecordTotals> {
        self.records = 0;
        match &mut self.sums {
            Sums::Indices(sums) => {
                let added = |[count, sum]: [u64; 2]| (count, i128::from(sum), 0);
                enumerate_range(&std::mem::take(sums), levels)
                    .map(|(_, sums)| added(*sums))
                    .collect()
            }
            Sums::Squares(sums) => {
                let points = self.points;
                let sums = std::mem::take(sums);
                enumerate_range(&sums, levels)
                    .map(|(_, sums)| with_squares(*sums, points))
                    .collect()
            }
        }
    }
}

/// Totals of one level, with the exact sum of squares restored from its two parts.
fn with_squares([count, sum, low, high]: [u64; 4], points: u64) -> RecordTotals {
    let left_out = low.wrapping_sub(high << HIGH);
    let squares = (i128::from(high) << HIGH) + i128::from(left_out);
    let sum = sum.into();
    (count, sum, centred(count, sum, squares, points))
}

/// Adds numbers modulo 2^64.
#[inline]
fn add<const N: usize>(sums: &mut [u64; N], more: [u64; N]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.wrapping_add(more));
}

fn merge<const N: usize>(ours: &mut Vec<[u64; N]>, theirs: &[[u64; N]], levels: Range<usize>) {
    let ours = room(ours, theirs.len());
    enumerate_range(theirs, levels).for_each(|(level, sums)| add(&mut ours[level], *sums));
}

/// Items at these positions, as far as they exist, with their positions.
fn enumerate_range<T>(all: &[T], positions: Range<usize>) -> impl Iterator<Item = (usize, &T)> {
    all.iter().enumerate().skip(positions.start).take(positions.len())
}

/// Extends `sums` to `levels` levels and returns them.
fn room<const N: usize>(sums: &mut Vec<[u64; N]>, levels: usize) -> &mut [[u64; N]] {
    if sums.is_empty() {
        // Pages of zeros, if there are many.
        *sums = vec![[0; N]; levels];
    }
    if sums.len() < levels {
        sums.resize(levels, [0; N]);
    }
    sums
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Sums over more records than a 64-bit sum of indices could hold.
        #[test]
        fn sums_of_very_many_records_are_exact(
            runs in prop::collection::vec((0..=MOST_POINTS, 0..1u64 << 28), 0..8),
            points in 1..=MOST_POINTS,
        ) {
            let (mut sums, mut expected) = ([0; 4], (0, 0, 0));
            for (index, times) in runs {
                let square = index * index;
                let one = [1, index, square, square >> HIGH];
                add(&mut sums, one.map(|number: u64| number.wrapping_mul(times)));
                let (index, records, points) =
                    (i128::from(index), i128::from(times), i128::from(points));
                let centred = 2 * index - points;
                expected.0 += times;
                expected.1 += records * index;
                expected.2 += records * centred * centred;
            }
            prop_assert_eq!(with_squares(sums, points), expected);
        }
    }
}
