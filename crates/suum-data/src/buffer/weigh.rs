//! Weighted counts in the intervals between cuts.

use std::ops::RangeInclusive;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use suum_core::{Error, Key, Result};

use super::RecordBuffer;
use super::chunk::Rows;

/// The answer of [`Records::weigh`](suum_core::Records::weigh).
pub(super) fn weigh(
    buffer: &RecordBuffer,
    key: Key,
    cuts: &[u64],
    weights: &[u64],
) -> Result<Vec<u128>> {
    if !cuts.is_sorted_by(|a, b| a < b) {
        return Err(
            Error::parameter("cuts: are not in ascending order").with_hint("sort them, each once")
        );
    }
    if weights.len() != buffer.levels.budgets().len() {
        return Err(
            Error::parameter("weights: are not as many as levels").with_hint("give each level one")
        );
    }
    if weights.iter().any(|weight| *weight > MOST) {
        return Err(Error::parameter("weights: one is above 2^51").with_hint("make them smaller"));
    }
    let intervals = cuts.len() + 1;
    let weights = buffer.levels.by_slot(weights);
    buffer
        .chunks
        .par_iter()
        .with_min_len(share(buffer.chunks.len()))
        .try_fold(
            || vec![0; intervals],
            |mut cells, chunk| {
                buffer.store.with_rows(chunk, |rows| add(rows, key, cuts, &weights, &mut cells))?;
                Ok(cells)
            },
        )
        .try_reduce(
            || vec![0; intervals],
            |mut cells, other| {
                cells.iter_mut().zip(other).for_each(|(ours, theirs)| *ours += theirs);
                Ok(cells)
            },
        )
}

/// How many chunks are worth counters of their own: a few shares for each thread.
pub(super) fn share(chunks: usize) -> usize {
    chunks.div_ceil(4 * rayon::current_num_threads()).max(1)
}

/// Adds the weight of each record to the cell of its key.
fn add(rows: &Rows, key: Key, cuts: &[u64], weights: &[u64], cells: &mut [u128]) {
    match key {
        // Nothing is decided for each record again.
        Key::Value => add_keys(rows, |value| Key::Value.of(value), cuts, weights, cells),
        Key::Distance(c) => {
            add_keys(rows, |value| Key::Distance(c).of(value), cuts, weights, cells)
        }
    }
}

/// The largest weight.
const MOST: u64 = 1 << 51;

/// How many of these fit 64 bits together.
const BLOCK: usize = 1 << 12;

/// Records lie in the order of their values, so that the next one is nearly always in the same
/// cell; where it is not, its cell is looked up.
fn add_keys(
    rows: &Rows,
    key: impl Fn(f64) -> u64,
    cuts: &[u64],
    weights: &[u64],
    cells: &mut [u128],
) {
    let (mut cell, mut keys) = cell_of(0, cuts);
    for (slots, values) in rows.slots.chunks(BLOCK).zip(rows.values.chunks(BLOCK)) {
        let mut sum = 0;
        for (slot, value) in slots.iter().zip(values) {
            let key = key(*value);
            if !keys.contains(&key) {
                cells[cell] += u128::from(std::mem::take(&mut sum));
                (cell, keys) = cell_of(key, cuts);
            }
            sum += weights[*slot as usize];
        }
        cells[cell] += u128::from(sum);
    }
}

/// The cell of a key, and all keys that lie in it.
fn cell_of(key: u64, cuts: &[u64]) -> (usize, RangeInclusive<u64>) {
    let cell = cuts.partition_point(|cut| *cut <= key);
    let first = cell.checked_sub(1).map_or(0, |cut| cuts[cut]);
    // The cut lies above the key.
    let last = cuts.get(cell).map_or(u64::MAX, |cut| cut - 1);
    (cell, first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use suum_core::Lattice;

    proptest! {
        #[test]
        fn weighs_what_counting_finds(
            values in prop::collection::vec(-20i8..20, 0..60),
            cuts in prop::collection::btree_set(-25i8..25, 0..12),
            distance: bool,
        ) {
            let key = if distance { Key::Distance(3.5) } else { Key::Value };
            let cuts: Vec<u64> =
                cuts.into_iter().map(|cut| Lattice::key(f64::from(cut) / 2.0)).collect();
            let mut rows = Rows::default();
            let weights = [1, 100, 10_000, 1 << 51];
            for (slot, value) in (0..).zip(&values) {
                rows.push(slot % 4, f64::from(*value), &[]);
            }
            let mut expected = vec![0u128; cuts.len() + 1];
            for (slot, value) in rows.slots.iter().zip(&rows.values) {
                let cell = cuts.iter().filter(|cut| **cut <= key.of(*value)).count();
                expected[cell] += u128::from(weights[*slot as usize]);
            }
            // In any order, though it is only in one that it is fast.
            for sorted in [false, true] {
                if sorted {
                    rows.sort();
                }
                let mut cells = vec![0; cuts.len() + 1];
                add(&rows, key, &cuts, &weights, &mut cells);
                prop_assert_eq!(&cells, &expected);
            }
        }
    }

    #[test]
    fn every_key_has_its_cell() {
        for cuts in [vec![], vec![0], vec![0, 5, u64::MAX]] {
            for key in [0, 1, 4, 5, u64::MAX - 1, u64::MAX] {
                let (cell, keys) = cell_of(key, &cuts);
                assert_eq!(cell, cuts.iter().filter(|cut| **cut <= key).count());
                assert!(keys.contains(&key));
            }
        }
    }
}
