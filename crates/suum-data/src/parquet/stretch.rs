//! Some rows of a row group, batch by batch.

use std::fs::File;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::footer::{Footer, Stretch};
use super::quiet::quietly;
use crate::columnar::{Rows, of_batch};
use crate::fault::Fault;
use crate::lanes::Lane;
use crate::progress::Progress;

/// Rows that are decoded at a time.
const BATCH_ROWS: usize = 8192;

/// A fault, and the row of the file it is in if it is of a row.
pub(super) type FileFault = (Option<u64>, Fault);

/// A scan and its place among those that are made.
type Concerned<'l, 'a, F> = (usize, &'l mut Lane<'a, Rows<'a>, F>);

/// Adds all records of a stretch to each scan, up to its first fault, of which `refuse` makes a
/// failure.
pub(super) fn read<F>(
    footer: &Footer,
    stretch: &Stretch,
    concerned: &mut Vec<Concerned<F>>,
    progress: &Progress,
    refuse: impl Fn(usize, FileFault) -> (u64, F),
) {
    // A panic leaves what was collected unusable, and the refusal discards it.
    let read = quietly(|| read_batches(footer, stretch, concerned, progress, &refuse));
    if let Err(fault) = read.unwrap_or(Err((None, Fault::Corrupt))) {
        for (at, lane) in concerned {
            let (order, failure) = refuse(*at, fault.clone());
            lane.fail(order, failure);
        }
    }
}

fn read_batches<F>(
    footer: &Footer,
    stretch: &Stretch,
    concerned: &mut Vec<Concerned<F>>,
    progress: &Progress,
    refuse: impl Fn(usize, FileFault) -> (u64, F),
) -> Result<(), FileFault> {
    if concerned.is_empty() {
        return Ok(());
    }
    let of_file = |fault| (None, fault);
    let count = |rows: u64| usize::try_from(rows).map_err(|_| of_file(Fault::Corrupt));
    // Each stretch has its own handle: handles share their position with their clones.
    let file = File::open(&footer.path).map_err(|error| of_file(error.into()))?;
    let mut reader =
        ParquetRecordBatchReaderBuilder::new_with_metadata(file, footer.metadata.clone())
            .with_row_groups(vec![stretch.group])
            .with_projection(footer.projection.clone())
            .with_batch_size(BATCH_ROWS);
    if stretch.skipped > 0 {
        reader = reader.with_offset(count(stretch.skipped)?);
    }
    // The last one has no limit: there may be more rows than the footer declares.
    if !stretch.is_last {
        reader = reader.with_limit(count(stretch.rows)?);
    }
    let batches = reader.build().map_err(|_| of_file(Fault::Corrupt))?;

    let mut seen = 0;
    let mut consumed = 0;
    for batch in batches {
        if progress.is_cancelled() {
            return Err(of_file(Fault::Cancelled));
        }
        let batch = batch.map_err(|_| of_file(Fault::Corrupt))?;
        let first = stretch.first_row + seen + 1;
        concerned.retain_mut(|(at, lane)| {
            let Ok(columns) = &footer.at.packed[*at] else { return false };
            let (rows, columns) = (batch.num_rows(), of_batch(&batch, *columns));
            let added = lane.reader.add(&columns, rows, &mut lane.collected);
            if let Err((row, fault)) = added {
                let (order, failure) = refuse(*at, (Some(first + row as u64), fault));
                lane.fail(order, failure);
                return false;
            }
            true
        });
        if concerned.is_empty() {
            return Ok(());
        }
        seen += batch.num_rows() as u64;
        // The file is consumed in proportion to the rows.
        let part = u128::from(stretch.bytes) * u128::from(seen) / u128::from(stretch.rows.max(1));
        let now = part.min(u128::from(stretch.bytes)) as u64;
        progress.add(now - consumed);
        consumed = now;
    }
    if seen == stretch.rows { Ok(()) } else { Err(of_file(Fault::RowCount)) }
}
