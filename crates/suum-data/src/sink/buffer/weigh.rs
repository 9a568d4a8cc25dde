//! Weighted counts in the intervals between cuts.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use suum_core::{Error, Key, Result};

use super::RecordBuffer;
use super::chunk::SortedRecords;

/// Implements [`Records::weigh`](suum_core::Records::weigh).
pub(super) fn weigh(
    buffer: &RecordBuffer,
    key: Key,
    cuts: &[u64],
    weights: &[u64],
) -> Result<Vec<u128>> {
    if !cuts.is_sorted_by(|a, b| a < b) {
        return Err(
            Error::parameter("cuts", "are not in ascending order").with_fix("sort them, each once")
        );
    }
    if weights.len() != buffer.levels.budgets().len() {
        return Err(Error::parameter("weights", "are not as many as levels")
            .with_fix("give each level one"));
    }
    if weights.iter().any(|weight| *weight > MOST) {
        return Err(Error::parameter("weights", "one is above 2^51").with_fix("make them smaller"));
    }
    let intervals = cuts.len() + 1;
    let weights = buffer.levels.by_position(weights);
    buffer
        .chunks
        .par_iter()
        .with_min_len(share(buffer.chunks.len()))
        .try_fold(
            || vec![0; intervals],
            |mut cells, chunk| {
                buffer
                    .store
                    .with_records(chunk, |records| add(records, key, cuts, &weights, &mut cells))?;
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

/// Number of chunks that share counters: a few shares for each thread.
pub(super) fn share(chunks: usize) -> usize {
    chunks.div_ceil(4 * rayon::current_num_threads()).max(1)
}

/// The largest weight.
const MOST: u64 = 1 << 51;

/// Adds the weight of each record to the cell of its key.
fn add(records: &SortedRecords, key: Key, cuts: &[u64], weights: &[u64], cells: &mut [u128]) {
    for (position, values, _) in records.runs() {
        let weight = u128::from(weights[position]);
        // Values ascend, so that their distances fall up to the centre and rise behind it.
        let centre = match key {
            Key::Value => 0,
            Key::Distance(centre) => values.partition_point(|value| *value < centre),
        };
        let (falling, rising) = values.split_at(centre);
        let last = falling.len().saturating_sub(1);
        let mut add = |records, key_at: &dyn Fn(usize) -> u64| {
            add_ascending(records, key_at, cuts, |cell, records| cells[cell] += weight * records);
        };
        add(rising.len(), &|at| key.evaluate(rising[at]));
        add(falling.len(), &|at| key.evaluate(falling[last - at]));
    }
}

/// Counts records, whose keys ascend, in each cell that has any.
#[inline]
fn add_ascending(
    records: usize,
    key_at: impl Fn(usize) -> u64,
    cuts: &[u64],
    mut add: impl FnMut(usize, u128),
) {
    let (mut at, mut cell) = (0, 0);
    while at < records {
        let key = key_at(at);
        cell = first_from(cell, cuts.len(), |cut| cuts[cut] > key);
        let end = match cuts.get(cell) {
            Some(cut) => first_from(at + 1, records, |at| key_at(at) >= *cut),
            None => records,
        };
        add(cell, (end - at) as u128);
        at = end;
    }
}

/// First index in `from..end` at which `holds` becomes and stays true; otherwise `end`. The search
/// doubles its steps, since the index is usually near.
#[inline]
fn first_from(from: usize, end: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut step) = (from, 1);
    while low + step <= end && !holds(low + step - 1) {
        low += step;
        step *= 2;
    }
    let mut high = end.min(low + step - 1);
    while low < high {
        let middle = low + (high - low) / 2;
        match holds(middle) {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::super::chunk::Rows;
    use super::*;
    use proptest::prelude::*;
    use suum_core::FloatOrder;

    proptest! {
        #[test]
        fn weighs_what_counting_finds(
            values in prop::collection::vec(-20i8..20, 0..200),
            levels in 1u32..=4,
            cuts in prop::collection::btree_set(-25i8..25, 0..12),
            distance: bool,
        ) {
            let key = if distance { Key::Distance(3.5) } else { Key::Value };
            let cuts: Vec<u64> =
                cuts.into_iter().map(|cut| FloatOrder::key(f64::from(cut) / 2.0)).collect();
            let mut rows = Rows::default();
            let weights = [1, 100, 10_000, 1 << 51];
            for (position, value) in (0..).zip(&values) {
                rows.push(position % levels, f64::from(*value), &[]);
            }
            let mut expected = vec![0u128; cuts.len() + 1];
            for (position, value) in rows.positions.iter().zip(&rows.values) {
                let cell = cuts.iter().filter(|cut| **cut <= key.evaluate(*value)).count();
                expected[cell] += u128::from(weights[*position as usize]);
            }
            let mut cells = vec![0; cuts.len() + 1];
            add(&rows.sorted(), key, &cuts, &weights, &mut cells);
            prop_assert_eq!(cells, expected);
        }

        #[test]
        fn the_first_place_is_found(from in 0usize..40, length in 0usize..40, first in 0usize..90) {
            let end = from + length;
            let found = first_from(from, end, |at| at >= first);
            prop_assert_eq!(found, first.clamp(from, end));
        }
    }
}
