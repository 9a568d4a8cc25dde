//! Weighted counts in the intervals between cuts.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use suum_core::{Error, Key, Result};

use super::RecordBuffer;
use super::chunk::Rows;
use super::cuts::{Cuts, LANES};

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
    let cuts = Cuts::new(cuts);
    let weights = buffer.levels.by_slot(weights);
    buffer
        .chunks
        .par_iter()
        .with_min_len(share(buffer.chunks.len()))
        .try_fold(
            || vec![0; cuts.intervals()],
            |mut cells, chunk| {
                buffer
                    .store
                    .with_rows(chunk, |rows| add(rows, key, &cuts, &weights, &mut cells))?;
                Ok(cells)
            },
        )
        .try_reduce(
            || vec![0; cuts.intervals()],
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
fn add(rows: &Rows, key: Key, cuts: &Cuts, weights: &[u64], cells: &mut [u128]) {
    match key {
        // Nothing is decided for each record again.
        Key::Value => add_keys(rows, |value| Key::Value.of(value), cuts, weights, cells),
        Key::Distance(c) => {
            add_keys(rows, |value| Key::Distance(c).of(value), cuts, weights, cells)
        }
    }
}

fn add_keys(
    rows: &Rows,
    key: impl Fn(f64) -> u64,
    cuts: &Cuts,
    weights: &[u64],
    cells: &mut [u128],
) {
    let (slots, last_slots) = rows.slots.as_chunks::<LANES>();
    let (values, last_values) = rows.values.as_chunks::<LANES>();
    for (slots, values) in slots.iter().zip(values) {
        for (cell, slot) in cuts.find(&values.map(&key)).into_iter().zip(slots) {
            // A record that weighs nothing changes nothing, and asking for it would cost more.
            cells[cell] += u128::from(weights[*slot as usize]);
        }
    }
    let mut keys = [0; LANES];
    keys.iter_mut().zip(last_values).for_each(|(place, value)| *place = key(*value));
    for (cell, slot) in cuts.find(&keys).into_iter().zip(last_slots) {
        cells[cell] += u128::from(weights[*slot as usize]);
    }
}
