//! What records of each level add up to, in 64-bit numbers: processors add these without a carry.

use std::ops::Range;

use suum_core::Numbers;

use crate::count::cell_entry::{MOST_POINTS, centred};

/// Sums of at most [`MOST_RECORDS`] records, of a grid of at most 2^31 steps.
pub(crate) struct Briefs {
    /// The steps of the grid.
    points: u64,
    sums: Sums,
    /// How many records there are in all.
    records: u64,
}

/// By level.
enum Sums {
    /// How many records, and the sum of their indices.
    Indices(Vec<[u64; 2]>),
    /// The squares of the indices, too: the sum without its digits from 2^64 on, and the sum of
    /// what each square has from [`HIGH`] on.
    Squares(Vec<[u64; 4]>),
}

/// What records add up to: how many there are, and the sums of their indices and of the squares of
/// 2g − G, or 0 where these are not asked for.
pub(crate) type RecordTotals = (u64, i128, i128);

/// Indices of at most 2^31, so many of them, stay below 2^63. Tests soon have no room.
const MOST_RECORDS: u64 = if cfg!(test) { 1 << 14 } else { 1 << 31 };
const _: () = assert!(MOST_POINTS <= 1 << 31);

/// The last digit of a square that counts in the upper sum: what it leaves out of so many squares
/// stays below 2^64, so that the lower sum says how much that is.
const HIGH: u32 = 32;
const _: () = assert!((MOST_RECORDS as u128) << HIGH <= 1 << 64);

impl Briefs {
    /// No levels yet; `None` where more than sums is asked for, or the grid is too large.
    pub(crate) fn new(numbers: &Numbers) -> Option<Self> {
        let points = numbers.grid.points();
        let is_small = numbers.cells.is_none() && points <= MOST_POINTS;
        is_small.then(|| Self::empty(points, numbers.squares))
    }

    fn empty(points: u64, squares: bool) -> Self {
        let sums = if squares { Sums::Squares(Vec::new()) } else { Sums::Indices(Vec::new()) };
        Self { points, sums, records: 0 }
    }

    /// The same without levels.
    pub(crate) fn emptied(&self) -> Self {
        Self::empty(self.points, self.has_squares())
    }

    /// Whether squares are added up, too.
    pub(crate) fn has_squares(&self) -> bool {
        matches!(self.sums, Sums::Squares(_))
    }

    /// Whether there is room for so many more records.
    pub(crate) fn has_room(&self, more: usize) -> bool {
        self.records + more as u64 <= MOST_RECORDS
    }

    /// Adds records, for which there must be room: the position of the level of each, among so
    /// many, and its index.
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

    /// Adds the records of these levels of another one, for all of which there must be room.
    pub(crate) fn merge(&mut self, other: Self, levels: Range<usize>) {
        self.records += other.records;
        match (&mut self.sums, &other.sums) {
            (Sums::Indices(ours), Sums::Indices(theirs)) => merge(ours, theirs, levels),
            (Sums::Squares(ours), Sums::Squares(theirs)) => merge(ours, theirs, levels),
            // Both are of the same numbers.
            _ => {}
        }
    }

    /// How many records there are.
    pub(crate) fn records(&self) -> usize {
        self.records as usize
    }

    /// What the records of each of these levels add up to; no level has records afterwards.
    pub(crate) fn take(&mut self, levels: Range<usize>) -> Vec<RecordTotals> {
        self.records = 0;
        match &mut self.sums {
            Sums::Indices(sums) => {
                let added = |[count, sum]: [u64; 2]| (count, i128::from(sum), 0);
                of(&std::mem::take(sums), levels).map(|(_, sums)| added(*sums)).collect()
            }
            Sums::Squares(sums) => {
                let points = self.points;
                let sums = std::mem::take(sums);
                of(&sums, levels).map(|(_, sums)| with_squares(*sums, points)).collect()
            }
        }
    }
}

/// What the sums come to, exactly.
fn with_squares([count, sum, low, high]: [u64; 4], points: u64) -> RecordTotals {
    let left_out = low.wrapping_sub(high << HIGH);
    let squares = (i128::from(high) << HIGH) + i128::from(left_out);
    let sum = sum.into();
    (count, sum, centred(count, sum, squares, points))
}

/// Adds numbers, without digits from 2^64 on.
#[inline]
fn add<const N: usize>(sums: &mut [u64; N], more: [u64; N]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.wrapping_add(more));
}

fn merge<const N: usize>(ours: &mut Vec<[u64; N]>, theirs: &[[u64; N]], levels: Range<usize>) {
    let ours = room(ours, theirs.len());
    of(theirs, levels).for_each(|(level, sums)| add(&mut ours[level], *sums));
}

/// These positions, as far as there are so many, and what is there.
fn of<T>(all: &[T], positions: Range<usize>) -> impl Iterator<Item = (usize, &T)> {
    all.iter().enumerate().skip(positions.start).take(positions.len())
}

/// Room for so many levels.
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
        /// As many records as there may be, and more than a number of 64 bits can add up.
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
