//! Batches in pieces, so that arrays computed from them take little memory.

use arrow_array::RecordBatch;
use suum::Result;

/// Largest number of rows of a piece.
pub(crate) const ROWS: usize = 1 << 16;

/// Cuts the batches into pieces of at most [`ROWS`] rows, which share their memory.
pub(crate) fn pieces(
    batches: impl Iterator<Item = Result<RecordBatch>> + Send + 'static,
) -> impl Iterator<Item = Result<RecordBatch>> + Send + 'static {
    batches.flat_map(|batch| match batch {
        Ok(batch) => cut(&batch),
        Err(refused) => vec![Err(refused)],
    })
}

/// Cuts a batch into pieces; at least one.
fn cut(batch: &RecordBatch) -> Vec<Result<RecordBatch>> {
    let rows = batch.num_rows();
    let starts = (0..rows.max(1)).step_by(ROWS);
    starts.map(|start| Ok(batch.slice(start, ROWS.min(rows - start)))).collect()
}
